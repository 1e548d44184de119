"""The parts of a call's arguments, each with its place."""

from typing import Any

from purestep.schema import pointer_token

from .bounds import MAX_PARTS

Part = str | int | float
"""A text, a number or a truth value in a call's arguments."""


def parts_of_arguments(value: Any, names: frozenset[str]) -> list[tuple[str, Part]] | None:
    """Return the parts of a call's arguments, each with its JSON Pointer; None where there are too many.

    names: of members that the tool's schema has; any other name is a text too. A null says nothing.
    """
    found: list[tuple[str, Part]] = []
    pending: list[tuple[str, Any]] = [("", value)]
    looked = 0
    while pending:
        looked += 1
        if looked > MAX_PARTS:
            return None
        path, part = pending.pop()
        if isinstance(part, dict):
            pending += [(f"{path}{pointer_token(name)}", member) for name, member in reversed(part.items())]
            found += [(f"{path}{pointer_token(name)}", name) for name in part if name not in names]
        elif isinstance(part, list):
            pending += [(f"{path}/{index}", item) for index, item in reversed(list(enumerate(part)))]
        elif part is not None:
            found.append((path, part))
    return found if len(found) <= MAX_PARTS else None
