"""Grounding: the values that each argument of a call may take, all found in the user's words or in earlier results.

Nothing is made up here: a value that stands nowhere is no candidate. One candidate for each argument means that there
is one call that the words allow.
"""

from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_CANDIDATES
from .arithmetic import expressions_of
from .clauses import clause_of
from .phrases import Clause, phrases_of, trimmed
from .sources import Parameter, Source, fits
from .words import fold, stem

Values = tuple[Any, ...]


class Words(Struct, frozen=True):
    """What values are taken from: the part of the request at hand, all of it, and the texts of results, last first."""

    clause: Clause
    whole: Clause
    results: tuple[str, ...] = ()

    @property
    def looks_back(self) -> bool:
        """Whether the part at hand refers to what came before."""
        backward = self.clause.language.backward_words
        return bool(self.results) and any(word.text in backward for word in self.clause.words)


class Grounded(Struct, frozen=True):
    """The candidates of each argument by name, None for one that nothing limits, in the schema's order.

    `sure`: each value has a form of its own, or stands where the words lead to it; none is merely what is left.
    """

    values: dict[str, Values | None]
    sure: bool = True

    @property
    def only(self) -> dict[str, Any] | None:
        """The one call that the words allow, if there is but one."""
        if any(values is None or len(values) != 1 for values in self.values.values()):
            return None
        return {name: values[0] for name, values in self.values.items() if values}


def ground(
    parameters: tuple[Parameter, ...], words: Words, known: frozenset[str], *, strict: bool = True
) -> Grounded | None:
    """Give the candidates of a tool's arguments; None when a required one has none.

    known: the stems of the tool's own words. strict: texts are held to phrases of the request too; otherwise only
    values whose form tells their kind are, and a model words the rest.
    """
    if not strict:
        return _loose(parameters, words)
    values: dict[str, Values | None] = {}
    used: list[Any] = []
    for parameter in sorted(parameters, key=lambda each: _turn(each, words, known)):
        found = (_found if parameter.required else _optional)(parameter, words, known, used)
        if found is None:
            if parameter.required:
                values[parameter.name] = None
            continue
        found = tuple([value for value in found if fits(parameter.schema, value)])
        rest = tuple([value for value in found if value not in used])
        if not rest and parameter.source not in _EACH_ITS_OWN:
            rest = found
        if not rest:
            if parameter.required:
                return None
            continue
        values[parameter.name] = chosen = _assigned(parameter, rest, parameters, words)[:MAX_CANDIDATES]
        if len(chosen) == 1:
            used.append(chosen[0])
    order = [parameter.name for parameter in parameters]
    sure = all(_turn(parameter, words, known)[1] < _LEFT_OVER for parameter in parameters if parameter.name in values)
    return Grounded({name: values[name] for name in order if name in values}, sure=sure)


_EACH_ITS_OWN: Final = ("number", "date", "time", "datetime", "url", "email", "path", "code", "choice")
"""Kinds of which one value is not two arguments."""


def _turn(parameter: Parameter, words: Words, known: frozenset[str]) -> tuple[bool, int]:
    """Tell when an argument gets its values: those whose form or place tells them come before what is left over."""
    if parameter.source not in ("phrase", "quote"):
        return not parameter.required, 0
    sure = words.looks_back or phrases_of(words.clause, parameter, known).sure
    return not parameter.required, 1 if sure else _LEFT_OVER


_LEFT_OVER: Final = 2


def _loose(parameters: tuple[Parameter, ...], words: Words) -> Grounded:
    """Give the values of a kind that the request and the results hold, for arguments that take no other."""
    texts = [words.whole, *(clause_of(text, words.whole.language) for text in words.results)]
    values: dict[str, Values | None] = {}
    for parameter in parameters:
        if parameter.source in ("url", "email"):
            found = tuple(dict.fromkeys(value for text in texts for value in _kinds(text, parameter.source)))
            values[parameter.name] = found[:MAX_CANDIDATES] or None
    return Grounded(values)


