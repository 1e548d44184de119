"""Check tools: tools of the host that judge an output or an answer, as its postconditions ask.

A check tool only reads and runs unasked. The model is not offered it and cannot call it; the core does, with arguments
taken from what is judged. Its output is a verdict, `{"accept": bool, "reason"?: text}`; whatever else comes back is no
acceptance.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from ..bounds import MAX_CHECK_PARAMS_BYTES, MAX_VALUE_DEPTH
from ..errors import PurestepError
from ..json_text import decode_json, encode, excerpt_of, plain_numbers, within_bounds
from ..schema import Issue, render
from ..values import AgentDefinition, Constant, Postcondition, ToolResult, ToolSpec
from . import corrections as words
from .approval_rules import approval_rule
from .guardrails import Rejection
from .references import Judged, Reference, Roots, points_to_nothing, read_reference, value_at

CHECK: Final = "postcondition:check"
"""The name of these postconditions in verdicts."""


class CheckRule(Struct, frozen=True):
    """A check tool with the places of its arguments."""

    tool: str
    params: tuple[tuple[str, Reference | Constant], ...]

    def known_params(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that do not depend on the output; those of a pointer to nothing are left out."""
        judged = Judged(what="output", output=UNSET, text="", arguments=arguments, evidence=None)
        known = {name: _value(place, judged) for name, place in self.params if not _is_of_output(place)}
        return {name: value for name, value in known.items() if value is not UNSET}


class CheckCall(Struct, frozen=True, kw_only=True):
    """A call of a check tool; `condition` is the index of the postcondition that asks for it."""

    condition: int
    tool: str
    params: dict[str, Any]


def check_tool_names(definition: AgentDefinition) -> frozenset[str]:
    """Return the names of the tools that check, by all postconditions of a definition."""
    lists = (definition.answer_postconditions, *(tool.postconditions for tool in definition.tools))
    return frozenset([check.check for checks in lists for check in checks if check.check is not None])


def tools_with_results(definition: AgentDefinition) -> frozenset[str]:
    """Return the names of the tools and built-in skills whose results the model reads, and postconditions may name."""
    tools = [tool.name for tool in definition.tools]
    skills = [each for each in definition.skills if isinstance(each, str) or not each.description]
    names = [*tools, *[each if isinstance(each, str) else each.name for each in skills]]
    return frozenset(names) - check_tool_names(definition)


def read_check_call(check: Postcondition, path: str, definition: AgentDefinition, roots: Roots) -> CheckRule | None:
    """Return the call that a postcondition asks for, its pointers read; None for one that asks for none.

    roots: what its pointers may begin with. Raises `invalid_agent`.
    """
    if check.check is None:
        if check.params is not None:
            raise PurestepError("invalid_agent", "expected params only beside check", f"{path}/params")
        return None
    spec = next((tool for tool in definition.tools if tool.name == check.check), None)
    if spec is None:
        raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(check.check)}", f"{path}/check")
    if (problem := _unfit(spec, definition)) is not None:
        raise PurestepError("invalid_agent", f'"{check.check}" cannot check: {problem}', f"{path}/check")
    _check_names(check.params or {}, spec, path)
    places = [
        (name, place if isinstance(place, Constant) else read_reference(place, f"{path}/params/{name}", roots))
        for name, place in (check.params or {}).items()
    ]
    return CheckRule(check.check, tuple(places))


def _unfit(spec: ToolSpec, definition: AgentDefinition) -> str | None:
    """Return why a tool cannot check; None for one that can."""
    if spec.annotations is None or spec.annotations.readOnlyHint is not True:
        return "expected the annotation readOnlyHint, since a check must not change anything"
    if approval_rule(spec.name, spec, definition) != "auto":
        return "expected the approval rule auto, since nobody is asked about a check"
    if spec.postconditions or spec.guardrails or spec.examples:
        return "expected no postconditions, guardrails or examples, since its output is a verdict"
    return None


def _check_names(given: Mapping[str, Any], spec: ToolSpec, path: str) -> None:
    properties, required = spec.parameters.get("properties", {}), spec.parameters.get("required", ())
    for name in given:
        if isinstance(properties, dict) and properties and name not in properties:
            raise PurestepError(
                "invalid_agent", f'"{spec.name}" has no parameter {excerpt_of(name)}', f"{path}/params/{name}"
            )
    for name in required if isinstance(required, list) else ():
        if isinstance(name, str) and name not in given:
            raise PurestepError("invalid_agent", f'expected "{name}", which "{spec.name}" requires', f"{path}/params")


def check_calls(calls: Iterable[CheckRule | None], judged: Judged) -> tuple[CheckCall, ...] | Rejection:
    """Return the calls that judge an output or an answer; a rejection where one cannot be made.

    calls: one for each postcondition of the list, None where it asks for none.
    """
    found: list[CheckCall] = []
    for condition, call in enumerate(calls):
        if call is None:
            continue
        params = _params(call, judged)
        if isinstance(params, str):
            return Rejection(check=CHECK, reason=words.check_failed(params), cause="postcondition")
        found.append(CheckCall(condition=condition, tool=call.tool, params=params))
    return tuple(found)


def _params(call: CheckRule, judged: Judged) -> dict[str, Any] | str:
    """Return the arguments of a check, copied from what is judged; or why there are none."""
    params = {name: _value(place, judged) for name, place in call.params}
    for name, place in call.params:
        if params[name] is UNSET and isinstance(place, Reference):
            return points_to_nothing(place, judged)
    data = encode(plain_numbers(params))
    if len(data) > MAX_CHECK_PARAMS_BYTES:
        return f"what it has to look at is longer than {MAX_CHECK_PARAMS_BYTES} bytes"
    if not within_bounds(data, 1 + MAX_VALUE_DEPTH):  # the arguments around what it looks at are a level too
        return f"what it has to look at is nested more than {MAX_VALUE_DEPTH} levels deep"
    copied: dict[str, Any] = decode_json(data)
    return copied


def _value(place: Reference | Constant, judged: Judged) -> Any:
    return place.value if isinstance(place, Constant) else value_at(place, judged)


def _is_of_output(place: Reference | Constant) -> bool:
    return isinstance(place, Reference) and place.root == "output"


class _Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """What a check tool answers."""

    accept: bool
    reason: str | None = None


def refusal(result: ToolResult, message: str | None) -> str | None:
    """Return why a check did not accept; None where it did.

    message: the words of the definition, which take the place of the reason that a check gives. That a check has failed
    is said openly, whatever they are.
    """
    if not result.ok:
        return words.check_failed(words.shown(result.error or "it ended without saying why"))
    try:
        verdict = msgspec.convert(result.output, _Verdict)
    except msgspec.ValidationError:
        return words.check_failed(f"expected accept and reason; got {excerpt_of(result.output)}")
    if verdict.accept:
        return None
    return message if message is not None else words.not_accepted(verdict.reason)


def misfit(issues: Sequence[Issue]) -> Rejection:
    """Return the rejection of an output whose check does not take the arguments that it would be called with."""
    reason = words.check_failed(render(issues[0], "argument"))
    return Rejection(check=CHECK, reason=reason, cause="postcondition")
