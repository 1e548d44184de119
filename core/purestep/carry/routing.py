"""Routing: which tool a part of a request asks for, by its words and by the values in it.

All weights are whole numbers, so the same request is routed alike on every host.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ..text import said_texts
from ..values import ToolSpec
from .certainty import CallWords, is_certain
from .clauses import Clause, Words, kinds_in
from .denials import casts_denial, denies
from .grounding import Grounded, ground, missing
from .languages import LANGUAGES, Language
from .names import names_in
from .orders import Verbs, asks, first_told, only_looks, said_words
from .sources import Parameter, name_words, parameters_of
from .talk import asks_ability
from .telling import operation_stems, telling_stems
from .value_weights import by_values, most_by_values
from .vocabulary import vocabulary_of
from .words import stem

ASKED_SHARE: Final = 50
"""Per cent of its words' score that a tool that acts has where something is asked, or ordered to be shown."""
ASKED_LEAST: Final = 500
"""What words have to tell of a tool that acts where something is asked: values alone never ask for one."""
UNUSED_WEIGHT: Final = 250
"""What a value in the words takes from a tool that has no argument for it."""
THRESHOLD: Final = 1400
"""Below it no tool is asked for; `./build.sh bench carry --threshold` measures it."""
SURE: Final = 2000
"""From here on a tool that acts runs without a person being asked, if no other tool comes near."""
DROPPED: Final = 2
"""So many more values without an argument, and a tool is not offered beside another."""
MARGIN: Final = 80
"""Tools with at least this many per cent of the best one's score are offered with it."""
_VERB_AND_OBJECT: Final = 2
"""Words of a tool's own that name it: its verb, and what it acts on."""


class Route(Struct, frozen=True, kw_only=True):
    """A tool that a part of a request may ask for: its score, its part that words made, and its arguments' values.

    `unused`: how many values in the words have no argument, and arguments no word.
    """

    tool: str
    score: int
    by_words: int
    grounded: Grounded
    unused: int = 0


