"""Orders: whether words clearly tell a tool to act.

A tool that acts runs without a person being asked only if the request begins with its verb in the form of an order
("refund order 7", "could you please refund ..."), in a language whose words are known, and no word casts doubt on it
("not", "already", "if", "how").
"""

from collections.abc import Mapping
from typing import Final

from ..bounds import MAX_ROUTED_WORDS
from ..json_text import BLANK
from ..values import ToolSpec
from .clauses import Clause, inner_from, once_per_clause
from .languages import LANGUAGES, Language
from .sources import name_words
from .statements import sql_access
from .words import Word, stem, words_of


class Verbs:
    """What the tools of a definition do: which of them act, which may, and the verbs that ask for each."""

    __slots__ = ("_all_stems", "_looking", "_making", "_stems", "acting", "names", "reading")

    def __init__(self, tools: Mapping[str, ToolSpec]) -> None:
        self.names = tuple(tools)
        self.acting = frozenset(name for name, spec in tools.items() if _acts(spec))
        self.reading = frozenset(name for name, spec in tools.items() if name not in self.acting and reads_only(spec))
        self._making = frozenset(name for name in self.acting if _only_makes(tools[name]))
        self._looking = frozenset(name for name in self.reading if _looks(tools[name]))
        self._stems = {
            language.name: {name: _verb_stems(spec, language) for name, spec in tools.items()} for language in LANGUAGES
        }
        self._all_stems = {name: frozenset[str]().union(*each.values()) for name, each in self._stems.items()}

    def stems(self, tool: str, language: Language) -> frozenset[str]:
        """Give the stems of the verbs that ask for a tool."""
        return self._stems[language.name][tool]

    def knows(self, word: str, language: Language) -> bool:
        """Tell whether a word asks for any tool."""
        return stem(word, language) in self._all_stems[language.name]

    def begins(self, part: Clause) -> bool:
        """Tell whether a part of a request begins as a step does: with a verb, or as a question."""
        verb, language = first_told(part), part.language
        if verb in language.asking or verb in language.looking:
            return True
        verbs = (verb, *(said_words(part)[-1:] if language.verb_last else ()))
        if any(each in language.frequent_verbs for each in verbs):
            return True
        return any(each in known_verbs(language) or self.knows(each, language) for each in verbs)

    def undone(self, step: Clause) -> frozenset[str]:
        """Name the tools that cannot be meant where a step orders something to be taken away.

        None that only makes something is. Where no tool may take anything away, showing it would be no answer either.
        """
        said, language = said_words(step), step.language
        at = _order_at(step)
        verbs = (*said[at : at + 1], *(said[-1:] if language.verb_last else ()))
        if not any(verb in language.removing for verb in verbs):
            return frozenset()
        return self._making if self.acting - self._making else self._making | self._looking

    def takes_away_nameless(self, step: Clause) -> bool:
        """Tell whether a step orders something to be taken away that no word of it names: "delete everything"."""
        said, language = said_words(step), step.language
        at = _order_at(step)
        nameless = language.quantities | language.referring | language.backward_words | language.universals
        rest = [
            word for word in said[at + 1 :] if word not in language.stop_words | language.closing or word in nameless
        ]
        return bool(rest) and said[at] in language.removing and nameless.issuperset(rest)

    def order(self, tool: str, step: Clause, whole: Clause) -> bool:
        """Tell whether a step of a request orders clearly what a tool does."""
        language = step.language
        if _has_doubt(step) or (_has_doubt(whole) if whole.language is language else _is_doubted(whole, language)):
            return False
        said = said_words(step)
        at = _order_at(step)
        verbs = (*said[at : at + 1], *(said[-1:] if at and language.verb_last else ()))
        stems = self.stems(tool, language)
        return any(
            stem(verb, language) in stems and verb in known_verbs(language) and not verb.endswith(language.inflected)
            for verb in verbs
        )


def _is_doubted(clause: Clause, language: Language) -> bool:
    """Tell whether a word casts doubt on an order in a language, or may, since it is of a script not known here."""
    said = said_words(clause)
    return not language.doubt.isdisjoint(said) or any(word[0] >= _OTHER_SCRIPTS for word in said)


@once_per_clause
def _has_doubt(clause: Clause) -> bool:
    """Tell whether a word casts doubt on an order in the clause's own language."""
    return _is_doubted(clause, clause.language)


@once_per_clause
def _order_at(clause: Clause) -> int:
    """Give where the own words of an order begin among those that are said."""
    return opened(said_words(clause), clause.language)


@once_per_clause
def first_told(clause: Clause) -> str:
    """Give the first word of a request after greetings and polite words: an order's verb, a question's word."""
    said, at = said_words(clause), _order_at(clause)
    return said[at] if at < len(said) else ""


def asks(step: Clause, whole: Clause) -> bool:
    """Tell whether a step is a question: by the end of the request, or by the step's first word ("which", "how")."""
    return _ends_asking(whole) or (bool(step.words) and step.words[0].text in step.language.asking)


@once_per_clause
def _ends_asking(whole: Clause) -> bool:
    begins = next((word.text for word in whole.words), "")
    return whole.text.rstrip(BLANK).endswith(("?", "\uff1f")) and begins not in whole.language.polite


