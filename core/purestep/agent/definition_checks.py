"""What a definition says that only holds together: its guardrails, and what its models take of its dialect."""

from ..claims import may_act
from ..dialects import Dialect
from ..errors import PurestepError
from ..values import AgentDefinition, Guardrail
from .check_tools import check_tool_names
from .guardrails import ANSWER_CHECKS, BARE_GUARDRAILS, DEFAULT_GUARDRAILS, OUTPUT_CHECKS
from .occurrences import EVIDENCE


def takes(feature: str, supports: tuple[str, ...] | None) -> bool:
    """Tell whether a model's server takes something; one of which nothing is said takes all."""
    return supports is None or feature in supports


def check_supports(definition: AgentDefinition, dialect: Dialect) -> None:
    """Raise an error for a model that no way exists to show the tools to."""
    for index, model in enumerate(definition.models):
        if dialect.native_tools and (definition.tools or definition.skills) and not takes("tools", model.supports):
            raise PurestepError(
                "invalid_agent",
                f'the {dialect.name} dialect gives the tools to the server, and "{model.name}" does not take any; '
                "choose another dialect",
                f"/models/{index}/supports",
            )


def cited_texts(definition: AgentDefinition) -> frozenset[str]:
    """Give which texts of the exchange citations need; raises `invalid_agent` where none can stand or be known."""
    if definition.citations is None:
        return frozenset()
    if definition.answer_schema is not None:
        raise PurestepError(
            "invalid_agent", "citations stand in a text, and answer_schema demands JSON; leave one out", "/citations"
        )
    for model in definition.models:
        if model.carry == "route":
            raise PurestepError(
                "invalid_agent",
                f'citations name results of the transcript, which "{model.name}" is not shown with carry on route',
                "/citations",
            )
    return frozenset(EVIDENCE)


def guardrails_of(definition: AgentDefinition, bare: bool) -> tuple[Guardrail, ...]:
    """Give the guardrails of a definition; raises `invalid_agent` for one that there is not."""
    given = definition.guardrails
    if given is None:
        given = BARE_GUARDRAILS if bare else DEFAULT_GUARDRAILS
        if not any(may_act(tool) for tool in definition.tools):
            given = tuple(name for name in given if name != "claims")
    guardrails = tuple(Guardrail(name=entry) if isinstance(entry, str) else entry for entry in given)
    names, checks = [tool.name for tool in definition.tools], check_tool_names(definition)
    for index, guardrail in enumerate(guardrails):
        if guardrail.name not in OUTPUT_CHECKS and guardrail.name not in ANSWER_CHECKS:
            known = ", ".join([*OUTPUT_CHECKS, *ANSWER_CHECKS])
            raise PurestepError(
                "invalid_agent", f'expected a guardrail of {known}; got "{guardrail.name}"', f"/guardrails/{index}"
            )
        if guardrail.name in ("planning", "echo", "values") and guardrail.tools is not None:
            raise PurestepError(
                "invalid_agent", f"{guardrail.name} looks at answers, not at tools", f"/guardrails/{index}/tools"
            )
        if guardrail.name == "observations" and definition.answer_schema is not None:
            raise PurestepError(
                "invalid_agent",
                "observations demands sections of a text, and answer_schema demands JSON; leave one out",
                f"/guardrails/{index}",
            )
        for tool in guardrail.tools or ():
            if tool in checks:
                raise PurestepError(
                    "invalid_agent", f'"{tool}" is a check, and its output a verdict', f"/guardrails/{index}/tools"
                )
            if tool not in names:
                raise PurestepError("invalid_agent", f'no tool is named "{tool}"', f"/guardrails/{index}/tools")
    return guardrails
