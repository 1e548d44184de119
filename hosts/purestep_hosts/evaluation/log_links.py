"""Addresses that open a log in the playground: it stands in the part of the address that no server gets."""

from __future__ import annotations

import gzip
from base64 import urlsafe_b64encode
from typing import Final
from urllib.parse import urlencode

MAX_LINK_CHARS: Final = 32_000
"""Of a packed log in an address: browsers take more, but a report has one for each run."""


def log_link(playground: str, name: str, log: bytes) -> str | None:
    """Return the address that opens a log there, or None for a log that is too long for one."""
    packed = urlsafe_b64encode(gzip.compress(log, mtime=0)).rstrip(b"=").decode()
    if len(packed) > MAX_LINK_CHARS:
        return None
    return f"{playground}#{urlencode({'log': packed, 'name': name})}"
