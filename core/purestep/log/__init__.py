"""The log read back: replayed into the run it records, and verified byte for byte.

A log is facts and derived lines. `LogReplayer` takes one line at a time: each must be the next one that the core
itself would write, because the step that wrote it is made again from the facts before it. `replay` gives the run
back; `verify` names the first line that differs.
"""

from .replay import Replayed, Verified, read_events, replay, split_log, verify

__all__ = ["Replayed", "Verified", "read_events", "replay", "split_log", "verify"]
