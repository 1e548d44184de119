"""Images and files that a tool gives: taken out of its value, checked by their bytes, and told in a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, Final

import msgspec

from purestep_hosts.attachments import MAX_ATTACHMENT_BYTES, Attachment, AttachmentError, attachment, is_text

MAX_PARTS: Final = 6
"""Of one result, as the core takes them."""

_SOUNDS: Final = (
    (re.compile(rb"RIFF....WAVE", re.DOTALL), "audio/wav"),
    (re.compile(rb"ID3[\x02-\x04]|\xff[\xfb\xf3\xf2]"), "audio/mpeg"),
)
"""How sounds begin that models hear."""

_BYTES: Final = (bytes, bytearray, memoryview)

Keep = Callable[[Attachment], None]
"""Keeps an image or a file durably, before the log names it."""


class OutputParts(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool gives: its output, and the images and files beside it."""

    output: Any
    attachments: tuple[Attachment, ...] = ()


def part_of(data: bytes, name: str | None = None) -> Attachment | str | None:
    """Return bytes as an image, a file or a sound, or as the text that they are; None for what no model reads."""
    for begins, kind in _SOUNDS:
        if begins.match(data) and len(data) <= MAX_ATTACHMENT_BYTES:
            return Attachment(data=data, media_type=kind, name=name)
    try:
        found = attachment(data, name)
    except AttachmentError:
        return None
    return data.decode("utf-8", "replace") if is_text(found.media_type) else found


def told(found: Attachment) -> str:
    """Return the line that stands for an image or a file in a text."""
    kind = found.media_type.partition("/")[0]
    name = f"{found.name}, " if found.name else ""
    return f"[{kind if kind in ('image', 'audio') else 'file'}: {name}{found.media_type}, {len(found.data)} bytes]"


def taken_apart(value: Any) -> Any:
    """Return a value without the images and files that it is or lists, as `OutputParts`; any other as it is."""
    if isinstance(value, OutputParts):
        return value
    if _is_part(value):
        (output,), found = _parts((value,))
        return OutputParts(output=output, attachments=found)
    if isinstance(value, list | tuple) and any(map(_is_part, value)):
        outputs, found = _parts(value)
        return OutputParts(output=outputs, attachments=found)
    return value


def holds_parts(annotation: Any) -> bool:
    """Whether a type is one of images and files, of which no schema tells anything."""
    if not isinstance(annotation, type):
        return False
    return issubclass(annotation, (*_BYTES, Attachment, OutputParts)) or _is_picture(annotation)


def kept_parts(value: OutputParts, keep: Keep | None) -> tuple[Any, list[dict[str, Any]]]:
    """Return the output, and the references of what was kept; keep: None where a host keeps no files."""
    if not value.attachments:
        return value.output, []
    if keep is None:
        return _with_line(
            value.output, f"[{len(value.attachments)} images or files are left out: none is kept here]"
        ), []
    for each in value.attachments:
        keep(each)
    return value.output, [msgspec.to_builtins(each.part) for each in value.attachments]


def _with_line(output: Any, line: str) -> Any:
    if isinstance(output, str):
        return f"{output}\n{line}"
    return [*output, line] if isinstance(output, list) else {"output": output, "note": line}


def _is_part(value: Any) -> bool:
    return isinstance(value, (*_BYTES, Attachment)) or _is_picture(type(value))


def _is_picture(kind: type) -> bool:
    """Whether a class is that of a picture, as Pillow has it; it need not be installed."""
    return all(callable(getattr(kind, name, None)) for name in ("save", "tobytes", "convert"))


def _parts(values: Sequence[Any]) -> tuple[list[Any], tuple[Attachment, ...]]:
    """Return the values with a line for each image and file, and those of which there is room."""
    lines: list[Any] = []
    found: list[Attachment] = []
    for value in values:
        part = _part(value) if _is_part(value) else value
        if isinstance(part, Attachment) and len(found) < MAX_PARTS:
            found.append(part)
            lines.append(told(part))
        elif isinstance(part, Attachment):
            lines.append(f"[left out, since {MAX_PARTS} are shown: {told(part)[1:]}")
        else:
            lines.append(part)
    return lines, tuple(found)


def _part(value: Any) -> Attachment | str:
    if isinstance(value, Attachment):
        data, name = value.data, value.name
    else:
        data, name = bytes(value) if isinstance(value, _BYTES) else _picture_bytes(value), None
    return part_of(data, name) or f"[left out: {len(data)} bytes that are no image, sound, PDF or text]"


def _picture_bytes(picture: Any) -> bytes:
    written = BytesIO()
    picture.save(written, format="PNG")
    return written.getvalue()
