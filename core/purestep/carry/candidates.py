"""The values in a request, or in earlier results, that one argument may take, by its source."""

from typing import Any, Final

from .amounts import lengths_for, numbers_beside, typed
from .arithmetic import continued, expressions_in
from .clauses import Clause, Words, clause_of, kinds_in, trimmed
from .currencies import currencies_for, is_currency
from .enums import enum_values, named_choices
from .leads import folder_named, leads_to, takes_name
from .names import is_token, led_names
from .phrases import Phrases, names_left, phrases_of
from .result_values import named_in_result
from .sources import Parameter, Source, has_form
from .words import fold, stem

Values = tuple[Any, ...]


class Search:
    """What the values of a tool's arguments are searched in: the words, without the tool's own where a value begins."""

    __slots__ = ("_found", "known", "nouns", "words")

    def __init__(self, words: Words, known: frozenset[str], nouns: frozenset[str] | None = None) -> None:
        """known: the stems of the tool's own words. nouns: those of its name, of a tool that may act."""
        self.words = words
        self.known = known
        self.nouns = nouns
        self._found: dict[tuple[str, tuple[str, ...]], Phrases] = {}

    def phrases(self, parameter: Parameter, used: tuple[str, ...] = ()) -> Phrases:
        """Give the phrases of the part at hand that an argument may be; what was searched once is kept."""
        key = (parameter.name, used)
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = phrases_of(self.words.clause, parameter, self.known, used)
        return found

    def phrases_of_all(self, parameter: Parameter, used: tuple[str, ...]) -> Phrases:
        """Give the phrases of the whole request that an argument may be."""
        return phrases_of(self.words.whole, parameter, self.known, used)


def required_values(parameter: Parameter, search: Search, used: list[Any]) -> Values | None:
    """Give the values that an argument may have; None where nothing limits it."""
    words = search.words
    match parameter.source:
        case "choice":
            return enum_values(parameter, words, search.known)
        case "boolean":
            return (True, False)
        case "free":
            return None
        case "list":
            return _lists(parameter, search)
        case "expression":
            return _expressions(words)
        case "phrase" if is_currency(parameter) and (found := currencies_for(parameter, words.clause, words.whole)):
            return found
        case "phrase" | "quote":
            return _phrases(parameter, search, used)
        case "date" | "time" | "datetime":
            return (*values_near(parameter, parameter.source, words), *_said_times(words))
        case "number" | "code" if found := _meant(parameter, words):
            return found
        case "path" if not values_of_kind(words.clause, "path") and (name := folder_named(words.clause, search.known)):
            return (name,)
        case source:
            near = values_near(parameter, source, words)
            if not values_of_kind(words.clause, source) and (named := named_in_result(parameter, words)):
                return named
            return near or _loosely(parameter, search, used)


def lacks_form(parameter: Parameter, words: Words) -> bool:
    """Tell whether an argument whose values are known by their form has none, before anything has a result."""
    kinds = _KINDS.get(parameter.source, ()) if parameter.source in _FORMED else ()
    if not kinds or not kinds_in(words.clause).isdisjoint(kinds) or not kinds_in(words.whole).isdisjoint(kinds):
        return False
    if parameter.source == "number":
        return not lengths_for(parameter, words.clause)
    return parameter.source not in _SAID_TIMES or not _said_times(words)


_FORMED: Final = ("number", "url", "email", "glob", "date", "time", "datetime")
"""Sources whose values stand in the words in their own form, or nowhere."""
_SAID_TIMES: Final = ("date", "time", "datetime")


