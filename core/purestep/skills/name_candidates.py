"""Names in a text by their capitals, and what the words inside and beside them say: a person, an organization, a place.

Scripts without capitals have no candidates: there the model alone finds names.
"""

import re
from functools import cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..bounds import MAX_JOINING_WORDS, MAX_NAME_WORDS, MAX_NEARBY_WORDS, MAX_SENTENCE_LOOK_BACK
from ..carry import language_of
from ..text import Word, words_of
from .addresses import emails_in, marked, urls_in
from .dates import dates_in
from .name_words import (
    ARTICLES,
    COUNTRIES,
    GOVERNED,
    JOINING,
    LEADERS,
    MOVING,
    NO_NAMES,
    OF_BEFORE,
    ORGANIZATION_NOUNS,
    ORGANIZATION_WORDS,
    PERSON_TITLES,
    PERSON_VERBS,
    PLACE_PREPOSITIONS,
    PLACE_WORDS,
    ROLE_ENDINGS,
    SALUTATIONS,
    TRAVELLING,
    WORKING,
)

NameKind = Literal["people", "organizations", "locations"]


class NameCandidate(Struct, frozen=True):
    """A name that may be one: how the text writes it, where it stands, and what it probably names."""

    text: str
    start: int
    kind: NameKind


def name_candidates(text: str) -> tuple[NameCandidate, ...]:
    """Give the candidates of a text in their order, each writing once."""
    taken = marked(text, (*dates_in(text), *urls_in(text), *emails_in(text)))
    words = tuple([word for word in words_of(text) if not taken[word.start]])
    small = frozenset([word.text for word in words if text[word.start] == word.text[0]])
    nouns_have_capitals = not language_of(words).capitals
    found = dict[str, NameCandidate]()
    for first, end in _runs(text, words):
        candidate = _candidate(_Place(text, words, first, end, small, nouns_have_capitals))
        if candidate is not None:
            found.setdefault(candidate.text, candidate)
    return tuple(found.values())


@cache
def _caseless() -> "re.Pattern[str]":
    return re.compile("[\u0590-\u109f\u1100-\u11ff\u1780-\u18af\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", re.ASCII)


def has_caseless_script(text: str) -> bool:
    """Tell whether a text has letters of a script without capitals, whose names no candidate shows."""
    return _caseless().search(text) is not None


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
        while end - at < MAX_NAME_WORDS and (following := _following(text, words, at, end)) is not None:
            end = following
        runs.append((at, end))
        at = end
    return runs


def _following(text: str, words: tuple[Word, ...], first: int, end: int) -> int | None:
    """Give where a run goes on to, past small words between two with a capital; None at its end."""
    at = end
    while at < len(words) and at - end <= MAX_JOINING_WORDS and _joins(text, words[at - 1], words[at]):
        word = words[at]
        if _is_capital(text, word):
            return at + 1
        if word.text == "s" and _names_place_of(words, at + 1):
            return at + 2
        if word.text not in JOINING or (word.text == "of" and not _allows_of(words, first, end)):
            return None
        at += 1
    return None


def _names_place_of(words: tuple[Word, ...], at: int) -> bool:
    """Tell whether a name goes on after its "'s": "St. Mary's Hospital"."""
    return at < len(words) and words[at].text in ORGANIZATION_WORDS | PLACE_WORDS


def _allows_of(words: tuple[Word, ...], first: int, end: int) -> bool:
    return any(word.text in OF_BEFORE for word in words[first:end])


def _is_capital(text: str, word: Word) -> bool:
    return text[word.start] != word.text[0] and not any("0" <= character <= "9" for character in word.text)


def _joins(text: str, before: Word, after: Word) -> bool:
    """Tell whether nothing stands between two words that ends a name."""
    gap = text[before.end : after.start]
    if gap in (" ", "\u00a0", "-", "'", "\u2019", " & "):
        return True
    initial = before.end - before.start == 1 or before.text in PERSON_TITLES or before.text == "st"
    return gap in (". ", ".") and initial


# --- what a run names ---------------------------------------------------------------------------------------


class _Place(Struct, frozen=True):
    """A run and what its text says: the words, those with a small letter somewhere, whether nouns have capitals."""

    text: str
    words: tuple[Word, ...]
    first: int
    end: int
    small: frozenset[str]
    nouns_have_capitals: bool

    @property
    def own(self) -> list[str]:
        return [word.text for word in self.words[self.first : self.end]]

    @property
    def before(self) -> str:
        """The word right before the run, "" at the beginning of a sentence."""
        joined = self.first and _joins(self.text, self.words[self.first - 1], self.words[self.first])
        return self.words[self.first - 1].text if joined else ""

    @property
    def after(self) -> str:
        if self.end == len(self.words) or not _joins(self.text, self.words[self.end - 1], self.words[self.end]):
            return ""
        return self.words[self.end].text

    @property
    def begins_sentence(self) -> bool:
        return _begins_sentence(self.text, self.words[self.first])


