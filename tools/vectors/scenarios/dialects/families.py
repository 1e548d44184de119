"""Each family's own form, in a file for each: two calls written in it, read, and streamed in small chunks."""

import json
from collections.abc import Iterator

from purestep.dialects import Sample
from purestep.values.reading import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from tools.vectors.record import Vector, called, compact, lines
from tools.vectors.specs import ADD

_CALLS = tuple(ReadCall(tool=ADD["name"], params=params) for params in ({"a": 1, "b": 2}, {"a": 0.5, "b": -3}))
_ALONE = ("llama3_json", "generic_json", "xlam")
"""Families whose calls have no text before them."""


def files() -> dict[str, str]:
    """Return the file of each family."""
    return {
        f"{dialect.name}.jsonl": lines(_vectors(dialect.name, dialect.write(Sample(calls=_CALLS))))
        for dialect in FAMILY_DIALECTS
    }


def _vectors(name: str, calls: str) -> Iterator[Vector]:
    text = calls if name in _ALONE else "So: " + calls
    yield called(f"{name}/read", "read_model_output", compact({"text": text, "tools": [ADD], "dialect": name}))
    cut = text[: len(text) // 2]
    yield called(f"{name}/cut", "read_model_output", compact({"text": cut, "tools": [ADD], "dialect": name}))
    vector = called(f"{name}/open", "stream_model_output", compact({"dialect": name, "tools": [ADD]}))
    yield vector
    for at in (*range(0, len(text), 40), None):
        given = {"stream": json.loads(vector.output)["stream"]}
        vector = called(
            f"{name}/{'close' if at is None else at}",
            "stream_model_output",
            compact(given if at is None else {**given, "chunk": text[at : at + 40]}),
        )
        yield vector