def optional_values(parameter: Parameter, search: Search, used: list[Any]) -> Values:
    """Give the values of an optional argument that the words name, and no other argument has taken."""
    words = search.words
    match parameter.source:
        case "number":
            numbers = tuple(typed(parameter, each) for each in _numbers(words.clause))
            found = numbers_beside(parameter, words.clause, numbers)
        case "choice":
            found = named_choices(parameter, words.clause)
            if search.nouns is not None:
                language = words.clause.language
                # "Merge it" says nothing of how: the verb that asks for a tool which acts is no choice.
                found = tuple([each for each in found if stem(fold(str(each)), language) not in search.nouns])
        case "url" | "email" | "date" | "time" | "datetime" | "code":
            found = values_of_kind(words.clause, parameter.source)
        case "path":
            folder = folder_named(words.clause, search.known)
            found = values_of_kind(words.clause, "path") or ((folder,) if folder else ())
        case "phrase":
            phrases = search.phrases(parameter, _texts(used)) if _is_named(parameter, words.clause) else Phrases()
            sure = phrases.found if phrases.sure and len(phrases.found) == 1 else ()
            found = (
                sure
                or (currencies_for(parameter, words.clause) if is_currency(parameter) else ())
                or led_names(words.clause, leads_to(words.clause, parameter))
            )
        case _:
            found = ()
    return tuple([value for value in found if not _is_used(value, used)])


def _meant(parameter: Parameter, words: Words) -> Values:
    """Give what an argument's name makes of the words: a length of time in its unit, a project that a path names."""
    return lengths_for(parameter, words.clause) if parameter.source == "number" else _projects(parameter, words)


def _is_used(value: Any, used: list[Any]) -> bool:
    return value in used or (
        isinstance(value, str) and any(isinstance(u, str) and (u in value or value in u) for u in used)
    )


def _texts(values: list[Any]) -> tuple[str, ...]:
    return tuple([str(value) for value in values if isinstance(value, str | int | float)])


def _is_named(parameter: Parameter, clause: Clause) -> bool:
    return any(word.text in parameter.words for word in clause.words[1:])


def _numbers(clause: Clause) -> Values:
    return tuple([span.value for span in clause.spans if span.kind == "number"])


_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "number": ("number",), "url": ("url",), "path": ("path",), "email": ("email",), "date": ("date", "datetime"),
    "time": ("time", "datetime"), "glob": ("glob",), "datetime": ("datetime", "date", "time"), "code": ("code",),
}  # fmt: skip
"""The kinds of values that a source takes, the best first."""


def values_of_kind(clause: Clause, source: str) -> Values:
    """Give the values of a text that a source takes, all of the best kind that is there."""
    for kind in _KINDS.get(source, ()):
        found = tuple(dict.fromkeys(span.value for span in clause.spans if span.kind == kind))
        if found:
            return found
    return ()


def values_near(parameter: Parameter, source: Source, words: Words) -> Values:
    """Give values of a kind: of the part at hand, else of the whole request, else of the results.

    A part that looks back has those of the last result first.
    """
    results = [clause_of(text, words.clause.language) for text in words.results]
    if words.looks_back:
        found = (*values_of_kind(results[0], source), *values_of_kind(words.clause, source))
        if found:
            return tuple(dict.fromkeys(typed(parameter, value) for value in found))
    for clause in (words.clause, words.whole, *results):
        found = values_of_kind(clause, source)
        if found:
            return tuple(typed(parameter, value) for value in found)
    return ()


def formed_in(text: str, parameter: Parameter) -> Values:
    """Give the values in a text that have an argument's form: addresses for an e-mail, else what fits its pattern."""
    found = clause_of(text)
    if parameter.form is None:
        return values_of_kind(found, parameter.source) if parameter.source == "email" else ()
    texts = [trimmed(text[span.start : span.end]) for span in found.spans]
    return tuple(dict.fromkeys([each for each in texts if has_form(parameter, each)]))


def _loosely(parameter: Parameter, search: Search, used: list[Any]) -> Values:
    """Give values that only their place tells: an order's number, a file's bare name, "tomorrow"."""
    words = search.words
    if parameter.source in ("number", "url", "email", "glob"):
        return ()
    if parameter.source == "code":
        numbers = tuple(dict.fromkeys(_digits(words.clause) or _digits(words.whole)))
        if numbers:
            return numbers
        formed = formed_in(words.results[0], parameter) if words.results and parameter.form is not None else ()
        if formed:
            return formed
        # An identifier is one word, and one that the words lead to: "Find the pages" names none.
        phrases = search.phrases(parameter, _texts(used))
        return tuple([each for each in phrases.found if " " not in each and (phrases.placed or is_token(each))])
    found = _phrases(parameter, search, used)
    # Several words are a path only where words lead to them: "Just show it" names no file.
    if parameter.source == "path" and not search.phrases(parameter, _texts(used)).placed:
        return tuple([each for each in found if not isinstance(each, str) or " " not in each])
    return found