def _candidate(place: _Place) -> NameCandidate | None:
    place, titled = _without_titles(place)
    if place.first == place.end or _is_common(place):
        return None
    kind: NameKind | None = "people" if titled else _kind(place)
    if kind is None:
        return None
    start, end = place.words[place.first].start, place.words[place.end - 1].end
    return NameCandidate(place.text[start:end], start, kind)


def _without_titles(place: _Place) -> tuple[_Place, bool]:
    """Give the run without words at its ends that belong to no name, and whether a title goes before it."""
    first, end, words = place.first, place.end, place.words
    titled = place.before in PERSON_TITLES
    while first < end and (_is_role(words[first].text, end - first) or words[first].text in NO_NAMES):
        titled = _is_role(words[first].text, end - first) or words[first].text in SALUTATIONS
        first += 1
    while end > first and words[end - 1].text in NO_NAMES:
        end -= 1
    return replace(place, first=first, end=end), titled


def _is_role(word: str, length: int) -> bool:
    return word in PERSON_TITLES or (length > 1 and word.endswith(ROLE_ENDINGS))


def _is_common(place: _Place) -> bool:
    """Tell whether a lone word has its capital for another reason: it stands in small letters elsewhere, too."""
    own = place.own
    return len(own) == 1 and place.begins_sentence and (own[0] in place.small or len(own[0]) == 1)


def _begins_sentence(text: str, word: Word) -> bool:
    before = text[max(0, word.start - MAX_SENTENCE_LOOK_BACK) : word.start].rstrip(
        " \t\n\"'(\u201c\u201e\u00ab\u2018*#>-\u2013\u2014\u2022"
    )
    return not before or before[-1] in ".!?:;\u2026" or "\n" in text[word.start - 1 : word.start]


def _kind(place: _Place) -> NameKind | None:
    own = place.own
    if any(each in ORGANIZATION_WORDS for each in own):
        return "organizations" if len(own) > 1 else None
    if own[0] in COUNTRIES:
        return "locations"
    if own[-1].endswith(_PLACE_ENDINGS) or any(each in PLACE_WORDS for each in own):
        return "locations" if len(own) > 1 or own[-1].endswith(_PLACE_ENDINGS) else None
    if place.before in ORGANIZATION_NOUNS or _is_employer(place):
        return "organizations"
    if any(_is_acronym(place, at) for at in range(place.first, place.end)):
        return "organizations"
    if len(own) == 1 and not _is_reached(place):
        return _kind_of_one(place)
    if _is_reached(place) or (place.before in _SURE_PREPOSITIONS and len(own) == 2):  # noqa: PLR2004
        return "locations"
    return "organizations" if place.before in ARTICLES else "people"


_SURE_PREPOSITIONS: Final = ("in", "near", "nach")
"""Also before two words: "in New York"."""


def _kind_of_one(place: _Place) -> NameKind | None:
    """Give what a lone word names; None where its capital may have another reason."""
    if place.before in SALUTATIONS:
        return "people"
    if place.before in PLACE_PREPOSITIONS or (place.before == "to" and _moves(place)):
        return "locations"
    if place.begins_sentence:
        with_another = place.after in _AND and place.end + 1 < len(place.words) and _is_capital_at(place, place.end + 1)
        return "people" if place.after in PERSON_VERBS or with_another else None
    if place.nouns_have_capitals or place.before in ARTICLES:
        return None
    return "people"


_AND: Final = ("and", "und", "et", "y", "e", "i")


def _moves(place: _Place) -> bool:
    nearby = place.words[max(0, place.first - MAX_NEARBY_WORDS) : place.first]
    return any(word.text in MOVING for word in nearby)


def _is_reached(place: _Place) -> bool:
    """Tell whether somebody travels to what is named, or it has a mayor: "flew to New York", not "went to Tim Cook"."""
    before = _second_before(place)
    return (place.before == "to" and before in TRAVELLING) or (place.before == "of" and before in GOVERNED)


def _is_employer(place: _Place) -> bool:
    """Tell whether somebody leads what is named, or works there: "the CEO of Apple", "works at Siemens"."""
    before = _second_before(place)
    return (place.before == "of" and before in LEADERS) or (place.before in ("at", "for") and before in WORKING)


def _second_before(place: _Place) -> str:
    return place.words[place.first - 2].text if place.first > 1 else ""


def _is_capital_at(place: _Place, at: int) -> bool:
    return _is_capital(place.text, place.words[at])


_PLACE_ENDINGS: Final = ("straße", "strasse", "platz", "allee", "gasse", "burg", "stadt", "dorf", "land")
_ACRONYM_CHARS: Final = range(2, 7)


def _is_acronym(place: _Place, at: int) -> bool:
    own = place.text[place.words[at].start : place.words[at].end]
    return len(own) in _ACRONYM_CHARS and all("A" <= character <= "Z" for character in own)
