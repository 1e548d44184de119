"""Hostile calls of every JSON function: none raises, and none answers with `internal_error`."""

import json
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import purestep
from tools.vectors.scenarios.streams.replies import FAULTS, REPLIES

from ..attack import Attack
from ..mutation import changed, damaged, happens
from ..scripted_runs import DEFINITIONS, TOOLS, Json, scripted_run

RUNS: Final = 60

_TEXTS: Final = (
    '{"kind":"tool_call","tool_name":"add","arguments":{"a":1,"b":2}}',
    '<think>so</think>[TOOL_CALL]{"name":"add","args":{"a":1}}[/TOOL_CALL] and more',
    '<tool_call>{"name": "add", "arguments": {"a": 1',
    '{"tool":"shell","text":"ls"',
    '```json\n{"kind":"final","content":"x\\n"}\n```',
    "<function=add><parameter=a>1</parameter></function>",
    '<|channel|>commentary to=functions.add <|message|>{"a": 1, "b": 2}<|call|>',
    "add(a=1, b=[2, {'c': None}])",
)
_SCHEMAS: Final[list[Any]] = [
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/x"}},
        "required": ["a"],
        "$defs": {"x": {"type": ["string", "null"]}},
    },
    {"oneOf": [{"const": 1}, {"pattern": "^a+$"}], "unevaluatedProperties": False},
    {
        "type": "array",
        "prefixItems": [{"enum": [1, "a"]}],
        "items": {"format": "date"},
        "contains": {"minimum": 1},
        "uniqueItems": True,
    },
    {
        "if": {"type": "string"},
        "then": {"minLength": 2},
        "else": {"multipleOf": 0.1},
        "patternProperties": {"^x": {}},
        "dependentRequired": {"a": ["b"]},
    },
]
_VALUES: Final[list[Any]] = [{"a": 1, "b": "x"}, ["a", 1, {"x": None}], "2024-01-01", 0.3, {"a": 1, "x1": []}]
_DIALECTS: Final = tuple(json.loads(purestep.core_info())["dialects"])

Call = tuple[Callable[..., str], list[Any]]
"""A function and its arguments; texts that hold JSON are given as values."""


@lru_cache(maxsize=1)
def _steps() -> tuple[Call, ...]:
    """Return the valid inputs of whole runs: steps, logs, states."""
    for definition in DEFINITIONS:
        purestep.load_agent(json.dumps(definition or {}))
    calls: list[Call] = []
    for run in map(scripted_run, range(RUNS)):
        calls += [(purestep.run_agent_step, [given]) for given in run.inputs]
        calls += [(purestep.run_agent_step_lines, [given]) for given in run.inputs if "state" in given]
        calls += [(purestep.accepted_observations, [state]) for state in run.states]
        calls += [(purestep.stream_model_output, [{"state": state}]) for state in run.states]
        calls += [(purestep.receive_model_reply, [{"state": state, "model": "m"}]) for state in run.states]
        calls += [(purestep.sealed_text, [_to_seal(state)]) for state in run.states]
    return tuple(calls)


def _to_seal(state: Json) -> Json:
    message = {"role": "user", "content": "Hi"}
    return {"state": state, "messages": [message], "user": "ann", "expires_at": 1, "key_id": "k"}


def _step_call(chance: random.Random) -> Call:
    return chance.choice(_steps())


def _log_call(chance: random.Random) -> Call:
    run = scripted_run(chance.randrange(RUNS))
    lines = [json.loads(line) for line in run.log.split("\n") if line]
    function = chance.choice([purestep.replay_log, purestep.replay_log_lines, purestep.verify_log])
    return function, [lines, run.head] if function is purestep.verify_log else [lines]


def _reading_call(chance: random.Random) -> Call:
    given = {"text": _text(chance), "dialect": chance.choice(_DIALECTS)}
    if happens(chance, 80):
        schema: Any = chance.choice(_SCHEMAS)
        for _ in range(chance.randint(0, 3)):
            schema = changed(schema, chance)
        given["tools"] = chance.choice([TOOLS, [{"name": "add", "inputSchema": schema}]])
    return purestep.read_model_output, [given]


