"""What waits for a person in the runs of a folder: read when a service starts, since nothing tells of it again."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from purestep import PurestepError
from purestep_hosts.serve.run_answer import waiting_calls
from purestep_hosts.sessions import SessionError, SessionStore
from purestep_hosts.watching import Watching

MAX_READ: Final = 10_000
"""Of the newest runs of each user: as many as are read in a minute."""
_FLUSH_S: Final = 60.0


def tell_waiting(watching: Watching, folders: Iterable[Path]) -> None:
    """Have the runs of these folders read that wait for a person; a run that cannot be read waits for nobody."""
    for folder in folders:
        store = SessionStore(folder)
        for run_id in store.ids()[:MAX_READ]:
            with suppress(SessionError, PurestepError):
                _tell(watching, run_id, store.read(run_id).text)


def _tell(watching: Watching, run_id: str, log: str) -> None:
    if '"kind":"approval_request"' not in log:
        return
    if waiting_calls(log):
        watching.read(run_id, log)
        watching.flush(_FLUSH_S)
