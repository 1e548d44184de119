"""Which calls need a person, and the definitions of others held to rules of one's own.

A rule is `auto`, `ask` or `deny`, each stricter than the one before it. A definition that a client sends may be
stricter than its host's, never looser: neither by its policy, nor by a tool's own rule, nor by hints.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from ..errors import PurestepError
from ..json_text import encode
from ..schema import pointer_token
from ..values import AgentDefinition, ApprovalRule, ToolSpec, agents_in_own_shape, in_own_shape, read_definition
from .definition_policies import policies_held

_RULES: Final[tuple[ApprovalRule, ...]] = ("auto", "ask", "deny")
"""All rules, the stricter one later."""

_HINTS: Final[Mapping[str, tuple[bool | None, ...]]] = {
    "readOnlyHint": (True, None, False),
    "idempotentHint": (True, None, False),
    "destructiveHint": (False, None, True),
    "openWorldHint": (False, None, True),
}
"""The hints that decide what runs unasked, and their values, the stricter one later."""


def approval_rule(name: str, spec: ToolSpec | None, definition: AgentDefinition) -> ApprovalRule:
    """Return a definition's rule for a tool, which it may not have: its policy's, the tool's own, or the default."""
    return stated_rule(name, spec, definition) or "auto"


def stated_rule(name: str, spec: ToolSpec | None, definition: AgentDefinition) -> ApprovalRule | None:
    """Return a definition's rule for a tool where it states one."""
    policy = definition.approval
    hinted: ApprovalRule | None = "ask" if spec and spec.annotations and spec.annotations.destructiveHint else None
    return policy.tools.get(name) or (spec and spec.approval) or hinted or policy.default


def held_to_rules(definition: Any, own: Any, tools: tuple[Any, ...]) -> Any:
    """Return a definition under which no call needs less than under one's own; one that is as strict stays as it is.

    Its agents, in our shape then, are held to one's own agents of their names, or to one's own. A tool that one's own
    does not have at a place is held to all of one's agents that have it: a client calls an agent as it likes.
    own: one's own definition. tools: specs of further tools that one has, in any shape. Error codes: those of
    `read_definition`, with a path below `/rules_of` for one's own.
    """
    ours = _own(own, tools)
    return _held(definition, ours, ours)


def _held(definition: Any, own: "_Own", whole: "_Own") -> Any:
    """Return a definition held to one's own at its place; whole: one's own and all of one's agents."""
    theirs, _ = read_definition(encode(definition))
    if theirs.agents:
        definition = agents_in_own_shape(definition)
    ours = own.definition
    given = [in_own_shape(tool, "/tools") for tool in definition.get("tools", ())]
    held = [_held_tool(tool, whole.rulers(own, tool["name"])) for tool in given]
    if held != given:
        definition = {**definition, "tools": held}
    # Hints that were taken over may weigh more than the default that a tool was under.
    now = {spec.name: approval_rule(spec.name, spec, theirs) for spec in read_definition(encode(definition))[0].tools}
    rules = {spec.name: _stricter_rule(spec, theirs, whole.rulers(own, spec.name)) for spec in theirs.tools}
    policy = definition.get("approval", {})
    changed = {name: rule for name, rule in rules.items() if rule != now[name]} | _stricter_calls(theirs, ours)
    if changed:
        policy = {**policy, "tools": {**policy.get("tools", {}), **changed}}
    rulers = [own, *[each for spec in theirs.tools for each in whole.rulers(own, spec.name)]]
    if any(each.definition.approval.unknown_outcome == "fail" for each in rulers):
        policy = {**policy, "unknown_outcome": "fail"}
    said = {spec.name for spec in theirs.tools if stated_rule(spec.name, spec, theirs) == "auto"}
    trusted = {name for name in said if stated_rule(name, own.specs.get(name), ours) == "auto"}
    if ours.policies and said != trusted:
        definition, policy = _trusting_less(definition, policy, held, trusted - set(changed))
    if ours.policies is not None:
        definition = _with_policies(definition, ours.policies)
    elif theirs.policies is not None:
        held_tools = read_definition(encode(definition))[0].tools  # whose hints may say more than the client's did
        definition = _with_policies(definition, policies_held(ours, held_tools))
    definition = {**definition, "approval": policy} if policy or "approval" in definition else definition
    if not theirs.agents:
        return definition
    # Each is held to one's own agent of its name, or to one's own at this place.
    agents = _each_agent(definition["agents"], lambda name, each: _held(each, own.agents.get(name, own), whole))
    return {**definition, "agents": agents}


def asking_before_acting(definition: Any) -> Any:
    """Return a definition that asks a person about each call of a tool that does not say that it only reads.

    What it denies stays denied, and one that asks about all of them stays as it is; the same in its agents, which are
    in our shape then. Error codes: those of `read_definition`.
    """
    read, _ = read_definition(encode(definition))
    if read.agents:
        definition = agents_in_own_shape(definition)
        definition = {
            **definition,
            "agents": _each_agent(definition["agents"], lambda _, each: asking_before_acting(each)),
        }
    unasked = [spec for spec in read.tools if may_act(spec) and approval_rule(spec.name, spec, read) == "auto"]
    if not unasked:
        return definition
    policy = definition.get("approval", {})
    asked = {spec.name: "ask" for spec in unasked}
    return {**definition, "approval": {**policy, "tools": {**policy.get("tools", {}), **asked}}}