def _stream_call(chance: random.Random) -> Call:
    """Return a filter that has read a part of a text, with the next chunk or its end."""
    opened: Json = {"dialect": chance.choice(_DIALECTS)}
    if happens(chance, 50):
        opened["tools"] = TOOLS
    stream = json.loads(purestep.stream_model_output(json.dumps(opened)))["stream"]
    text = _text(chance)
    for chunk in (text[: len(text) // 2], text[len(text) // 2 :])[: chance.randint(0, 2)]:
        stream = json.loads(purestep.stream_model_output(json.dumps({"stream": stream, "chunk": chunk})))["stream"]
    return purestep.stream_model_output, [{"stream": stream} | chance.choice([{}, {"chunk": _text(chance)}])]


def _reply_call(chance: random.Random) -> Call:
    """Return a reply that has taken some of its chunks, with the next ones or its end."""
    _, groups, _ = chance.choice(list(REPLIES.values()))
    chunks = [chunk for group in groups for chunk in group]
    reply = json.loads(purestep.receive_model_reply("{}"))["reply"]
    taken, text = chance.randint(0, len(chunks)), ""
    if taken:
        fed = json.loads(purestep.receive_model_reply(json.dumps({"reply": reply, "chunks": chunks[:taken]})))
        reply, text = fed.get("reply", reply), fed.get("text", "")
    rest = {"chunks": chunks[taken:]} if happens(chance, 60) else {"text": text, "end": _fault(chance)}
    return purestep.receive_model_reply, [{"reply": reply, **rest}]


def _fault(chance: random.Random) -> Json:
    fault: Json = dict(chance.choice(list(FAULTS.values())))
    return fault


def _fault_call(chance: random.Random) -> Call:
    return purestep.read_model_fault, [_fault(chance)]


def _value_call(chance: random.Random) -> Call:
    given = {"schema": chance.choice(_SCHEMAS), "value": chance.choice(_VALUES)}
    choices: Json = chance.choice(
        [{}, {"unknown": "ignore"}, {"formats": "assert"}, {"documents": {"x:y": chance.choice(_SCHEMAS)}}]
    )
    return purestep.check_value, [given | choices]


def _definition_call(chance: random.Random) -> Call:
    definition = chance.choice(DEFINITIONS) or {"tools": [{"name": "t", "inputSchema": chance.choice(_SCHEMAS)}]}
    tools = [{**tool, "parameters": chance.choice(_SCHEMAS)} for tool in TOOLS]
    chosen = chance.choice([definition, {"tools": tools}, {"tools": [{"type": "function", "function": TOOLS[0]}]}])
    dialect = {"dialect": chance.choice(_DIALECTS)} if happens(chance, 50) else {}
    if happens(chance, 30):
        return purestep.complete_agent, [chosen | dialect, {"rules_of": definition, "tools": tools}]
    if happens(chance, 50):
        return purestep.load_agent, [chosen | dialect]
    return purestep.create_agent_state, ["q", chosen | dialect, "run-1"]


def _text(chance: random.Random) -> str:
    text = chance.choice(_TEXTS)
    return damaged(text.encode(), chance).decode("utf-8", "replace") if happens(chance, 60) else text


# --- the trial --------------------------------------------------------------------------------------------

_CALLS: Final = (
    _step_call, _step_call, _log_call, _reading_call, _stream_call, _reply_call, _fault_call, _value_call,
    _definition_call,
)  # fmt: skip


def hostile_call_is_answered(chance: random.Random) -> str | None:
    """Change the valid input of a function, as a value and as bytes; what comes back is JSON and no defect."""
    function, values = chance.choice(_CALLS)(chance)
    index = chance.randrange(len(values))
    for _ in range(chance.choice((1, 1, 2, 4))):
        values = [changed(value, chance) if at == index else value for at, value in enumerate(values)]
    given = [_argument(value, function) for value in values]
    if happens(chance, 20) and isinstance(given[0], str):
        given[0] = damaged(given[0].encode("utf-8", "surrogatepass"), chance)
    return _answered(function, given)


def _argument(value: Any, function: Callable[..., str]) -> Any:
    """Return a value as the text that the function takes: a log's events line by line, a query as it is."""
    if isinstance(value, list) and function in (purestep.replay_log, purestep.replay_log_lines, purestep.verify_log):
        return "".join(f"{_json(line)}\n" for line in value)
    return value if value is None or isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _answered(function: Callable[..., str], given: list[Any]) -> str | None:
    try:
        output = function(*given)
        answers = [json.loads(line) for line in output.split("\n")] if _is_json(output) else [output]
    except Exception as error:
        return f"{function.__name__} raised {error!r} for {given}"
    first = answers[0]
    if (
        isinstance(first, dict)
        and isinstance(first.get("error"), dict)
        and first["error"].get("code") == "internal_error"
    ):
        return f"{function.__name__}: {first} for {given}"
    return None


def _is_json(output: str) -> bool:
    """Whether an output has to be JSON; the digest of a definition is none."""
    return not (len(output) == 64 and output.isalnum())  # noqa: PLR2004 (a SHA-256)


ATTACKS: Final = (
    Attack(
        name="hostile-calls",
        promise="no JSON function raises, and none answers with internal_error",
        trial=hostile_call_is_answered,
        weight=2,
        least=300,
    ),
)
