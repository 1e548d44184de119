"""Odd requests to odd tools, carried: no step fails, and what the words alone call keeps the tool's schema.

A trial makes tools of random names, words and parameters, asks them something odd, and plays a host that gives random
results and a model that says anything.
"""

import json
import random
from typing import Any, Final

import purestep

from ..attack import Attack
from ..mutation import changed, happens

STEPS: Final = 8

_WORDS: Final = (
    "add note delete the file notes a.txt pay Anna 50 euros and then save it as send mail to bob@example.org about",
    "what is 17 plus 25 % of (3 * 4) why how many days between 2026-01-02 and tomorrow at 12:30 in Oslo",
    "https://a.example/x?y=1 www.b.example \"quoted text\" 'x' „so“ «da» # -3 1,000.5 #12 A-1042 reports/*.csv C:\\x",
    "bitte notiere dass die Tür klemmt und danach lösche Straße ß İ ﬁ 天气 怎么样 👍🏽 e\u0301 \u202e \x00 \ufeff",
    "it that then and and and , ; : . ? ! ( ) [ ] { } ` ' \" \n \n\n that: saying that called to to to of of",
)
_PIECES: Final = tuple(piece for line in _WORDS for piece in line.split(" "))
_NAMES: Final = (
    "to", "note", "path", "file", "amount", "date", "start", "end", "url", "email", "query", "id", "x", "ü", "a b",
    "text", "unit", "tags", "expression", "", "__class__", "maxLength", "when", "letter", "number", "pattern", "天",
)  # fmt: skip
_SCHEMAS: Final[tuple[Any, ...]] = (
    {"type": "string"}, {"type": "number"}, {"type": "integer", "minimum": 3, "maximum": 40}, {"type": "boolean"},
    {"type": "string", "format": "uri"}, {"type": "string", "format": "email"}, {"type": "string", "format": "date"},
    {"type": "string", "maxLength": 1}, {"type": "string", "minLength": 5}, {"enum": ["low", "high", 3, None, ""]},
    {"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "number"}}, {"const": "EUR"},
    {"type": "array", "items": {"enum": [1, 2]}}, {"type": "object"}, {"type": ["string", "null"]}, True, {},
    {"anyOf": [{"type": "string"}, {"type": "null"}]}, {"oneOf": [{"type": "number"}, {"type": "string"}]},
    {"$ref": "#/$defs/inner"}, {"$ref": "#anchored"}, {"$ref": "#"}, {"type": "string", "x-source": "code"},
    {"type": "string", "description": "path to the file, as a glob"},
    {"enum": ["EUR", "USD"], "default": "EUR"}, {"type": "string", "pattern": "^[a-z]+$"}, {"x-source": "number"},
    {"type": "array", "items": {"$ref": "#anchored"}}, {"allOf": [{"type": "string"}]},
)  # fmt: skip
_DEFS: Final = {"inner": {"type": "string", "format": "email"}, "far": {"$anchor": "anchored", "type": "integer"}}


def _text(chance: random.Random, most: int) -> str:
    """Give a text of odd pieces."""
    return chance.choice((" ", " ", " ", "", "\n")).join(chance.choice(_PIECES) for _ in range(chance.randint(0, most)))


def _tool(chance: random.Random, number: int) -> dict[str, Any]:
    names = chance.sample(_NAMES, chance.randint(0, 4))
    properties = {name: chance.choice(_SCHEMAS) for name in names}
    if happens(chance, 5):
        properties = {name: changed(schema, chance) for name, schema in properties.items()}
    required = [name for name in names if happens(chance, 70)]
    tool: dict[str, Any] = {
        "name": f"{chance.choice(_PIECES) or 'tool'}_{chance.choice(_PIECES)}{number}".strip(),
        "description": _text(chance, 12),
        "parameters": {"type": "object", "properties": properties, "required": required, "$defs": _DEFS},
    }
    if happens(chance, 40):
        tool["annotations"] = {"readOnlyHint": happens(chance, 60)}
    if happens(chance, 20) and not required:
        tool["examples"] = [{"query": _text(chance, 6), "arguments": {}, "answer": "so"}]
    return tool


def _agent(chance: random.Random) -> purestep.Agent | None:
    """Give an agent of odd tools; None where the definition is refused, as it may be."""
    model: dict[str, Any] = {"name": "m", "carry": chance.choice(("route", "route", "route", "ground"))}
    if happens(chance, 50):
        model["supports"] = ["json_schema", "scores", "tools"]
    definition: dict[str, Any] = {
        "tools": [_tool(chance, number) for number in range(chance.randint(0, 6))],
        "models": [model],
        "dialect": chance.choice(("envelope", "native", "hermes_json")),
    }
    try:
        return purestep.Agent.load(definition)
    except purestep.PurestepError:
        return None


def trial(chance: random.Random) -> str | None:
    """Ask odd tools something odd, and play the host for a few steps."""
    agent = _agent(chance)
    if agent is None:
        return None
    step = purestep.start(agent, purestep.UserMessage(content=_text(chance, 40) or "hi"), "run-1")
    log = step.log
    for _ in range(STEPS):
        broken = _wrong_calls(agent, step) or _unapproved(agent, step)
        if broken is not None:
            return broken
        observation = _observation(chance, step.decision)
        if observation is None:
            break
        step = purestep.step(step.state, observation)
        log += step.log
    replayed = purestep.replay(log)
    return None if replayed.state == step.state else "the log gives another state than the run had"


def _wrong_calls(agent: purestep.Agent, step: purestep.Step) -> str | None:
    """Say which call that is handed out does not keep the schema of its tool."""
    calls = step.decision.calls if isinstance(step.decision, purestep.InvokeTool) else ()
    for call in calls:
        issues = agent.tools[call.tool].parameters.check(call.params)[1]
        if issues:
            return f"{call.tool} is called with {json.dumps(call.params)}: {issues[0]}"
    return None


def _unapproved(agent: purestep.Agent, step: purestep.Step) -> str | None:
    """Say which tool that may act runs because of scores alone."""
    carried = step.state.carried
    if carried is None or not carried.chosen or not isinstance(step.decision, purestep.InvokeTool):
        return None
    called = [call for call in step.state.pending if call.tool == carried.chosen and not call.approved]
    reading = agent.router.verbs.reading if agent.router is not None else frozenset()
    acts = [call.tool for call in called if call.tool not in reading]
    return f"{acts[0]} acts because of its score" if acts and carried.scored == carried.step + 1 else None


def _observation(chance: random.Random, decision: purestep.Decision) -> Any:
    match decision:
        case purestep.CallModel():
            if decision.choices and happens(chance, 90):
                return purestep.ModelOutput(content="x", scores=_scores(chance, decision.choices))
            return purestep.ModelOutput(content=_said(chance, decision))
        case purestep.InvokeTool(calls=calls):
            return purestep.ToolResults(results=tuple(_result(chance, call.call_id) for call in calls))
        case purestep.RequestApproval(calls=calls):
            yes = happens(chance, 70)
            return purestep.Approvals(
                approvals=tuple(purestep.Approval(call_id=call.call_id, key=call.key, approved=yes) for call in calls)
            )
        case _:
            return None


_ODD_SCORES: Final[tuple[Any, ...]] = (
    None, 0, -1, 1, -1e308, 1e308, float("nan"), float("-inf"), True, "low", [], {}, 10**30, -(10**400),
)  # fmt: skip


def _scores(chance: random.Random, choices: tuple[purestep.ScoredChoice, ...]) -> dict[str, Any]:
    """Give scores, most of them log-probabilities, and most of those that were asked for."""
    ids = [choice.id for choice in choices if happens(chance, 97)]
    scores: dict[str, Any] = {
        id_: chance.choice(_ODD_SCORES) if happens(chance, 5) else -9 * chance.random() for id_ in ids
    }
    return scores | ({"other": -0.1} if happens(chance, 10) else {})


def _said(chance: random.Random, decision: purestep.CallModel) -> str:
    """Give what a model says: odd text, an answer, or a call with odd arguments."""
    tools = [call for call in _names_in(decision) if isinstance(call, str)]
    if tools and happens(chance, 50):
        arguments = {name: _text(chance, 2) for name in chance.sample(_NAMES, 2)}
        return json.dumps({"kind": "tool_call", "tool_name": chance.choice(tools), "arguments": arguments})
    return json.dumps({"kind": "final", "content": _text(chance, 5)}) if happens(chance, 50) else _text(chance, 10)


def _names_in(decision: purestep.CallModel) -> list[Any]:
    """Give the constants of the constraint, the names of the tools among them."""
    text = bytes(decision.response_format).decode() if decision.response_format else "{}"
    found: list[Any] = []

    def walk(node: Any) -> None:
        if isinstance(node, dict):
            found.extend(node[key] for key in ("const",) if key in node)
            for inner in node.values():
                walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    walk(json.loads(text))
    return found


def _result(chance: random.Random, call_id: str) -> Any:
    if happens(chance, 20):
        return purestep.ToolResult(call_id=call_id, ok=False, error=_text(chance, 5))
    return purestep.ToolResult(
        call_id=call_id, ok=True, output=chance.choice((_text(chance, 8), 42, 0.5, None, {}, []))
    )


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="carried-requests",
        promise="no request and no tool breaks a carried step, and what is called keeps the tool's schema",
        trial=trial,
        least=150,
    ),
)
