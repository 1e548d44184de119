"""The verdict on an output or an answer: the first check in the definition's order that does not accept it."""

from collections.abc import Iterable
from typing import Any

from ..schema import Schema, render
from ..values import Check
from .compiled import CompiledCheck, fault_of
from .judged import Judged, Rejection, output_text


def judge_output(schema: Schema | None, checks: tuple[CompiledCheck, ...], output: Any, steps: int) -> Rejection | None:
    """Return the first rejection of a successful output: its schema's, then its checks'; steps: of all together."""
    if schema is not None:
        issues = schema.check(output, steps // 2 if checks else steps)
        if issues:
            return Rejection(check="output_schema", reason=render(issues[0]), cause="postcondition")
        steps -= steps // 2
    return (
        first_rejection(checks, Judged(what="output", value=output, text=output_text(output)), steps)
        if checks
        else None
    )


def first_rejection(checks: tuple[CompiledCheck, ...], judged: Judged, steps: int) -> Rejection | None:
    """Return the rejection of the first check that does not accept; check tools are asked later.

    steps: those of all checks together, each of which has an equal share.
    """
    share = steps // max(1, sum([check.parts for check in checks]))
    for check in checks:
        fault = fault_of(check, judged, share)
        if fault is not None:
            return Rejection(
                check=check.name, reason=fault.reason, cause=check.cause, then=check.then, tools=check.tools
            )
    return None


def use_names(checks: Iterable[str | Check]) -> tuple[str, ...]:
    """Return the checks that a list of a definition uses by name, without those inside others."""
    return tuple([name for each in checks if (name := each if isinstance(each, str) else each.use)])
