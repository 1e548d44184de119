"""How places are named: relative URI references (RFC 3986), their fragments, and JSON pointers (RFC 6901)."""

import re
from collections.abc import Iterable
from typing import Any, Final

from msgspec import UNSET

from ..bounds import MAX_POINTER_INDEX_DIGITS

DEFAULT_BASE: Final = "schema:///"
"""The base URI of a document that does not give its own."""

_PARTS: Final = r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?]*))?([^?]*)(\?.*)?"


def resolve(base: str, reference: str) -> str:
    """Return the absolute URI that a reference names from a base URI, both without a fragment (RFC 3986, 5.2)."""
    scheme, authority, path, query = _split(reference)
    if scheme is not None:
        return _join(scheme, authority, _without_dot_segments(path), query)
    base_scheme, base_authority, base_path, base_query = _split(base)
    if authority is not None:
        return _join(base_scheme, authority, _without_dot_segments(path), query)
    if not path:
        return _join(base_scheme, base_authority, base_path, base_query if query is None else query)
    if not path.startswith("/"):
        folder, slash, _ = base_path.rpartition("/")
        path = f"{folder}{slash}{path}" if slash or base_authority is None else f"/{path}"
    return _join(base_scheme, base_authority, _without_dot_segments(path), query)


def _split(address: str) -> tuple[str | None, str | None, str, str | None]:
    """Return scheme, authority, path, and the query with its question mark; None for what is absent."""
    found = re.fullmatch(_PARTS, address, re.ASCII | re.DOTALL)
    assert found is not None  # every part may be empty
    return found[1], found[2], found[3], found[4]


def _join(scheme: str | None, authority: str | None, path: str, query: str | None) -> str:
    before = ("" if scheme is None else f"{scheme}:") + ("" if authority is None else f"//{authority}")
    return f"{before}{path}{query or ''}"


def _without_dot_segments(path: str) -> str:
    """Return the path after its segments `.` and `..` are removed (RFC 3986, 5.2.4)."""
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == ".." and kept not in ([], [""]):
            kept.pop()
        if segment not in (".", ".."):
            kept.append(segment)
    return "/".join(kept if segments[-1] not in (".", "..") else [*kept, ""])


def percent_decode(fragment: str) -> str | None:
    """Return the fragment with its percent escapes read as UTF-8; None when they are not UTF-8."""
    try:
        return re.sub(rb"%([0-9A-Fa-f]{2})", _unescaped_byte, fragment.encode()).decode()
    except UnicodeError:
        return None


def _unescaped_byte(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode())


def percent_encode(fragment: str) -> str:
    """Return the text as a fragment: characters that a fragment must not hold become percent escapes of their UTF-8."""
    return re.sub(r"[^A-Za-z0-9._~!$&'()*+,;=:@/?-]", _escape, fragment, flags=re.ASCII)


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))


POINTER: Final = r"(?:/(?:[^~/]|~[01])*)*"
"""The expression for a JSON pointer: a tilde in it stands before 0 or 1 (RFC 6901, 3)."""


def is_pointer(text: str) -> bool:
    """Whether a text is a JSON pointer (RFC 6901)."""
    return re.fullmatch(POINTER, text, re.ASCII) is not None


def pointer_token(name: str | int) -> str:
    """Return a name or index as one token of a JSON pointer, escaped, with its leading slash (RFC 6901)."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


def pointer_tokens(pointer: str) -> list[str]:
    """Return the unescaped tokens of a text that is a JSON pointer, none for "" (RFC 6901)."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


_ARRAY_INDEX: Final = rf"0|[1-9][0-9]{{0,{MAX_POINTER_INDEX_DIGITS - 1}}}"


def array_index(token: str) -> int | None:
    """Return the index in an array that a token of a JSON pointer means; None for any other token (RFC 6901, 4)."""
    return int(token) if re.fullmatch(_ARRAY_INDEX, token, re.ASCII) else None


def value_at(value: Any, tokens: Iterable[str]) -> Any:
    """Return what the tokens of a JSON pointer name in a value, step by step; UNSET where they name nothing."""
    for token in tokens:
        if isinstance(value, dict):
            value = value.get(token, UNSET)
        elif isinstance(value, list) and (index := array_index(token)) is not None and index < len(value):
            value = value[index]
        else:
            return UNSET
    return value
