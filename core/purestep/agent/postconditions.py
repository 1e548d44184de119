"""Postconditions: what a tool's output and an answer must be, declared as data and executed here."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct, to_builtins

from ..bounds import MAX_CHECK_STEPS
from ..json_text import BLANK
from ..schema import Budget, OverBudgetError, Pattern, Schema, render
from ..values import CountRange, Evidence
from .checks import CompiledCheck, parts_of
from .comparisons import CompiledComparison, unrelated
from .guardrails import Rejection, judge_output, not_metadata, output_text
from .occurrences import CompiledOccurrence, not_found
from .references import Judged
from .tools import CompiledTool


class CheckFault(Struct, frozen=True):
    """What a check says that does not simply hold: which member, why, and how sure that is.

    `costly`: it could not be decided within the steps, which rejects. `unknown`: it could not be decided, since a text
    was cut, which does not.
    """

    kind: Literal["fails", "costly", "unknown"]
    member: str
    reason: str


def judge(
    tool: CompiledTool,
    params: dict[str, Any],
    output: Any,
    steps: int = MAX_CHECK_STEPS,
    evidence: Evidence | None = None,
) -> Rejection | None:
    """Return the first rejection of a successful output: guardrails in order, then output schema, then postconditions.

    steps: those of all checks together. evidence: what was said before, where a postcondition looks there.
    """
    if not tool.guardrails and tool.output is None and not tool.postconditions:
        return None
    share = steps // (1 + parts_of(tool.postconditions))
    rejection = judge_output(tool.guardrails, output) or _fits_schema(tool, output, share)
    if rejection is None and tool.postconditions:
        judged = Judged(what="output", output=output, text=output_text(output), arguments=params, evidence=evidence)
        for check in tool.postconditions:
            rejection = rejection or _holds(check, judged, share)
    return rejection


def judge_answer(
    checks: tuple[CompiledCheck, ...], answer: Any, steps: int, evidence: Evidence | None
) -> tuple[Rejection, ...]:
    """Return a rejection for each postcondition that an answer, or its data, breaks."""
    if not checks:
        return ()
    judged = Judged(what="answer", output=answer, text=output_text(answer), arguments={}, evidence=evidence)
    share = steps // parts_of(checks)
    rejections = [_holds(check, judged, share) for check in checks]
    return tuple([rejection for rejection in rejections if rejection is not None])


def _fits_schema(tool: CompiledTool, output: Any, steps: int) -> Rejection | None:
    if tool.output is None:
        return None
    _, issues = tool.output.check(output, steps)
    return _rejection("output_schema", render(issues[0])) if issues else None


def _holds(check: CompiledCheck, judged: Judged, steps: int) -> Rejection | None:
    fault = _fault(check, judged, steps)
    return (
        None if fault is None or fault.kind == "unknown" else _rejection(f"postcondition:{fault.member}", fault.reason)
    )


def _fault(check: CompiledCheck, judged: Judged, steps: int) -> CheckFault | None:
    """Return the first fault of a check's members that rejects, else the first one; in the definition's words."""
    unknown = None
    for fault in _faults(check, judged, steps):
        if fault.kind != "unknown":
            return fault if check.spec.message is None else CheckFault(fault.kind, fault.member, check.spec.message)
        unknown = unknown or fault
    return unknown


def _faults(check: CompiledCheck, judged: Judged, steps: int) -> Iterator[CheckFault]:
    """Yield what does not hold, member by member."""
    spec, text, what = check.spec, judged.text, f"the {judged.what}"
    if check.schema is not None:
        yield from _misfit(check.schema, judged.output, steps)
    if spec.contains is not None and spec.contains not in text:
        yield CheckFault("fails", "contains", f'{what} does not hold "{spec.contains}"')
    if spec.excludes is not None and spec.excludes in text:
        yield CheckFault("fails", "excludes", f'{what} holds "{spec.excludes}"')
    if check.pattern is not None:
        yield from _unmatched(check.pattern, judged, steps)
    if spec.mentions is not None and output_text(judged.arguments.get(spec.mentions, "")) not in text:
        yield CheckFault("fails", "mentions", f'{what} does not mention the value of "{spec.mentions}"')
    if spec.lines is not None:
        yield from _miscounted("lines", spec.lines, _lines(text), what)
    if spec.items is not None and isinstance(judged.output, list | dict):
        yield from _miscounted("items", spec.items, len(judged.output), what)
    elif spec.items is not None:
        yield CheckFault("fails", "items", f"{what} is neither an array nor an object")
    if spec.not_metadata and (reason := not_metadata(judged.output)):
        yield CheckFault("fails", "not_metadata", reason.replace("the output", what, 1))
    if check.compare is not None:
        yield from _unrelated(check.compare, judged, steps)
    if check.occurs is not None:
        yield from _not_found(check.occurs, judged, steps)
    yield from _combined(check, judged, steps)


def _misfit(schema: Schema, output: Any, steps: int) -> Iterator[CheckFault]:
    _, issues = schema.check(output, steps)
    if issues:
        yield CheckFault("costly" if issues[0].code == "schema_budget" else "fails", "schema", render(issues[0]))


def _unmatched(pattern: Pattern, judged: Judged, steps: int) -> Iterator[CheckFault]:
    try:
        if not pattern.search(judged.text, Budget(steps)):
            yield CheckFault("fails", "pattern", f"the {judged.what} does not match {pattern.source}")
    except OverBudgetError:
        yield CheckFault("costly", "pattern", f"the {judged.what} is too long to be searched for {pattern.source}")


def _unrelated(comparison: CompiledComparison, judged: Judged, steps: int) -> Iterator[CheckFault]:
    try:
        reason = unrelated(comparison, judged, steps)
    except OverBudgetError:
        yield CheckFault("costly", "compare", f"{comparison.left.source} is too large to be compared")
        return
    if reason is not None:
        yield CheckFault("fails", "compare", reason)


def _combined(check: CompiledCheck, judged: Judged, steps: int) -> Iterator[CheckFault]:
    """Yield what does not hold of the checks inside of a check; what could not be decided stays so under `not`."""
    for inner in check.all:
        fault = _fault(inner, judged, steps)
        if fault is not None:
            yield CheckFault(fault.kind, "all", fault.reason)
    if check.any:
        yield from _none_holds(check.any, judged, steps)
    if check.negated is not None:
        fault = _fault(check.negated, judged, steps)
        if fault is None:
            yield CheckFault("fails", "not", f"the {judged.what} is what it must not be ({_members(check.negated)})")
        elif fault.kind != "fails":
            yield CheckFault(fault.kind, "not", fault.reason)


def _none_holds(checks: Sequence[CompiledCheck], judged: Judged, steps: int) -> Iterator[CheckFault]:
    faults: list[CheckFault] = []
    for inner in checks:
        fault = _fault(inner, judged, steps)
        if fault is None:
            return
        faults.append(fault)
    for kind in ("costly", "unknown"):
        undecided = next((fault for fault in faults if fault.kind == kind), None)
        if undecided is not None:
            yield CheckFault(undecided.kind, "any", undecided.reason)
            return
    reasons = "; ".join([fault.reason for fault in faults])
    yield CheckFault(
        "fails", "any", reasons if len(faults) == 1 else f"one of these had to hold, and none does: {reasons}"
    )


def _members(check: CompiledCheck) -> str:
    """Return the names of a check's members, as the definition has them."""
    return ", ".join([name for name in to_builtins(check.spec) if name != "message"])


def _not_found(occurrence: CompiledOccurrence, judged: Judged, steps: int) -> Iterator[CheckFault]:
    try:
        found = not_found(occurrence, judged, steps)
    except OverBudgetError:
        yield CheckFault("costly", "occurs", f"{occurrence.values.source} and what it is looked for in are too long")
        return
    if found is not None:
        yield CheckFault("unknown" if found.unknown else "fails", "occurs", found.reason)


def _lines(text: str) -> int:
    """Return how many lines are not blank; a carriage return ends a line as a line feed does."""
    return sum([1 for line in text.replace("\r", "\n").split("\n") if line.strip(BLANK)])


def _miscounted(member: str, allowed: CountRange, count: int, what: str) -> Iterator[CheckFault]:
    least, most = allowed.min or 0, allowed.max
    if count < least or (most is not None and count > most):
        limit = f"at least {least}" if count < least else f"at most {most}"
        counted = f"{count} {member.removesuffix('s') if count == 1 else member}"
        yield CheckFault("fails", member, f"{what} has {counted}; expected {limit}")


def _rejection(check: str, reason: str) -> Rejection:
    return Rejection(check=check, reason=reason, cause="postcondition")
