"""The events of a reply of OpenAI's Responses API, as the chunks of a chat completion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from purestep_hosts.models.event_stream import DONE
from purestep_hosts.models.kept_items import kept_items, text_of

_BETWEEN: Final = "\n\n"
"""Between the parts of a summary, which are paragraphs."""
_CUT: Final = {"max_output_tokens": "length", "content_filter": "content_filter"}
"""Why a reply is incomplete, in the words of chat completions; another reason stays as it is."""


def chunks_of(events: Iterator[str]) -> Iterator[str]:
    """Yield the chunks of a chat completion; what is no event of the API is passed on, for the core to name."""
    reply = _ResponseEvents()
    for data in events:
        if data == DONE:  # the end of a body that was no stream
            break
        try:
            chunks = reply.chunks(json.loads(data))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            yield data
            continue
        yield from (json.dumps(chunk) for chunk in chunks)
        if reply.has_ended:
            yield DONE


class _ResponseEvents:
    """Follows the events of one reply: items by their place, and calls numbered among themselves."""

    def __init__(self) -> None:
        self.has_ended = False
        self._calls: dict[int, int] = {}
        """The number of each call by the place of its item."""
        self._written: set[int] = set()
        """The places of calls whose arguments have begun."""
        self._items: dict[int, dict[str, Any]] = {}
        """The items that are whole, by their place."""
        self._refused = False

    def chunks(self, event: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what an event is as chunks; none for one that says nothing of the reply."""
        if event.get("object") == "response":  # a body that was no stream
            return self._whole(event)
        match event["type"]:
            case "response.created":
                return [_of_response(event["response"])]
            case "response.output_item.added":
                return self._started(event["output_index"], event["item"])
            case "response.output_item.done":
                return self._finished(event["output_index"], event["item"])
            case "response.completed" | "response.incomplete":
                return self._ended(event["response"])
            case "response.failed":
                return [_failure(event["response"].get("error"))]
            case "error":
                return [_failure(event.get("error") or event)]
            case kind:
                return self._continued(kind, event)

    def _continued(self, kind: str, event: dict[str, Any]) -> list[dict[str, Any]]:
        match kind:
            case "response.output_text.delta":
                return [_delta(_logprobs(event), content=event["delta"])]
            case "response.refusal.delta":
                self._refused = True
                return [_delta(content=event["delta"])]
            case "response.reasoning_summary_text.delta" | "response.reasoning_text.delta":
                return [_delta(reasoning_content=event["delta"])]
            case "response.reasoning_summary_part.added" if event.get("summary_index"):
                return [_delta(reasoning_content=_BETWEEN)]
            case "response.function_call_arguments.delta" if event["output_index"] in self._calls:
                return self._arguments(event["output_index"], event["delta"])
            case _:  # what the items say too, and events that a later version may add
                return []

    def _started(self, place: int, item: dict[str, Any]) -> list[dict[str, Any]]:
        if item["type"] != "function_call" or place in self._calls:
            return []
        number = self._calls[place] = len(self._calls)
        function = {"name": item["name"], "arguments": ""}
        return [_delta(tool_calls=[{"index": number, "id": item["call_id"], "function": function}])]

    def _finished(self, place: int, item: dict[str, Any]) -> list[dict[str, Any]]:
        """Return what a whole item adds: arguments that came in one piece."""
        chunks = self._started(place, item)
        if place in self._calls and place not in self._written:
            chunks += self._arguments(place, item.get("arguments") or "{}")
        self._items[place] = item
        return chunks

    def _arguments(self, place: int, piece: str) -> list[dict[str, Any]]:
        if piece:
            self._written.add(place)
        return [_delta(tool_calls=[{"index": self._calls[place], "function": {"arguments": piece}}])]

    def _ended(self, response: dict[str, Any]) -> list[dict[str, Any]]:
        self.has_ended = True
        cut: str = (response.get("incomplete_details") or {}).get("reason") or "length"
        if response.get("status") == "incomplete":
            reason = _CUT.get(cut, cut)
        elif self._refused:
            reason = "content_filter"
        else:
            reason = "tool_calls" if self._calls else "stop"
        kept = kept_items([self._items[at] for at in sorted(self._items)])
        delta = {} if kept is None else {"extra_content": kept}
        return [{**_of_response(response), "choices": [{"delta": delta, "finish_reason": reason}]}]

    def _whole(self, response: dict[str, Any]) -> list[dict[str, Any]]:
        if response.get("status") == "failed":
            return [_failure(response.get("error"))]
        chunks: list[dict[str, Any]] = []
        for place, item in enumerate(response["output"]):
            if item["type"] == "message":
                self._refused = self._refused or any(part["type"] == "refusal" for part in item["content"])
                chunks += [_delta(content=text_of(part)) for part in item["content"]]
            elif item["type"] == "reasoning":
                chunks += [_delta(reasoning_content=part["text"]) for part in item.get("summary") or ()]
            chunks += self._finished(place, item)
        return [*chunks, *self._ended(response)]


def _of_response(response: dict[str, Any]) -> dict[str, Any]:
    usage = response.get("usage")
    counts = {} if usage is None else {"usage": _counts(usage)}
    return {"id": response.get("id"), "model": response.get("model"), "choices": [], **counts}


def _counts(usage: dict[str, Any]) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.get("input_tokens"),
        "completion_tokens": usage.get("output_tokens"),
        "prompt_tokens_details": usage.get("input_tokens_details"),
        "completion_tokens_details": usage.get("output_tokens_details"),
    }


def _delta(beside: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    return {"choices": [{"delta": members, **(beside or {})}]}


def _logprobs(event: dict[str, Any]) -> dict[str, Any]:
    tokens = event.get("logprobs")
    return {"logprobs": {"content": tokens}} if tokens else {}


def _failure(error: dict[str, Any] | None) -> dict[str, Any]:
    said = {"message": "the response failed", **(error or {})}
    return {"error": {name: value for name, value in said.items() if name != "type" or value != "error"}}
