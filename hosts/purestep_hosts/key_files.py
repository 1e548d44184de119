"""Keys as files hold them: OpenSSH's form or PEM, without a password."""

from __future__ import annotations

from typing import Any, Final

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_PEM_BEGIN: Final = b"-----"
_PEM_END: Final = b"-----END PUBLIC KEY-----"


def loaded_key(data: bytes, *loaders: Any) -> Any:
    """Return the key that the first loader that can reads, None if none can.

    data: what an editor leaves around a key, white space and a byte order mark, is passed over. loaders: functions of
    `cryptography` such as `load_pem_private_key`.
    """
    from cryptography.exceptions import UnsupportedAlgorithm

    text = _bare(data)
    for load in loaders:
        try:
            return load(text, password=None) if "private" in load.__name__ else load(text)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            continue
    return None


def goes_on(data: bytes) -> str:
    """Return what is wrong with a file that goes on after its first public key; empty for one that does not.

    Only the first one would count, and nobody who reads the file could know.
    """
    text = _bare(data)
    after = text.partition(_PEM_END if text.startswith(_PEM_BEGIN) else b"\n")[2]
    if not after.strip():
        return ""
    return "expected one public key; the file goes on after it: leave only that key in it"


def _bare(data: bytes) -> bytes:
    """Return the text of a key; a private one in OpenSSH's form has to end with a line break."""
    return data.removeprefix(_BYTE_ORDER_MARK).strip() + b"\n"
