"""What this user has confirmed, and the key that marks sessions as this user's: in the user's state folder.

    confirmed/KIND-DIGEST   an empty file for each thing that was confirmed
    session.key             32 random bytes; a session made with it is this user's (`seal`)

Nothing in a cloned or copied folder can put anything there.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from purestep_hosts.extras import CLI, MissingExtraError

Kind = Literal["agent", "address", "functions", "mcp"]

_KEY_BYTES: Final = 32


def state_folder() -> Path:
    """Return the user's state folder, which may not exist; raises MissingExtraError without the extra `cli`."""
    with CLI:
        import platformdirs

    return Path(platformdirs.user_state_dir("purestep"))


def digest_of(*parts: str) -> str:
    """Return the SHA-256 of texts, each with its length, so that no two lists give the same."""
    data = b"".join(b"%d:%b" % (len(part.encode()), part.encode()) for part in parts)
    return hashlib.sha256(data).hexdigest()


def is_confirmed(kind: Kind, digest: str) -> bool:
    """Return whether a person has confirmed this."""
    return _mark(kind, digest).is_file()


def remember(kind: Kind, digest: str) -> None:
    """Remember that a person has confirmed this; where nothing can be written the person is asked again next time."""
    with suppress(OSError):
        mark = _mark(kind, digest)
        mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        mark.touch(mode=0o600)


def seal(*parts: str) -> str:
    """Return a code for texts that only this user's key makes; empty where no key can be kept."""
    try:
        key = _key(state_folder() / "session.key")
    except (OSError, MissingExtraError):
        return ""
    return hmac.new(key, digest_of(*parts).encode(), hashlib.sha256).hexdigest()


def _mark(kind: Kind, digest: str) -> Path:
    return state_folder() / "confirmed" / f"{kind}-{digest}"


def _key(path: Path) -> bytes:
    """Return the user's key, made when it is first needed; of two processes that make one, the first one's holds."""
    with suppress(FileNotFoundError):
        return _checked(path)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, secrets.token_bytes(_KEY_BYTES))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return _checked(path)


def _checked(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) != _KEY_BYTES or path.stat().st_uid != os.getuid():
        raise OSError(0, f"{path} is not this user's key")
    return key
