"""Redaction: texts that must stand in no state and no log are hidden before a step sees them.

It is no policy: a policy is told of facts that the log holds already, and is asked for verdicts; this changes what the
log will hold, before anything else reads it.
"""

from .hidden import Hidden, Redaction, revealed
