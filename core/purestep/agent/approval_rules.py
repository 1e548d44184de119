"""Which calls need a person, and the definitions of others held to rules of one's own.

A rule is `auto`, `ask` or `deny`, each stricter than the one before it. A definition that a client sends may be
stricter than its host's, never looser: neither by its policy, nor by a tool's own rule, nor by hints.
"""

from collections.abc import Mapping
from typing import Any, Final

from ..errors import PurestepError
from ..json_text import encode
from ..values import AgentDefinition, ApprovalRule, ToolSpec, in_own_shape, read_definition

_RULES: Final[tuple[ApprovalRule, ...]] = ("auto", "ask", "deny")
"""All rules, the stricter one later."""

_HINTS: Final[Mapping[str, tuple[bool | None, ...]]] = {
    "readOnlyHint": (True, None, False),
    "idempotentHint": (True, None, False),
    "destructiveHint": (False, None, True),
}
"""The hints that decide what runs unasked, and their values, the stricter one later."""


def approval_rule(name: str, spec: ToolSpec | None, definition: AgentDefinition) -> ApprovalRule:
    """Give a definition's rule for a tool, which it may not have: its policy's, the tool's own, or the default."""
    policy = definition.approval
    hinted: ApprovalRule | None = "ask" if spec and spec.annotations and spec.annotations.destructiveHint else None
    return policy.tools.get(name) or (spec and spec.approval) or hinted or policy.default or "auto"


def held_to_rules(definition: Any, own: Any, tools: tuple[Any, ...]) -> Any:
    """Give a definition under which no call needs less than under one's own; one that is as strict stays as it is.

    own: one's own definition. tools: specs of further tools that one has, in any shape. Error codes: those of
    `read_definition`, with a path below `/rules_of` for one's own.
    """
    theirs, _ = read_definition(encode(definition))
    ours = _read_own(_with_tools(own, tools))
    specs = {spec.name: spec for spec in ours.tools}
    given = [in_own_shape(tool, "/tools") for tool in definition.get("tools", ())]
    held = [_held_tool(tool, specs.get(tool["name"])) for tool in given]
    rules = {spec.name: _held_rule(spec, specs.get(spec.name), theirs, ours) for spec in theirs.tools}
    changed = {name: rule for name, (rule, is_new) in rules.items() if is_new}
    policy = definition.get("approval", {})
    if changed:
        policy = {**policy, "tools": {**policy.get("tools", {}), **changed}}
    if ours.approval.unknown_outcome == "fail":
        policy = {**policy, "unknown_outcome": "fail"}
    completed = definition if held == given else {**definition, "tools": held}
    return completed if not policy else {**completed, "approval": policy}


def _read_own(definition: Any) -> AgentDefinition:
    try:
        return read_definition(encode(definition))[0]
    except PurestepError as error:
        raise PurestepError(error.code, error.message, f"/rules_of{error.path}") from None


def _with_tools(own: Any, tools: tuple[Any, ...]) -> Any:
    """Give one's own definition with the tools that it does not name."""
    if not isinstance(own, dict) or not isinstance(own.get("tools", []), list):
        return own  # the reader refuses it
    named = [in_own_shape(tool, "/tools") for tool in own.get("tools", ())]
    names = {tool.get("name") for tool in named if isinstance(tool, dict)}
    others = [in_own_shape(tool, "/tools") for tool in tools]
    return {**own, "tools": [*named, *(tool for tool in others if tool.get("name") not in names)]}


def _held_tool(tool: dict[str, Any], own: ToolSpec | None) -> dict[str, Any]:
    """Give a tool whose hints claim no more than those of one's own."""
    if own is None:
        return tool
    hints = dict(tool.get("annotations") or {})
    for name, values in _HINTS.items():
        stricter = max(hints.get(name), getattr(own.annotations, name, None), key=values.index)
        if stricter is None:
            hints.pop(name, None)
        else:
            hints[name] = stricter
    return tool if hints == (tool.get("annotations") or {}) else {**tool, "annotations": hints}


def _held_rule(
    spec: ToolSpec, own: ToolSpec | None, theirs: AgentDefinition, ours: AgentDefinition
) -> tuple[ApprovalRule, bool]:
    """Give the stricter rule for a tool, and whether it is another than its own definition's."""
    rule = approval_rule(spec.name, spec, theirs)
    stricter = max(rule, approval_rule(spec.name, own, ours), key=_RULES.index)
    return stricter, stricter != rule
