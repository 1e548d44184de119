"""Sealed runs that a client edited, and definitions that a client wrote to have less asked."""

import json
import random
from functools import lru_cache
from typing import Any, Final

import purestep
from purestep.agent.approval_rules import approval_rule
from purestep.json_text import plain_numbers
from purestep.values import AgentDefinition, read_definition
from purestep_hosts.seals import SealError, SealKey, Seals

from ..attack import Attack
from ..mutation import changed, damaged, happens
from ..scripted_runs import Json, scripted_run

_RUNS: Final = 40
_NOW: Final = 1_700_000_000_000
_KEYS: Final = tuple(
    SealKey(id=f"key-{number}", secret=f"{number} is a secret of trials alone, no more") for number in "12"
)
_SEALS: Final = Seals(_KEYS)
_USERS: Final = ("", "ann", "bob", "ann ", "ann\u0000", "ünï\U0001f600")


@lru_cache(maxsize=1)
def _points() -> tuple[Json, ...]:
    """Return points of runs, each as a client holds it."""
    points = []
    for run in map(scripted_run, range(_RUNS)):
        found = json.loads(purestep.replay_log(run.log)) if run.log and not run.is_whole else {}
        if "state" in found:
            points.append({"state": found["state"], "messages": found["messages"]})
    return tuple(points)


def _is_taken(seal: str, point: Any, user: str, now_ms: int = _NOW) -> bool:
    try:
        _SEALS.check(seal, point["state"], point["messages"], user=user, now_ms=now_ms)
    except SealError:
        return False
    return True


def _canonical(value: Any) -> str:
    return json.dumps(plain_numbers(value), sort_keys=True)


def _editing(rng: random.Random) -> str | None:
    """Edit one thing of what a client holds; only what is the same JSON may still fit the seal."""
    point, user = rng.choice(_points()), rng.choice(_USERS)
    seal = _SEALS.seal(point["state"], point["messages"], user=user, now_ms=_NOW)
    if not _is_taken(seal, json.loads(json.dumps(point, sort_keys=True)), user):
        return f"the honest seal {seal} of {point} is refused"
    match rng.randrange(5):
        case 0:
            other = rng.choice(_USERS)
            return _unless(other == user, _is_taken(seal, point, other), f"{seal} of {user!r} fits {other!r}")
        case 1:
            text = damaged(seal.encode(), rng).decode("latin-1")
            return _unless(text == seal, _is_taken(text, point, user), f"{text} is taken for {seal}")
        case 2:
            other_point = rng.choice(_points())
            same = _canonical(other_point) == _canonical(point)
            return _unless(same, _is_taken(seal, other_point, user), f"{seal} fits {other_point}")
        case 3:
            return _unless(False, _is_taken(seal, point, user, _NOW + 24 * 3_600_000), f"{seal} never ends")
    part = "state" if happens(rng, 60) else "messages"
    text = json.dumps({**point, part: changed(point[part], rng)})
    try:
        edited = purestep.decode_json(text.encode())
    except purestep.PurestepError:
        return None  # no JSON, so it never gets as far as the seal
    return _unless(
        _canonical(edited) == _canonical(point), _is_taken(seal, edited, user), f"{seal} fits the edited {text}"
    )


def _unless(is_same: bool, is_taken: bool, broken: str) -> str | None:
    return broken if is_taken and not is_same else None


# --- definitions ------------------------------------------------------------------------------------------

_STRICT: Final = ("auto", "ask", "deny")
_NAMES: Final = ("read", "send", "wipe", "")
_HINTS: Final = ("readOnlyHint", "idempotentHint", "destructiveHint")


def _some(rng: random.Random, **members: Any) -> Json:
    return {name: value for name, value in members.items() if happens(rng, 50)}


def _tool(rng: random.Random, name: str) -> Json:
    hints = {hint: rng.choice((True, False, None)) for hint in _HINTS if happens(rng, 40)}
    tool = {"name": name, **_some(rng, approval=rng.choice((*_STRICT, None)), annotations=rng.choice((hints, None)))}
    schema = {"type": "object"}
    match rng.randrange(3):
        case 0:
            return {**tool, "parameters": schema}
        case 1:
            return {"type": "function", "function": {**tool, "parameters": schema}}
    return {**tool, "inputSchema": schema}


def _definition(rng: random.Random) -> Any:
    tools = [_tool(rng, name) for name in _NAMES[:3] if happens(rng, 70)]
    rules = {name: rng.choice(_STRICT) for name in _NAMES if happens(rng, 30)}
    policy = _some(rng, default=rng.choice(_STRICT), tools=rules, unknown_outcome=rng.choice(("ask", "fail")))
    definition = _some(rng, approval=policy, instructions="x")
    if happens(rng, 80):
        definition["tools"] = tools
    return changed(definition, rng) if happens(rng, 10) else definition


