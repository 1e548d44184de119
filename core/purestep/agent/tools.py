"""Tools made ready for steps: their schemas, examples, postconditions and approval rules, checked and compiled."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..bounds import DEFAULT_MAX_OUTPUT_CHARS
from ..errors import PurestepError
from ..json_text import encode_sorted
from ..schema import Budget, Schema, render
from ..values import OPEN, AgentDefinition, ApprovalRule, Guardrail, ToolSpec, labels_of
from .approval_rules import approval_rule
from .check_tools import tools_with_results
from .checks import CheckSource, CompiledCheck, compile_checks, schema_at
from .guardrails import OUTPUT_CHECKS
from .references import Roots


class CompiledTool(Struct, frozen=True, kw_only=True):
    """A tool spec with everything a step needs of it.

    `defaults`: the values of arguments that its schema gives where nothing is said, as JSON.
    """

    spec: ToolSpec
    parameters: Schema
    output: Schema | None
    postconditions: tuple[CompiledCheck, ...]
    guardrails: tuple[str, ...]
    approval: ApprovalRule
    max_output_chars: int
    defaults: Mapping[str, bytes] = {}

    @property
    def acts(self) -> bool:
        """Whether its annotations say that it changes something."""
        return _acts(self.spec)

    @property
    def may_act(self) -> bool:
        """Whether it may change something: its annotations do not say that it only reads."""
        return not _reads(self.spec)

    @property
    def is_said_to_act(self) -> bool | None:
        """Whether its annotations say that it changes something; None where they do not say."""
        return self.acts if self.acts or _reads(self.spec) else None

    @property
    def is_open(self) -> bool:
        """Whether anybody may have written what it gives."""
        return OPEN in labels_of(self.spec)

    @property
    def reads(self) -> bool:
        """Whether its annotations say that it only reads."""
        return _reads(self.spec)

    @property
    def acts_once(self) -> bool:
        """Whether its annotations say that it changes something, and not that it may be repeated."""
        hints = self.spec.annotations
        return hints is not None and not hints.idempotentHint and self.acts

    @property
    def is_destructive(self) -> bool:
        """Whether its annotations say that it changes something, and not that it only adds or may be repeated."""
        return self.acts_once and self.destroys

    @property
    def destroys(self) -> bool:
        """Whether its annotations say that it changes something, and not that it only adds."""
        hints = self.spec.annotations
        return hints is not None and hints.destructiveHint is not False and self.acts

    @property
    def is_guarded(self) -> bool:
        """Whether the key of a call protects something: an effect from a second run, an approval from another call."""
        return self.acts or self.approval == "ask"


def open_chain(guardrails: tuple[Guardrail, ...]) -> tuple[str, ...]:
    """Return the names of the output guardrails that hold for tools without a spec."""
    return tuple(guardrail.name for guardrail in guardrails if guardrail.name in OUTPUT_CHECKS)


def _output_chain(guardrails: tuple[Guardrail, ...], spec: ToolSpec) -> tuple[str, ...]:
    """Return the names of the output guardrails that hold for a tool: those that name it, and those for all tools.

    A rejection has the model call the tool again, so those for all tools are for tools whose annotations say that they
    only read.
    """
    for_all = _reads(spec)
    named = (*guardrails, *(Guardrail(name=name, tools=(spec.name,)) for name in spec.guardrails))
    names = [each.name for each in named if (for_all if each.tools is None else spec.name in each.tools)]
    return tuple(dict.fromkeys(name for name in names if name in OUTPUT_CHECKS))


def _reads(spec: ToolSpec) -> bool:
    return spec.annotations is not None and spec.annotations.readOnlyHint is True


def _acts(spec: ToolSpec) -> bool:
    hints = spec.annotations
    return (
        hints is not None and not hints.readOnlyHint and (hints.readOnlyHint is False or hints.destructiveHint is True)
    )


def compile_tools(
    definition: AgentDefinition, guardrails: tuple[Guardrail, ...], budget: Budget
) -> dict[str, CompiledTool]:
    """Return the compiled tools by name, sorted; raises `duplicate_tool` and the schemas' errors."""
    compiled: dict[str, CompiledTool] = {}
    results = tools_with_results(definition)
    for index, spec in enumerate(definition.tools):
        path = f"/tools/{index}"
        if spec.name in compiled:
            raise PurestepError("duplicate_tool", f'two tools are named "{spec.name}"; rename one', f"{path}/name")
        chain = _output_chain(guardrails, spec)
        compiled[spec.name] = _tool(spec, path, definition, chain, budget, results)
    for name in definition.approval.tools:
        if name not in compiled:
            raise PurestepError("invalid_agent", f'no tool is named "{name}"', "/approval/tools")
    return dict(sorted(compiled.items()))


def _tool(
    spec: ToolSpec,
    path: str,
    definition: AgentDefinition,
    guardrails: tuple[str, ...],
    budget: Budget,
    results: frozenset[str],
) -> CompiledTool:
    _check_root(spec, path, definition)
    parameters = schema_at(spec.parameters, f"{path}/parameters", definition.formats, budget)
    assert parameters is not None  # only a null source gives None
    _check_guardrails(spec, path)
    for number, example in enumerate(spec.examples):
        _check_example(parameters, example.arguments, f"{path}/examples/{number}/arguments")
    return CompiledTool(
        spec=spec,
        parameters=parameters,
        output=schema_at(spec.output_schema, f"{path}/output_schema", definition.formats, budget),
        postconditions=compile_checks(
            spec.postconditions,
            f"{path}/postconditions",
            CheckSource(
                definition=definition,
                formats=definition.formats,
                budget=budget,
                roots=Roots(tuple(_properties(spec)), results),
            ),
        ),
        guardrails=guardrails,
        approval=approval_rule(spec.name, spec, definition),
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


def _check_root(spec: ToolSpec, path: str, definition: AgentDefinition) -> None:
    """Refuse parameters that are no object, or have a name that the dialect keeps."""
    if spec.parameters.get("type") != "object":
        raise PurestepError(
            "invalid_schema", 'a tool\'s parameters must have "type": "object" at the root', f"{path}/parameters/type"
        )
    if definition.dialect == "bare" and "tool" in _properties(spec):
        raise PurestepError(
            "invalid_agent",
            'the bare dialect keeps the key "tool" for the tool\'s name; rename it or choose another dialect',
            f"{path}/parameters/properties/tool",
        )


def _check_guardrails(spec: ToolSpec, path: str) -> None:
    for number, name in enumerate(spec.guardrails):
        if name not in OUTPUT_CHECKS:
            known = ", ".join(OUTPUT_CHECKS)
            raise PurestepError(
                "invalid_agent",
                f'expected a guardrail on outputs of {known}; got "{name}"',
                f"{path}/guardrails/{number}",
            )


def _properties(spec: ToolSpec) -> dict[str, Any]:
    """Return the parameters' properties; a schema with others than an object there is refused when it is compiled."""
    properties = spec.parameters.get("properties")
    return properties if isinstance(properties, dict) else {}


def _check_example(parameters: Schema, arguments: dict[str, Any], path: str) -> None:
    _, issues = parameters.check(arguments)
    if issues:
        raise PurestepError(
            "invalid_agent", f"the example does not fit: {render(issues[0], 'argument')}", path + issues[0].path
        )