def _each_agent(agents: Mapping[str, Any], change: Callable[[str, Any], Any]) -> dict[str, Any]:
    """Return the agents of a definition with changed definitions; an error says in which one it is."""
    changed = {}
    for name, entry in agents.items():
        try:
            changed[name] = {**entry, "agent": change(name, entry["agent"])}
        except PurestepError as error:
            raise error.below(f"/agents{pointer_token(name)}/agent") from None
    return changed


def may_act(spec: ToolSpec) -> bool:
    """Whether a tool may change something: its annotations do not say that it only reads."""
    return spec.annotations is None or spec.annotations.readOnlyHint is not True


def _trusting_less(
    definition: dict[str, Any], policy: dict[str, Any], tools: list[dict[str, Any]], trusted: set[str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a definition and its approval rules that say `auto` of these tools alone.

    One's own policies may ask about calls of which nobody says so, and a client may not answer for that.
    """
    said = {name: rule for name, rule in policy.get("tools", {}).items() if rule != "auto"}
    rules = {**said, **dict.fromkeys(sorted(trusted), "auto")}
    others = {name: value for name, value in policy.items() if name != "tools" and (name, value) != ("default", "auto")}
    unsaid = [{name: value for name, value in tool.items() if (name, value) != ("approval", "auto")} for tool in tools]
    definition = definition if unsaid == tools else {**definition, "tools": unsaid}
    return definition, {**others, **({"tools": rules} if rules else {})}


def _with_policies(definition: dict[str, Any], ours: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """Return a definition with one's own policies first, and after them a client's of other names."""
    if not ours:
        return definition
    named = {use["use"] for use in ours}
    theirs = [use for use in definition.get("policies") or () if use.get("use") not in named]
    held = [*ours, *theirs]
    return definition if held == definition.get("policies") else {**definition, "policies": held}


class _Own(Struct, frozen=True):
    """One's own definition at a place; `specs`: all tools that one has there, `agents`: one's own below it."""

    definition: AgentDefinition
    specs: dict[str, ToolSpec]
    agents: dict[str, "_Own"]

    def rulers(self, place: "_Own", tool: str) -> list["_Own"]:
        """Return those whose rules hold for a tool at a place: that one's, and where it has none, all that have it."""
        return [place] if place.names(tool) else [place, *[each for each in self._all() if each.names(tool)]]

    def names(self, tool: str) -> bool:
        """Whether this definition has a tool, or a rule for it."""
        return tool in self.definition.approval.tools or any(spec.name == tool for spec in self.definition.tools)

    def _all(self) -> Iterator["_Own"]:
        yield self
        for each in self.agents.values():
            yield from each._all()


def _own(definition: Any, tools: tuple[Any, ...], path: str = "/rules_of") -> _Own:
    """Return one's own definition with the specs of all tools that one has: those that it names, and the others."""
    try:
        ours, _ = read_definition(encode(definition))
    except PurestepError as error:
        raise error.below(path) from None
    others, _ = read_definition(encode({"tools": tools}))
    agents = {
        name: _own(entry.agent, tools, f"{path}/agents{pointer_token(name)}/agent")
        for name, entry in ours.agents.items()
    }
    return _Own(ours, {spec.name: spec for spec in (*others.tools, *ours.tools)}, agents)


def _held_tool(tool: dict[str, Any], rulers: list[_Own]) -> dict[str, Any]:
    """Return a tool whose hints claim no more than those of one's own."""
    for spec in [each.specs[tool["name"]] for each in rulers if tool["name"] in each.specs]:
        tool = _hinting_no_more(tool, spec)
    return tool


def _hinting_no_more(tool: dict[str, Any], own: ToolSpec) -> dict[str, Any]:
    hints = tool.get("annotations") or {}
    stricter = {
        name: max(hints.get(name), getattr(own.annotations, name, None), key=values.index)
        for name, values in _HINTS.items()
    }
    labels = sorted({*tool.get("labels", ()), *own.labels})
    if labels != sorted(tool.get("labels", ())):
        tool = {**tool, "labels": labels}
    if all(stricter[name] == hints.get(name) for name in _HINTS):
        return tool
    others = {name: value for name, value in hints.items() if name not in _HINTS}
    return {**tool, "annotations": {**others, **{name: hint for name, hint in stricter.items() if hint is not None}}}


def _stricter_rule(spec: ToolSpec, theirs: AgentDefinition, rulers: list[_Own]) -> ApprovalRule:
    rules = [approval_rule(spec.name, each.specs.get(spec.name), each.definition) for each in rulers]
    return max(approval_rule(spec.name, spec, theirs), *rules, key=_RULES.index)


def _stricter_calls(theirs: AgentDefinition, ours: AgentDefinition) -> dict[str, ApprovalRule]:
    """Return one's own rules for calls of agents, where they are stricter; a default asks about no hand-off."""
    found: dict[str, ApprovalRule] = {}
    for name, entry in theirs.agents.items():
        rule = ours.approval.tools.get(name) if entry.hand_off else approval_rule(name, None, ours)
        if rule and _RULES.index(rule) > _RULES.index(approval_rule(name, None, theirs)):
            found[name] = rule
    return found
