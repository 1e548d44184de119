"""The check that each of some values stands in one of some texts, and what of these texts the state has to keep.

A text that was kept only in part may hold the value further on: what cannot be known is not held against an output.
"""

from collections.abc import Iterator
from typing import Any, Final

from msgspec import UNSET, Struct

from ..errors import PurestepError
from ..json_text import excerpt_of
from ..schema import Budget
from ..text import Scalar, first_absent, said_texts
from ..values import Occurrence
from .references import Judged, Reference, Roots, excerpt_at, kept_value, points_to_nothing, read_reference, value_at

EVIDENCE: Final = ("question", "results")
"""Texts of the exchange, which the state keeps."""

_CHARS_OF_A_STEP: Final = 4
"""Characters that are split into words in the time of one step."""


class CompiledOccurrence(Struct, frozen=True):
    """An occurrence with its pointers read."""

    values: Reference
    texts: tuple[str | Reference, ...]


class NotFound(Struct, frozen=True):
    """Why a value counts as standing nowhere; `unknown`: a text was cut, so that nobody knows."""

    reason: str
    unknown: bool = False


def read_occurrence(given: Occurrence, path: str, roots: Roots) -> CompiledOccurrence:
    """Return an occurrence of the definition with its pointers read; raises `invalid_agent`."""
    texts: list[str | Reference] = []
    for index, text in enumerate(given.texts):
        if text in ("output", *EVIDENCE):
            texts.append(text)
        elif text.startswith("/"):
            texts.append(read_reference(text, f"{path}/in/{index}", roots))
        else:
            raise PurestepError(
                "invalid_agent",
                f"expected output, question, results or a JSON Pointer; got {excerpt_of(text)}",
                f"{path}/in/{index}",
            )
    return CompiledOccurrence(read_reference(given.values, f"{path}/values", roots), tuple(texts))


def not_found(occurrence: CompiledOccurrence, judged: Judged, steps: int) -> NotFound | None:
    """Return what of the values stands in none of the texts; None where each stands in one. Raises OverBudgetError."""
    budget = Budget(steps)
    value = value_at(occurrence.values, judged)
    if value is UNSET:
        return NotFound(points_to_nothing(occurrence.values, judged))
    scalars: list[Scalar] = []
    for part in _flat(value):
        if not isinstance(part, str | int | float) or isinstance(part, bool):
            expected = "expected texts, numbers or arrays of them"
            held = "something else" if occurrence.values.root == "results" else excerpt_of(part)
            return NotFound(f"{occurrence.values.source} holds {held}; {expected}")
        budget.spend(1 + (len(part) // _CHARS_OF_A_STEP if isinstance(part, str) else 0))
        scalars.append(part)
    texts, cut = _texts(occurrence, judged, budget)
    absent = first_absent(scalars, texts)
    if absent is None:
        return None
    names = " or ".join([_named(text, judged) for text in occurrence.texts])
    return NotFound(f"{_said(absent, occurrence.values)} does not stand in {names}", unknown=cut)


def _said(value: Any, reference: Reference) -> str:
    """Return a value and where it stands; of an earlier result, as `excerpt_at` shows it."""
    if reference.root == "results":
        return excerpt_at(reference, value)
    return f"{excerpt_of(value)} ({reference.source})"


def _flat(value: Any) -> Iterator[Any]:
    """Yield what a value holds in arrays inside one another; another value alone."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += reversed(part)
        else:
            yield part


def _texts(occurrence: CompiledOccurrence, judged: Judged, budget: Budget) -> tuple[list[str], bool]:
    """Return the texts to look in, and whether one of them is known in part only."""
    texts: list[str] = []
    cut = False
    for named in occurrence.texts:
        if isinstance(named, Reference):
            value = value_at(named, judged)
            found = [] if value is UNSET else list(said_texts(value))
            cut = cut or _is_cut(named, judged)
        elif named == "output":
            budget.spend(len(judged.text) // _CHARS_OF_A_STEP)
            found = list(said_texts(judged.output))
        else:
            found, is_cut = _kept(named, judged)
            cut = cut or is_cut
        budget.spend(sum([len(text) for text in found]) // _CHARS_OF_A_STEP)
        texts += found
    return texts, cut


def _is_cut(reference: Reference, judged: Judged) -> bool:
    kept = kept_value(reference, judged) if reference.root == "results" else None
    return kept is not None and kept.cut


def _kept(named: str, judged: Judged) -> tuple[list[str], bool]:
    evidence = judged.evidence
    if evidence is None:
        return [], True
    if named == "question":
        return [evidence.question], evidence.question_cut
    return [evidence.results], evidence.results_cut


_NAMES: Final = {"question": "the user's words", "results": "the results"}


def _named(text: str | Reference, judged: Judged) -> str:
    if isinstance(text, Reference):
        return text.source
    return _NAMES.get(text, f"the {judged.what}")
