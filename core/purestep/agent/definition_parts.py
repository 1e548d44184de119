"""What a definition asks for, part by part, for the agent that is compiled of it."""

from ..bounds import DEFAULT_SUMMARY_TOKENS
from ..dialects import Dialect
from ..errors import PurestepError
from ..schema import Budget
from ..values import AgentDefinition, Guardrail, SummarySpec
from .check_tools import check_tool_names, tools_with_results
from .checks import CheckSource, CompiledCheck, compile_checks, named_results_of, named_texts
from .definition_checks import check_supports
from .occurrences import EVIDENCE
from .offers import choice_problem
from .references import Reference, Roots
from .skill_tools import compile_skills
from .tools import CompiledTool, compile_tools

_Tools = dict[str, CompiledTool]


def _split(definition: AgentDefinition, compiled: _Tools) -> tuple[_Tools, _Tools]:
    checks = check_tool_names(definition)
    return (
        {name: tool for name, tool in compiled.items() if name not in checks},
        {name: tool for name, tool in compiled.items() if name in checks},
    )


def evidence_asked(
    guardrails: tuple[Guardrail, ...], checks: tuple[CompiledCheck, ...], tools: dict[str, CompiledTool]
) -> frozenset[str]:
    """Return which texts of an exchange are kept to look for values in."""
    if any(entry.name == "values" for entry in guardrails):
        return frozenset(EVIDENCE)
    return named_texts(checks, *(tool.postconditions for tool in tools.values()))


def results_asked(checks: tuple[CompiledCheck, ...], tools: dict[str, CompiledTool]) -> tuple[Reference, ...]:
    """Return the places in earlier results that are kept, since postconditions name them."""
    return named_results_of(checks, *(tool.postconditions for tool in tools.values()))


def answer_checks(definition: AgentDefinition, budget: Budget) -> tuple[CompiledCheck, ...]:
    """Return the compiled postconditions of answers."""
    roots = Roots(None, tools_with_results(definition))
    source = CheckSource(definition=definition, formats=definition.formats, budget=budget, roots=roots)
    return compile_checks(definition.answer_postconditions, "/answer_postconditions", source)


def compiled_tools(
    definition: AgentDefinition, guardrails: tuple[Guardrail, ...], budget: Budget
) -> tuple[_Tools, _Tools, _Tools]:
    """Return what the model may call, sorted by name, what judges outputs and answers, and the built-in skills."""
    compiled = compile_tools(definition, guardrails, budget)
    skills = compile_skills(definition, compiled)
    tools, checks = _split(definition, compiled)
    return dict(sorted({**tools, **skills}.items())), checks, skills


def check_asked(definition: AgentDefinition, dialect: Dialect, tools: tuple[str, ...]) -> None:
    """Hold what a model is asked with to its dialect, and the choice of tools to those that there are."""
    check_supports(definition, dialect)
    check_choice(definition, tools)


def check_choice(definition: AgentDefinition, tools: tuple[str, ...]) -> None:
    """Hold the choice of tools to those that there are; raises `invalid_agent`."""
    problem = choice_problem(definition.tool_choice, tools)
    if problem is not None:
        raise PurestepError("invalid_agent", problem[0], f"/tool_choice{problem[1]}")


def summary_tokens_of(definition: AgentDefinition) -> int:
    """Return the tokens that a summary of what leaves the prompt has at most."""
    given = definition.summary
    if isinstance(given, SummarySpec):
        return given.max_tokens or DEFAULT_SUMMARY_TOKENS
    return DEFAULT_SUMMARY_TOKENS if given else 0
