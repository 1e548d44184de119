"""Where each text and number of a call's arguments came from, and which labels they carry."""

from typing import Any

from msgspec import Struct

from purestep.json_text import BLANK
from purestep.text import NUMBER, amount_of, amounts_of, fold
from purestep.values import ArgumentOrigin

from .bounds import MAX_SHOWN_ORIGINS
from .known_texts import KnownTexts
from .parts import Part, parts_of_arguments
from .rules import MODEL, USER
from .standing import stands_in

_MAX_SHOWN_PATHS_CHARS = 1_000
"""Of the places that a reason names: a sentence that a person reads."""


class Traced(Struct, frozen=True):
    """Where a call's arguments came from, all of them, and the labels that they carry together, sorted."""

    origins: tuple[ArgumentOrigin, ...]
    labels: tuple[str, ...]

    @property
    def shown(self) -> tuple[ArgumentOrigin, ...]:
        """The origins that a person is shown: in a bounded number, those that carry labels first."""
        if len(self.origins) <= MAX_SHOWN_ORIGINS:
            return self.origins
        labelled = [origin for origin in self.origins if origin.labels]
        others = [origin for origin in self.origins if not origin.labels]
        return tuple([*labelled, *others][:MAX_SHOWN_ORIGINS])

    @property
    def places(self) -> str:
        """The places of the arguments that carry labels, in brackets after a blank; "" for the whole call."""
        named = ", ".join([origin.path for origin in self.shown if origin.labels and origin.path])
        cut = named if len(named) <= _MAX_SHOWN_PATHS_CHARS else f"{named[:_MAX_SHOWN_PATHS_CHARS]}..."
        return f" ({cut})" if cut else ""


def trace(known: KnownTexts, params: dict[str, Any], names: frozenset[str]) -> Traced:
    """Return where each text and number of some arguments came from; names: of the members that the schema has."""
    parts = parts_of_arguments(params, names)
    if not parts:
        whole = ArgumentOrigin(path="", source=MODEL, labels=known.read)
        return Traced((whole,) if parts is None or known.read else (), known.read)
    origins = tuple([_origin(known, path, value) for path, value in parts])
    return Traced(origins, tuple(sorted({label for origin in origins for label in origin.labels})))


def _origin(known: KnownTexts, path: str, value: Part) -> ArgumentOrigin:
    if isinstance(value, bool):
        value = "true" if value else "false"
    sought = fold(value.strip(BLANK)) if isinstance(value, str) else value
    if _holds(known.said, sought):
        return ArgumentOrigin(path=path, source=USER)
    holding = next((result for result in reversed(known.results) if _holds(result.text, sought)), None)
    if holding is None:
        return ArgumentOrigin(path=path, source=MODEL, labels=known.read)
    if not holding.call_id:
        return ArgumentOrigin(path=path, source="data", labels=known.read)
    return ArgumentOrigin(path=path, source="result", call_id=holding.call_id, tool=holding.tool, labels=known.read)


def _holds(text: str, value: Part) -> bool:
    """Whether a text holds a value; a number in any of the ways that numbers are written."""
    if isinstance(value, str):
        return stands_in(value, text)
    amount = amount_of(value)
    return any(amount in amounts_of(found[0]) for found in NUMBER.finditer(fold(text)))


def edited_texts(before: dict[str, Any], after: dict[str, Any], names: frozenset[str]) -> tuple[str, ...]:
    """Return the texts and numbers that a person has written into arguments."""
    old = dict(parts_of_arguments(before, names) or ())
    new = parts_of_arguments(after, names) or []
    written = [value for path, value in new if path not in old or not _is_same(old[path], value)]
    return tuple([value if isinstance(value, str) else str(value) for value in written])


def _is_same(before: Part, after: Part) -> bool:
    return before == after and type(before) is type(after)
