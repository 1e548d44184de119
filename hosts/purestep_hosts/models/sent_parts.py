"""The parts of a message as chat completions have them, read for providers that write them otherwise."""

from __future__ import annotations

from typing import Any, NamedTuple


class SentData(NamedTuple):
    """An image or a file of a message: its type, its bytes in base64, the name of a file."""

    media_type: str
    base64: str
    name: str | None


def visible_parts(content: Any) -> list[dict[str, Any]]:
    """Return a message's content as parts, without texts that have no visible character: providers take none."""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or ()
    return [part for part in parts if part.get("type") != "text" or part["text"].strip()]


def data_of(part: dict[str, Any]) -> SentData | None:
    """Return the bytes of a part that `sent_request` has written; None for any other part."""
    match part:
        case {"type": "image_url", "image_url": {"url": str(url)}}:
            name: str | None = None
        case {"type": "file", "file": {"file_data": str(url), "filename": str(name)}}:
            pass
        case _:
            return None
    head, comma, data = url.partition(",")
    if not (comma and head.startswith("data:") and head.endswith(";base64")):
        return None
    return SentData(head.removeprefix("data:").removesuffix(";base64"), data, name)
