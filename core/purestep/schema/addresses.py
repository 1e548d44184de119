"""Addresses of schemas: what a relative one means from where it stands (RFC 3986, section 5.2)."""

import re
from typing import Final

HERE: Final = "schema:///"
"""The address of a document that does not say its own."""

_PARTS: Final = r"(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/?]*))?([^?]*)(\?.*)?"


def resolved(base: str, reference: str) -> str:
    """The full address that a reference means, both without a fragment."""
    scheme, authority, path, query = _parts(reference)
    if scheme is not None:
        return _joined(scheme, authority, _without_dots(path), query)
    base_scheme, base_authority, base_path, base_query = _parts(base)
    if authority is not None:
        return _joined(base_scheme, authority, _without_dots(path), query)
    if not path:
        return _joined(base_scheme, base_authority, base_path, base_query if query is None else query)
    if not path.startswith("/"):
        folder, slash, _ = base_path.rpartition("/")
        path = f"{folder}{slash}{path}" if slash or base_authority is None else f"/{path}"
    return _joined(base_scheme, base_authority, _without_dots(path), query)


def _parts(address: str) -> tuple[str | None, str | None, str, str | None]:
    """Scheme, authority, path and the query with its question mark; None for what is absent."""
    found = re.fullmatch(_PARTS, address, re.ASCII | re.DOTALL)
    assert found is not None  # every part may be empty
    return found[1], found[2], found[3], found[4]


def _joined(scheme: str | None, authority: str | None, path: str, query: str | None) -> str:
    before = ("" if scheme is None else f"{scheme}:") + ("" if authority is None else f"//{authority}")
    return f"{before}{path}{query or ''}"


def _without_dots(path: str) -> str:
    """The path with its steps `.` and `..` taken (section 5.2.4)."""
    kept: list[str] = []
    steps = path.split("/")
    for step in steps:
        if step == ".." and kept not in ([], [""]):
            kept.pop()
        if step not in (".", ".."):
            kept.append(step)
    return "/".join(kept if steps[-1] not in (".", "..") else [*kept, ""])


def unescaped(fragment: str) -> str | None:
    """The fragment with its percent escapes read as UTF-8; None when they are none."""
    try:
        return re.sub(rb"%([0-9A-Fa-f]{2})", _unescaped_byte, fragment.encode()).decode()
    except UnicodeError:
        return None


def escaped(fragment: str) -> str:
    """The text as it stands in a fragment: what has no place there as percent escapes of its UTF-8."""
    return re.sub(r"[^A-Za-z0-9._~!$&'()*+,;=:@/?-]", _escape, fragment, flags=re.ASCII)


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))


def _unescaped_byte(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode())
