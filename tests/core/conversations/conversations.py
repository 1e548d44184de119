"""The conversations of this folder, and a host that plays one: its model and its person do what was written down."""

import json
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

import purestep
from purestep import RunState
from purestep.dialects import Sample, dialect_named
from purestep.values import ReadCall
from purestep.values.reading import StreamText
from tests.core.agents import answer, approvals, native_call, results, said
from tests.core.driver import Driver

FOLDER = Path(__file__).resolve().parent
MODEL = {"name": "large", "window_tokens": 128_000}
ONE_AT_A_TIME = {"compact"}
"""Dialects with one call a reply: a turn of several calls is several turns there."""


class Call(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call that the model makes, what its tool gives, and what a person who is asked about it says."""

    tool: str
    arguments: dict[str, Any]
    output: Any = None
    error: str | None = None
    error_kind: str | None = None
    approved: bool | None = None
    """None: the definition has nobody asked about it."""
    says: str | None = None
    """What the model says beside the calls of its turn, where the dialect has a place for it."""


class Exchange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a user says, the turns of calls that follow, each of one call or of several at once, and the answer."""

    user: str
    calls: list[Call | list[Call]]
    answer: str

    def turns(self) -> list[list[Call]]:
        """Return the calls of each turn."""
        return [turn if isinstance(turn, list) else [turn] for turn in self.calls]


class Conversation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exchanges of one run; `tools` names toolboxes of `tools.json`, `definition` holds other members."""

    id: str
    tools: list[str]
    exchanges: list[Exchange]
    definition: dict[str, Any] = {}


class Answered(Exchange, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A conversation of one exchange with the tools of one box."""

    id: str
    tools: str


def answered(name: str) -> list[Conversation]:
    """Return the conversations of one exchange in a file."""
    found = _lines(name, Answered)
    return [Conversation(id=each.id, tools=[each.tools], exchanges=[each]) for each in found]


def transcripts() -> list[Conversation]:
    """Return the tasks: several turns, several exchanges, calls at once, errors, approvals."""
    return _lines("transcripts.jsonl", Conversation)


def streamed(conversation: Conversation, dialect: str, size: int) -> str:
    """Return what a reader is shown of the first answer while it comes in pieces of so many characters."""
    first = conversation.exchanges[0]
    driver = Driver(definition_of(conversation, dialect), first.user)
    text = _answer_in(dialect, first.answer)["content"]
    stream, events = purestep.open_stream(msgspec.convert(driver.state, RunState)), []
    for at in range(0, len(text), size):
        stream, more = purestep.feed(stream, text[at : at + size])
        events += more
    return "".join(event.text for event in (*events, *purestep.close_stream(stream)) if isinstance(event, StreamText))


def _lines(name: str, kind: Any) -> list[Any]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [msgspec.json.decode(line, type=kind) for line in text.split("\n") if line]


def definition_of(conversation: Conversation, dialect: str, **members: Any) -> dict[str, Any]:
    """Return the definition that a stranger writes: tools as their server lists them, a dialect and a model."""
    boxes: dict[str, list[Any]] = json.loads((FOLDER / "tools.json").read_text(encoding="utf-8"))
    tools = [spec for box in conversation.tools for spec in boxes[box]]
    return {"tools": tools, "dialect": dialect, "models": [MODEL], **conversation.definition, **members}


def as_written(conversation: Conversation, dialect: str) -> Conversation:
    """Return a conversation with the turns that a model of the dialect has."""
    if dialect not in ONE_AT_A_TIME:
        return conversation
    exchanges = [
        replace(exchange, calls=[made for turn in exchange.turns() for made in turn])
        for exchange in conversation.exchanges
    ]
    return replace(conversation, exchanges=exchanges)


class Played:
    """A conversation as the core took it."""

    def __init__(self, conversation: Conversation, dialect: str, **members: Any) -> None:
        self.conversation, self.dialect = as_written(conversation, dialect), dialect
        first = conversation.exchanges[0].user
        self.driver = Driver(definition_of(conversation, dialect, **members), first)
        self.asked: list[Call] = []
        """The calls that a person was asked about."""
        self.acts: list[list[dict[str, Any]] | None] = []
        """What stands beside each answer; None where it tells of no acts."""
        self.stopped = ""
        """What the core did where the conversation has something else."""
        for exchange in self.conversation.exchanges:
            if exchange is not self.conversation.exchanges[0]:
                self.driver.send({"type": "user_message", "content": exchange.user})
            self._play(exchange)
            if self.stopped:
                return

    def _play(self, exchange: Exchange) -> None:
        for turn in exchange.turns():
            self._say(_calls_in(self.dialect, turn))
            self._act(turn)
        self._say(_answer_in(self.dialect, exchange.answer))
        self.acts.append(self.driver.decision.get("acts"))
        if self.driver.decision["type"] != "done" or self.driver.decision["answer"] != exchange.answer:
            self._stop()

    def _say(self, output: dict[str, Any]) -> None:
        decision = self.driver.decision
        if decision["type"] == "call_model" and decision["reason"] in ("start", "user_message", "tool_results"):
            self._send(output)
        else:
            self._stop()

    def _act(self, turn: list[Call]) -> None:
        """Answer what a person is asked and run what runs until the model is called again."""
        left = list(turn)
        while not self.stopped and self.driver.decision["type"] in ("request_approval", "invoke_tool"):
            pairs = [(entry, _taken(left, entry)) for entry in self.driver.decision["calls"]]
            if self.driver.decision["type"] == "invoke_tool":
                self._send(results(*({"call_id": entry["call_id"], **_result(made)} for entry, made in pairs)))
                continue
            self.asked += [made for _, made in pairs]
            left += [made for _, made in pairs if made.approved is not False]
            self._send(approvals(*(answer(entry, made.approved is not False) for entry, made in pairs)))

    def _send(self, observation: dict[str, Any]) -> None:
        if not self.stopped and (refusal := self.driver.send(observation)).get("code"):
            self._stop(refusal)

    def _stop(self, found: dict[str, Any] | None = None) -> None:
        told = self.driver.events("correction")[-1:] or [found or self.driver.decision]
        self.stopped = self.stopped or json.dumps(told[0], ensure_ascii=False)[:600]

    def requests(self) -> int:
        """Return how often the model was asked."""
        return len(self.driver.events("model_response"))

    def roles(self) -> list[str]:
        """Return whose words the messages are, in order; a dialect without the role `tool` has results as `user`."""
        return [message["role"] for message in self.driver.messages]


def requests_of(conversation: Conversation) -> int:
    """Return how often a model has to be asked: once for each turn of calls, and once for each answer."""
    return sum(len(exchange.calls) + 1 for exchange in conversation.exchanges)


def roles_of(conversation: Conversation, dialect: str) -> list[str]:
    """Return the roles of a conversation's messages after the system text.

    A dialect of text has the results of a turn in one message of the user.
    """
    roles: list[str] = []
    for exchange in conversation.exchanges:
        roles.append("user")
        for turn in exchange.turns():
            roles += ["assistant", *(["tool"] * len(turn) if dialect == "native" else ["user"])]
        roles.append("assistant")
    return roles


def acts_of(conversation: Conversation, exchange: Exchange) -> list[tuple[str, str]] | None:
    """Return the tools that may act and were called in an exchange, each with what became of it.

    None: no tool may act.
    """
    acting = {name for name, spec in _tools(conversation).items() if not _reads(spec)}
    calls = [made for turn in exchange.turns() for made in turn if made.tool in acting]
    return [(made.tool, _became(made)) for made in calls] if acting else None


def _tools(conversation: Conversation) -> dict[str, dict[str, Any]]:
    specs = [spec.get("function", spec) for spec in definition_of(conversation, "native")["tools"]]
    return {spec["name"]: spec for spec in specs}


def _reads(spec: dict[str, Any]) -> bool:
    found: bool = spec.get("annotations", {}).get("readOnlyHint", False)
    return found


def _became(made: Call) -> str:
    if made.approved is False:
        return "refused"
    return "succeeded" if made.error is None else "failed"


def _taken(left: list[Call], entry: dict[str, Any]) -> Call:
    """Take the call that an entry of a decision runs out of those that are left."""
    found = next(made for made in left if (made.tool, made.arguments) == (entry["tool"], entry["params"]))
    left.remove(found)
    return found


def _result(made: Call) -> dict[str, Any]:
    if made.error is None:
        return {"ok": True, "output": made.output}
    return {"ok": False, "error": made.error, "error_kind": made.error_kind or "execution"}


def _calls_in(dialect: str, turn: list[Call]) -> dict[str, Any]:
    """Return the output of a model that calls, as models of the dialect write it."""
    if dialect == "native":
        return said(turn[0].says, tool_calls=[native_call(made.tool, made.arguments) for made in turn])
    calls = tuple(ReadCall(tool=each.tool, params=each.arguments) for each in turn)
    return said(dialect_named(dialect).write(Sample(calls=calls)))


def _answer_in(dialect: str, text: str) -> dict[str, Any]:
    return said(dialect_named(dialect).write(Sample(answer=text)))
