"""The rules of a definition on the flow into arguments: read, checked, and asked for one argument at a time."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ..errors import PurestepError
from ..json_text import encode_sorted
from ..schema import pointer_tokens
from ..values import ArgumentOrigin, FlowRule, FlowVerdict

OPEN: Final = "open"
"""The label of text that anybody may have written."""
MODEL: Final = "model"
USER: Final = "user"

_STRICTNESS: Final[tuple[FlowVerdict, ...]] = ("allow", "ask", "deny")
"""All verdicts, the stricter one later."""


class FlowTool(Struct, frozen=True):
    """What the rules need to know of a tool: its results' labels, whether it destroys, and names of its schema.

    `defaults`: the values of arguments that its schema gives where nothing is said, as JSON.
    """

    labels: tuple[str, ...]
    destroys: bool
    arguments: tuple[str, ...]
    names: frozenset[str]
    defaults: Mapping[str, bytes] = {}


class _FlowTarget(Struct, frozen=True):
    """Where a rule holds: for one tool or all, for one argument or all."""

    tool: str | None
    argument: str | None


class FlowRules:
    """The rules of a definition, and the labels of its tools; `is_active` where a call can be asked about for them."""

    __slots__ = ("_rules", "_tools", "is_active", "labels")

    def __init__(self, rules: tuple[FlowRule, ...], tools: Mapping[str, FlowTool]) -> None:
        self._tools = tools
        self.labels = frozenset(label for tool in tools.values() for label in tool.labels)
        """All labels that a result may have."""
        self._rules = tuple((rule, self._target(rule, index)) for index, rule in enumerate(rules))
        is_strict = any(rule.then != "allow" for rule in rules) or any(tool.destroys for tool in tools.values())
        self.is_active = bool(self.labels) and is_strict

    def labels_of(self, tool: str) -> tuple[str, ...]:
        """Give the labels of a tool's results."""
        known = self._tools.get(tool)
        return () if known is None else known.labels

    def names_of(self, tool: str) -> frozenset[str]:
        """Give the names of members that a tool's schema has."""
        known = self._tools.get(tool)
        return frozenset() if known is None else known.names

    def said_params(self, tool: str, params: dict[str, Any]) -> dict[str, Any]:
        """Give the arguments of a call without those that have their default, which say nothing."""
        known = self._tools.get(tool)
        if known is None or not known.defaults:
            return params
        defaults = known.defaults
        return {name: value for name, value in params.items() if defaults.get(name) != encode_sorted(value)}

    def verdict(self, tool: str, origin: ArgumentOrigin) -> FlowVerdict:
        """Give what becomes of a call for one of its arguments: the strictest for any label that it carries."""
        verdicts = [self._for_label(tool, origin, label) for label in origin.labels]
        return max(verdicts, key=_STRICTNESS.index, default="allow")

    def _for_label(self, tool: str, origin: ArgumentOrigin, label: str) -> FlowVerdict:
        argument = "".join(pointer_tokens(origin.path)[:1])
        for rule, target in self._rules:
            fits_source = rule.source == label or (rule.source == MODEL and origin.source == MODEL)
            # What stands for the whole call may be any of its arguments: a rule that allows one of them is not enough.
            fits_argument = target.argument in (None, argument) or (not origin.path and rule.then != "allow")
            if fits_source and target.tool in (None, tool) and fits_argument:
                return rule.then
        known = self._tools.get(tool)
        return "ask" if label == OPEN and known is not None and known.destroys else "allow"

    def _target(self, rule: FlowRule, index: int) -> _FlowTarget:
        """Give where a rule holds; raises `invalid_agent` for a label, tool or argument that there is not."""
        if rule.source not in {*self.labels, OPEN, MODEL}:
            known = ", ".join(sorted({*self.labels, OPEN, MODEL}))
            raise _wrong(f"expected a label of {known}; got {rule.source}", f"/flow/{index}/from")
        if rule.to == "*":
            return _FlowTarget(None, None)
        if rule.to in self._tools:
            return _FlowTarget(rule.to, None)
        for name, tool in self._tools.items():
            argument = rule.to.removeprefix(f"{name}/")
            if argument != rule.to and argument in tool.arguments:
                return _FlowTarget(name, argument)
        raise _wrong(f'no tool, nor an argument of one, is named "{rule.to[:80]}"', f"/flow/{index}/to")


def _wrong(message: str, path: str) -> PurestepError:
    return PurestepError("invalid_agent", message, path)
