"""The header `Idempotency-Key`: a retry of a request that begins a run gets the run that the first one has begun.

A key is its user's own, holds for one body, and is kept for as long as the run is.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep_hosts.durable_files import sync_folder, write
from purestep_hosts.extras import SERVE
from purestep_hosts.regular_files import read_regular
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.limits import MAX_KEY_CHARS

with SERVE:
    from starlette.requests import Request


_MAX_ENTRY_BYTES: Final = 200
"""Of what is kept under a key: the id of a run and a SHA-256."""


class RunKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is kept: the SHA-256 of what the client sent, and of the body that it holds for."""

    digest: str
    body: str


def key_of(request: Request, body: Any) -> RunKey | None:
    """Return the key of a request, None for none; raises ServiceError for what is no key."""
    given = request.headers.getlist("idempotency-key")
    if not given:
        return None
    if len(given) > 1 or not 0 < len(given[0]) <= MAX_KEY_CHARS or not given[0].isascii() or not given[0].isprintable():
        text = f"expected one Idempotency-Key of 1 to {MAX_KEY_CHARS} visible ASCII characters, such as a UUID"
        raise ServiceError("invalid_input", text)
    encoded = msgspec.json.encode(body, order="deterministic")
    return RunKey(digest=_sha256(given[0].encode()), body=_sha256(encoded))


def check_body(key: RunKey, body: str) -> None:
    """Raise ServiceError `key_reused` where a key was first sent with another body."""
    if body != key.body:
        text = "this Idempotency-Key was sent with another body before; send the same body again, or another key"
        raise ServiceError("key_reused", text)


class KeyIndex:
    """The keys of one user, in the folder of the user's sessions: `.keys/DIGEST` has the run's id and the body's."""

    def __init__(self, root: Path) -> None:
        self._folder = root / ".keys"

    def run_of(self, key: RunKey) -> str | None:
        """Return the run of a key, None for a new one; raises ServiceError."""
        try:
            run_id, body = read_regular(self._folder / key.digest, _MAX_ENTRY_BYTES).decode("ascii").split()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise _unusable() from error
        check_body(key, body)
        return run_id

    def keep(self, key: RunKey, run_id: str) -> None:
        """Write down the run of a new key."""
        draft = self._folder / f".{secrets.token_hex(8)}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(draft, f"{run_id} {key.body}".encode("ascii"))
            os.replace(draft, self._folder / key.digest)
            sync_folder(self._folder)
        except OSError as error:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
            raise _unusable() from error

    def drop(self, key: RunKey) -> None:
        """Forget a key whose run was refused; raises ServiceError."""
        try:
            (self._folder / key.digest).unlink(missing_ok=True)
        except OSError as error:
            raise _unusable() from error


def _unusable() -> ServiceError:
    return ServiceError("storage_failed", "the service cannot write to its disk; try again later")


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
