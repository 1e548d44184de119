"""The redaction that a definition asks for, compiled and held to its tools."""

from collections.abc import Iterable

from ..errors import PurestepError
from ..json_text import excerpt_of
from ..redaction import Redaction
from ..schema import Budget, OverBudgetError, Pattern, SchemaError, compile_pattern, is_pointer, too_much_work
from ..values import AgentDefinition


def compile_redaction(definition: AgentDefinition, tools: Iterable[str], budget: Budget) -> Redaction | None:
    """Return what hides texts, None where nothing is asked for; raises `invalid_agent` and the codes of patterns.

    tools: the names of all tools, those that check among them.
    """
    spec = definition.redaction
    if spec is None:
        return None
    known = frozenset(tools)
    for name, pointers in spec.outputs.items():
        _check_tool(name, known, "/redaction/outputs")
        for index, pointer in enumerate(pointers):
            if not is_pointer(pointer):
                raise PurestepError(
                    "invalid_agent",
                    f'expected a JSON Pointer into the output, such as "/customer/iban"; got {excerpt_of(pointer)}',
                    f"/redaction/outputs/{name}/{index}",
                )
    for index, name in enumerate(spec.reveal):
        _check_tool(name, known, f"/redaction/reveal/{index}")
    patterns = [_compiled(source, f"/redaction/patterns/{index}", budget) for index, source in enumerate(spec.patterns)]
    return Redaction(spec, patterns)


def _check_tool(name: str, known: frozenset[str], path: str) -> None:
    if name not in known:
        raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(name)}", path)


def _compiled(source: str, path: str, budget: Budget) -> Pattern:
    try:
        return compile_pattern(source, budget=budget)
    except SchemaError as error:
        raise PurestepError(error.code, error.message, path) from None
    except OverBudgetError:
        raise PurestepError("schema_too_large", too_much_work(budget), path) from None
