"""Which run a client's own id of a chat stands for: AG-UI's `threadId`, and the `id` of the AI SDK.

.threads/DIGEST   the id of the run, in a file that is named by the SHA-256 of the client's id
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

from purestep_hosts.durable_files import sync_folder, write
from purestep_hosts.regular_files import read_regular
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.limits import MAX_THREAD_CHARS

_MAX_ENTRY_BYTES: Final = 100
"""Of what is kept for a chat: the id of a run."""


class ThreadIndex:
    """The chats of one user, in the folder of the user's sessions."""

    def __init__(self, root: Path) -> None:
        self._folder = root / ".threads"

    def run_of(self, thread: str) -> str | None:
        """Return the run of a chat, None for one that is new; raises ServiceError for what is no id."""
        try:
            return read_regular(self._file(thread), _MAX_ENTRY_BYTES).decode("ascii")
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise _unusable() from error

    def keep(self, thread: str, run_id: str) -> str:
        """Write down the run of a new chat; returns the run that it has, which another request may have written."""
        place = self._file(thread)
        draft = place.with_name(f".{secrets.token_hex(8)}")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(draft, run_id.encode("ascii"))
            with suppress(FileExistsError):
                os.link(draft, place)
            draft.unlink()
            sync_folder(self._folder)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise _unusable() from error
        return self.run_of(thread) or run_id

    def _file(self, thread: str) -> Path:
        if not 0 < len(thread) <= MAX_THREAD_CHARS:
            raise ServiceError(
                "invalid_input", f"expected an id of a chat of 1 to {MAX_THREAD_CHARS} characters; got {len(thread)}"
            )
        return self._folder / hashlib.sha256(thread.encode("utf-8", "surrogatepass")).hexdigest()


def _unusable() -> ServiceError:
    return ServiceError("storage_failed", "the service cannot write to its disk; try again later")
