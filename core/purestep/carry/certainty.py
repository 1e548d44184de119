"""Certainty: whether the words lead to a call of a tool that acts as it stands, now and under no condition.

Each value has to be named in the words, at a place that no other value takes. No word may tie the order to something,
put it off or take it back. Every other word has to be known to add nothing: a word of the tool, a preposition, a polite
one. What a word says that nobody knows may be anything, so a request in a language without a file is never certain.
"""

import re
from typing import Any, Final

from ..json_text import BLANK
from .clauses import Clause, Words, inner_from
from .currencies import signs_said
from .exactness import CallWords, is_exact
from .languages import LANGUAGES, Language
from .leads import leads_to, takes_all, takes_name
from .nameless import backward_words, harmless_words, unit_words
from .orders import opened, told_words
from .places import Place, Placed, placed
from .reserved import CONDITIONS, PUT_OFF, TOLD, first_reserved, reserved_in
from .sources import Parameter
from .spans import Span
from .words import Word, fold, stem


def is_certain(values: dict[str, Any], tool: CallWords, words: Words) -> bool:
    """Tell whether the words lead to one call of a tool, by its arguments, as it stands and now."""
    given = [(each, values[each.name]) for each in tool.parameters if each.name in values]
    found = placed(given, words)
    if found is None or not all(
        is_exact(parameter, place, words.clause, tool, alone=len(given) == 1)
        for parameter, _, places in found
        for place in places
    ):
        return False
    reading = _OrderWords(words, tool, found)
    return not (
        reading.is_reserved()
        or reading.wonders()
        or reading.contradicts()
        or reading.leaves_words()
        or _differs_in_money(reading)
    )


class _OrderWords:
    """A part of a request beside the values of a call: which of its words stand in them, and which texts are told."""

    def __init__(self, words: Words, tool: CallWords, found: Placed) -> None:
        self.clause, self.whole, self.tool, self.found = words.clause, words.whole, tool, found
        self.covered = [place for _, _, places in found for place in places]
        self.told = [
            place for parameter, value, places in found for place in places
            if _is_told(parameter, place, self.clause)
        ]  # fmt: skip
        kinds = ("quote", "url", "email", "path", "glob", "code", "date", "datetime", "time")
        self._formed = [(span.start, span.end) for span in self.clause.spans if span.kind in kinds]

    def is_reserved(self) -> bool:
        """Tell whether words tie the order to something, put it off or take it back."""
        open_ = [word for word in self.clause.words if not self._is_spared(word)]
        if any(not self._is_meant_otherwise(first, last) for first, last in reserved_in(open_, PUT_OFF)):
            return True
        if any(_goes_on_reserved(self.clause, place) for place in self.told):
            return True
        outside = [word for word in self.whole.words if not _is_in_quote(word, self.whole)]
        if first_reserved(outside, TOLD) is not None:
            return True
        at = self.whole.text.find(self.clause.text)
        before = [word for word in told_words(self.whole) if at < 0 or word.start < at]
        after = [] if at < 0 else [word for word in outside if word.start >= at + len(self.clause.text)]
        return first_reserved(before, CONDITIONS if at >= 0 else PUT_OFF) is not None or bool(
            first_reserved(after, PUT_OFF)
        )

    def _is_spared(self, word: Word) -> bool:
        """Tell whether a word is part of a value that is written as one, or of a text that is told."""
        if any(begin <= word.start < end for begin, end in (*self._formed, *self.told)):
            return True
        for parameter, _, places in self.found:
            if any(begin <= word.start < end for begin, end in places):
                return parameter.source in ("date", "time", "datetime", "choice") or self._is_title(places, word)
        return False

    def _is_title(self, places: tuple[Place, ...], word: Word) -> bool:
        """Tell whether a word is a capital one of a name of several that a word leads to: "named Sunday Baking"."""
        clause = self.clause
        if not clause.language.capitals or clause.text[word.start] == word.text[0]:
            return False
        begin, end = next((begin, end) for begin, end in places if begin <= word.start < end)
        before = [each.text for each in clause.words if each.end <= begin][-1:]
        return " " in clause.text[begin:end] and not clause.language.naming.isdisjoint(before)

    def _is_meant_otherwise(self, first: Word, last: Word) -> bool:
        """Tell whether a word is one of the tool's name or a choice, or leads to a time that an argument takes."""
        language = self.clause.language
        if stem(first.text, language) in self.tool.nouns and first is last:
            return True
        choices = [str(value) for parameter, value, _ in self.found if parameter.source == "choice"]
        if any(first.text in choice for choice in choices):
            return True
        moments = [
            place for parameter, _, places in self.found for place in places
            if parameter.source in ("date", "time", "datetime")
        ]  # fmt: skip
        after = next((word for word in self.clause.words if word.start >= last.end), last)
        return any(begin <= after.start < end for begin, end in moments)

    def wonders(self) -> bool:
        """Tell whether a part asks within ("delete a.txt? yes, do"), other than as polite orders do."""
        begins = next((word.text for word in self.clause.words), "")
        if begins in self.clause.language.polite:
            return False
        hidden = [*self.told, *self._formed]
        marks = [match.start() for match in re.finditer("[?\uff1f]", self.clause.text)]
        return any(not any(begin <= mark < end for begin, end in hidden) for mark in marks)

    def contradicts(self) -> bool:
        """Tell whether a word says the contrary of the tool's name: "turn off" of `turn_on_light`."""
        language, said = self.clause.language, told_words(self.clause)
        texts = tuple([word.text for word in said])
        verb = opened(texts, language)
        for index, word in enumerate(said):
            contrary = {stem(each, language) for each in language.opposites.get(word.text, ())}
            is_particle = word.text in language.places and index not in (verb + 1, len(said) - 1)
            is_own = stem(word.text, language) in self.tool.nouns
            if not is_own and not is_particle and not contrary.isdisjoint(self.tool.nouns):
                return True
        return False

    def leaves_words(self) -> bool:
        """Tell whether a word says more than the call does, or may, since it is not known."""
        language = self.clause.language
        if any(span.kind == "quote" and not self._is_given(span) for span in self.clause.spans):
            return True
        harmless = harmless_words(language)
        if not self.found:
            harmless |= language.universals  # "clear all notifications": the tool takes them all
        names = [name for parameter in self.tool.parameters for name in parameter.words]
        own = self.tool.own | {stem(language.short.get(name, name), language) for name in names}
        if any(not places for _, _, places in self.found):
            harmless |= backward_words(language)  # the words that a value which stands elsewhere is referred to by
        if any(parameter.source == "path" and places for parameter, _, places in self.found):
            harmless |= {*language.paths}
        ends = max([end for _, end in self.covered], default=0)
        said = told_words(self.clause)
        begins = opened(tuple([word.text for word in said]), language)
        opening = {word.start for word in said[:begins]}
        return any(
            word.text not in harmless
            and word.start not in opening
            and not (word.start >= ends and word.text in language.small_talk)
            and not self._leads(word)
            and stem(word.text, language) not in own
            and not self._counts(word)
            for word in self.clause.words
            if not any(begin < word.end and word.start < end for begin, end in self.covered)
        )

    def _leads(self, word: Word) -> bool:
        """Tell whether a word leads to the value right after it: "the text 'hello'"."""
        gaps = [self.clause.text[word.end : begin] for begin, _ in self.covered if begin > word.start]
        return word.text in self.clause.language.leads and any(not gap.strip(_BEFORE_VALUE) for gap in gaps)

    def _is_given(self, quote: Span) -> bool:
        """Tell whether a quote is a value as it stands, or part of a text that is one."""
        return any(begin <= quote.start + 1 and quote.end - 1 <= end for begin, end in self.covered)

    def _counts(self, word: Word) -> bool:
        """Tell whether a word is the unit of a number that is a value of the call."""
        text, language = self.clause.text, self.clause.language
        return word.text in unit_words(language) - language.subunits and any(
            _holds_figure(text[begin:end], language)
            and not text[min(end, word.end) : max(begin, word.start)].strip(BLANK)
            for begin, end in self.covered
        )


