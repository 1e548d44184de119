"""A vector: one call of a function of the core, recorded with the exact text that came out."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

import purestep


class Vector(NamedTuple):
    """One call and its result."""

    name: str
    function: str
    args: list[str]
    output: str


def called(name: str, function: str, *args: str) -> Vector:
    """Call a function of the core and record it."""
    return Vector(name, function, list(args), getattr(purestep, function)(*args))


def compact(value: Any) -> str:
    """Return JSON as a host would write it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def lines(vectors: Iterable[Vector]) -> str:
    """Return the text of a file: a line for each vector."""
    return "".join(json.dumps(vector._asdict(), ensure_ascii=True, separators=(",", ":")) + "\n" for vector in vectors)
