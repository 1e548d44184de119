"""Check tools: tools of the host that judge an output or an answer.

A check tool only reads and runs unasked. The model is not offered it and cannot call it; the core does, with arguments
taken from what is judged. Its output is a verdict, `{"accept": bool, "reason"?: text}`; whatever else comes back is no
acceptance.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET, Struct

from ..bounds import MAX_CHECK_PARAMS_BYTES, MAX_SHOWN_CHARS, MAX_VALUE_DEPTH, RANKED_AT_ONCE
from ..errors import PurestepError
from ..json_text import decode_json, encode, excerpt_of, plain_numbers, within_bounds
from ..lazy import convert_to
from ..schema import is_pointer, pointer_tokens, value_at
from ..values import AgentDefinition, ApprovalRule, Check, ToolResult, ToolSpec
from .judged import Judged

_ROOTS: Final = ("output", "arguments")


class _Pointer(Struct, frozen=True):
    """A JSON Pointer (RFC 6901) into an output or an answer, or into the arguments of its call."""

    root: str
    tokens: tuple[str, ...]
    source: str


class ToolCheck(Struct, frozen=True):
    """A check tool, and where each of its arguments comes from: a pointer, or a value of the definition."""

    tool: str
    places: tuple[tuple[str, Any], ...]

    def known_params(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments that do not depend on the output; those of a pointer to nothing are left out."""
        known = {}
        for name, place in self.places:
            if not isinstance(place, _Pointer):
                known[name] = place
            elif place.root == "arguments" and (value := value_at(arguments, place.tokens)) is not UNSET:
                known[name] = value
        return known


def inner_tool_names(definition: AgentDefinition) -> frozenset[str]:
    """Return the names of the tools that only the core calls: those that check, and the one that ranks tools."""
    lists = (definition.checks or (), *(tool.checks for tool in definition.tools))
    ranker = (definition.tools_ranked_by,) if definition.tools_ranked_by else ()
    judges = (each.tool for checks in lists for each in checks if isinstance(each, Check) and each.tool)
    return frozenset((*judges, *ranker))


def check_ranker(name: str, known: Mapping[str, tuple[ToolSpec, ApprovalRule]]) -> None:
    """Raise `invalid_agent` for the name of a tool that cannot rank others; known: as for `read_tool_check`."""
    if name not in known:
        raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(name)}", "/tools_ranked_by")
    if (problem := _unfit(*known[name], "rank")) is not None:
        raise PurestepError("invalid_agent", f'"{name}" cannot rank: {problem}', "/tools_ranked_by")


def ranking_by(name: str) -> ToolCheck:
    """Return the call of a tool that ranks others for a search: with its query, and how many are looked at."""
    return ToolCheck(
        name, (("query", _Pointer("arguments", ("query",), "/arguments/query")), ("limit", RANKED_AT_ONCE))
    )


def read_tool_check(
    check: Check, path: str, known: Mapping[str, tuple[ToolSpec, ApprovalRule]], parameters: tuple[str, ...] | None
) -> ToolCheck:
    """Return a check by a tool with its pointers read; raises `invalid_agent`.

    known: the definition's tools with their approval rules. parameters: of the tool whose output is judged; None for an
    answer, which has no arguments.
    """
    name = check.tool or ""
    if name not in known:
        raise PurestepError("invalid_agent", f"no tool is named {excerpt_of(name)}", f"{path}/tool")
    spec, approval = known[name]
    if (problem := _unfit(spec, approval, "check")) is not None:
        raise PurestepError("invalid_agent", f'"{name}" cannot check: {problem}', f"{path}/tool")
    given = check.params or {}
    _check_names(given, spec, path)
    places = [(each, _place(value, f"{path}/params/{each}", parameters)) for each, value in given.items()]
    return ToolCheck(name, tuple(places))


def _unfit(spec: ToolSpec, approval: ApprovalRule, work: Literal["check", "rank"]) -> str | None:
    """Return why a tool cannot do work that only the core asks for; None for one that can."""
    what, output = ("a check", "a verdict") if work == "check" else ("a ranking", "a list of scores")
    if spec.annotations is None or spec.annotations.readOnlyHint is not True:
        return f"expected the annotation readOnlyHint, since {what} must not change anything"
    if approval != "auto":
        return f"expected the approval rule auto, since nobody is asked about {what}"
    if spec.checks or spec.examples:
        return f"expected no checks or examples, since its output is {output}"
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


def _place(value: Any, path: str, parameters: tuple[str, ...] | None) -> Any:
    """Return the pointer that a text with a slash at its begin is; any other value as it is."""
    if not isinstance(value, str) or not value.startswith("/"):
        return value
    roots = _ROOTS if parameters is not None else _ROOTS[:1]
    root, *tokens = pointer_tokens(value)
    if not is_pointer(value) or root not in roots:
        allowed = " or ".join([f"/{name}" for name in roots])
        raise PurestepError(
            "invalid_agent", f"expected a JSON Pointer that begins with {allowed}; got {excerpt_of(value)}", path
        )
    if root == "arguments" and tokens and tokens[0] not in (parameters or ()):
        raise PurestepError("invalid_agent", f"no parameter is named {excerpt_of(tokens[0])}", path)
    return _Pointer(root, tuple(tokens), value)


def params_of(check: ToolCheck, judged: Judged) -> dict[str, Any] | str:
    """Return the arguments of a check, copied from what is judged; or why it cannot be made."""
    params = {}
    for name, place in check.places:
        params[name] = place
        if isinstance(place, _Pointer):
            params[name] = value_at(judged.value if place.root == "output" else judged.arguments, place.tokens)
            if params[name] is UNSET:
                return check_failed(f"{place.source} names nothing that is there")
    data = encode(plain_numbers(params))
    if len(data) > MAX_CHECK_PARAMS_BYTES:
        return check_failed(f"what it has to look at is longer than {MAX_CHECK_PARAMS_BYTES} bytes")
    if not within_bounds(data, 1 + MAX_VALUE_DEPTH):  # the arguments around what it looks at are a level too
        return check_failed(f"what it has to look at is nested more than {MAX_VALUE_DEPTH} levels deep")
    copied: dict[str, Any] = decode_json(data)
    return copied


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
        return check_failed(_shown(result.error or "it ended without saying why"))
    try:
        verdict = convert_to(result.output, _Verdict)
    except msgspec.ValidationError:
        return check_failed(f"expected accept and reason; got {excerpt_of(result.output)}")
    if verdict.accept:
        return None
    return message or (_shown(verdict.reason) if verdict.reason else "a check does not accept it")


def check_failed(why: str) -> str:
    """Return the reason of a check that gave no verdict, without its name, which the model is not told."""
    return f"its check failed: {why}"


def _shown(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}..."
