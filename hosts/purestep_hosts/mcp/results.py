"""What an MCP server's call gives, read block by block: one that cannot be read costs the others nothing.

Images, sounds and files are taken for what their bytes are, whatever the server says that they are.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from purestep_hosts.attachments import Attachment
from purestep_hosts.tools.output_parts import MAX_PARTS, OutputParts, part_of, told
from purestep_hosts.tools.tool import ToolFailure

_MAX_SHOWN_CHARS: Final = 300
"""Of a media type, a name or an address in a line: what is longer is not read."""

_BLANKS: Final = re.compile(r"[ \t\r\n]+", re.ASCII)
"""Between the lines of base64 as mail has it."""


class ServerResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a call: its content as the server sent it; `structured` is None where there is none."""

    content: tuple[Any, ...] = ()
    structured: Any = None
    is_error: bool = False

    def output(self, server: str) -> Any:
        """Return the structured content, or the text with a line for all that is no text; raises ToolFailure.

        Images, sounds and files that a model may take stand beside it.
        """
        read = [piece for block in self.content for piece in pieces_of(block)]
        found, text = _told(read)
        if self.is_error:
            raise ToolFailure(text or f"the MCP server {server} reported an error and did not say which")
        is_text = all(_kind(block) == "text" for block in self.content)
        output = text if self.structured is None else {"structured": self.structured, "content": text}
        output = self.structured if is_text and self.structured is not None else output
        return OutputParts(output=output, attachments=found) if found else output


def server_result(sent: dict[str, Any]) -> ServerResult:
    """Return the result of a call as a server sent it; members that are null count as absent."""
    content = sent.get("content")
    blocks = content if isinstance(content, list) else [] if content is None else [content]
    is_error = sent.get("isError") not in (None, False, "false")
    return ServerResult(content=tuple(blocks), structured=sent.get("structuredContent"), is_error=is_error)


def _told(read: list[str | Attachment]) -> tuple[tuple[Attachment, ...], str]:
    """Return the images, sounds and files of which there is room, and the text with a line for each."""
    found: list[Attachment] = []
    lines: list[str] = []
    for piece in read:
        if isinstance(piece, str):
            lines.append(piece)
        elif len(found) < MAX_PARTS:
            found.append(piece)
            lines.append(told(piece))
        else:
            lines.append(f"[left out, since {MAX_PARTS} are shown: {told(piece)[1:]}")
    return tuple(found), "\n".join(lines)


def _kind(block: Any) -> str:
    kind = block.get("type") if isinstance(block, dict) else "text" if isinstance(block, str) else None
    return kind if isinstance(kind, str) else ""


def pieces_of(block: Any) -> Iterator[str | Attachment]:
    """Yield what a block says: texts, and what it shows."""
    if isinstance(block, str):
        yield block
        return
    kind = _kind(block)
    match kind, block:
        case "text", {"text": str(text)}:
            yield text
        case (("image" | "audio"), {"data": str(data)}):
            yield _data(data, kind, _word(block, "mimeType"))
        case "resource_link", {"uri": str()}:
            yield f"[link: {_word(block, 'name')}, {_word(block, 'uri')}]"
        case "resource", {"resource": {"text": str(text)}}:
            yield text
        case "resource", {"resource": {"blob": str(blob)} as resource}:
            yield _data(blob, f"resource {_word(resource, 'uri')}", _word(resource, "mimeType"))
        case _:
            yield f"[left out: a block that cannot be read{f', of the type {kind:.40}' if kind else ''}]"


def _data(written: str, kind: str, media_type: str) -> str | Attachment:
    """Return what base64 stands for, or a line that says why it is left out."""
    _, _, data = written.rpartition(";base64,") if written.startswith("data:") else ("", "", written)
    data = _BLANKS.sub("", data)
    try:
        found = base64.b64decode(data + "=" * (-len(data) % 4), validate=True)
    except (binascii.Error, ValueError):
        return f"[left out: {kind}, {media_type}: its base64 is broken]"
    part = part_of(found)
    if part is None or (isinstance(part, str) and kind in ("image", "audio")):  # words are no picture
        return f"[left out: {kind}, {media_type}, {len(found)} bytes]"
    return part


def _word(block: dict[str, Any], member: str) -> str:
    value = block.get(member)
    if not isinstance(value, str):
        return f"without {member}"
    shown = "".join(c if c.isprintable() else " " for c in value[:_MAX_SHOWN_CHARS])
    return shown if len(value) <= _MAX_SHOWN_CHARS else f"{shown}…"
