"""Tools made ready for steps: their schemas, examples, checks and approval rules, checked and compiled."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS
from ..checks import CheckSource, CompiledCheck, check_ranker, compile_checks, inner_tool_names
from ..errors import PurestepError
from ..json_text import encode_sorted
from ..regex import Budget
from ..schema import Formats, Schema, render, schema_at
from ..values import OPEN, AgentDefinition, ApprovalRule, ToolSpec, labels_of
from .approval_rules import approval_rule, may_act, stated_rule


class CompiledTool(Struct, frozen=True, kw_only=True, dict=True):
    """A tool spec with everything a step needs of it; what its annotations say is looked up once.

    `is_trusted`: whether the definition says that its calls run unasked, and does not only leave it open. `defaults`:
    the values of arguments that its schema gives where nothing is said, as JSON.
    """

    spec: ToolSpec
    parameters: Schema
    output: Schema | None = None
    checks: tuple[CompiledCheck, ...] = ()
    approval: ApprovalRule
    is_trusted: bool = False
    max_output_chars: int
    defaults: Mapping[str, bytes] = {}

    @cached_property
    def acts(self) -> bool:
        """Whether its annotations say that it changes something."""
        return _acts(self.spec)

    @cached_property
    def may_act(self) -> bool:
        """Whether it may change something: its annotations do not say that it only reads."""
        return may_act(self.spec)

    @cached_property
    def is_said_to_act(self) -> bool | None:
        """Whether its annotations say that it changes something; None where they do not say."""
        return self.acts if self.acts or not may_act(self.spec) else None

    @cached_property
    def is_open(self) -> bool:
        """Whether anybody may have written what it gives."""
        return OPEN in labels_of(self.spec)

    @cached_property
    def reads(self) -> bool:
        """Whether its annotations say that it only reads."""
        return not may_act(self.spec)

    @cached_property
    def acts_once(self) -> bool:
        """Whether its annotations say that it changes something, and not that it may be repeated."""
        hints = self.spec.annotations
        return hints is not None and not hints.idempotentHint and self.acts

    @cached_property
    def is_destructive(self) -> bool:
        """Whether its annotations say that it changes something, and not that it only adds or may be repeated."""
        return self.acts_once and self.destroys

    @cached_property
    def destroys(self) -> bool:
        """Whether its annotations say that it changes something, and not that it only adds."""
        hints = self.spec.annotations
        return hints is not None and hints.destructiveHint is not False and self.acts

    @cached_property
    def is_guarded(self) -> bool:
        """Whether the key of a call protects something: an effect from a second run, an approval from another call."""
        return self.acts or self.approval == "ask"


def _acts(spec: ToolSpec) -> bool:
    hints = spec.annotations
    return (
        hints is not None and not hints.readOnlyHint and (hints.readOnlyHint is False or hints.destructiveHint is True)
    )


def compile_tools(
    definition: AgentDefinition, formats: Formats, budget: Budget
) -> tuple[dict[str, CompiledTool], tuple[CompiledCheck, ...]]:
    """Return the compiled tools by name, sorted, and the checks of answers.

    Raises `duplicate_tool`, `invalid_agent` and the schemas' errors.
    """
    specs: dict[str, tuple[ToolSpec, ApprovalRule]] = {}
    for index, spec in enumerate(definition.tools):
        if spec.name in specs:
            raise PurestepError(
                "duplicate_tool", f'two tools are named "{spec.name}"; rename one', f"/tools/{index}/name"
            )
        specs[spec.name] = spec, approval_rule(spec.name, spec, definition)
    for name in definition.approval.tools:
        if name not in specs:
            raise PurestepError("invalid_agent", f'no tool is named "{name}"', "/approval/tools")
    if definition.tools_ranked_by is not None:
        check_ranker(definition.tools_ranked_by, specs)
    source = CheckSource(
        tools=specs,
        judges=inner_tool_names(definition),
        parameters=None,
        formats=formats,
        budget=budget,
        is_json=definition.answer_schema is not None,
    )
    compiled = {
        spec.name: _tool(spec, f"/tools/{index}", definition, source) for index, spec in enumerate(definition.tools)
    }
    return dict(sorted(compiled.items())), compile_checks(definition.checks, "/checks", source)


def open_checks(budget: Budget) -> tuple[CompiledCheck, ...]:
    """Return the checks of outputs in the bare form, whose tools nobody has declared."""
    source = CheckSource(tools={}, judges=frozenset(), parameters=(), formats="annotate", budget=budget)
    return compile_checks(("plausibility",), "/checks", source)


def _tool(spec: ToolSpec, path: str, definition: AgentDefinition, source: CheckSource) -> CompiledTool:
    _check_root(spec, path, definition.dialect)
    parameters = schema_at(f"{path}/parameters", spec.parameters, source.formats, source.budget)
    for number, example in enumerate(spec.examples):
        _check_example(parameters, example.arguments, f"{path}/examples/{number}/arguments")
    output = spec.output_schema
    names = tuple(_properties(spec))
    return CompiledTool(
        spec=spec,
        parameters=parameters,
        output=None if output is None else schema_at(f"{path}/output_schema", output, source.formats, source.budget),
        checks=compile_checks(spec.checks, f"{path}/checks", replace(source, parameters=names)),
        approval=source.tools[spec.name][1],
        is_trusted=stated_rule(spec.name, spec, definition) == "auto",
        max_output_chars=spec.max_output_chars or DEFAULT_MAX_OUTPUT_CHARS,
        defaults=_defaults(spec),
    )


def _defaults(spec: ToolSpec) -> dict[str, bytes]:
    given = spec.parameters.get("properties")
    properties = given if isinstance(given, dict) else {}
    return {
        name: encode_sorted(schema["default"])
        for name, schema in properties.items()
        if isinstance(schema, dict) and "default" in schema
    }


def _check_root(spec: ToolSpec, path: str, dialect: str) -> None:
    """Refuse parameters that are no object, or have a name that the dialect keeps."""
    if spec.parameters.get("type") != "object":
        raise PurestepError(
            "invalid_schema", 'a tool\'s parameters must have "type": "object" at the root', f"{path}/parameters/type"
        )
    if dialect == "bare" and "tool" in _properties(spec):
        raise PurestepError(
            "invalid_agent",
            'the bare dialect keeps the key "tool" for the tool\'s name; rename it or choose another dialect',
            f"{path}/parameters/properties/tool",
        )


def _properties(spec: ToolSpec) -> dict[str, Any]:
    """Return the parameters' properties; a schema with others than an object there is refused when it is compiled."""
    properties = spec.parameters.get("properties")
    return properties if isinstance(properties, dict) else {}


def _check_example(parameters: Schema, arguments: dict[str, Any], path: str) -> None:
    issues = parameters.check(arguments)
    if issues:
        raise PurestepError(
            "invalid_agent", f"the example does not fit: {render(issues[0], 'argument')}", path + issues[0].path
        )