def _assigned(parameter: Parameter, found: Values, parameters: tuple[Parameter, ...], words: Words) -> Values:
    """Give the values beside which the parameter's name stands, else those in order where as many are asked for."""
    if len(found) < 2 or parameter.source in ("phrase", "quote", "list", "boolean", "expression"):  # noqa: PLR2004
        return found
    if parameter.source == "number":
        beside = _beside(parameter, words.clause, found)
        if beside:
            return beside
    led = _led(parameter, words.clause, found)
    if led:
        return led
    others = [each for each in parameters if each.required and each.source == parameter.source]
    said = _in_order(parameter, words)
    if parameter.required and len(others) == len(said) and said[others.index(parameter)] in found:
        return (said[others.index(parameter)],)
    return found


def _in_order(parameter: Parameter, words: Words) -> Values:
    """Give all values of the parameter's kind in the order in which they are said."""
    if parameter.source == "choice":
        return _named_choices(parameter, words.clause) or _named_choices(parameter, words.whole)
    return tuple(_typed(parameter, value) for value in _of_kind(parameter, parameter.source, words))


def _led(parameter: Parameter, clause: Clause, found: Values) -> Values:
    """Give the values before which a word stands that leads to this parameter ("to" before a destination)."""
    leads = {lead for word in parameter.words for lead in clause.language.slots.get(word, ())}
    led = []
    for span in clause.spans:
        before = [word.text for word in clause.words if word.end <= span.start][-1:]
        value = _typed(parameter, span.value)
        if before and before[0] in leads and value in found:
            led.append(value)
    return tuple(dict.fromkeys(led))


def _beside(parameter: Parameter, clause: Clause, found: Values) -> Values:
    """Give the numbers next to which a word of the parameter's name stands: the 30 of "30 days" for `days`."""
    own = {stem(word, clause.language) for word in parameter.words}
    near = []
    for span in clause.spans:
        if span.kind == "number":
            before = [word.text for word in clause.words if word.end <= span.start][-1:]
            after = [word.text for word in clause.words if word.start >= span.end][:1]
            if own & {stem(word, clause.language) for word in (*before, *after)}:
                near.append(_typed(parameter, span.value))
    return tuple(value for value in dict.fromkeys(near) if value in found)


def _typed(parameter: Parameter, value: Any) -> Any:
    return int(value) if parameter.whole and isinstance(value, float) and value.is_integer() else value


# --- by source --------------------------------------------------------------------------------------------


def _found(parameter: Parameter, words: Words, known: frozenset[str], used: list[Any]) -> Values | None:
    match parameter.source:
        case "choice":
            return _choices(parameter, words)
        case "boolean":
            return (True, False)
        case "free":
            return None
        case "list":
            return _lists(parameter, words, known)
        case "expression":
            return _expressions(words)
        case "phrase" | "quote":
            return _phrases(parameter, words, known, used)
        case "date" | "time" | "datetime":
            return (*_of_kind(parameter, parameter.source, words), *_said_times(words))
        case source:
            return _of_kind(parameter, source, words) or _loosely(parameter, words, known, used)


def _optional(parameter: Parameter, words: Words, known: frozenset[str], used: list[Any]) -> Values:
    """Give the values of an optional argument that the words name, and no other argument has taken."""
    match parameter.source:
        case "number":
            found = _beside(parameter, words.clause, tuple(_typed(parameter, each) for each in _numbers(words.clause)))
        case "choice":
            found = _named_choices(parameter, words.clause)
        case "url" | "email" | "date" | "time" | "datetime" | "path" | "code":
            found = _kinds(words.clause, parameter.source)
        case "phrase" if _is_named(parameter, words.clause):
            phrases = phrases_of(words.clause, parameter, known, _texts(used))
            found = phrases.found if phrases.sure and len(phrases.found) == 1 else ()
        case _:
            found = ()
    return tuple([value for value in found if not _is_used(value, used)])


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


def _kinds(clause: Clause, source: str) -> Values:
    for kind in _KINDS.get(source, ()):
        found = tuple(dict.fromkeys(span.value for span in clause.spans if span.kind == kind))
        if found:
            return found
    return ()


