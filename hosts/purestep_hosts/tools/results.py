"""What a tool gives, made a result that the core takes: JSON values of their own, within the bounds of `limits`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import purestep
from purestep_hosts.tools.limits import MAX_RESULT_BYTES, MAX_RESULT_DEPTH
from purestep_hosts.tools.tool import ToolFailure


def checked_output(output: Any) -> Any:
    """Return the output as JSON values that the tool cannot change any more; a subclass comes as its plain type.

    Raises ToolFailure past the bounds, TypeError and such for what is no JSON.
    """
    if isinstance(output, str):
        _check_size(output)
        return str.__str__(output)  # not str(): a class of the tool's may say something else there
    if _is_too_deep(output):
        raise ToolFailure(f"expected a result nested at most {MAX_RESULT_DEPTH} levels deep; flatten it")
    _check_size(json.dumps(output, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
    try:
        return purestep.decode_json(json.dumps(output, allow_nan=False).encode())
    except purestep.PurestepError as error:
        raise ToolFailure(error.message) from None


def failed(error: str, kind: str) -> dict[str, Any]:
    """Return the result of a call that failed, with the error's text or, past the memory bound, its size."""
    size = _bytes(error)
    if size > MAX_RESULT_BYTES:
        error = f"it failed with a message of {size} bytes, where at most {MAX_RESULT_BYTES} are taken"
    return {"ok": False, "error": error, "error_kind": kind}


def interrupted() -> dict[str, Any]:
    """Return the result of a call that was stopped, of which nothing else is known."""
    return failed("interrupted; it may have run", "interrupted")


def overdue(name: str, time_limit_s: float) -> dict[str, Any]:
    """Return the result of a call that nobody waits for any more: what it began, it may still finish."""
    return failed(f"{name} did not end within {time_limit_s:g} seconds; it may have run", "interrupted")


def ended(result: dict[str, Any], at: Callable[[], int]) -> dict[str, Any]:
    """Return a result with when its call ended, by a clock; one that was stopped, or goes on elsewhere, has none."""
    return result if result == interrupted() or "pending" in result else {**result, "ended_at": at()}


def _check_size(text: str) -> None:
    size = _bytes(text)
    if size > MAX_RESULT_BYTES:
        raise ToolFailure(f"expected a result of at most {MAX_RESULT_BYTES} bytes, got {size}; ask for a part of it")


def _is_too_deep(value: Any) -> bool:
    # Level by level, not by recursion: what has no end, such as a list in itself, is too deep as well.
    level = [value]
    for _ in range(MAX_RESULT_DEPTH):
        level = [inner for item in level for inner in _items(item)]
        if not level:
            return False
    return any(isinstance(item, dict | list | tuple) for item in level)


def _items(value: Any) -> Iterable[Any]:
    match value:
        case dict():
            return value.values()
        case list() | tuple():
            return value
        case _:
            return ()


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
