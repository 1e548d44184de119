"""Messages and results in other forms: their images and files as references, since the log has no bytes.

The reference is a URI with the SHA-256 of the bytes, by which a host that keeps them finds them.
Sources: RFC 6920 (7, `nih` URIs); the AI SDK's UI messages, version 6; OpenAI's chat completions; AG-UI 1.0.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import to_builtins

from purestep.values import AttachedPart, Content, ContentPart, ImagePart, TextPart

from .walk import Result


def _uri(part: AttachedPart) -> str:
    return f"nih:sha-256;{part.digest}"


def _named(member: str, part: AttachedPart) -> dict[str, str]:
    return {} if part.name is None else {member: part.name}


def uris_of(parts: Sequence[AttachedPart]) -> list[str]:
    """Return the media type and the reference of each image and file."""
    return [f"{part.media_type} {_uri(part)}" for part in parts]


def ui_files(parts: Sequence[AttachedPart]) -> list[dict[str, Any]]:
    """Return images and files as an AI SDK message and its stream have them, where they have no name."""
    return [{"type": "file", "mediaType": part.media_type, "url": _uri(part)} for part in parts]


def declined_output(call_id: str, result: Result) -> list[dict[str, Any]]:
    """Return what a call gave after a person had refused its question: the SDK's refusals have no place for it."""
    if not result.is_declined:
        return []
    told = {"errorText": result.text} if result.fault else {"output": result.output}
    return [{"type": "data-after-refusal", "data": {"toolCallId": call_id, **told}}, *ui_files(result.parts)]


def own_content(content: Content) -> Any:
    """Return the content as the observation had it, JSON-ready."""
    return content if isinstance(content, str) else [to_builtins(part) for part in content]


def ui_parts(content: Content) -> list[dict[str, Any]]:
    """Return the parts of an AI SDK message."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [_ui_part(part) for part in content]


def _ui_part(part: ContentPart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    return {"type": "file", "mediaType": part.media_type, "url": _uri(part), **_named("filename", part)}


def chat_content(content: Content) -> Any:
    """Return the content of an OpenAI message."""
    return content if isinstance(content, str) else [_chat_part(part) for part in content]


def _chat_part(part: ContentPart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    if isinstance(part, ImagePart):
        return {"type": "image_url", "image_url": {"url": _uri(part)}}
    return {"type": "file", "file": {"file_id": _uri(part), **_named("filename", part)}}


def ag_ui_parts(parts: Sequence[AttachedPart]) -> list[dict[str, Any]]:
    """Return images and files as parts of an AG-UI message."""
    return [_ag_ui_part(part) for part in parts]


def ag_ui_content(content: Content) -> Any:
    """Return the content of an AG-UI message."""
    return content if isinstance(content, str) else [_ag_ui_part(part) for part in content]


def _ag_ui_part(part: ContentPart) -> dict[str, Any]:
    if isinstance(part, TextPart):
        return {"type": "text", "text": part.text}
    source = {"type": "file", "value": _uri(part), "provider": "purestep", "mimeType": part.media_type}
    kind = "image" if isinstance(part, ImagePart) else "document"
    named = _named("filename", part)
    return {"type": kind, "source": source, **({"metadata": named} if named else {})}
