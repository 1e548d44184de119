"""Checks made ready for steps: each is a function of what is judged, its schemas and patterns compiled.

What cannot be executed is refused here, with its path in the definition.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Literal

from msgspec import Struct

from ..bounds import MAX_CHECK_CALLS, MAX_CHECK_DEPTH, MAX_CHECK_PARTS
from ..errors import PurestepError
from ..json_text import excerpt_of
from ..regex import Budget, OverBudgetError, Pattern
from ..schema import Formats, Schema, pattern_at, render, schema_at
from ..values import ApprovalRule, Check, ToolSpec
from .host_tools import ToolCheck, read_tool_check
from .judged import Cause, Judged
from .named import ANSWER_CHECKS, NEEDS_TEXT, OUTPUT_CHECKS, TAKES_TOOLS


class CheckFault(Struct, frozen=True):
    """Why a check does not accept; `costly`: it could not be decided within its steps, which `not` does not turn."""

    reason: str
    costly: bool = False


Test = Callable[[Judged, int], CheckFault | None]
"""What a check says of what is judged, within some steps; None accepts."""


class CompiledCheck(Struct, frozen=True, kw_only=True):
    """A check of a definition: its name in verdicts, the cause and the words of its correction, and its test.

    `tools`: those that the definition names beside it. `message`: the definition's own reason. `call`: the check tool
    that is asked once all tests accept. `parts`: tests with those inside them, among which the steps are divided.
    """

    name: str
    cause: Cause
    test: Test
    tools: tuple[str, ...] = ()
    message: str | None = None
    then: str = ""
    call: ToolCheck | None = None
    parts: int = 1


class CheckSource(Struct, frozen=True, kw_only=True):
    """What a list of checks is compiled with.

    `tools`: the definition's, with their approval rules; `judges`: those of them that check. `parameters`: of the tool
    whose outputs are judged; None for answers. `budget`: that of all schemas of the definition. `is_json`: the answer
    has a schema.
    """

    tools: Mapping[str, tuple[ToolSpec, ApprovalRule]]
    judges: frozenset[str]
    parameters: tuple[str, ...] | None
    formats: Formats
    budget: Budget
    is_json: bool = False


def compile_checks(checks: Iterable[str | Check], path: str, source: CheckSource) -> tuple[CompiledCheck, ...]:
    """Return the checks of a list, ready; raises `invalid_agent` and the codes of schemas and patterns."""
    compiled = tuple([_compiled(each, f"{path}/{index}", source, 1) for index, each in enumerate(checks)])
    parts = sum([check.parts for check in compiled])
    if parts > MAX_CHECK_PARTS:
        raise PurestepError(
            "invalid_agent", f"expected at most {MAX_CHECK_PARTS} checks with those inside them; got {parts}", path
        )
    calls = sum([1 for check in compiled if check.call is not None])
    if calls > MAX_CHECK_CALLS:
        raise PurestepError("invalid_agent", f"expected at most {MAX_CHECK_CALLS} checks by tools; got {calls}", path)
    return compiled


_Form = Literal["use", "schema", "pattern", "tool", "any", "not"]


def _compiled(given: str | Check, path: str, source: CheckSource, depth: int) -> CompiledCheck:
    if depth > MAX_CHECK_DEPTH:
        raise PurestepError("invalid_agent", f"expected at most {MAX_CHECK_DEPTH} checks inside one another", path)
    check = Check(use=given) if isinstance(given, str) else given
    inner: list[CompiledCheck] = []
    match form := _form(check, path):
        case "use":
            return _named(check, path if isinstance(given, str) else f"{path}/use", path, source, depth)
        case "tool":
            return _by_tool(check, path, source, depth)
        case "schema":
            assert check.schema is not None  # as the form says
            test = _fits(schema_at(f"{path}/schema", check.schema, source.formats, source.budget))
        case "pattern":
            test = _matches(pattern_at(f"{path}/pattern", check.pattern or "", source.budget))
        case "any":
            places = enumerate(check.any or ())
            inner = [_compiled(each, f"{path}/any/{index}", source, depth + 1) for index, each in places]
            test = _one_accepts(inner)
        case _:
            inner = [_compiled(check.negated or "", f"{path}/not", source, depth + 1)]
            test = _rejects(inner[0])
    return CompiledCheck(
        name=form,
        cause="postcondition",
        test=test,
        message=check.message,
        parts=1 + sum([each.parts for each in inner]),
    )


def _form(check: Check, path: str) -> _Form:
    """Return the one form that a check has."""
    members: dict[_Form, object] = {
        "use": check.use,
        "schema": check.schema,
        "pattern": check.pattern,
        "tool": check.tool,
        "any": check.any,
        "not": check.negated,
    }
    forms = [form for form, value in members.items() if value is not None]
    if len(forms) != 1:
        got = " and ".join(forms) or "none of them"
        raise PurestepError("invalid_agent", f"expected one of use, schema, pattern, tool, any or not; got {got}", path)
    for member, value, form in (("tools", check.tools, "use"), ("params", check.params, "tool")):
        if value is not None and forms[0] != form:
            raise PurestepError("invalid_agent", f"expected {member} only beside {form}", f"{path}/{member}")
    return forms[0]


def _named(check: Check, at: str, path: str, source: CheckSource, depth: int) -> CompiledCheck:
    """Return a check by name; at: where the name stands."""
    name, answers = check.use or "", source.parameters is None
    if name not in OUTPUT_CHECKS and name not in ANSWER_CHECKS:
        known = ", ".join(ANSWER_CHECKS if answers else OUTPUT_CHECKS)
        raise PurestepError("invalid_agent", f"expected a check of {known}; got {excerpt_of(name)}", at)
    if answers != (name in ANSWER_CHECKS):
        place = "in the checks of the definition" if name in ANSWER_CHECKS else "in the checks of a tool"
        looks_at = "answers" if name in ANSWER_CHECKS else "outputs"
        raise PurestepError("invalid_agent", f"{name} looks at {looks_at}; name it {place}", at)
    _check_tools(check, name, path, source)
    if name in OUTPUT_CHECKS:
        says = OUTPUT_CHECKS[name]
        return CompiledCheck(
            name=name, cause="guardrail", test=_test(lambda judged: says(judged.value)), message=check.message
        )
    if depth > 1:
        raise PurestepError("invalid_agent", f"expected {name} only at the top of a list, not inside any or not", at)
    if source.is_json and name in NEEDS_TEXT:
        raise PurestepError(
            "invalid_agent", f"{name} looks at the form of a text, and answer_schema demands JSON; leave one out", at
        )
    named, tools = ANSWER_CHECKS[name], check.tools or ()
    return CompiledCheck(
        name=name,
        cause=named.cause,
        test=_test(lambda judged: named.reason(judged, tools)),
        tools=tools,
        message=check.message,
        then=named.then,
    )


def _check_tools(check: Check, name: str, path: str, source: CheckSource) -> None:
    """Hold the tools beside a name to those that the model may call."""
    if check.tools is not None and name not in TAKES_TOOLS:
        raise PurestepError(
            "invalid_agent", f"expected tools only beside {' and '.join(TAKES_TOOLS)}; got {name}", f"{path}/tools"
        )
    for tool in check.tools or ():
        if tool not in source.tools:
            raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(tool)}", f"{path}/tools")
        if tool in source.judges:
            raise PurestepError("invalid_agent", f'"{tool}" is called by the core alone', f"{path}/tools")


def _by_tool(check: Check, path: str, source: CheckSource, depth: int) -> CompiledCheck:
    if depth > 1:
        raise PurestepError(
            "invalid_agent", "expected tool only at the top of a list, not inside any or not", f"{path}/tool"
        )
    call = read_tool_check(check, path, source.tools, source.parameters)
    return CompiledCheck(
        name="tool", cause="postcondition", test=_test(lambda judged: None), message=check.message, call=call
    )


# --- tests ------------------------------------------------------------------------------------------------


def _test(says: Callable[[Judged], str | None]) -> Test:
    """Return the test of what takes few steps."""

    def test(judged: Judged, steps: int) -> CheckFault | None:
        reason = says(judged)
        return None if reason is None else CheckFault(reason)

    return test


def _fits(schema: Schema) -> Test:
    def test(judged: Judged, steps: int) -> CheckFault | None:
        issues = schema.check(judged.value, steps)
        return CheckFault(render(issues[0]), costly=issues[0].code == "schema_budget") if issues else None

    return test


def _matches(pattern: Pattern) -> Test:
    def test(judged: Judged, steps: int) -> CheckFault | None:
        try:
            found = pattern.search(judged.text, Budget(steps))
        except OverBudgetError:
            return CheckFault(f"the {judged.what} is too long to be searched for {pattern.source}", costly=True)
        return None if found else CheckFault(f"the {judged.what} does not match {pattern.source}")

    return test


def _one_accepts(checks: Iterable[CompiledCheck]) -> Test:
    def test(judged: Judged, steps: int) -> CheckFault | None:
        faults: list[CheckFault] = []
        for check in checks:
            fault = fault_of(check, judged, steps)
            if fault is None:
                return None
            faults.append(fault)
        undecided = next((fault for fault in faults if fault.costly), None)
        if undecided is not None or len(faults) == 1:
            return undecided or faults[0]
        return CheckFault(f"one of these had to hold, and none does: {'; '.join([fault.reason for fault in faults])}")

    return test


def _rejects(check: CompiledCheck) -> Test:
    def test(judged: Judged, steps: int) -> CheckFault | None:
        fault = fault_of(check, judged, steps)
        if fault is None:
            return CheckFault(f"the {judged.what} is what it must not be ({check.name})")
        return fault if fault.costly else None

    return test


def fault_of(check: CompiledCheck, judged: Judged, steps: int) -> CheckFault | None:
    """Return what a check says, in the definition's words where it has some; None accepts."""
    fault = check.test(judged, steps)
    return fault if fault is None or check.message is None else CheckFault(check.message, fault.costly)
