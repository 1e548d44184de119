"""Checks the lengths of a call's arguments; the core has validated them against the tool's schema."""

from __future__ import annotations

from typing import Any

from purestep_hosts.tools.tool import ToolFailure


def bounded_text(params: dict[str, Any], name: str, *, max_chars: int) -> str:
    """Return the text argument `name`; raises ToolFailure for one of more than `max_chars` characters."""
    value: str = params[name]
    if len(value) > max_chars:
        raise ToolFailure(f"{name} has {len(value)} characters; at most {max_chars}", "invalid_arguments")
    return value
