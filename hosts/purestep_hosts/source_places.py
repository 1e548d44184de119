"""Where in a JSON or YAML text a value stands that a JSON pointer names: errors name the line instead of counting."""

from __future__ import annotations

from typing import Any, NamedTuple

from purestep_hosts.strict_yaml import ScalarNode, YAMLError, compose


class Place(NamedTuple):
    """A line and a column of a text, both from 1; columns count characters."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


def place_of(text: str, pointer: str) -> Place | None:
    """Return where the member or item that a JSON pointer names begins, else the nearest one around it that is there.

    text: JSON or YAML. A member begins at its key. None where the text cannot be read this way.
    """
    try:
        # JSON is YAML but for tabs between its parts; inside its texts there is none.
        node = compose(text.replace("\t", " "))
    except (YAMLError, RecursionError, ValueError):
        return None
    if node is None:
        return None
    mark = node.start_mark
    for token in pointer.split("/")[1:]:
        found = _inside(node, token.replace("~1", "/").replace("~0", "~"))
        if found is None:
            break
        mark, node = found
    return Place(mark.line + 1, mark.column + 1)


def _inside(node: Any, token: str) -> tuple[Any, Any] | None:
    """Return the mark and the node of one member or item."""
    if isinstance(node, ScalarNode):
        return None
    for index, item in enumerate(node.value):
        key, value = item if isinstance(item, tuple) else (None, item)
        if (str(index) if key is None else key.value) == token:
            return (value if key is None else key).start_mark, value
    return None
