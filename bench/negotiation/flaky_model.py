"""A model that is simulated: it knows what is right, and fails at rates that are data."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

FaultKind = Literal["unread", "wrong_tool", "invalid_arguments", "made_up", "silent", "no_answer"]


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When a rate holds: all members given must."""

    dialect: str | None = None
    model: str | None = None
    example: bool | None = None
    tools_at_most: int | None = None


class Rate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often an output fails in one way; of several for one fault the first that holds counts."""

    fault: FaultKind
    rate: float
    when: Condition = Condition()


class FlakyModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A simulated model. helps: the move that is made for it. half: at least half of what it is asked for fails."""

    name: str
    about: str
    helps: str
    half: bool
    faults: tuple[Rate, ...]
    definition: dict[str, Any] = {}


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request: its calls in order, each with its tool, arguments and output, and what its answer must say."""

    query: str
    calls: tuple[tuple[str, dict[str, Any], Any], ...]
    answer: str


class Simulated(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data of the simulation."""

    tools: tuple[dict[str, Any], ...]
    tasks: tuple[Task, ...]
    models: tuple[FlakyModel, ...]


@cache
def simulated() -> Simulated:
    """Return the data."""
    return msgspec.json.decode(Path(__file__).with_name("simulated.json").read_bytes(), type=Simulated)


class Request(msgspec.Struct, frozen=True):
    """What a model is asked, as far as it matters here."""

    dialect: str
    model: str
    example: bool
    tools: tuple[str, ...]
    schema: str
    """Of the output, as JSON text; empty without a constraint."""


def request_of(decision: dict[str, Any], messages: list[dict[str, Any]]) -> Request:
    """Read what is asked off the messages and the constraint, as a model and its server would."""
    system = messages[0]["content"] if messages[0]["role"] == "system" else ""
    schema = json.dumps(decision["response_format"], separators=(",", ":")) if "response_format" in decision else ""
    native = [entry["function"]["name"] for entry in decision.get("tools", ())]
    known = [tool["name"] for tool in simulated().tools]
    taught = [name for name in known if f"- {name}" in system and (not schema or f'"{name}"' in schema)]
    taught_form = "tool_tags" if "[TOOL_CALL]" in system else "envelope" if '"kind"' in system else ""
    return Request(
        dialect="native" if native else taught_form or ("envelope" if schema else "native"),
        model=decision.get("model", ""),
        example="For example, for" in (messages[-1].get("content") or ""),
        tools=tuple(native or taught),
        schema=schema,
    )


def output_of(model: FlakyModel, task: Task, done: int, request: Request, chance: random.Random) -> dict[str, Any]:
    """Return what the model says once so many calls of the task are done."""
    expected = task.calls[done] if done < len(task.calls) else None
    if expected is None or expected[0] not in request.tools:
        return _answered(model, task, done, request, chance)
    tool, arguments, _ = expected
    match _fault(model, request, chance, ("unread", "wrong_tool", "invalid_arguments", "made_up", "silent")):
        case "unread":
            return _unreadable(tool, request)
        case "wrong_tool":
            return _call(_confused(tool, request, chance), arguments, request)
        case "invalid_arguments":
            return _call(tool, {"input": next(iter(arguments.values()))}, request)
        case "made_up":
            return _call(tool, {key: _made_up(value, request) for key, value in arguments.items()}, request)
        case "silent":
            return _call("list_files", {"folder": "notes"}, request)
        case _:
            return _call(tool, arguments, request)


def _fault(model: FlakyModel, request: Request, chance: random.Random, kinds: tuple[FaultKind, ...]) -> str:
    """Draw whether an output fails, and how; each kind that the model has is drawn for once."""
    decided: set[str] = set()
    for entry in model.faults:
        if entry.fault in kinds and entry.fault not in decided and _holds(entry.when, request):
            decided.add(entry.fault)
            if chance.random() < entry.rate:
                return entry.fault
    return ""


def _holds(when: Condition, request: Request) -> bool:
    return (
        when.dialect in (None, request.dialect)
        and when.model in (None, request.model)
        and when.example in (None, request.example)
        and (when.tools_at_most is None or len(request.tools) <= when.tools_at_most)
    )


def _answered(model: FlakyModel, task: Task, done: int, request: Request, chance: random.Random) -> dict[str, Any]:
    match _fault(model, request, chance, ("unread", "no_answer")):
        case "unread" if request.tools:
            return _unreadable(request.tools[0], request)
        case "no_answer":
            return _text("" if chance.randrange(2) else task.query, request)
        case _:
            return _text(f"I found this: {task.answer}." if done == len(task.calls) else "I do not know.", request)


def _confused(tool: str, request: Request, chance: random.Random) -> str:
    """Return another tool's name, or one that is made of two."""
    others = [name for name in request.tools if name != tool]
    if not others:
        return f"{tool}_tool_call"
    other = chance.choice(others)
    return other if chance.randrange(2) else f"{tool.partition('_')[0]}_the_{other.partition('_')[2] or other}"


def _made_up(value: Any, request: Request) -> Any:
    """Return another value, unless the constraint holds the argument to those that were said."""
    if json.dumps(value) in request.schema:
        return value
    text = str(value)
    if "//" in text:
        return "https://example.com/start"
    return "me@example.com" if "@" in text else "12345" if text.isdecimal() else value


def _call(tool: str, arguments: dict[str, Any], request: Request) -> dict[str, Any]:
    match request.dialect:
        case "native":
            function = {"name": tool, "arguments": json.dumps(arguments)}
            return {"content": None, "tool_calls": [{"type": "function", "function": function}]}
        case "tool_tags":
            return {"content": f"[TOOL_CALL]{json.dumps({'name': tool, 'args': arguments})}[/TOOL_CALL]"}
        case _:
            return {"content": json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})}


def _unreadable(tool: str, request: Request) -> dict[str, Any]:
    match request.dialect:
        case "native":
            function = {"name": tool, "arguments": '{"the value that was '}
            return {"content": None, "tool_calls": [{"type": "function", "function": function}]}
        case "tool_tags":
            return {"content": f'[TOOL_CALL]{{"name": "{tool}", "args": use the value'}
        case _:
            return {"content": f"I would use {tool} with the value from the question."}


def _text(answer: str, request: Request) -> dict[str, Any]:
    return {"content": json.dumps({"kind": "final", "content": answer}) if request.dialect == "envelope" else answer}