class Router:
    """The tools of a definition, made ready to be routed to.

    threshold: below this score no tool is asked for.
    """

    __slots__ = (
        "_most_by_values",
        "_nouns",
        "_numeric",
        "_vocabularies",
        "given",
        "parameters",
        "plans",
        "threshold",
        "verbs",
    )

    def __init__(self, tools: Mapping[str, ToolSpec], threshold: int = THRESHOLD) -> None:
        self.threshold = threshold
        self.parameters: dict[str, tuple[Parameter, ...]] = {name: parameters_of(spec) for name, spec in tools.items()}
        self.verbs = Verbs(tools)
        self.given: dict[str, tuple[str, ...]] = {name: _given(spec) for name, spec in tools.items()}
        """What the examples of each tool give, as texts."""
        self._nouns = {
            language.name: {name: frozenset([stem(word, language) for word in name_words(name)]) for name in tools}
            for language in LANGUAGES
        }
        self._vocabularies = {each.name: vocabulary_of(tools, self.parameters, each) for each in LANGUAGES}
        self._most_by_values = most_by_values(self.parameters)
        self._numeric = _numeric(self.parameters)
        self.plans: OrderedDict[str, Any] = OrderedDict()
        """The latest plans by request: a step and its decision both ask for one."""

    def own_stems(self, tool: str, language: Language) -> frozenset[str]:
        """Give the stems of a tool's name, description and parameters, and of words of their kind."""
        return self._vocabularies[language.name].own[tool]

    def _stems(self, tool: str, language: Language) -> frozenset[str]:
        """Give the stems of a tool with those of the verbs that ask for it."""
        return self.own_stems(tool, language) | self.verbs.stems(tool, language)

    def _acting_nouns(self, tool: str, language: Language) -> frozenset[str] | None:
        """Give the stems of a tool's name; None for one that only reads, whose arguments may be any words."""
        return None if tool in self.verbs.reading else self._nouns[language.name][tool]

    def is_certain(self, route: Route, words: Words) -> bool:
        """Tell whether the words lead to the call of a route as it stands, now and under no condition."""
        language, only = words.clause.language, route.grounded.only
        nouns = self._nouns[language.name][route.tool]
        vocabulary = self._vocabularies[language.name]
        # Tools are named in the first language: there a word of the same kind may be another thing ("an invoice").
        known = (vocabulary.named if language is LANGUAGES[0] else vocabulary.own)[route.tool]
        own = known | nouns | self.verbs.stems(route.tool, language)
        return only is not None and is_certain(only, CallWords(self.parameters[route.tool], nouns, own), words)

    def routes(
        self, words: Words, withheld: frozenset[str] = frozenset(), least: int | None = None
    ) -> tuple[Route, ...]:
        """Give the tools that the words ask for, best first, those of one score by name.

        least: the lowest score of a tool that is asked for; None for the threshold.
        """
        least = self.threshold if least is None else least
        if withheld or least != self.threshold:
            return self._routes(words, withheld, least)  # states name what is withheld, in too many ways to keep
        kept = words.kept_by(self)
        if _ROUTES not in kept:
            kept[_ROUTES] = self._routes(words, withheld, least)
        found: tuple[Route, ...] = kept[_ROUTES]
        return found

    def _routes(self, words: Words, withheld: frozenset[str], least: int) -> tuple[Route, ...]:
        by_words, found = self._by_words(words), []
        withheld = withheld | self.forbidden(words.clause)
        is_asked = asks(words.clause, words.whole)
        for tool, most in self._most_scores(words).items():
            if most < least or tool in withheld:
                continue
            said = by_words.get(tool, 0)
            if least and is_asked and self._only_takes(tool, said):
                continue
            grounded = self.grounded(tool, words, said)
            if grounded is None:
                continue
            score = said + by_values(self.parameters[tool], words.clause, grounded)
            if score >= least:
                unused = self._unused(tool, words.clause, grounded)
                score = max(least, score - UNUSED_WEIGHT * unused)
                found.append(Route(tool=tool, score=score, by_words=said, grounded=grounded, unused=unused))
        return tuple(sorted(found, key=lambda route: (-route.score, route.tool)))

    def _only_takes(self, tool: str, said: int) -> bool:
        """Tell whether a tool acts and words tell nothing of it: "what's inside notes.txt?" deletes no file."""
        return said < ASKED_LEAST and tool in self.verbs.acting

    def names_call(self, words: Words) -> bool:
        """Tell whether words alone, whatever values add, ask for a tool whose values are there."""
        told = [(tool, said) for tool, said in self._by_words(words).items() if said >= self.threshold]
        barred = self.forbidden(words.clause) if told else frozenset[str]()
        is_asked = asks(words.clause, words.whole)
        return any(
            tool not in barred
            and not (is_asked and self._only_takes(tool, said))
            and self.grounded(tool, words, said) is not None
            for tool, said in told
        )

    def _most_scores(self, words: Words) -> dict[str, int]:
        """Give the most that each tool can score, whatever values its arguments get."""
        most = dict.fromkeys(self.parameters, 0) | self._by_words(words)
        for kind in kinds_in(words.clause):  # order: each is added to what the others gave
            for tool, weight in self._most_by_values.get(kind, ()):
                most[tool] += weight
        return most

    def _unused(self, tool: str, clause: Clause, grounded: Grounded) -> int:
        """Count the values of a part, names among them, that stand in no argument, and choices that no word makes."""
        given = [value for values in grounded.values.values() if values for value in values]
        taken = [str(item) for value in given for item in (value if isinstance(value, list) else [value])]
        # A date within a text is no date given, but a name and a number may be part of more.
        typed = [str(span.value) for span in clause.spans if span.kind not in ("number", "quote")]
        loose = [str(span.value) for span in clause.spans if span.kind in ("number", "quote")] + [*names_in(clause)]
        unmade = [
            each.name for each in self.parameters[tool]
            if each.source == "choice" and len(grounded.values.get(each.name) or ()) > 1
        ]  # fmt: skip
        return (
            sum([value not in taken for value in typed])
            + sum([not any(value in each for each in taken) for value in loose])
            + len(unmade)
        )

    def forbidden(self, clause: Clause) -> frozenset[str]:
        """Name the tools that the words of a part say must not be called."""
        if denies(clause):
            return frozenset(self.parameters)
        return self.verbs.acting if casts_denial(clause) else self.verbs.undone(clause)

    def route_to(self, tool: str, words: Words) -> Route | None:
        """Give the route to a tool that something else than the words has chosen; None without its values."""
        stems, nouns = self.own_stems(tool, words.clause.language), self._acting_nouns(tool, words.clause.language)
        grounded = ground(self.parameters[tool], words, stems, nouns=nouns)
        return None if grounded is None else Route(tool=tool, score=0, by_words=0, grounded=grounded)

    def grounded(self, tool: str, words: Words, said: int = SURE) -> Grounded | None:
        """Give the values of a tool's arguments that the words hold; None when a required one has none.

        said: what the words tell of the tool. The model words the texts that are missing of a call which acts and is
        clearly ordered, so a person sees it first.
        """
        kept = words.kept_by(self)
        is_told = said >= SURE and tool in self.verbs.acting
        if (tool, is_told) not in kept:
            kept[tool, is_told] = self._grounded(tool, words, is_told=is_told)
        found: Grounded | None = kept[tool, is_told]
        return found

    def _grounded(self, tool: str, words: Words, *, is_told: bool) -> Grounded | None:
        clause = words.clause
        stems, nouns = self._stems(tool, clause.language), self._acting_nouns(tool, clause.language)
        found = ground(self.parameters[tool], words, stems, nouns=nouns)
        if found is not None or not is_told:
            return found
        if not self.verbs.order(tool, clause, words.whole):
            return None
        return ground(self.parameters[tool], words, stems, texts_open=True, nouns=nouns)

    def lacking(self, words: Words) -> tuple[str, tuple[str, ...]] | None:
        """Give the tool that is clearly ordered, more than any other, and its values that the words do not hold."""
        if asks_ability(words.clause):
            return None
        by_words = self._by_words(words)
        told = [name for name in sorted(self.verbs.acting) if by_words.get(name, 0) >= SURE]
        ordered = [name for name in told if self.verbs.order(name, words.clause, words.whole)]
        tool = max(ordered, key=lambda name: by_words[name], default="")
        if not tool or self.grounded(tool, words) is not None:
            return None
        said = by_words.get(tool, 0)
        for route in self.routes(words):
            is_ordered = self.verbs.order(route.tool, words.clause, words.whole)
            if route.by_words * MARGIN > said * 100 or (is_ordered and route.by_words * 100 >= said * MARGIN):
                return None  # another tool is meant, or is ordered as well and has all its values
        language = words.clause.language
        own = self._stems(tool, language)
        named = {stem(word, language) for word in said_words(words.clause) if word not in language.stop_words} & own
        if len(named) < _VERB_AND_OBJECT and not self.verbs.takes_away_nameless(words.clause):
            return None  # "write me a poem" names the verb of `write_file` alone
        return tool, missing(self.parameters[tool], words, own, self._acting_nouns(tool, language))

    def loosely_grounded(self, tool: str, words: Words) -> Grounded | None:
        """Give only the values whose form tells their kind."""
        return ground(self.parameters[tool], words, self.own_stems(tool, words.clause.language), strict=False)

    def told_of(self, words: Words) -> dict[str, int]:
        """Give how much the words tell of each tool that they tell anything of, whether or not they hold its values."""
        return self._by_words(words)

    def missing(self, tool: str, words: Words) -> tuple[str, ...]:
        """Name the required arguments of a tool that the words hold no value for."""
        language = words.clause.language
        return missing(self.parameters[tool], words, self._stems(tool, language), self._acting_nouns(tool, language))

    def told(self, words: Words) -> int:
        """Give how much the words tell of the tool that they tell most of, whether or not they hold its values."""
        return max(self._by_words(words).values(), default=0)

    def named(self, words: Words) -> frozenset[str]:
        """Name the tools that the words tell most of, whether or not they hold their values."""
        scores = self._by_words(words)
        least = max(self.threshold, max(scores.values(), default=0) * MARGIN // 100)
        return frozenset(name for name, score in scores.items() if score >= least)

    def nearest(self, words: Words, withheld: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """Name all tools, those that the words tell most of first."""
        kept = words.kept_by(self)
        if _NEAREST not in kept:
            scores = self._by_words(words)
            kept[_NEAREST] = tuple(sorted(self.parameters, key=lambda name: (-scores.get(name, 0), name)))
        nearest: tuple[str, ...] = kept[_NEAREST]
        return tuple([name for name in nearest if name not in withheld]) if withheld else nearest

    def _by_words(self, words: Words) -> dict[str, int]:
        """Give what the words of a request tell of each tool; less of one that acts, where they only ask."""
        kept = words.kept_by(self)
        if _SCORES not in kept:
            kept[_SCORES] = self._scores(words)
        scores: dict[str, int] = kept[_SCORES]
        return scores

    def _scores(self, words: Words) -> dict[str, int]:
        tools_by_stem, scores = self._vocabularies[words.clause.language.name].tools_by_stem, dict[str, int]()
        told = telling_stems(words.clause)
        for word, share in told:
            for tool, weight in tools_by_stem.get(word, ()):
                scores[tool] = scores.get(tool, 0) + weight * share // 100
        said = {word for word, _ in told}
        for word in [each for each in operation_stems(words.clause) if each not in said]:
            for tool, weight in tools_by_stem.get(word, ()):
                if tool in self._numeric:
                    scores[tool] = scores.get(tool, 0) + weight
        is_asked, verb = asks(words.clause, words.whole), stem(first_told(words.clause), words.clause.language)
        if is_asked or only_looks(words.clause):
            for tool in scores.keys() & self.verbs.acting:
                if is_asked or verb not in self.verbs.stems(tool, words.clause.language):
                    scores[tool] = scores[tool] * ASKED_SHARE // 100
        return scores


_SCORES: Final = "scores"
_ROUTES: Final = "routes"
_NEAREST: Final = "nearest"


def _numeric(parameters: Mapping[str, tuple[Parameter, ...]]) -> frozenset[str]:
    """Name the tools that operations are told of: those that take numbers, if none takes an expression as a whole."""
    sources = {name: {parameter.source for parameter in each} for name, each in parameters.items()}
    if any("expression" in each for each in sources.values()):
        return frozenset()
    return frozenset(name for name, each in sources.items() if "number" in each)


def _given(spec: ToolSpec) -> tuple[str, ...]:
    return tuple([text for example in spec.examples[:_MOST_EXAMPLES] for text in said_texts(example.result)])


_MOST_EXAMPLES: Final = 3


__all__ = ["DROPPED", "MARGIN", "SURE", "THRESHOLD", "Route", "Router"]
