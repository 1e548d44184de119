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
        case {"type": "input_audio", "input_audio": {"data": str(data), "format": str(form)}}:
            return SentData(f"audio/{'mpeg' if form == 'mp3' else form}", data, None)
        case {"type": "file", "file": {"file_data": str(url), "filename": str(name)}}:
            pass
        case _:
            return None
    head, comma, data = url.partition(",")
    if not (comma and head.startswith("data:") and head.endswith(";base64")):
        return None
    return SentData(head.removeprefix("data:").removesuffix(";base64"), data, name)


def left_out(data: SentData) -> str:
    """Return the line that stands for a sound where a provider takes none."""
    return f"[left out: a sound, {data.media_type}, since this server takes none]"


def with_parts_after(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return messages whose results are text, with their images and files in a user message after the results.

    A `tool` message of chat completions has text only, and all results of a turn follow its calls at once.
    """
    if not any(message["role"] == "tool" and isinstance(message.get("content"), list) for message in messages):
        return messages
    sent: list[dict[str, Any]] = []
    waiting: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] != "tool":
            _say_parts(sent, waiting, message)
            waiting = []
            continue
        content = message.get("content")
        if isinstance(content, list):
            texts = [part["text"] for part in content if part.get("type") == "text"]
            waiting += [part for part in content if part.get("type") != "text"]
            sent.append({**message, "content": "\n\n".join(texts)})
        else:
            sent.append(message)
    _say_parts(sent, waiting, None)
    return sent


def _say_parts(sent: list[dict[str, Any]], waiting: list[dict[str, Any]], message: dict[str, Any] | None) -> None:
    """Add the parts that wait, joined with the user message that follows: templates demand that roles alternate."""
    if waiting and message is not None and message["role"] == "user":
        message = {**message, "content": [*waiting, *visible_parts(message.get("content"))]}
    elif waiting:
        sent.append({"role": "user", "content": waiting})
    if message is not None:
        sent.append(message)