@once_per_clause
def only_looks(step: Clause) -> bool:
    """Tell whether a step orders something to be shown or found."""
    said, language, at = said_words(step), step.language, _order_at(step)
    begins = " ".join(said[at : at + 2])
    if begins in language.looking_phrases:
        return True
    return bool(said[at:]) and said[at] in language.looking and begins not in language.not_looking


def withdraws(clause: Clause) -> bool:
    """Tell whether words take a request back ("never mind")."""
    return any(word in clause.language.withdrawing for word in said_words(clause))


@once_per_clause
def said_words(clause: Clause) -> tuple[str, ...]:
    """Give the words of a request that stand outside of values."""
    return tuple([word.text for word in told_words(clause)])


@once_per_clause
def told_words(clause: Clause) -> tuple[Word, ...]:
    """Give the words of a request that stand outside of values, with their places."""
    inner, quotes = inner_from(clause), [span for span in clause.spans if span.kind in ("quote", "url", "email")]
    return tuple([
        word
        for word in clause.words[:MAX_ROUTED_WORDS]
        if word.start < inner and not any(span.start <= word.start < span.end for span in quotes)
    ])  # fmt: skip


def opened(said: tuple[str, ...], language: Language) -> int:
    """Give where an order's own words begin, after greetings and polite words."""
    return after_openings(said, _OPENINGS[language.name])


Openings = Mapping[str, tuple[tuple[str, ...], ...]]
"""Phrases as words, the longest first, by the first of them."""


def after_openings(said: tuple[str, ...], openings: Openings) -> int:
    """Give how many words at the beginning belong to such phrases."""
    at = 0
    while at < len(said):
        length = next((len(each) for each in openings.get(said[at], ()) if said[at : at + len(each)] == each), 0)
        if not length:
            break
        at += length
    return at


def openings_of(phrases: tuple[str, ...]) -> Openings:
    """Give phrases by their first word."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(phrase.split(" ")[0], []).append(tuple(phrase.split(" ")))
    return {word: tuple(sorted(each, key=len, reverse=True)) for word, each in found.items()}


_OPENINGS: Final = {language.name: openings_of(language.order_openings) for language in LANGUAGES}

_OTHER_SCRIPTS: Final = "\u0250"
"""The languages known here are written in Latin letters: words in others may say anything."""


def known_verbs(language: Language) -> frozenset[str]:
    """Give the verbs of a language that are known, and words of their kind."""
    return _KNOWN[language.name]


_KNOWN: Final = {
    language.name: language.acting.union(language.reading, *language.kin, *language.verb_kin) for language in LANGUAGES
}
"""A verb of a language that is not known may stand beside words of it that deny it."""


def _acts(spec: ToolSpec) -> bool:
    """Tell whether a tool changes something: by its annotations, else by the verbs in its name."""
    hints = spec.annotations
    if hints is not None and (hints.readOnlyHint is not None or hints.destructiveHint):
        return not hints.readOnlyHint
    if sql_access(spec) == "any":
        return True
    names = name_words(spec.name)
    if any(word in each.acting for word in names for each in LANGUAGES):
        return True
    # Words that name things too ("get_report"): they act only where no verb that reads comes before.
    for word in names:
        if any(word in each.reading for each in LANGUAGES):
            return False
        if any(word in each.acting_first for each in LANGUAGES):
            return True
    return False


def _only_makes(spec: ToolSpec) -> bool:
    """Tell whether a tool's name has a verb of making, and none of taking away or changing."""
    acts = [word for word in name_words(spec.name) if any(word in each.acting for each in LANGUAGES)]
    return bool(acts) and all(any(word in each.making for each in LANGUAGES) for word in acts)


def _looks(spec: ToolSpec) -> bool:
    """Tell whether a tool's name has a verb of looking."""
    return any(word in each.reading for word in name_words(spec.name) for each in LANGUAGES)


def reads_only(spec: ToolSpec) -> bool:
    """Tell whether a tool only reads: by its annotations, else by the verb that its name begins with."""
    if spec.annotations is not None and spec.annotations.readOnlyHint:
        return True
    return any(word in each.reading for word in name_words(spec.name)[:1] for each in LANGUAGES)


def _verb_stems(spec: ToolSpec, language: Language) -> frozenset[str]:
    """Give the stems of the verbs that ask for a tool: those in its name, its description's first, and kin."""
    names = name_words(spec.name)
    verbs = [word for word in names if any(word in each.acting or word in each.reading for each in LANGUAGES)]
    about = [word.text for word in words_of(spec.description)[:_SUBJECT_WORDS]]
    begins = next((word for word in about if word not in language.stop_words and word not in _SUBJECTS), "")
    stems = {stem(word, language) for word in (*(verbs or names[:1]), begins) if word}
    for group in (*language.kin, *language.verb_kin):
        kin = {stem(word, language) for word in group}
        if kin & stems:
            stems |= kin
    return frozenset(stems)


_SUBJECT_WORDS: Final = 4
_SUBJECTS: Final = frozenset({"tool", "function", "method", "command", "api"})
"""What descriptions begin with in place of the verb ("This tool sends ...")."""
