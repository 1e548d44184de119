"""What the JSON Pointers of postconditions point into: an output, the arguments of its call, and earlier results.

`/results/get_invoice/total` names a place in the latest accepted result of a tool in the exchange. The state keeps the
value that stands there, since it does not hold the result; one that is too long is not kept.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import UNSET, Struct

from ..bounds import MAX_NAMED_RESULT_BYTES, MAX_NAMED_RESULTS, MAX_NAMED_VALUE_DEPTH
from ..errors import PurestepError
from ..json_text import decode_json, encode, excerpt_of, plain_numbers, within_bounds
from ..schema import array_index, is_pointer, pointer_tokens
from ..values import Evidence, NamedValue

RESULTS = "results"


class Reference(Struct, frozen=True):
    """A JSON Pointer of a postcondition: what it begins with, the names and indices after that, and its text.

    `tool`: whose result it points into, where it begins with `/results`; else "".
    """

    root: Literal["output", "arguments", "results"]
    tokens: tuple[str, ...]
    source: str
    tool: str = ""


class Roots(Struct, frozen=True):
    """What the pointers of a list of postconditions may begin with, besides `/output`.

    `arguments`: the names of the tool's parameters; None for an answer, which has no arguments. `results`: the tools
    whose earlier results may be named; None where none may.
    """

    arguments: tuple[str, ...] | None
    results: frozenset[str] | None = None


class Judged(Struct, frozen=True, kw_only=True):
    """What is judged: an output with the arguments of its call, or an answer.

    `text`: it as the model reads it. `evidence`: what was said before, where a postcondition looks there.
    """

    what: Literal["output", "answer"]
    output: Any
    text: str
    arguments: dict[str, Any]
    evidence: Evidence | None


def read_reference(source: str, path: str, roots: Roots) -> Reference:
    """Return the pointer that stands at a path of the definition; raises `invalid_agent`."""
    root, *tokens = pointer_tokens(source) or [""]
    if not is_pointer(source) or root not in _names(roots):
        allowed = " or ".join([f"/{name}" for name in _names(roots)])
        raise PurestepError(
            "invalid_agent", f"expected a JSON Pointer that begins with {allowed}; got {excerpt_of(source)}", path
        )
    if root == "output":
        return Reference("output", tuple(tokens), source)
    if root == RESULTS:
        return _named_result(tokens, source, path, roots.results or frozenset())
    if tokens and tokens[0] not in (roots.arguments or ()):
        raise PurestepError("invalid_agent", f"no parameter is named {excerpt_of(tokens[0])}", path)
    return Reference("arguments", tuple(tokens), source)


def _names(roots: Roots) -> list[str]:
    arguments = [] if roots.arguments is None else ["arguments"]
    return ["output", *arguments, *([] if roots.results is None else [RESULTS])]


def _named_result(tokens: list[str], source: str, path: str, tools: frozenset[str]) -> Reference:
    if not tokens:
        raise PurestepError("invalid_agent", "expected the name of a tool after /results, as in /results/find/id", path)
    tool, *inside = tokens
    if tool not in tools:
        raise PurestepError("invalid_agent", f"no tool with results of its own is named {excerpt_of(tool)}", path)
    return Reference("results", tuple(inside), source, tool)


def value_at(reference: Reference, judged: Judged) -> Any:
    """Return the value that a pointer names; UNSET where it names none."""
    if reference.root == "results":
        kept = kept_value(reference, judged)
        return UNSET if kept is None else kept.value
    return _value_in(judged.output if reference.root == "output" else judged.arguments, reference.tokens)


def kept_value(reference: Reference, judged: Judged) -> NamedValue | None:
    """Return what is kept of an earlier result that a pointer names; None where no result is known."""
    kept = () if judged.evidence is None else judged.evidence.named
    return next((each for each in kept if each.pointer == reference.source), None)


def _value_in(value: Any, tokens: Sequence[str]) -> Any:
    for token in tokens:
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and (index := array_index(token)) is not None and index < len(value):
            value = value[index]
        else:
            return UNSET
    return value


def points_to_nothing(reference: Reference, judged: Judged) -> str:
    """Say that a pointer names no value, and why where it points into an earlier result."""
    if reference.root == "results":
        kept = kept_value(reference, judged)
        if kept is None:
            return f"{reference.source} names nothing: no accepted result of {reference.tool} is known"
        if kept.cut:
            return f"{reference.source} is too long to be looked at again"
    return f"{reference.source} names nothing that is there"


def excerpt_at(reference: Reference, value: Any) -> str:
    """Return the beginning of a value that a pointer names, as corrections show it.

    Of an earlier result, only what cannot be words: a correction must not carry on what anybody may have written.
    """
    if reference.root == "results" and not (value is None or isinstance(value, bool | int | float)):
        return reference.source
    return f"{reference.source} ({excerpt_of(value)})"


def named_results(references: Iterable[Reference]) -> tuple[Reference, ...]:
    """Return the pointers into earlier results, each once, sorted by their text; raises `invalid_agent`."""
    named = {each.source: each for each in references if each.root == "results"}
    if len(named) > MAX_NAMED_RESULTS:
        raise PurestepError(
            "invalid_agent", f"expected at most {MAX_NAMED_RESULTS} pointers into earlier results; got {len(named)}"
        )
    return tuple([named[source] for source in sorted(named)])


def named_values(references: Iterable[Reference], tool: str, output: Any) -> tuple[NamedValue, ...]:
    """Return what is kept of a tool's result for the pointers into it."""
    return tuple([_kept(each, output) for each in references if each.tool == tool])


def _kept(reference: Reference, output: Any) -> NamedValue:
    value = _value_in(output, reference.tokens)
    if value is UNSET:
        return NamedValue(pointer=reference.source)
    data = encode(value)
    if not _may_be_kept(data):
        return NamedValue(pointer=reference.source, cut=True)
    return NamedValue(pointer=reference.source, value=decode_json(encode(plain_numbers(decode_json(data)))))


def _may_be_kept(data: bytes) -> bool:
    return len(data) <= MAX_NAMED_RESULT_BYTES and within_bounds(data, MAX_NAMED_VALUE_DEPTH)


def named_values_fit(references: Sequence[Reference], kept: Sequence[NamedValue]) -> bool:
    """Whether values are kept as a step keeps them: of pointers of the definition, in their order, in bounds."""
    pointers = [each.pointer for each in kept]
    known = [each.source for each in references]
    return pointers == [source for source in known if source in pointers] and all(_fits(each) for each in kept)


def _fits(kept: NamedValue) -> bool:
    return kept.value is UNSET or not (kept.cut or not _may_be_kept(encode(kept.value)))
