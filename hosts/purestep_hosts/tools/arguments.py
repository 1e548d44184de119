"""Reads typed values out of a model's arguments; the core has validated them, this keeps types honest."""

from __future__ import annotations

from typing import Any

from purestep_hosts.tools.port import ToolFailure


def text_of(params: dict[str, Any], name: str, *, max_chars: int) -> str:
    """Return the text argument `name`; raises ToolFailure for another type or more than `max_chars`."""
    value = params[name]
    if not isinstance(value, str):
        raise ToolFailure(f"{name} must be text, not {type(value).__name__}", "invalid_arguments")
    if len(value) > max_chars:
        raise ToolFailure(f"{name} has {len(value)} characters; at most {max_chars}", "invalid_arguments")
    return value


def number_of(params: dict[str, Any], name: str) -> int | float:
    """Return the number argument `name`; raises ToolFailure for another type, true and false included."""
    value = params[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ToolFailure(f"{name} must be a number, not {type(value).__name__}", "invalid_arguments")
    return value
