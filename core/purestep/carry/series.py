"""Values in a series: "Paris, Rome and Oslo" is one call of a tool for each, where the tool takes one at a time.

A part of a request is taken apart only if each part that it gives asks for the same tool, with its own value for the
same argument. So "Ann and Bob are late" stays one note, and "the distance between Paris and Rome" one call.
"""

from itertools import pairwise
from typing import Any, Final

from ..bounds import MAX_CANDIDATES
from .arithmetic import expression_places
from .clauses import Clause, clause_of, words_in
from .grounding import Grounded
from .languages import LANGUAGES
from .leads import takes_all
from .names import names_in
from .routing import Router
from .sources import Parameter
from .words import Word, fold

Place = tuple[int, int]
"""Where a value begins and ends in a clause."""


def taken_apart(clause: Clause, whole: Clause, router: Router) -> tuple[Clause, ...]:
    """Give a part of a request as one part for each value of a series in it, or as it is."""
    if not _holds_series(clause):
        return (clause,)
    routes = router.routes(words_in(clause, whole))
    if not routes:
        return (clause,)
    tool, grounded = routes[0].tool, routes[0].grounded
    joints = _joints(clause, reads=tool in router.verbs.reading)
    for parameter in router.parameters[tool]:
        series = _series(clause, parameter, grounded, joints)
        parts = tuple([_with_one(clause, series, place) for place in series])
        if len(parts) > 1 and _ask_alike(parts, whole, router, tool, parameter.name):
            return parts
    return (clause,)


def _holds_series(clause: Clause) -> bool:
    joints = _joints(clause, reads=True)
    return any(mark in clause.text for mark in ",&") or any(word.text in joints for word in clause.words)


def _joints(clause: Clause, *, reads: bool) -> frozenset[str]:
    """Give the words that join values; of two alternatives, a tool that only reads may look at both."""
    language = clause.language
    return language.series | language.alternatives if reads else language.series


def _ask_alike(parts: tuple[Clause, ...], whole: Clause, router: Router, tool: str, name: str) -> bool:
    """Tell whether each part asks for the tool first, with a value of its own for the argument."""
    values: list[Any] = []
    for part in parts:
        routes = router.routes(words_in(part, whole))
        given = routes[0].grounded.values.get(name) if routes and routes[0].tool == tool else None
        if not given or len(given) > 1 or given[0] in values:
            return False
        values.append(given[0])
    return True


def _with_one(clause: Clause, series: tuple[Place, ...], place: Place) -> Clause:
    """Give a clause with one value of a series in the place of all of them."""
    text = clause.text[: series[0][0]] + clause.text[place[0] : place[1]] + clause.text[series[-1][1] :]
    return clause_of(text, clause.language)


def _series(clause: Clause, parameter: Parameter, grounded: Grounded, joints: frozenset[str]) -> tuple[Place, ...]:
    """Give the places of the values of an argument that stand in a series, if they do and no other argument has one."""
    others = [
        str(value) for name, given in grounded.values.items() if name != parameter.name for value in given or ()
    ]  # fmt: skip
    for places in _candidates(clause, parameter, grounded.values.get(parameter.name) or (), joints):
        for series in _in_series(clause, places, joints, named=parameter.source == "phrase"):
            said = [clause.text[begin:end] for begin, end in series]
            if not any(text in other for text in said for other in others):
                return series
    return ()


def _candidates(
    clause: Clause, parameter: Parameter, values: tuple[Any, ...], joints: frozenset[str]
) -> list[tuple[Place, ...]]:
    """Give what may be a series: the values of an argument, the names in the clause, the parts of a joined name."""
    if parameter.source in ("list", "boolean", "quote", "free") or takes_all(clause, parameter):
        return []
    if len(values) == MAX_CANDIDATES:
        return []  # there may be more of them
    if parameter.source == "path":
        texts = tuple([str(value) for value in values])
        split = [_split_places(clause, text, joints) for text in texts[:1] if len(texts) == 1]
        names = [name for name in names_in(clause) if not any(name in text for text in texts)]
        return [_places(clause, (*texts, *names)), *split]
    if parameter.source == "expression":
        return [expression_places(clause.text, clause.spans, clause.language)]
    if parameter.source != "phrase":
        return [_typed_places(clause, values)] if len(values) > 1 else []
    if not _names_one(parameter):
        return []
    found = [_places(clause, values), _places(clause, names_in(clause))]
    if len(values) == 1:
        found.append(_split_places(clause, values[0], joints))
    return found


