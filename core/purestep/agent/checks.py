"""Postconditions made ready for steps: their schemas and patterns compiled, what they name looked up.

What cannot be executed is refused here, with its path in the definition.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from ..bounds import MAX_CHECK_CALLS, MAX_POSTCONDITION_DEPTH, MAX_POSTCONDITION_PARTS
from ..errors import PurestepError
from ..schema import (
    Budget,
    Formats,
    OverBudgetError,
    Pattern,
    Schema,
    SchemaError,
    compile_pattern,
    compile_schema,
    too_much_work,
)
from ..values import AgentDefinition, CountRange, Postcondition
from .check_tools import CheckRule, read_check_call
from .comparisons import CompiledComparison, read_comparison
from .occurrences import EVIDENCE, CompiledOccurrence, read_occurrence
from .references import Reference, Roots, named_results


class CompiledCheck(Struct, frozen=True, kw_only=True):
    """A postcondition with its schema and pattern compiled, and its pointers read."""

    spec: Postcondition
    schema: Schema | None
    pattern: Pattern | None
    compare: CompiledComparison | None
    occurs: CompiledOccurrence | None
    call: CheckRule | None
    all: "tuple[CompiledCheck, ...]"
    any: "tuple[CompiledCheck, ...]"
    negated: "CompiledCheck | None"


class CheckSource(Struct, frozen=True, kw_only=True):
    """What a list of postconditions is compiled with.

    `roots`: what pointers may begin with. `budget`: that of all schemas of the definition. `definition`: where the
    tools that check are looked up.
    """

    definition: AgentDefinition
    formats: Formats
    budget: Budget
    roots: Roots


def schema_at(source: dict[str, Any] | bool | None, path: str, formats: Formats, budget: Budget) -> Schema | None:
    """Compile a schema that stands at a path of the definition; raises the schema's own error with its path.

    budget: that of all schemas of the definition.
    """
    if source is None:
        return None
    try:
        return compile_schema(source, path, formats=formats, budget=budget)
    except SchemaError as error:
        raise PurestepError(error.code, error.message, error.path) from None


def compile_checks(checks: tuple[Postcondition, ...], path: str, source: CheckSource) -> tuple[CompiledCheck, ...]:
    """Return the compiled postconditions of a list; raises `invalid_agent` and the schemas' and patterns' errors."""
    compiled = _inner(checks, path, source, 0)
    number = sum([1 for _ in _every(compiled)])
    if number > MAX_POSTCONDITION_PARTS:
        raise PurestepError(
            "invalid_agent",
            f"expected at most {MAX_POSTCONDITION_PARTS} postconditions with those inside them; got {number}",
            path,
        )
    calls = sum([1 for check in compiled if check.call is not None])
    if calls > MAX_CHECK_CALLS:
        raise PurestepError(
            "invalid_agent", f"expected at most {MAX_CHECK_CALLS} postconditions with check; got {calls}", path
        )
    return compiled


def _inner(checks: tuple[Postcondition, ...], path: str, source: CheckSource, depth: int) -> tuple[CompiledCheck, ...]:
    return tuple([_check(check, f"{path}/{index}", source, depth + 1) for index, check in enumerate(checks)])


def _every(checks: Iterable[CompiledCheck]) -> Iterator[CompiledCheck]:
    """Yield the checks and those inside them."""
    for check in checks:
        yield check
        yield from _every((*check.all, *check.any, *(() if check.negated is None else (check.negated,))))


def _check(check: Postcondition, path: str, source: CheckSource, depth: int) -> CompiledCheck:
    if depth > MAX_POSTCONDITION_DEPTH:
        raise PurestepError(
            "invalid_agent", f"expected at most {MAX_POSTCONDITION_DEPTH} postconditions inside one another", path
        )
    if check.mentions is not None and source.roots.arguments is None:
        raise PurestepError("invalid_agent", "expected no mentions: an answer has no arguments", f"{path}/mentions")
    if check.mentions is not None and check.mentions not in (source.roots.arguments or ()):
        raise PurestepError("invalid_agent", f'no parameter is named "{check.mentions}"', f"{path}/mentions")
    if check.check is not None and depth > 1:
        raise PurestepError(
            "invalid_agent", "expected check only at the top of a list, not inside all, any or not", f"{path}/check"
        )
    _check_range(check.lines, f"{path}/lines")
    _check_range(check.items, f"{path}/items")
    return CompiledCheck(
        spec=check,
        schema=schema_at(check.schema, f"{path}/schema", source.formats, source.budget),
        pattern=_pattern(check.pattern, f"{path}/pattern", source.budget),
        compare=None if check.compare is None else read_comparison(check.compare, f"{path}/compare", source.roots),
        occurs=None if check.occurs is None else read_occurrence(check.occurs, f"{path}/occurs", source.roots),
        call=read_check_call(check, path, source.definition, Roots(source.roots.arguments)),
        all=_inner(check.all, f"{path}/all", source, depth),
        any=_inner(check.any or (), f"{path}/any", source, depth),
        negated=None if check.negated is None else _check(check.negated, f"{path}/not", source, depth + 1),
    )


def parts_of(checks: tuple[CompiledCheck, ...]) -> int:
    """Return into how many parts the steps of a list of checks are divided, so that none takes those of another."""
    return sum([2 + (check.compare is not None) + (check.occurs is not None) for check in _every(checks)])


def named_texts(*lists: Iterable[CompiledCheck]) -> frozenset[str]:
    """Return which texts of the exchange lists of checks look for values in: `question`, `results`."""
    occurrences = [check.occurs for checks in lists for check in _every(checks) if check.occurs is not None]
    return frozenset([name for name in EVIDENCE if any(name in occurrence.texts for occurrence in occurrences)])


def named_results_of(*lists: Iterable[CompiledCheck]) -> tuple[Reference, ...]:
    """Return the pointers of lists of checks into earlier results; raises `invalid_agent` where they are too many."""
    return named_results([each for checks in lists for check in _every(checks) for each in _references(check)])


def _references(check: CompiledCheck) -> Iterator[Reference]:
    """Yield the pointers of a check's comparison and occurrence."""
    compared = () if check.compare is None else (check.compare.left, check.compare.right)
    looked_for = () if check.occurs is None else (check.occurs.values, *check.occurs.texts)
    for each in (*compared, *looked_for):
        if isinstance(each, Reference):
            yield each


def _check_range(given: CountRange | None, path: str) -> None:
    if given is None:
        return
    if given.min is None and given.max is None:
        raise PurestepError("invalid_agent", "expected min, max or both; got neither", path)
    if given.min is not None and given.max is not None and given.min > given.max:
        raise PurestepError("invalid_agent", f"expected a max of at least {given.min}; got {given.max}", f"{path}/max")


def _pattern(source: str | None, path: str, budget: Budget) -> Pattern | None:
    if source is None:
        return None
    try:
        return compile_pattern(source, budget=budget)
    except SchemaError as error:
        raise PurestepError(error.code, error.message, path) from None
    except OverBudgetError:
        raise PurestepError("schema_too_large", too_much_work(budget), path) from None
