"""The parts of a call's arguments, each with its place."""

from typing import Any

from ..bounds import MAX_FLOW_PARTS
from ..schema import pointer_token

Part = str | int | float
"""A text, a number or a truth value in a call's arguments."""


def texts_of(value: Any, names: frozenset[str]) -> list[tuple[str, Part]] | None:
    """Give the parts of a call's arguments, each with its JSON Pointer; None where there are too many.

    names: of members that the tool's schema has; any other name is a text too. A null says nothing.
    """
    found: list[tuple[str, Part]] = []
    pending: list[tuple[str, Any]] = [("", value)]
    looked = 0
    while pending:
        looked += 1
        if looked > MAX_FLOW_PARTS:
            return None
        path, part = pending.pop()
        if isinstance(part, dict):
            pending += [(f"{path}{pointer_token(name)}", member) for name, member in reversed(part.items())]
            found += [(f"{path}{pointer_token(name)}", name) for name in part if name not in names]
        elif isinstance(part, list):
            pending += [(f"{path}/{index}", item) for index, item in reversed(list(enumerate(part)))]
        elif part is not None:
            found.append((path, part))
    return found if len(found) <= MAX_FLOW_PARTS else None
