"""The state of a case: what its tools read and change, as data.

A result of a tool may hold values that are filled in when it is given, wherever a value stands:

- `{"$argument": "number"}`: an argument of the call, or its parameter's default
- `{"$state": "/orders/{number}"}`: what stands there in the state, for an output after the patch; `{}`: an argument
- `{"$compute": "left - amount", "left": {"$state": "/left"}}`: an expression with arguments, and the values beside it

A result whose patch cannot be made, or that names what is not there, is not given, and the next one is tried.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from purestep_hosts.evaluation.json_patch import (
    PatchError,
    PatchOperation,
    ReadyOperation,
    Tokens,
    fault_of,
    patched,
    pointer_tokens,
    value_at,
)
from purestep_hosts.evaluation.matching import Exactly, same_value
from purestep_hosts.tools.tool import ToolFailure
from purestep_tools import CalculatorError, calculate

MAX_STATE_BYTES: Final = 8 * 1024 * 1024
"""Of a file with a state, and of one as JSON that has grown: a small shop's orders."""
_MAX_DEPTH: Final = 56
"""Levels of a state: as of a tool's result, which may be all of it."""
_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_NAME: Final = re.compile(r"[A-Za-z_]\w*", re.ASCII)
ARGUMENT: Final = "$argument"
STATE: Final = "$state"
COMPUTE: Final = "$compute"


class StateTooLargeError(Exception):
    """A patch would make a state that is not kept."""


class CaseState:
    """The state of one run; `value` is never changed, but replaced."""

    def __init__(self, value: Any) -> None:
        """Begin with the state of the case."""
        self.value = value
        self._added = 0
        """Bytes that were added; only where these are many, all are counted."""

    def after(self, operations: Sequence[PatchOperation], arguments: Mapping[str, Any]) -> tuple[Any, int]:
        """Return the state after a patch, and what was added since; raises PatchError, StateTooLargeError."""
        value, added = self.value, self._added
        for operation in operations:
            ready = ready_operation(operation, value, arguments)
            if operation.op != "test":
                source = value_at(value, ready.source) if operation.op in ("move", "copy") else ready.value
                if len(ready.path) + _depth(source) > _MAX_DEPTH:
                    raise StateTooLargeError(f"the state would be nested more than {_MAX_DEPTH} levels deep")
                added += 0 if source is UNSET else _size(source)
            value = patched(value, [ready], same_value)
            if added > MAX_STATE_BYTES and (added := _size(value)) > MAX_STATE_BYTES:
                raise StateTooLargeError(f"the state would have more than {MAX_STATE_BYTES} bytes")
        return value, added

    def put(self, after: tuple[Any, int]) -> None:
        """Take what a patch came to."""
        self.value, self._added = after


def ready_operation(operation: PatchOperation, state: Any, arguments: Mapping[str, Any]) -> ReadyOperation:
    """Return an operation with its arguments filled in; raises PatchError where one is not given."""
    is_test = operation.op == "test"
    return ReadyOperation(
        op=operation.op,
        path=_filled_pointer(operation.path, arguments),
        value=UNSET if operation.value is UNSET else filled(operation.value, state, arguments, is_wanted=is_test),
        source=_filled_pointer(operation.source or "", arguments),
    )


def filled(value: Any, state: Any, arguments: Mapping[str, Any], *, is_wanted: bool = False) -> Any:
    """Return a value with its arguments and what it names of the state; raises PatchError where one is not there.

    is_wanted: whether others are compared with it, so that what is filled in has to be kept apart from matchers.
    """
    match value:
        case {"$argument": str(name)}:
            found = _argument(name, arguments)
            return Exactly(found) if is_wanted else found
        case {"$state": str(pointer)}:
            found = value_at(state, _filled_pointer(pointer, arguments))
            return Exactly(found) if is_wanted else found
        case {"$compute": str(expression), **beside}:
            return computed(expression, {**arguments, **filled(beside, state, arguments)})
        case dict():
            return {name: filled(each, state, arguments, is_wanted=is_wanted) for name, each in value.items()}
        case list():
            return [filled(each, state, arguments, is_wanted=is_wanted) for each in value]
    return value


def computed(expression: str, values: Mapping[str, Any]) -> Any:
    """Return what an expression comes to, in which values stand by their names; raises ToolFailure."""

    def number(found: re.Match[str]) -> str:
        given = values.get(found[0])
        if given is None:
            return found[0]
        if isinstance(given, bool) or not isinstance(given, int | float):
            raise ToolFailure(f"expected {found[0]} to be a number")
        return f"({given!r})"

    try:
        return calculate(_NAME.sub(number, expression))
    except CalculatorError as error:
        raise ToolFailure(str(error), "invalid_arguments") from None


