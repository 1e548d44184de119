"""The rules of a definition on the flow into arguments: read, checked, and asked for one argument at a time."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct, field

from purestep.errors import PurestepError
from purestep.json_text import encode_sorted
from purestep.schema import pointer_tokens
from purestep.values import ArgumentOrigin, ToolSpec, labels_of

from .bounds import MAX_SCHEMA_LOOKS

OPEN: Final = "open"
"""The label of text that anybody may have written."""
MODEL: Final = "model"
USER: Final = "user"

FlowVerdict = Literal["allow", "ask", "deny"]
_STRICTNESS: Final[tuple[FlowVerdict, ...]] = ("allow", "ask", "deny")
"""All verdicts, the stricter one later."""


class FlowRule(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of a call into whose arguments text with a label flows; the first rule that fits holds.

    `source` (`from` in JSON): a label, or `model` for what the model worded itself after it had read labelled text.
    `to`: a tool's name, `TOOL/ARGUMENT`, or `*` for every tool.
    """

    source: str = field(name="from")
    to: str
    then: FlowVerdict


class _FlowTarget(Struct, frozen=True):
    """Where a rule holds: for one tool or all, for one argument or all."""

    tool: str | None
    argument: str | None


class _FlowTool(Struct, frozen=True):
    """What the rules need to know of a tool: its results' labels, its arguments, and all names of its schema.

    `given`: the values of arguments that the definition gives, as JSON: its defaults, and where it leaves one choice.
    """

    labels: tuple[str, ...]
    arguments: tuple[str, ...]
    names: frozenset[str]
    given: Mapping[str, frozenset[bytes]]


class FlowRules:
    """The rules of a definition, and what it says of its tools."""

    __slots__ = ("_rules", "_tools", "known_labels")

    def __init__(self, rules: tuple[FlowRule, ...], tools: Mapping[str, ToolSpec]) -> None:
        for name, spec in tools.items():
            if named := sorted({MODEL, USER}.intersection(spec.labels)):
                raise _wrong(
                    f"expected labels of {name} that say what its text is; {named[0]} says where text came from; "
                    "choose another name",
                    "",
                )
        self._tools = {name: _flow_tool(spec) for name, spec in tools.items()}
        self.known_labels = frozenset({OPEN, *[label for tool in self._tools.values() for label in tool.labels]})
        """All labels that a text may have."""
        self._rules = tuple((rule, self._target(rule, index)) for index, rule in enumerate(rules))

    def labels_of(self, tool: str) -> tuple[str, ...]:
        """Return the labels of a tool's results."""
        known = self._tools.get(tool)
        return () if known is None else known.labels

    def names_of(self, tool: str) -> frozenset[str]:
        """Return the names of members that a tool's schema has."""
        known = self._tools.get(tool)
        return frozenset() if known is None else known.names

    def said_params(self, tool: str, params: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a call without those that the definition gives, which say nothing."""
        known = self._tools.get(tool)
        if known is None or not known.given:
            return params
        given = known.given
        return {name: value for name, value in params.items() if encode_sorted(value) not in given.get(name, ())}

    def strictest(self, tool: str, origins: Iterable[ArgumentOrigin], *, acts: bool) -> FlowVerdict:
        """Return what becomes of a call: the strictest verdict for any label of any of its arguments."""
        verdicts = [self._for_label(tool, each, label, acts) for each in origins for label in each.labels]
        return max(verdicts, key=_STRICTNESS.index, default="allow")

    def _for_label(self, tool: str, origin: ArgumentOrigin, label: str, acts: bool) -> FlowVerdict:
        argument = "".join(pointer_tokens(origin.path)[:1])
        for rule, target in self._rules:
            fits_source = rule.source == label or (rule.source == MODEL and origin.source == MODEL)
            # What stands for the whole call may be any of its arguments: a rule that allows one of them is not enough.
            fits_argument = target.argument in (None, argument) or (not origin.path and rule.then != "allow")
            if fits_source and target.tool in (None, tool) and fits_argument:
                return rule.then
        return "ask" if label == OPEN and acts else "allow"

    def _target(self, rule: FlowRule, index: int) -> _FlowTarget:
        """Return where a rule holds; raises `invalid_agent` for a label, tool or argument that there is not."""
        if rule.source not in {*self.known_labels, MODEL}:
            known = ", ".join(sorted({*self.known_labels, MODEL}))
            raise _wrong(f"expected a label of {known}; got {rule.source[:80]}", f"/rules/{index}/from")
        if rule.to == "*":
            return _FlowTarget(None, None)
        if rule.to in self._tools:
            return _FlowTarget(rule.to, None)
        for name, tool in self._tools.items():
            argument = rule.to.removeprefix(f"{name}/")
            if argument != rule.to and argument in tool.arguments:
                return _FlowTarget(name, argument)
        raise _wrong(f'no tool, nor an argument of one, is named "{rule.to[:80]}"', f"/rules/{index}/to")


def _flow_tool(spec: ToolSpec) -> _FlowTool:
    given = spec.parameters.get("properties")
    properties = given if isinstance(given, dict) else {}
    return _FlowTool(
        labels=labels_of(spec),
        arguments=tuple(properties),
        names=_member_names(spec.parameters),
        given={name: found for name, schema in properties.items() if (found := _given_values(schema))},
    )


def _given_values(schema: Any) -> frozenset[bytes]:
    """Return the values of an argument that the definition gives: its default, and its only choice."""
    if not isinstance(schema, dict):
        return frozenset()
    values = [schema[name] for name in ("default", "const") if name in schema]
    choices = schema.get("enum")
    return frozenset(
        map(encode_sorted, [*values, *(choices if isinstance(choices, list) and len(choices) == 1 else ())])
    )


def _member_names(schema: Any) -> frozenset[str]:
    """Return the names that a schema has for members of objects, at any depth."""
    names: set[str] = set()
    pending, looked = [schema], 0
    while pending and looked < MAX_SCHEMA_LOOKS:
        looked += 1
        node = pending.pop()
        if isinstance(node, list):
            pending += node
        elif isinstance(node, dict):
            properties = node.get("properties")
            names.update(properties if isinstance(properties, dict) else ())
            pending += node.values()
    return frozenset(names)


def _wrong(message: str, path: str) -> PurestepError:
    return PurestepError("invalid_agent", message, path)
