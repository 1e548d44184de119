"""Where each text and number of a call's arguments came from, and which labels they carry."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ..bounds import MAX_SHOWN_ORIGINS
from ..json_text import BLANK
from ..text import first_absent, fold
from ..values import ArgumentOrigin, FlowState, KnownResult
from .rules import MODEL, USER
from .standing import stands_in
from .values import Part, texts_of


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


def trace(flow: FlowState, params: dict[str, Any], names: frozenset[str]) -> Traced:
    """Give where each text and number of some arguments came from; names: of the members that the schema has."""
    any_label = tuple(sorted({*flow.read, *flow.lost}))
    whole = ArgumentOrigin(path="", source=MODEL, labels=any_label)
    parts = texts_of(params, names)
    if not parts:
        return Traced((whole,) if parts is None or any_label else (), any_label)
    origins = tuple([_origin(flow, path, value, any_label) for path, value in parts])
    return Traced(origins, tuple(sorted({label for origin in origins for label in origin.labels})))


def _origin(flow: FlowState, path: str, value: Part, any_label: tuple[str, ...]) -> ArgumentOrigin:
    if isinstance(value, bool):
        value = "true" if value else "false"
    sought = fold(value.strip(BLANK)) if isinstance(value, str) else value
    if _holds(flow.said, sought):
        return ArgumentOrigin(path=path, source=USER)
    holding = [result for result in flow.results if _holds(result.text, sought)]
    trusted = [result for result in holding if not result.labels]
    if trusted:
        return _of_result(path, trusted[-1], ())
    if holding:
        labels = {label for result in holding for label in result.labels}
        return _of_result(path, holding[-1], tuple(sorted({*labels, *flow.lost})))
    return ArgumentOrigin(path=path, source=MODEL, labels=any_label)


def _of_result(path: str, result: KnownResult, labels: tuple[str, ...]) -> ArgumentOrigin:
    if not result.call_id:
        return ArgumentOrigin(path=path, source="data", labels=labels)
    return ArgumentOrigin(path=path, source="result", call_id=result.call_id, tool=result.tool, labels=labels)


def _holds(text: str, value: Part) -> bool:
    """Tell whether a text holds a value; a number in any of the ways that numbers are written."""
    if isinstance(value, str):
        return stands_in(value, text)
    return bool(text) and first_absent((value,), (text,)) is None


def edited_origins(
    before: dict[str, Any], after: dict[str, Any], origins: Sequence[ArgumentOrigin], names: frozenset[str]
) -> tuple[tuple[ArgumentOrigin, ...], tuple[str, ...]]:
    """Give the origins of arguments that a person has edited, and the texts that are now the person's."""
    old, new = dict(texts_of(before, names) or ()), texts_of(after, names) or []
    known = {origin.path: origin for origin in origins}
    kept: list[ArgumentOrigin] = []
    texts: list[str] = []
    for path, value in new:
        if path in old and old[path] == value and type(old[path]) is type(value):
            kept += [known[path]] if path in known else []
            continue
        kept.append(ArgumentOrigin(path=path, source=USER))
        texts.append(value if isinstance(value, str) else str(value))
    return tuple(kept[:MAX_SHOWN_ORIGINS]), tuple(texts)
