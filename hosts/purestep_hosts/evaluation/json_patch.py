"""JSON Patch on values that are never changed: what an operation touches is copied, the rest is shared.

Source: RFC 6902 for the operations, RFC 6901 for the pointers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET

Tokens = tuple[str, ...]
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_ESCAPE: Final = re.compile(r"~(?![01])")
_END: Final = "-"
"""Names the place after the last item of a list."""


class PatchError(Exception):
    """A pointer names nothing, or an operation cannot be made; `message` says which."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class PatchOperation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One operation as it is written; `value` goes with add, replace and test, `from` with move and copy."""

    op: Literal["add", "remove", "replace", "move", "copy", "test"]
    path: str
    value: Any = UNSET
    source: str | None = msgspec.field(default=None, name="from")


class ReadyOperation(msgspec.Struct, frozen=True, kw_only=True):
    """One operation with its pointers taken apart."""

    op: str
    path: Tokens
    value: Any = UNSET
    source: Tokens = ()


def fault_of(operation: PatchOperation) -> str:
    """Return what an operation lacks or has too much; empty where it is whole."""
    wants = {"from"} if operation.op in ("move", "copy") else set() if operation.op == "remove" else {"value"}
    given = {"from"} if operation.source is not None else set()
    given |= {"value"} if operation.value is not UNSET else set()
    if wants == given:
        return ""
    return f"expected {' and '.join(sorted(wants)) or 'neither value nor from'} with the operation {operation.op}"


def pointer_tokens(pointer: str) -> Tokens:
    """Return the names of a JSON Pointer; raises PatchError."""
    if pointer == "":
        return ()
    if not pointer.startswith("/") or _ESCAPE.search(pointer):
        raise PatchError(f"{pointer!r:.80} is no JSON Pointer; expected one such as /orders/4711")
    return tuple(token.replace("~1", "/").replace("~0", "~") for token in pointer[1:].split("/"))


def shown_pointer(tokens: Sequence[str]) -> str:
    """Return the JSON Pointer of names."""
    return "".join("/" + token.replace("~", "~0").replace("/", "~1") for token in tokens)


def value_at(document: Any, tokens: Tokens) -> Any:
    """Return the value that a pointer names; raises PatchError where there is none."""
    for depth, token in enumerate(tokens, 1):
        match document:
            case dict() if token in document:
                document = document[token]
            case list() if _INDEX.fullmatch(token) and int(token) < len(document):
                document = document[int(token)]
            case _:
                raise PatchError(f"there is nothing at {shown_pointer(tokens[:depth])}")
    return document


def patched(document: Any, operations: Sequence[ReadyOperation], same: Callable[[Any, Any], bool]) -> Any:
    """Return a document after all operations; raises PatchError where one cannot be made.

    same: whether a value is the one that a `test` wants.
    """
    for operation in operations:
        document = _after(document, operation, same)
    return document


def _after(document: Any, operation: ReadyOperation, same: Callable[[Any, Any], bool]) -> Any:
    path = operation.path
    match operation.op:
        case "test":
            if not same(operation.value, value_at(document, path)):
                raise PatchError(f"{shown_pointer(path)} has another value")
            return document
        case "remove":
            return _removed(document, path)
        case "replace":
            value_at(document, path)
            return _put(document, path, operation.value, _replaced)
        case "move":
            value = value_at(document, operation.source)
            if operation.source == path[: len(operation.source)] and operation.source != path:
                raise PatchError(f"{shown_pointer(operation.source)} cannot be moved into itself")
            return _put(_removed(document, operation.source), path, value, _added)
        case "copy":
            return _put(document, path, value_at(document, operation.source), _added)
    return _put(document, path, operation.value, _added)


def _removed(document: Any, path: Tokens) -> Any:
    if not path:
        raise PatchError("the whole state cannot be removed")
    value_at(document, path)
    return _put(document, path, UNSET, _without)


def _put(document: Any, path: Tokens, value: Any, change: Callable[[Any, str, Any], Any]) -> Any:
    """Return a copy in which `change` was made at the end of the path; all above it is copied, and nothing beside."""
    if not path:
        return value
    above = [document]
    for depth in range(1, len(path)):
        above.append(value_at(above[-1], (path[depth - 1],)))
    value = change(above[-1], path[-1], value)
    for container, token in zip(reversed(above[:-1]), reversed(path[:-1]), strict=True):
        value = _replaced(container, token, value)
    return value


def _added(container: Any, token: str, value: Any) -> Any:
    match container:
        case dict():
            return {**container, token: value}
        case list() if token == _END:
            return [*container, value]
        case list() if _INDEX.fullmatch(token) and int(token) <= len(container):
            return [*container[: int(token)], value, *container[int(token) :]]
    raise PatchError(f"nothing can be added as {token!r:.80}")


def _replaced(container: Any, token: str, value: Any) -> Any:
    if isinstance(container, dict):
        return {**container, token: value}
    return [*container[: int(token)], value, *container[int(token) + 1 :]]


def _without(container: Any, token: str, _value: Any) -> Any:
    if isinstance(container, dict):
        return {name: value for name, value in container.items() if name != token}
    return [*container[: int(token)], *container[int(token) + 1 :]]
