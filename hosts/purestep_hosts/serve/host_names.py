"""Host names as browsers send them in the headers `Host` and `Origin`, and nothing that only a URL may have.

Source: RFC 9110, section 7.2 (`Host`); RFC 6454, section 6.2 (`Origin`); RFC 3986, section 3.2.2 (names and addresses).
"""

from __future__ import annotations

import ipaddress
import re
from typing import Final, NamedTuple

MAX_NAME_CHARS: Final = 253
"""The most that the domain name system takes."""

_AUTHORITY: Final = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
_MAX_LABEL_CHARS: Final = 63
_MAX_PORT: Final = 65_535
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


class Authority(NamedTuple):
    """A host's name, in small letters and without the brackets of an address, and the port that was named."""

    name: str
    port: int | None


def read_authority(text: str) -> Authority | None:
    """Return the host and the port of `HOST` or `HOST:PORT`; None for anything else, such as a user before an `@`."""
    found = _AUTHORITY.fullmatch(text)
    if found is None or not text.isascii():
        return None
    name, port = found[1].lower(), None if found[2] is None else int(found[2])  # ascii: by the pattern
    is_name = _is_address(name[1:-1]) if name.startswith("[") else _is_name(name)
    return Authority(name.strip("[]"), port) if is_name and (port is None or 1 <= port <= _MAX_PORT) else None


def read_origin(text: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port of an origin of the web; None for any other text, `null` among them."""
    scheme, mark, rest = text.partition("://")
    authority = read_authority(rest)
    if not mark or scheme not in _DEFAULT_PORTS or authority is None:
        return None
    return scheme, authority.name, authority.port or _DEFAULT_PORTS[scheme]


def written_origin(scheme: str, name: str, port: int) -> str:
    """Return an origin as browsers write it: in small letters, and without the scheme's own port."""
    host = f"[{ipaddress.IPv6Address(name).compressed}]" if ":" in name else name
    return f"{scheme}://{host}" if port == _DEFAULT_PORTS[scheme] else f"{scheme}://{host}:{port}"


def _is_name(name: str) -> bool:
    labels = name.removesuffix(".").split(".")
    return len(name) <= MAX_NAME_CHARS and all(label and len(label) <= _MAX_LABEL_CHARS for label in labels)


def _is_address(text: str) -> bool:
    try:
        return bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False
