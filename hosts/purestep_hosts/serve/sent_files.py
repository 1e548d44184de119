"""Images and files that clients send: in a data URL, in base64 or by an address, checked as any other attachment."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote_to_bytes

from purestep_hosts.attachments import Attachment, AttachmentError, attachment
from purestep_hosts.serve.faults import ServiceError
from purestep_hosts.serve.linked_files import LinkedFiles

_DATA_URL: Final = re.compile(r"data:([^,]*),(.*)", re.DOTALL | re.IGNORECASE)


def of_url(url: object, name: object, linked: LinkedFiles) -> Attachment:
    """Return the file of a data URL (RFC 2397), or of an address that `linked` may fetch; raises ServiceError."""
    found = _DATA_URL.fullmatch(url) if isinstance(url, str) else None
    if found is None:
        fetched, named = linked.fetched(url)
        return _checked(fetched, name if isinstance(name, str) else named)
    header, data = found.groups()
    if header.lower().endswith(";base64"):
        return of_base64(data, name)
    return _checked(unquote_to_bytes(data), name)


def of_base64(data: object, name: object) -> Attachment:
    """Return the file of a text in base64; raises ServiceError."""
    try:
        return _checked(base64.b64decode(data if isinstance(data, str) else "?", validate=True), name)
    except (binascii.Error, ValueError):
        raise ServiceError("invalid_input", "expected the bytes of an image or a file in base64") from None


def check_words(text: str, files: Sequence[Attachment]) -> None:
    """Raise ServiceError for a message that has neither words nor files."""
    if not text.strip() and not files:
        raise ServiceError("invalid_input", "expected words, an image or a file in the last message; it has none")


def _checked(data: bytes, name: object) -> Attachment:
    """Return bytes as an attachment; what they are is read off them, whatever type the client gives them."""
    try:
        return attachment(data, name if isinstance(name, str) else None)
    except AttachmentError as error:
        raise ServiceError(error.code, error.message) from None