def _said_times(words: Words) -> Values:
    """Give the words that say when: "tomorrow", "Monday", "noon"."""
    clause = words.clause
    return tuple([clause.text[word.start : word.end] for word in clause.words if word.text in clause.language.times])


def _digits(clause: Clause) -> Values:
    return tuple(
        [
            trimmed(clause.text[span.start : span.end]).removeprefix("#")
            for span in clause.spans
            if span.kind == "number"
            and clause.text[span.end : span.end + 1] != "%"
            and any("0" <= character <= "9" for character in clause.text[span.start : span.end])
        ]
    )


def _expressions(words: Words) -> Values:
    """Give the arithmetic of the part at hand, "it" read as the number of the last result."""
    clause = words.clause
    if words.looks_back:
        clause = _with_result(words)
    found = expressions_in(clause)
    if not found and words.results:
        further = continued(clause.text, clause.spans, clause.language, trimmed(words.results[0]))
        return (further,) if further else ()
    if not found and len(words.whole.spans) and not words.results:
        found = expressions_in(words.whole)
    return found[:1]


def _with_result(words: Words) -> Clause:
    clause, result = words.clause, trimmed(words.results[0])
    for word in clause.words:
        if word.text in clause.language.backward_words:
            return clause_of(f"{clause.text[: word.start]}{result}{clause.text[word.end :]}", clause.language)
    return clause


def _phrases(parameter: Parameter, search: Search, used: list[Any]) -> Values:
    """Give phrases of the part at hand; the last result where it looks back and leads to no other."""
    words = search.words
    phrases = search.phrases(parameter, _texts(used))
    if not phrases.placed and _RECIPIENTS.intersection(parameter.words):
        addresses = values_of_kind(words.clause, "email")
        if addresses:
            return addresses
    if words.looks_back and not (phrases.sure and phrases.placed):
        return _looked_back(parameter, search, used)
    if phrases.found or words.clause == words.whole:
        return phrases.found
    return search.phrases_of_all(parameter, _texts(used)).found or words.results[:1]


def _looked_back(parameter: Parameter, search: Search, used: list[Any]) -> Values:
    """Give the last result; for a name, what it holds under that name or the request names, if the result is more."""
    words = search.words
    result = words.results[0]
    if " " not in result or not takes_name(words.clause, parameter):
        return (result,)
    named = named_in_result(parameter, words)
    return named or names_left(words.whole, search.known, _texts(used)) or (result,)


_RECIPIENTS: Final = frozenset({"to", "recipient", "recipients", "receiver", "addressee", "attendee", "cc"})
"""Names of texts that an address may stand for: a person is named in them, or an address given."""


def _lists(parameter: Parameter, search: Search) -> Values | None:
    """Give a list of all values of the items' kind, or of the parts of a phrase."""
    words = search.words
    if parameter.item in ("number", "url", "path", "email", "date", "code"):
        found = values_near(parameter, parameter.item, words)
        return ([*found],) if found else ()
    if parameter.item not in ("phrase", "quote"):
        return None
    quotes = [span.value for span in words.clause.spans if span.kind == "quote"]
    if quotes:
        return (quotes,)
    phrases = _phrases(parameter, search, [])
    lists = [_parts(str(phrase), words.clause) for phrase in phrases]
    return (max(lists, key=len),) if lists else ()


def _parts(phrase: str, clause: Clause) -> list[str]:
    for joint in clause.language.clause_words:
        phrase = phrase.replace(f" {joint} ", ", ")
    return [part for part in (trimmed(each) for each in phrase.split(",")) if part]


def _projects(parameter: Parameter, words: Words) -> Values:
    """Give the project that "shop/api" names, whose identifier such a path may be."""
    if _PROJECTS.isdisjoint(parameter.words):
        return ()
    paths = [str(path) for clause in (words.clause, words.whole) for path in values_of_kind(clause, "path")]
    return tuple([path for path in paths if path.count("/") == 1 and "." not in path and not path.endswith("/")][:1])


_PROJECTS: Final = frozenset({"project", "repo", "repository"})
