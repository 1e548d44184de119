"""The items of a reply of the Responses API: what is kept of them beside a message, and how they go back.

A message has the text and the calls of a reply. What else came with them, encrypted reasoning and the items of tools
that ran at the provider, stands in its `extra_content`, in the order of the reply; text and calls are only marked
there, so that nothing is told twice and what the run changed of them holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

_OWNER: Final = "openai"
_ITEMS: Final = "items"
_IN_CALL: Final = ("name", "arguments", "call_id")
"""Members of a call that the message has."""
_IN_TEXT: Final = ("text", "refusal", "logprobs")
"""Members of a part of the text that the message has, or that belong to a reply alone."""
_CHARS: Final = "chars"


def kept_items(output: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Return the `extra_content` for the items of a reply; None where text and calls are all of it."""
    if not any(_says_more(item) for item in output):
        return None
    return {_OWNER: {_ITEMS: [_kept(item) for item in output]}}


def _says_more(item: dict[str, Any]) -> bool:
    return item["type"] not in ("message", "function_call") or bool(item.get("phase"))


def _kept(item: dict[str, Any]) -> dict[str, Any]:
    match item["type"]:
        case "function_call":
            return {name: value for name, value in item.items() if name not in _IN_CALL}
        case "message":
            return {**item, "content": [_kept_part(part) for part in item["content"]]}
        case _:
            return item


def _kept_part(part: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in part.items() if name not in _IN_TEXT}
    return {**rest, _CHARS: len(text_of(part))}


def text_of(part: dict[str, Any]) -> str:
    """Return the text of a part, also where it is a refusal's."""
    return part.get("text") or part.get("refusal") or ""


def sent_items(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a message of the assistant: those that were kept, with the text and the calls as they are."""
    content = message.get("content") or ""
    text = content if isinstance(content, str) else "".join(part.get("text") or "" for part in content)
    calls = [_call(call) for call in message.get("tool_calls") or ()]
    kept = _items_of(message)
    if sum(item.get("type") == "function_call" for item in kept) != len(calls):
        return [*_plain(text), *calls]
    chars = sum(part[_CHARS] for part in _parts(kept))
    left, texts = iter(calls), iter([text] if chars != len(text) else _pieces(text, kept))
    items: list[dict[str, Any]] = []
    for item in kept:
        match item["type"]:
            case "function_call":
                items.append({**item, **next(left)})
            case "message":
                items += _written(item, texts)
            case _:
                items.append(item)
    return [*items, *_plain("".join(texts))]


def _items_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items that were kept of a message; none where they have another form, as an edited log may hold."""
    match message.get("extra_content"):
        case {"openai": {"items": [*items]}} if all(_is_kept(item) for item in items):
            return items
        case _:
            return []


def _is_kept(item: Any) -> bool:
    match item:
        case {"type": "message", "content": [*parts]}:
            return all(isinstance(part, dict) and "type" in part and type(part.get(_CHARS)) is int for part in parts)
        case {"type": "message"}:
            return False
        case {"type": str()}:
            return True
        case _:
            return False


def _parts(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for item in items if item["type"] == "message" for part in item["content"]]


def _pieces(text: str, kept: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the text as its parts had it."""
    at = 0
    for part in _parts(kept):
        yield text[at : at + part[_CHARS]]
        at += part[_CHARS]


def _written(item: dict[str, Any], texts: Iterator[str]) -> list[dict[str, Any]]:
    """Return a message with its texts; none where there is no text for it."""
    parts: list[dict[str, Any]] = []
    for part in item["content"]:
        text = next(texts, "")
        if text.strip():
            rest = {name: value for name, value in part.items() if name != _CHARS}
            member = "refusal" if part["type"] == "refusal" else "text"
            parts.append({**rest, member: text})
    return [{**item, "content": parts}] if parts else []


def _plain(text: str) -> list[dict[str, Any]]:
    return [{"type": "message", "role": "assistant", "content": text}] if text.strip() else []


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call["function"]
    return {
        "type": "function_call",
        "call_id": call["id"],
        "name": function["name"],
        "arguments": function["arguments"],
    }
