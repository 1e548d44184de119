"""Postconditions: what a tool's output must be, declared as data and executed here."""

from typing import Any

from ..bounds import MAX_CHECK_STEPS
from ..json_text import BLANK
from ..schema import Budget, OverBudgetError, Pattern, render
from ..values import CountRange
from .checks import CompiledCheck
from .guardrails import Rejection, judge_output, output_text
from .tools import CompiledTool


def judge(tool: CompiledTool, params: dict[str, Any], output: Any, steps: int = MAX_CHECK_STEPS) -> Rejection | None:
    """Give the first rejection of a successful output: guardrails in order, then output schema, then postconditions.

    steps: those of all schemas and patterns together.
    """
    share = steps // (1 + 2 * len(tool.postconditions))
    rejection = judge_output(tool.guardrails, output) or _fits_schema(tool, output, share)
    for check in tool.postconditions:
        rejection = rejection or _holds(check, params, output, share)
    return rejection


def _fits_schema(tool: CompiledTool, output: Any, steps: int) -> Rejection | None:
    if tool.output is None:
        return None
    _, issues = tool.output.check(output, steps)
    return _rejection("output_schema", render(issues[0])) if issues else None


def _holds(check: CompiledCheck, params: dict[str, Any], output: Any, steps: int) -> Rejection | None:
    spec = check.spec
    failed = _failed_member(check, params, output, steps)
    return _rejection(f"postcondition:{failed[0]}", spec.message or failed[1]) if failed else None


def _failed_member(check: CompiledCheck, params: dict[str, Any], output: Any, steps: int) -> tuple[str, str] | None:
    spec, text = check.spec, output_text(output)
    if check.schema is not None and (issues := check.schema.check(output, steps)[1]):
        return "schema", render(issues[0])
    if spec.contains is not None and spec.contains not in text:
        return "contains", f'the output does not hold "{spec.contains}"'
    if spec.excludes is not None and spec.excludes in text:
        return "excludes", f'the output holds "{spec.excludes}"'
    if check.pattern is not None and (said := _unmatched(check.pattern, text, steps)):
        return "pattern", said
    if spec.mentions is not None and output_text(params.get(spec.mentions, "")) not in text:
        return "mentions", f'the output does not mention the value of "{spec.mentions}"'
    if spec.lines is not None and (said := _miscounted(spec.lines, _lines(text), "line")):
        return "lines", said
    if spec.items is not None:
        if not isinstance(output, list | dict):
            return "items", "the output is neither an array nor an object"
        if said := _miscounted(spec.items, len(output), "item"):
            return "items", said
    return None


def _lines(text: str) -> int:
    """Give how many lines are not blank; a carriage return ends a line as a line feed does."""
    return sum([1 for line in text.replace("\r", "\n").split("\n") if line.strip(BLANK)])


def _miscounted(allowed: CountRange, count: int, what: str) -> str | None:
    """Give what is wrong with a number of lines or items; None where it is within its range."""
    least, most = allowed.min or 0, allowed.max
    if count >= least and (most is None or count <= most):
        return None
    limit, bound = ("at least", least) if count < least else ("at most", most)
    return f"the output has {_counted(count, what)}; expected {limit} {bound}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _unmatched(pattern: Pattern, text: str, steps: int) -> str | None:
    """Give why a text does not match a pattern; None when it does."""
    try:
        found = pattern.search(text, Budget(steps))
    except OverBudgetError:
        return f"the output is too long to be searched for {pattern.source}"
    return None if found else f"the output does not match {pattern.source}"


def _rejection(check: str, reason: str) -> Rejection:
    return Rejection(check=check, reason=reason, cause="postcondition")
