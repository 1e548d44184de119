"""Puts one chat completion together, from stream chunks or whole, and checks its shape on the way."""

from __future__ import annotations

import json
from typing import Any

# Ten times what a 128k-token window can hold as text: past it a server is stuck in a loop.
MAX_REPLY_CHARS = 5_000_000
# The most parallel calls that the OpenAI API allows in one message.
MAX_TOOL_CALLS = 128


# The largest number that every JSON reader keeps exactly; the core counts no further.
MAX_COUNT = 2**53 - 1


class BadReply(Exception):
    """What a server sent is no chat completion; `retryable` tells whether asking again may help."""

    def __init__(self, message: str, *, retryable: bool = True) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable


class Reply:
    """One completion in the making: feed it chunks, then take the observation."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._calls: dict[int, dict[str, str]] = {}
        self._usage: dict[str, int] | None = None
        self._model: str | None = None
        self.finish_reason: str | None = None
        self.size = 0

    def add(self, chunk: object) -> str:
        """Take one chunk (or a whole completion) and return the text that it added.

        Raises BadReply for anything but the OpenAI shape.
        """
        record = _mapping(chunk, "the reply")
        # Usage and filter reports come as chunks without choices.
        choices = _listing(
            record.get("choices") or ([] if "choices" in record or "usage" in record else None), "choices"
        )
        if isinstance(record.get("model"), str):
            self._model = record["model"]
        self._usage = _usage(record.get("usage")) or self._usage
        return self._add_choice(_mapping(choices[0], "choices[0]")) if choices else ""

    def stop(self) -> None:
        """Mark the reply as ended by its reader."""
        self.finish_reason = self.finish_reason or "stop"

    def observation(self) -> dict[str, Any]:
        """Return the `model_output` observation of what was received."""
        text = well_formed("".join(self._text))
        calls = [_tool_call(self._calls[index], index) for index in sorted(self._calls)]
        found = {"tool_calls": calls, "usage": self._usage, "model": self._model}
        return {
            "type": "model_output",
            "content": None if calls and not text else text,
            "finish_reason": self.finish_reason,
            **{name: value for name, value in found.items() if value},
        }

    def _add_choice(self, choice: dict[str, Any]) -> str:
        piece = _mapping(choice.get("delta") or choice.get("message") or {}, "the message")
        reason = choice.get("finish_reason")
        if reason is not None:
            self.finish_reason = _string(reason, "finish_reason")
        for position, call in enumerate(_listing(piece.get("tool_calls") or [], "tool_calls")):
            self._add_call(_mapping(call, "a tool call"), position)
        text = _string(piece.get("content") or "", "content")
        self._text.append(text)
        self._grow(len(text))
        return text

    def _add_call(self, delta: dict[str, Any], position: int) -> None:
        index = self._index(delta, position)
        call = self._calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        function = _mapping(delta.get("function") or {}, "a tool call's function")
        arguments = function.get("arguments") or ""
        text = _compact(arguments) if isinstance(arguments, dict) else _string(arguments, "arguments")
        call["id"] = call["id"] or _call_id(delta)
        call["name"] = call["name"] or _string(function.get("name") or "", "a function's name")
        call["arguments"] += text
        self._grow(len(text))

    def _index(self, delta: dict[str, Any], position: int) -> int:
        """Return which call a piece belongs to; a new id opens a new call, also where a server numbers none."""
        given, call_id = delta.get("index"), _call_id(delta)
        index = position if given is None else given
        if type(index) is not int or not 0 <= index < MAX_TOOL_CALLS:
            raise BadReply(f"a tool call has an index that is no number from 0 to {MAX_TOOL_CALLS - 1}")
        known = self._calls.get(index)
        if known and call_id and known["id"] and known["id"] != call_id:
            index = next((at for at, call in self._calls.items() if call["id"] == call_id), len(self._calls))
        elif given is None and not call_id and self._calls:
            index = max(self._calls)
        if index >= MAX_TOOL_CALLS:
            raise BadReply(f"the reply holds more than {MAX_TOOL_CALLS} tool calls", retryable=False)
        return index

    def _grow(self, chars: int) -> None:
        self.size += chars
        if self.size > MAX_REPLY_CHARS:
            raise BadReply(f"the reply passed {MAX_REPLY_CHARS} characters and did not end", retryable=False)


def _tool_call(call: dict[str, str], index: int) -> dict[str, Any]:
    function = {"name": call["name"], "arguments": well_formed(call["arguments"])}
    return {"id": call["id"] or f"call_{index}", "type": "function", "function": function}


def _call_id(delta: dict[str, Any]) -> str:
    call_id = delta.get("id")
    return str(call_id) if isinstance(call_id, int) else _string(call_id or "", "a tool call's id")


def _usage(value: object) -> dict[str, int] | None:
    names = ("prompt_tokens", "completion_tokens")
    if not isinstance(value, dict):
        return None
    counts = {name: value.get(name) for name in names}
    return {name: n for name, n in counts.items() if type(n) is int and 0 <= n <= MAX_COUNT} or None


def well_formed(text: str) -> str:
    """Return the text with surrogate pairs joined that were split between chunks; a lone one becomes U+FFFD."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _mapping(value: object, what: str) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    raise BadReply(f"{what} is {_kind(value)}; expected an object")


def _listing(value: object, what: str) -> list[Any]:
    if isinstance(value, list):
        return value
    raise BadReply(f"{what} is {_kind(value)}; expected a list")


def _string(value: object, what: str) -> str:
    if isinstance(value, str):
        return value
    raise BadReply(f"{what} is {_kind(value)}; expected text")


def _kind(value: object) -> str:
    return "missing" if value is None else type(value).__name__


def _compact(arguments: dict[str, Any]) -> str:
    """Give arguments that came as an object as the text that other hosts make of them."""
    return json.dumps(arguments, separators=(",", ":"), ensure_ascii=False)