def _of_kind(parameter: Parameter, source: Source, words: Words) -> Values:
    """Give values of a kind: of the part at hand, else of the whole request, else of the results.

    A part that looks back has those of the last result first.
    """
    results = [clause_of(text, words.clause.language) for text in words.results]
    if words.looks_back:
        found = (*_kinds(results[0], source), *_kinds(words.clause, source))
        if found:
            return tuple(dict.fromkeys(_typed(parameter, value) for value in found))
    for clause in (words.clause, words.whole, *results):
        found = _kinds(clause, source)
        if found:
            return tuple(_typed(parameter, value) for value in found)
    return ()


def _loosely(parameter: Parameter, words: Words, known: frozenset[str], used: list[Any]) -> Values:
    """Give values that only their place tells: an order's number, a file's bare name, "tomorrow"."""
    if parameter.source in ("number", "url", "email", "glob"):
        return ()
    if parameter.source == "code":
        numbers = tuple(dict.fromkeys(_digits(words.clause) or _digits(words.whole)))
        if numbers:
            return numbers
    return _phrases(parameter, words, known, used)


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
        ]
    )


def _choices(parameter: Parameter, words: Words) -> Values:
    """Give the values of an enum that the words name; all of them where they name none."""
    named = _named_choices(parameter, words.clause) or _named_choices(parameter, words.whole)
    if named:
        return named
    if "const" in parameter.schema:
        return (parameter.schema["const"],)
    default = parameter.schema.get("default")
    given = parameter.schema.get("enum")
    everything = tuple(given) if isinstance(given, list) else ()
    return (default,) if default is not None and default in everything else everything


def _named_choices(parameter: Parameter, clause: Clause) -> Values:
    """Give the values of an enum that the words name, in the order in which they are said."""
    if not parameter.choices:
        return ()
    language, folded = clause.language, fold(clause.text)
    stems, said = {stem(word.text, language) for word in clause.words}, [word.text for word in clause.words]
    named: list[str] = []
    for value, small, words in parameter.choices:
        if (words and all(stem(word, language) in stems for word in words)) or (len(value) > 1 and small in said):
            named.append(value)
    return tuple(sorted(named, key=lambda value: folded.find(fold(value)) % (len(folded) + 1)))


def _expressions(words: Words) -> Values:
    """Give the arithmetic of the part at hand, "it" read as the number of the last result."""
    clause = words.clause
    if words.looks_back:
        clause = _with_result(words)
    found = expressions_of(clause.text, clause.spans, clause.language)
    if not found and len(words.whole.spans) and not words.results:
        found = expressions_of(words.whole.text, words.whole.spans, words.whole.language)
    return found[:1]


def _with_result(words: Words) -> Clause:
    clause, result = words.clause, trimmed(words.results[0])
    for word in clause.words:
        if word.text in clause.language.backward_words:
            return clause_of(f"{clause.text[: word.start]}{result}{clause.text[word.end :]}", clause.language)
    return clause


def _phrases(parameter: Parameter, words: Words, known: frozenset[str], used: list[Any]) -> Values:
    """Give phrases of the part at hand; the last result where it looks back and leads to no other."""
    phrases = phrases_of(words.clause, parameter, known, _texts(used))
    if words.looks_back and not (phrases.sure and phrases.placed):
        return (words.results[0],)
    if phrases.found or words.clause == words.whole:
        return phrases.found
    return phrases_of(words.whole, parameter, known, _texts(used)).found or words.results[:1]


def _lists(parameter: Parameter, words: Words, known: frozenset[str]) -> Values | None:
    """Give a list of all values of the items' kind, or of the parts of a phrase."""
    if parameter.item in ("number", "url", "path", "email", "date", "code"):
        found = _of_kind(parameter, parameter.item, words)
        return ([*found],) if found else ()
    if parameter.item not in ("phrase", "quote"):
        return None
    quotes = [span.value for span in words.clause.spans if span.kind == "quote"]
    if quotes:
        return (quotes,)
    phrases = _phrases(parameter, words, known, [])
    lists = [_parts(str(phrase), words.clause) for phrase in phrases]
    return (max(lists, key=len),) if lists else ()


def _parts(phrase: str, clause: Clause) -> list[str]:
    for joint in clause.language.clause_words:
        phrase = phrase.replace(f" {joint} ", ", ")
    return [part for part in (trimmed(each) for each in phrase.split(",")) if part]


__all__ = ["Grounded", "Values", "Words", "ground"]