def _names_one(parameter: Parameter) -> bool:
    """Tell whether a text argument names one thing whose name seldom holds "and": a city's, not a band's."""
    words = {word.removesuffix("s") for word in parameter.words} | {*parameter.words}
    return any(words & language.single for language in LANGUAGES) and not any(
        words & language.joint_names for language in LANGUAGES
    )


def _typed_places(clause: Clause, values: tuple[Any, ...]) -> tuple[Place, ...]:
    """Give the places of values by their form; of choices and names by their words."""
    spans = tuple(
        [(span.start, span.end) for span in clause.spans if span.value in values or str(span.value) in values]
    )
    return spans if len(spans) > 1 else _places(clause, tuple([value for value in values if isinstance(value, str)]))


def _places(clause: Clause, texts: tuple[str, ...]) -> tuple[Place, ...]:
    """Give where texts stand in a clause as words of their own, in its order."""
    folded, found = fold(clause.text), list[Place]()
    starts, ends = {word.start for word in clause.words}, {word.end for word in clause.words}
    for text in texts:
        at = folded.find(fold(text))
        if at in starts and at + len(text) in ends:
            found.append((at, at + len(text)))
    return tuple(sorted(found))


def _split_places(clause: Clause, value: str, joints: frozenset[str]) -> tuple[Place, ...]:
    """Give the parts of a value that words of a series join."""
    [place] = _places(clause, (value,)) or ((0, 0),)
    words = [word for word in clause.words if place[0] <= word.start and word.end <= place[1]]
    found, begin = list[Place](), place[0]
    for before, word in pairwise(words):
        gap = clause.text[before.end : word.start]
        if before.text in joints:
            begin = word.start
        elif word.text in joints or "," in gap or "&" in gap:
            found.append((begin, before.end))
            begin = word.start
    return (*found, (begin, place[1])) if words else ()


def _in_series(
    clause: Clause, places: tuple[Place, ...], joints: frozenset[str], *, named: bool
) -> list[tuple[Place, ...]]:
    """Give the values that follow each other with nothing between them but what joins.

    named: whether they are names, of which the last two are joined by a word: "Paris, France" is one place.
    """
    found, run, gaps = list[tuple[Place, ...]](), list[Place](), list[str]()
    for place in (*places, None):
        gap = _gap(clause, run, place, joints) if run and place else ""
        if gap and place:
            run, gaps = [*run, place], [*gaps, gap]
            continue
        found.append(_qualified(run, gaps) if named else tuple(run))
        run, gaps = [place] if place else [], []
    return [run for run in found if len(run) > 1 and not _is_one(clause, run[0][0], run[-1][1])]


def _is_one(clause: Clause, begin: int, end: int) -> bool:
    """Tell whether a stretch is one value: a name that holds "and", or part of a quote."""
    quotes = [span for span in clause.spans if span.kind == "quote"]
    is_quoted = any(quote.start <= begin and end <= quote.end for quote in quotes)
    return is_quoted or fold(clause.text[begin:end]) in clause.language.joined_names


def _qualified(run: list[Place], gaps: list[str]) -> tuple[Place, ...]:
    """Give names in series, with what each is qualified by: "Portland, Oregon and Austin, Texas" names two."""
    if len(run) > 2 and gaps == (["comma", "word"] * (len(run) // 2))[:-1]:  # noqa: PLR2004 (two pairs at least)
        return tuple([(begin, end) for (begin, _), (_, end) in zip(run[::2], run[1::2], strict=True)])
    return tuple(run) if gaps and gaps[-1] == "word" else ()


_MAX_LEADS: Final = 2
"""Words before the first value that may stand before each: "in", "invoice number"."""


def _gap(clause: Clause, run: list[Place], place: Place, joints: frozenset[str]) -> str:
    """Tell what joins a value to those before it: a word, a comma, or nothing if more than that stands between them."""
    begin, end = run[-1][1], place[0]
    before = [word.text for word in clause.words if word.end <= run[0][0]][-_MAX_LEADS:]
    between = [word for word in clause.words if begin <= word.start and word.end <= end]
    said = {word.text for word in between}
    marks = _without(clause.text[begin:end], between, begin)
    if marks.strip(" ,&") or not (said - joints - clause.language.articles).issubset(before):
        return ""
    if said & joints or "&" in marks:
        return "" if clause.language.pairing.intersection(before[-1:]) else "word"
    return "comma" if "," in marks else ""


def _without(text: str, words: list[Word], begin: int) -> str:
    """Give a text without some words of it."""
    for word in reversed(words):
        text = text[: word.start - begin] + text[word.end - begin :]
    return text


__all__ = ["taken_apart"]