def _is_told(parameter: Parameter, place: Place, clause: Clause) -> bool:
    """Tell whether a value is a text that words lead to: "that ...", "called ...", "remind me to ..."."""
    if parameter.source not in ("phrase", "quote") or takes_name(clause, parameter):
        return False
    if place[0] >= inner_from(clause):
        return True
    language = clause.language
    before = [word.text for word in clause.words if word.end <= place[0]][-1:]
    leads = {*language.leads, *leads_to(clause, parameter)}
    if takes_all(clause, parameter):
        leads |= {*language.slots.get("to", ())}
    return any(word in leads for word in before)


def _goes_on_reserved(clause: Clause, place: Place) -> bool:
    """Tell whether a part of a told text, after a comma or a full stop, begins as a condition of the order would."""
    begin, end = place
    if clause.text[:begin].endswith(": ") or clause.text[begin : begin + 1] in _QUOTES:
        return False
    for match in re.finditer(_BREAK, clause.text[begin:end], re.ASCII):
        rest = [word for word in clause.words if begin + match.end() <= word.start < end]
        while rest and rest[0].text in _JOINING:
            rest = rest[1:]
        found = first_reserved(rest, PUT_OFF)
        if found is not None and found[0] is rest[0]:
            return True
    return False


_BEFORE_VALUE: Final = f"{BLANK}:\"'`\u201c\u201e\u00ab"
_BREAK: Final = "[,;.!?)(\u2013\u2014]+ *| - "
_QUOTES: Final = "\"'`\u201c\u201e\u00ab"
_JOINING: Final = frozenset[str]().union(*(language.joints | language.fillers for language in LANGUAGES))


def _is_in_quote(word: Word, clause: Clause) -> bool:
    return any(
        span.kind in ("quote", "url", "email", "path") and span.start <= word.start < span.end for span in clause.spans
    )


def _holds_figure(text: str, language: Language) -> bool:
    return any("0" <= character <= "9" for character in text) or fold(text) in language.number_words


def _differs_in_money(reading: _OrderWords) -> bool:
    """Tell whether another currency is said than the one that the tool's amounts are in."""
    language = reading.clause.language
    codes = {fold(code) for code in language.money.values()}
    amounts = [parameter for parameter, _, _ in reading.found if parameter.source == "number"]
    named = {
        code
        for parameter in amounts
        for word in (*parameter.words, *parameter.about)
        for code in (fold(language.money.get(word, word)),)
        if code in codes
    }
    said = signs_said(reading.clause).keys() & codes
    return bool(named) and not said <= named


__all__ = ["CallWords", "is_certain"]
