"""An agent as a web service: runs that are started, streamed, approved and cancelled over HTTP, and kept on disk.

Types and how data flows:

    Agent, options of the command ── ServedAgent ─┐
                                                  ├─ Runs ── LiveRun (an exchange that goes on) ── event_stream
    SessionStore (a folder for each user) ────────┘    │                                           ├─ AG-UI
                                                       └─ sessions on disk, written ahead          └─ AI SDK

    request ── admission (origin, host, token) ── body (limits) ── endpoints ── JSON, or a stream of events

A run is its log on disk, so whatever happens to the process, the next one goes on with it. `LiveRun` holds what has
happened since the exchange began, and any number of readers fold it into the form that they want, with the core's
projections: who comes late reads the same events. Nothing here looks at what a model said, and no state leaves the
service, so there is nothing that a client could change and send back.

`create_app` gives the service as an ASGI application; the command `purestep serve` runs it.
"""

from purestep_hosts.agents.served_agent import ServedAgent, served
from purestep_hosts.serve.admission import Admission
from purestep_hosts.serve.app import create_app
from purestep_hosts.serve.limits import ServiceLimits

__all__ = ["Admission", "ServedAgent", "ServiceLimits", "create_app", "served"]
