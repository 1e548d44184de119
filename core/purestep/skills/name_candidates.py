"""Names in a text by their capitals, and what the words inside and beside them say: a person, an organization, a place.

Scripts without capitals have no candidates: there the model alone finds names.
"""

from typing import Final, Literal

from msgspec import Struct

from ..carry import Word, language_of, words_of
from .name_words import (
    COUNTRIES,
    JOINING,
    NO_NAMES,
    OF_BEFORE,
    ORGANIZATION_WORDS,
    PERSON_TITLES,
    PLACE_PREPOSITIONS,
    PLACE_WORDS,
)

NameKind = Literal["people", "organizations", "locations", "unknown"]


class NameCandidate(Struct, frozen=True):
    """A name that may be one: how the text writes it, where it stands, and what it probably names."""

    text: str
    start: int
    kind: NameKind


def name_candidates(text: str) -> tuple[NameCandidate, ...]:
    """Give the candidates of a text in their order, each writing once."""
    words = words_of(text)
    small = {word.text for word in words if text[word.start] == word.text[0]}
    nouns_have_capitals = not language_of(words).capitals
    found = dict[str, NameCandidate]()
    for run in _runs(text, words):
        candidate = _candidate(text, words, run, small, nouns_have_capitals)
        if candidate is not None:
            found.setdefault(candidate.text, candidate)
    return tuple(found.values())


# --- runs of words with a capital ---------------------------------------------------------------------------

_Run = tuple[int, int]
"""The index of the first word of a run, and the one after its last."""


def _runs(text: str, words: tuple[Word, ...]) -> list[_Run]:
    """Give the runs of words with a capital that nothing but names may hold parts."""
    runs, at = list[_Run](), 0
    while at < len(words):
        if not _is_capital(text, words[at]):
            at += 1
            continue
        end = at + 1
        while (following := _following(text, words, at, end)) is not None:
            end = following
        runs.append((at, end))
        at = end
    return runs


def _following(text: str, words: tuple[Word, ...], first: int, end: int) -> int | None:
    """Give where a run goes on to, past small words between two with a capital; None at its end."""
    at = end
    while at < len(words) and at - end <= _MOST_JOINING and _joins(text, words[at - 1], words[at]):
        word = words[at]
        if _is_capital(text, word):
            return at + 1
        if word.text not in JOINING or (word.text == "of" and not _allows_of(words, first, end)):
            return None
        at += 1
    return None


_MOST_JOINING: Final = 2


def _allows_of(words: tuple[Word, ...], first: int, end: int) -> bool:
    return any(word.text in OF_BEFORE for word in words[first:end])


def _is_capital(text: str, word: Word) -> bool:
    return text[word.start] != word.text[0]


def _joins(text: str, before: Word, after: Word) -> bool:
    """Tell whether nothing stands between two words that ends a name."""
    gap = text[before.end : after.start]
    if gap in (" ", "\u00a0", "-", "'", "\u2019", " & "):
        return True
    initial = before.end - before.start == 1 or before.text in PERSON_TITLES
    return gap in (". ", ".") and initial


# --- what a run names ---------------------------------------------------------------------------------------


def _candidate(
    text: str, words: tuple[Word, ...], run: _Run, small: set[str], nouns_have_capitals: bool
) -> NameCandidate | None:
    first, end = run
    before = words[first - 1] if first and _joins(text, words[first - 1], words[first]) else None
    titled = before is not None and before.text in PERSON_TITLES
    while first < end and (words[first].text in NO_NAMES or words[first].text in PERSON_TITLES):
        titled = words[first].text in PERSON_TITLES
        before = words[first]
        first += 1
    while end > first and words[end - 1].text in NO_NAMES:
        end -= 1
    if first == end:
        return None
    own = words[first:end]
    if _is_common(text, own, small, _begins_sentence(text, own[0])):
        return None
    kind = _kind(text, own, titled, before.text if before else "", nouns_have_capitals)
    if kind is None:
        return None
    return NameCandidate(text[own[0].start : own[-1].end], own[0].start, kind)


def _is_common(text: str, own: tuple[Word, ...], small: set[str], begins: bool) -> bool:
    """Tell whether a lone word has its capital for another reason: it stands in small letters elsewhere, too."""
    return len(own) == 1 and (own[0].text in small or own[0].end - own[0].start == 1) and begins


def _begins_sentence(text: str, word: Word) -> bool:
    before = text[: word.start].rstrip(" \t\n\"'(\u201c\u201e\u00ab\u2018*#>-\u2013\u2014\u2022")
    return not before or before[-1] in ".!?:;\u2026" or "\n" in text[len(before) : word.start]


def _kind(text: str, own: tuple[Word, ...], titled: bool, before: str, nouns_have_capitals: bool) -> NameKind | None:
    texts = [word.text for word in own]
    if titled:
        return "people"
    if any(each in ORGANIZATION_WORDS for each in texts):
        return "organizations" if len(own) > 1 else None
    if any(each in COUNTRIES for each in texts):
        return "locations"
    if any(each in PLACE_WORDS for each in texts) or texts[-1].endswith(_PLACE_ENDINGS):
        return "locations" if len(own) > 1 or texts[-1].endswith(_PLACE_ENDINGS) else None
    if any(_is_acronym(text, word) for word in own):
        return "organizations"
    if before in PLACE_PREPOSITIONS and len(own) <= 2:  # noqa: PLR2004
        return "locations"
    if len(own) in (2, 3):
        return "people"
    if nouns_have_capitals or _begins_sentence(text, own[0]):
        return None
    return "unknown"


_PLACE_ENDINGS: Final = ("straße", "strasse", "platz", "allee", "gasse", "burg", "stadt", "dorf", "land")
_ACRONYM_CHARS: Final = range(2, 7)


def _is_acronym(text: str, word: Word) -> bool:
    own = text[word.start : word.end]
    return len(own) in _ACRONYM_CHARS and all("A" <= character <= "Z" for character in own)