def _argument(name: str, arguments: Mapping[str, Any]) -> Any:
    if name not in arguments:
        raise PatchError(f"the argument {name} is not given")
    return arguments[name]


def _filled_pointer(pointer: str, arguments: Mapping[str, Any]) -> Tokens:
    def name_of(found: re.Match[str]) -> str:
        match _argument(found[1], arguments):
            case bool():
                pass
            case str(text):
                return text
            case int(number):
                return str(number)
            case float(number) if number.is_integer():
                return str(int(number))
        raise PatchError(f"the argument {found[1]} is neither a text nor a whole number")

    return tuple(_PLACE.sub(name_of, token) for token in pointer_tokens(pointer))


def faults_of_patch(
    operations: Sequence[PatchOperation], parameters: frozenset[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with operations as they are written: the place, and what was expected.

    parameters: those that the tool has; None where any name will do.
    """
    for index, operation in enumerate(operations):
        if fault := fault_of(operation):
            yield f"/{index}", fault
        for member, pointer in (("path", operation.path), ("from", operation.source or "")):
            if fault := _fault_of_pointer(pointer, parameters):
                yield f"/{index}/{member}", fault
        if operation.value is not UNSET:
            for place, fault in faults_of_value(operation.value, parameters):
                yield f"/{index}/value{place}", fault


def faults_of_value(value: Any, parameters: frozenset[str] | None) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a value that is to be filled in."""
    match value:
        case dict():
            for name, fault in _FAULTS.items():
                if name in value and (said := fault(value, parameters)):
                    yield f"/{name}", said
            for name, each in value.items():
                yield from ((f"/{name}{place}", said) for place, said in faults_of_value(each, parameters))
        case list():
            for index, each in enumerate(value):
                yield from ((f"/{index}{place}", said) for place, said in faults_of_value(each, parameters))


def fault_of_state(state: Any) -> str:
    """Return why a state cannot be that of a case; empty where it can."""
    if not isinstance(state, dict):
        return "expected an object"
    return "" if _depth(state) <= _MAX_DEPTH else f"expected a state nested at most {_MAX_DEPTH} levels deep"


def names_state(value: Any) -> bool:
    """Whether a value that is to be filled in reads the state."""
    if isinstance(value, dict):
        return STATE in value or any(map(names_state, value.values()))
    return isinstance(value, list) and any(map(names_state, value))


def _fault_of_argument(value: dict[str, Any], parameters: frozenset[str] | None) -> str:
    name = value[ARGUMENT]
    if not isinstance(name, str) or len(value) > 1:
        return f"expected a parameter's name, and nothing beside {ARGUMENT}"
    return _fault_of_name(name, parameters)


def _fault_of_state(value: dict[str, Any], parameters: frozenset[str] | None) -> str:
    pointer = value[STATE]
    if not isinstance(pointer, str) or len(value) > 1:
        return f"expected a JSON Pointer such as /orders/4711, and nothing beside {STATE}"
    return _fault_of_pointer(pointer, parameters)


def _fault_of_compute(value: dict[str, Any], _parameters: frozenset[str] | None) -> str:
    return "" if isinstance(value[COMPUTE], str) else 'expected an expression such as "price * amount"'


_FAULTS: Final[dict[str, Callable[[dict[str, Any], frozenset[str] | None], str]]] = {
    ARGUMENT: _fault_of_argument,
    STATE: _fault_of_state,
    COMPUTE: _fault_of_compute,
}


def _fault_of_pointer(pointer: str, parameters: frozenset[str] | None) -> str:
    try:
        tokens = pointer_tokens(pointer)
    except PatchError as error:
        return error.message
    if any(brace in _PLACE.sub("", token) for token in tokens for brace in "{}"):
        return f"{pointer!r:.80} has a brace without its other one; expected a parameter as {{name}}"
    names = [name for token in tokens for name in _PLACE.findall(token)]
    return next(filter(None, (_fault_of_name(name, parameters) for name in names)), "")


def _fault_of_name(name: str, parameters: frozenset[str] | None) -> str:
    if parameters is None or name in parameters:
        return ""
    known = ", ".join(sorted(parameters)) or "none"
    return f"{name!r:.80} is no parameter of the tool; it has {known:.200}"


def _size(value: Any) -> int:
    return len(json.dumps(value))


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(_depth, inner), default=0)