def _loosening(rng: random.Random) -> str | None:
    """Hold a client's definition to a host's; for each tool both have, nothing may be looser."""
    theirs, own, extra = _definition(rng), _definition(rng), [_tool(rng, name) for name in _NAMES[:2]]
    host = json.dumps({"tools": extra, "rules_of": own})
    text = purestep.complete_agent(json.dumps(theirs), host)
    found = json.loads(text)
    if isinstance(found, dict) and set(found) == {"error"}:
        return (
            None
            if found["error"]["code"] in ("invalid_agent", "invalid_input", "too_deep")
            else f"{theirs} gave {text}"
        )
    if own is None:
        return None  # a member that is null counts as left out
    if purestep.complete_agent(text, host) != text:
        return f"{theirs} is held further the second time"
    held, theirs_read, mine = _read(found), _read({"tools": extra, **theirs}), _read(_with_extra(own, extra))
    for spec in held.tools:
        least = max(_rule(spec.name, definition) for definition in (theirs_read, mine))
        if _rule(spec.name, held) < least:
            return f"{spec.name} is looser under {text}, of {theirs} with {host}"
        own_spec = _spec(mine, spec.name)
        if own_spec and _claims(spec) - _claims(own_spec):
            return f"{spec.name} claims more than the host's under {text}, of {theirs} with {host}"
    if mine.approval.unknown_outcome == "fail" != held.approval.unknown_outcome:
        return f"{text} asks where {own} fails"
    return None


def _tree(rng: random.Random, levels: int = 2) -> Json:
    """Return a definition whose agents have tools of the same few names."""
    tools = [_tool(rng, name) for name in _NAMES[:3] if happens(rng, 60)]
    rules = {name: rng.choice(_STRICT) for name in _NAMES[:3] if happens(rng, 20)}
    policy = _some(rng, tools=rules, unknown_outcome=rng.choice(("ask", "fail")))
    definition: Json = {"tools": tools, "approval": policy}
    if levels > 0 and happens(rng, 70):
        named = [(f"{name}_{levels}", _tree(rng, levels - 1)) for name in ("desk", "clerk") if happens(rng, 60)]
        agents = {name: each if happens(rng, 40) else {"agent": each} for name, each in named}
        return {**definition, "agents": agents}
    if levels > 0:
        return {**definition, "tools": [*tools, {"agent": _tree(rng, levels - 1), "as": f"desk_{levels}"}]}
    return definition


def _places(definition: AgentDefinition, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], AgentDefinition]:
    found = {path: definition}
    for name, entry in definition.agents.items():
        found |= _places(_read(entry.agent), (*path, name))
    return found


def _has(definition: AgentDefinition, tool: str) -> bool:
    return tool in definition.approval.tools or _spec(definition, tool) is not None


def _loosening_below(rng: random.Random) -> str | None:
    """Hold a client's tree to a host's; wherever a tool is, no rule is looser than all that the host has for it."""
    theirs, own = _tree(rng), _tree(rng)
    host = json.dumps({"rules_of": own})
    text = purestep.complete_agent(json.dumps(theirs), host)
    if purestep.complete_agent(text, host) != text:
        return f"{theirs} is held further the second time"
    mine, given = _places(_read(own)), _places(_read(theirs))
    for path, held in _places(_read(json.loads(text))).items():
        for spec in held.tools:
            here = [mine[path]] if path in mine and _has(mine[path], spec.name) else []
            ruling = here or [each for each in mine.values() if _has(each, spec.name)]
            least = max([_rule(spec.name, each) for each in (given[path], *ruling)])
            if path in mine and _rule(spec.name, held) < least:
                return f"{spec.name} at {path} is looser under {text}, of {theirs} with {host}"
            if ruling and _rule(spec.name, held) < min(_rule(spec.name, each) for each in ruling):
                return f"{spec.name} at {path} is looser than anywhere under {text}, of {theirs} with {host}"
            if here and (own_spec := _spec(here[0], spec.name)) and _claims(spec) - _claims(own_spec):
                return f"{spec.name} at {path} claims more than the host's under {text}, of {theirs} with {host}"
    return None


def _with_extra(own: Json, extra: list[Json]) -> Json:
    """Return a host's definition with the tools that only the host itself names."""
    named = {spec.name for spec in _read(own).tools}
    return {
        **own,
        "tools": [
            *own.get("tools", ()),
            *(each for each in extra if _read({"tools": [each]}).tools[0].name not in named),
        ],
    }


def _rule(name: str, definition: AgentDefinition) -> int:
    return _STRICT.index(approval_rule(name, _spec(definition, name), definition))


def _read(definition: Any) -> AgentDefinition:
    return read_definition(json.dumps(definition))[0]


def _spec(definition: AgentDefinition, name: str) -> Any:
    return next((spec for spec in definition.tools if spec.name == name), None)


def _claims(spec: Any) -> set[str]:
    """Return the hints by which a tool claims that it is harmless."""
    hints = spec.annotations
    claimed = {"readOnlyHint": True, "idempotentHint": True, "destructiveHint": False}
    return {name for name, value in claimed.items() if hints is not None and getattr(hints, name) is value}


ATTACKS: Final = (
    Attack(
        name="edited-seals",
        promise="A state that comes back from a client is one that this host handed out",
        trial=_editing,
        least=300,
    ),
    Attack(
        name="looser-definitions",
        promise="A definition that a client sends needs no less approval than the service's own",
        trial=_loosening,
        least=300,
    ),
    Attack(
        name="looser-agents",
        promise="Nor do the agents in it, whatever they are called and wherever they stand",
        trial=_loosening_below,
        least=300,
    ),
)
