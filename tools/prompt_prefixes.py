"""What consecutive requests of a run have in common, byte for byte, in the order in which servers keep prompts.

A server's prompt cache keeps the beginning of a prompt: the tools, the schema that the output is held to, the system
text, and the messages. A request whose beginning is the whole request before it costs only what is new.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import purestep
from purestep_hosts.effects import model_request
from purestep_hosts.models.anthropic import anthropic_model
from purestep_hosts.models.google import google_model
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpModel
from purestep_hosts.models.responses import responses_model

Body = dict[str, Any]

_PLACES: Final = {
    "openai": (("tools", "response_format"), "messages"),
    "responses": (("tools", "text"), "input"),
    "anthropic": (("tools", "output_config", "system"), "messages"),
    "google": (("tools", "systemInstruction"), "contents"),
}
"""Of each protocol: the members of a body that stand before the messages, in their order, and the messages."""

_SCHEMAS: Final = ("response_format", "text", "output_config")
"""Of these members, those that hold the output to a schema."""

_ASIDE: Final = ("summary", "skill", "scored")
"""Reasons of requests that have a prompt of their own; the conversation goes on after them."""

_TOLD: Final = frozenset(
    {
        ("switched", ""),  # the window, a summary, the dialect, the model, or what a server refuses
        ("agent_changed", ""),
        ("decided", "final_answer"),  # no tools are offered any more
    }
)
"""Lines of a log that say why the beginning of the next prompt is another one: kind, and reason, cause or code."""

_TOLD_BEFORE: Final = frozenset(
    {
        ("correction", "answer_schema"),  # one output is held to the schema of the answer, and the next is not
        ("user_message", "tool_choice"),  # it holds from the request on that has the message
    }
)
"""Lines that say it of the request after the next one too."""

_TOLD_LONG: Final = frozenset(
    {
        ("model_error", "overflow"),  # the prompt was too long for a window that nobody knew, and is kept short
        ("switched", "dialect"),  # calls are written in the text, and what holds them is chosen for each output
        ("switched", "carry"),  # examples and tools are chosen for each request of a model that is carried
        ("correction", "repeated_call"),  # the tool is not offered until something else has succeeded
    }
)
"""Lines that say it of all requests up to the end of the exchange."""

_ANSWERED: Final = frozenset({"model_response", "model_error"})


def bodies_of() -> dict[str, Callable[[ModelRequest], Body]]:
    """Return what makes the body of a request, by the name of the protocol."""
    models = {
        "openai": HttpModel("https://example.org/v1/chat/completions", model="m"),
        "responses": responses_model("m", api_key="k"),
        "anthropic": anthropic_model("m", api_key="k"),
        "google": google_model("m", api_key="k"),
    }
    return {name: _body_of(model) for name, model in models.items()}


def _body_of(model: HttpModel) -> Callable[[ModelRequest], Body]:
    return lambda request: model.wire.body(request, model.name)


def written(name: str, body: Body, *, with_schema: bool = True) -> str:
    """Return a body as a server reads it into its cache; marks of where a cache ends are no part of that.

    with_schema: whether what the output is held to is read too, as OpenAI's and Anthropic's servers do; llama.cpp and
    vLLM hold the output to it and leave the prompt as it is.
    """
    heads, messages = _PLACES[name]
    read = [member for member in heads if with_schema or member not in _SCHEMAS]
    head = "".join([_json({member: body.get(member)}) for member in read])
    return head + "".join([_turn(message) for message in body[messages]])


def _turn(message: Body) -> str:
    """Return a message: its role, once, and its parts one after the other."""
    parts = next((message[name] for name in ("content", "parts") if isinstance(message.get(name), list)), None)
    if parts is None:
        return _json(message)
    rest = {name: value for name, value in message.items() if name not in ("content", "parts")}
    return _json(rest) + "".join([_json(part) for part in parts])


def _json(value: Any) -> str:
    return json.dumps(_unmarked(value), ensure_ascii=False)


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unmarked(part) for name, part in value.items() if name != "cache_control"}
    return [_unmarked(part) for part in value] if isinstance(value, list) else value


Line = tuple[str, str]
"""Of a line of a log: its kind, and its reason, cause or code."""


class Asked(NamedTuple):
    """One request of a conversation, and the lines of the log since the one before.

    begins: whether it is the first of its exchange. may_differ: whether a line says why the beginning of its prompt is
    another one than before.
    """

    request: ModelRequest
    begins: bool
    may_differ: bool


def _said(line: dict[str, Any]) -> Line:
    kind = line["kind"]
    if kind == "user_message":
        return kind, "tool_choice" if "tool_choice" in line else ""
    if kind == "switched":
        return kind, line["what"] if line["what"] in ("carry", "dialect") else ""
    return kind, next((line[name] for name in ("reason", "cause", "code") if name in line), "")


class Conversation:
    """Collects the requests of a run from its steps."""

    def __init__(self) -> None:
        self._messages: list[purestep.Message] = []
        self._lines: tuple[Line, ...] = ()
        self._before: tuple[Line, ...] = ()
        self._is_told = False

    def asked(self, messages: tuple[purestep.Message, ...], log: str, decision: purestep.Decision) -> Asked | None:
        """Take what a step gave; returns the request that it leads to, if it is one of the conversation."""
        self._messages += messages
        self._lines += tuple([_said(json.loads(line)) for line in log.splitlines()])
        kinds = {kind for kind, _ in self._lines}
        begins = "user_message" in kinds and not kinds.isdisjoint({"run_started", "final_answer", "run_failed"})
        is_new = begins or not kinds.isdisjoint(_ANSWERED)  # else the same request is told once more
        if not isinstance(decision, purestep.CallModel) or decision.reason in _ASIDE or not is_new:
            return None
        self._is_told = not _TOLD_LONG.isdisjoint(self._lines) or (self._is_told and not begins)
        late = not _TOLD_BEFORE.isdisjoint((*self._before, *self._lines))
        asked = Asked(
            request=model_request(decision, self._messages),
            begins=begins,
            may_differ=late or self._is_told or not _TOLD.isdisjoint(self._lines),
        )
        self._lines, self._before = (), self._lines
        return asked
