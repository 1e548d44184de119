"""Steps that a request does not say but needs: reading the page whose words are counted, finding a person's address.

Only tools that read are put before a step, and only where the step's own tool lacks what that tool gives.
"""

from typing import Final

from .candidates import formed_in
from .clauses import Clause, clause_of, words_in
from .languages import LANGUAGES
from .leads import takes_all
from .names import names_in
from .routing import MARGIN, SURE, Router
from .sources import Parameter
from .words import fold, stem

Step = tuple[Clause, str]
"""A part of a request, and the tool that it is for; none where its words tell."""


def with_implied(clause: Clause, whole: Clause, router: Router, *, first: bool) -> tuple[Step, ...]:
    """Give a step with the one that it needs before it, or as it is.

    first: whether no earlier step may give what it lacks.
    """
    return _opened(clause, whole, router) or (_looked_up(clause, whole, router) if first else ()) or ((clause, ""),)


def _opened(clause: Clause, whole: Clause, router: Router) -> tuple[Step, ...]:
    """Give the reading of a file or page before what is asked of its text: "how many words are on the page ...".

    The second step has "it" where the address stands.
    """
    places = [span for span in clause.spans if span.kind in ("url", "path")]
    if len(places) != 1 or ": " in clause.text or any(span.kind == "quote" for span in clause.spans):
        return ()
    (place,) = places
    words = words_in(clause, whole)
    told = router.told_of(words)
    opening = [tool for tool in router.nearest(words) if _opens(tool, place.kind, clause, router)]
    if not opening:
        return ()
    least = max(router.threshold, told.get(opening[0], 0) * MARGIN // 100)
    asked = [
        tool for tool, score in told.items() if score >= least and _takes_text_alone(router.parameters[tool], clause)
    ]
    if not asked or any(tool in router.verbs.acting for tool in asked):
        return ()
    text = f"{clause.text[: place.start]}{clause.language.back}{clause.text[place.end :]}"
    return (clause, opening[0]), (clause_of(text, clause.language), "")


def _opens(tool: str, kind: str, clause: Clause, router: Router) -> bool:
    """Tell whether a tool only reads, takes nothing but an address, and gives a text."""
    required = [each for each in router.parameters[tool] if each.required]
    language = clause.language
    return (
        tool not in router.verbs.acting
        and [each.source for each in required] == [kind]
        and not _CONTENTS[language.name].isdisjoint(router.own_stems(tool, language))
        and any(stem(word, language) in router.verbs.stems(tool, language) for word in language.fetching)
    )


_CONTENTS: Final = {
    language.name: frozenset([stem(word, language) for word in language.contents]) for language in LANGUAGES
}


def _takes_text_alone(parameters: tuple[Parameter, ...], clause: Clause) -> bool:
    """Tell whether a tool takes one text as it is, and no address that could be read by itself."""
    required = [each for each in parameters if each.required]
    addressed = any(each.source in ("url", "path") for each in parameters)
    is_text = len(required) == 1 and required[0].source == "phrase" and "query" not in required[0].words
    return is_text and takes_all(clause, required[0]) and not addressed


def _looked_up(clause: Clause, whole: Clause, router: Router) -> tuple[Step, ...]:
    """Give the look-up of a name before a call that lacks what it gives: a person's address, a book's number."""
    if not names_in(clause):
        return ()
    words = words_in(clause, whole)
    told, tool = router.told_of(words), next(iter(router.nearest(words)), "")
    is_ordered = tool not in router.verbs.acting or router.verbs.order(tool, clause, whole)
    if told.get(tool, 0) < (SURE if tool in router.verbs.acting else router.threshold) or not is_ordered:
        return ()
    if not any(each.required and _is_looked_up(each) for each in router.parameters[tool]):
        return ()
    lacking = router.missing(tool, words)
    sought = [each for each in router.parameters[tool] if each.name in lacking]
    if len(sought) != 1 or not _is_looked_up(sought[0]):
        return ()
    names = [name for name in names_in(clause) if fold(name) not in sought[0].words]
    if len(names) != 1:
        return ()
    name = clause_of(f'"{names[0]}"', clause.language)  # a quote is one value as it stands
    for other in sorted(router.verbs.reading - {tool}):
        grounded = router.grounded(other, words_in(name, name))
        is_asked = told.get(other, 0) * 100 >= told[tool] * MARGIN
        if not is_asked and grounded is not None and grounded.only and _gives(other, sought[0], router):
            return (name, other), (clause, "")
    return ()


def _is_looked_up(parameter: Parameter) -> bool:
    """Tell whether an argument's form tells its value among what a look-up gives."""
    return parameter.source == "email" or parameter.form is not None


def _gives(tool: str, parameter: Parameter, router: Router) -> bool:
    """Tell whether a tool's examples give a value of an argument's form."""
    return any(formed_in(text, parameter) for text in router.given[tool])


__all__ = ["with_implied"]
