"""What a definition says that only holds together: its guardrails, and what its models take of its dialect."""

from typing import Final

from ..bounds import MAX_COMPACT_TOOLS_CHARS
from ..dialects import Dialect, tool_line
from ..errors import PurestepError
from ..lazy import lazy_pattern
from ..values import AgentDefinition, Guardrail
from .check_tools import check_tool_names
from .corrections import shown
from .guardrails import ANSWER_CHECKS, BARE_GUARDRAILS, OUTPUT_CHECKS
from .occurrences import EVIDENCE


def takes(feature: str, supports: tuple[str, ...] | None) -> bool:
    """Whether a model's server takes something; one of which nothing is said takes all."""
    return supports is None or feature in supports


def check_supports(definition: AgentDefinition, dialect: Dialect) -> None:
    """Raise an error for a model that no way exists to show the tools to, and for a tool that none of them takes."""
    _check_native_names(definition, dialect)
    _check_compact(definition, dialect)
    for index, model in enumerate(definition.models):
        if dialect.native_tools and (definition.tools or definition.skills) and not takes("tools", model.supports):
            raise PurestepError(
                "invalid_agent",
                f'the {dialect.name} dialect gives the tools to the server, and "{model.name}" does not take any; '
                "choose another dialect",
                f"/models/{index}/supports",
            )


def _check_compact(definition: AgentDefinition, dialect: Dialect) -> None:
    """Raise an error for spans in a dialect without them, and for more tools than the compact one has room for."""
    is_compact = dialect.stream == "compact"
    for index, model in enumerate(definition.models):
        if model.spans and not is_compact:
            raise PurestepError(
                "invalid_agent",
                f"spans hold the arguments of the compact dialect; got {dialect.name}; leave them out or choose that",
                f"/models/{index}/spans",
            )
    chars = sum([len(tool_line(tool)) + 1 for tool in definition.tools]) if is_compact else 0
    if chars > MAX_COMPACT_TOOLS_CHARS:
        raise PurestepError(
            "invalid_agent",
            f"the {len(definition.tools)} tools take {chars} characters in the compact dialect, which has room for "
            f"{MAX_COMPACT_TOOLS_CHARS}, about 14 tools; offer fewer, or use a larger model with another dialect",
            "/tools",
        )


_NATIVE_NAME: Final = lazy_pattern(r"[a-zA-Z0-9_-]{1,64}")
"""What servers take for a tool's name, by OpenAI's reference; others refuse the whole request with 400."""


def _check_native_names(definition: AgentDefinition, dialect: Dialect) -> None:
    """Raise an error for a tool that a server of the native dialect would not take by its name."""
    for index, spec in enumerate(definition.tools if dialect.native_tools else ()):
        if _NATIVE_NAME.fullmatch(spec.name) is None:
            raise PurestepError(
                "invalid_agent",
                f"the {dialect.name} dialect gives tools to the server, which takes names of 1 to 64 letters a to z, "
                f'digits, "_" and "-"; got "{shown(spec.name)}"; rename it or choose another dialect',
                f"/tools/{index}/name",
            )


def cited_texts(definition: AgentDefinition) -> frozenset[str]:
    """Return which texts of the exchange citations need; raises `invalid_agent` where none can stand or be known."""
    if definition.citations is None:
        return frozenset()
    if definition.answer_schema is not None:
        raise PurestepError(
            "invalid_agent", "citations stand in a text, and answer_schema demands JSON; leave one out", "/citations"
        )
    return frozenset(EVIDENCE)


def guardrails_of(definition: AgentDefinition, bare: bool) -> tuple[Guardrail, ...]:
    """Return the guardrails of a definition; raises `invalid_agent` for one that there is not."""
    given = definition.guardrails
    if given is None:
        given = BARE_GUARDRAILS if bare else ()
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
