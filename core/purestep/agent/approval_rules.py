"""Which calls need a person, and the definitions of others held to rules of one's own.

A rule is `auto`, `ask` or `deny`, each stricter than the one before it. A definition that a client sends may be
stricter than its host's, never looser: neither by its policy, nor by a tool's own rule, nor by hints.
"""

from collections.abc import Mapping
from typing import Any, Final

from ..errors import PurestepError
from ..json_text import encode
from ..values import AgentDefinition, ApprovalRule, ToolSpec, in_own_shape, read_definition
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

    own: one's own definition. tools: specs of further tools that one has, in any shape. Error codes: those of
    `read_definition`, with a path below `/rules_of` for one's own.
    """
    theirs, _ = read_definition(encode(definition))
    ours, specs = _own(own, tools)
    given = [in_own_shape(tool, "/tools") for tool in definition.get("tools", ())]
    held = [_held_tool(tool, specs.get(tool["name"])) for tool in given]
    if held != given:
        definition = {**definition, "tools": held}
    # Hints that were taken over may weigh more than the default that a tool was under.
    now = {spec.name: approval_rule(spec.name, spec, theirs) for spec in read_definition(encode(definition))[0].tools}
    rules = {spec.name: _stricter_rule(spec, specs.get(spec.name), theirs, ours) for spec in theirs.tools}
    policy = definition.get("approval", {})
    changed = {name: rule for name, rule in rules.items() if rule != now[name]}
    if changed:
        policy = {**policy, "tools": {**policy.get("tools", {}), **changed}}
    if ours.approval.unknown_outcome == "fail":
        policy = {**policy, "unknown_outcome": "fail"}
    said = {spec.name for spec in theirs.tools if stated_rule(spec.name, spec, theirs) == "auto"}
    trusted = {name for name in said if stated_rule(name, specs.get(name), ours) == "auto"}
    if ours.policies and said != trusted:
        definition, policy = _trusting_less(definition, policy, held, trusted - set(changed))
    if ours.policies is not None:
        definition = _with_policies(definition, ours.policies)
    elif theirs.policies is not None:
        held_tools = read_definition(encode(definition))[0].tools  # whose hints may say more than the client's did
        definition = _with_policies(definition, policies_held(ours, held_tools))
    definition = {**definition, "approval": policy} if policy or "approval" in definition else definition
    return _agents_held(definition, own, tools) if theirs.agents else definition


def _agents_held(definition: Any, own: Any, tools: tuple[Any, ...]) -> Any:
    """Return a definition whose agents are held to the rules of one's own agent of that name, or to one's own."""
    ours = own.get("agents") or {}
    agents = {
        name: {**entry, "agent": held_to_rules(entry["agent"], ours.get(name, {"agent": own})["agent"], tools)}
        for name, entry in definition["agents"].items()
    }
    return {**definition, "agents": agents}


def asking_before_acting(definition: Any) -> Any:
    """Return a definition that asks a person about each call of a tool that does not say that it only reads.

    What it denies stays denied, and one that asks about all of them stays as it is. Error codes: those of
    `read_definition`.
    """
    read, _ = read_definition(encode(definition))
    unasked = [spec for spec in read.tools if may_act(spec) and approval_rule(spec.name, spec, read) == "auto"]
    if not unasked:
        return definition
    policy = definition.get("approval", {})
    asked = {spec.name: "ask" for spec in unasked}
    return {**definition, "approval": {**policy, "tools": {**policy.get("tools", {}), **asked}}}


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


def _own(definition: Any, tools: tuple[Any, ...]) -> tuple[AgentDefinition, dict[str, ToolSpec]]:
    """Return one's own definition, and the specs of all tools that one has: those that it names, and the others."""
    try:
        ours, _ = read_definition(encode(definition))
    except PurestepError as error:
        raise PurestepError(error.code, error.message, f"/rules_of{error.path}") from None
    others, _ = read_definition(encode({"tools": tools}))
    return ours, {spec.name: spec for spec in (*others.tools, *ours.tools)}


def _held_tool(tool: dict[str, Any], own: ToolSpec | None) -> dict[str, Any]:
    """Return a tool whose hints claim no more than those of one's own."""
    if own is None:
        return tool
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


def _stricter_rule(
    spec: ToolSpec, own: ToolSpec | None, theirs: AgentDefinition, ours: AgentDefinition
) -> ApprovalRule:
    rules = (approval_rule(spec.name, spec, theirs), approval_rule(spec.name, own, ours))
    return max(rules, key=_RULES.index)
