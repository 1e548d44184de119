"""Grounding: the values that each argument of a call may take, all found in the user's words or in earlier results.

Nothing is made up here: a value that stands nowhere is no candidate. One candidate for each argument means that there
is one call that the words allow.
"""

from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_CANDIDATES
from ..json_text import BLANK
from .amounts import numbers_beside, typed
from .candidates import (
    Search,
    Values,
    lacks_form,
    optional_values,
    required_values,
    values_near,
    values_of_kind,
)
from .clauses import Clause, Words, clause_of, kinds_in
from .currencies import FROM, TO, signs_said
from .enums import named_choices
from .leads import beside_name, leads_to, takes_name
from .nameless import names_nothing
from .names import is_token, led_names, names_in
from .sources import Parameter, fits, has_form
from .spans import number_value
from .words import fold


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
    parameters: tuple[Parameter, ...],
    words: Words,
    known: frozenset[str],
    *,
    strict: bool = True,
    texts_open: bool = False,
    nouns: frozenset[str] | None = None,
) -> Grounded | None:
    """Give the candidates of a tool's arguments; None when a required one has none.

    known: the stems of the tool's own words. strict: texts are held to phrases of the request too; otherwise only
    values whose form tells their kind are, and a model words the rest. texts_open: a required text that the request
    says nothing of is left to the model, if it says something of another argument. nouns: the stems of the name of a
    tool that may act, whose arguments have to name something.
    """
    if not strict:
        return _loose(parameters, words)
    if not words.results and any(each.required and lacks_form(each, words) for each in parameters):
        return None
    search = Search(words, known, nouns)
    turns = {parameter.name: _turn(parameter, search) for parameter in parameters}
    turns |= dict.fromkeys(owned(parameters, words), (False, _TYPED))
    values = _values(parameters, search, turns, spared=("phrase", "quote") if texts_open else ())
    for parameter in parameters:
        if parameter.required and values.get(parameter.name) == ():
            if not texts_open or parameter.source not in ("phrase", "quote"):
                return None
            values[parameter.name] = None
    if texts_open and not any(values.values()):
        return None
    ordered = {name: values[name] for name in turns if values[name] != ()}
    return Grounded(ordered, sure=not texts_open and all(turns[name][1] < _LEFT_OVER for name in ordered))


def missing(
    parameters: tuple[Parameter, ...], words: Words, known: frozenset[str], nouns: frozenset[str] | None = None
) -> tuple[str, ...]:
    """Give the names of the required arguments that the words hold no value for; `nouns` as in `ground`."""
    search = Search(words, known, nouns)
    values = _values(parameters, search, {parameter.name: _turn(parameter, search) for parameter in parameters})
    return tuple([parameter.name for parameter in parameters if parameter.required and values[parameter.name] == ()])


def _values(
    parameters: tuple[Parameter, ...],
    search: Search,
    turns: dict[str, tuple[bool, int]],
    *,
    spared: tuple[str, ...] | None = None,
) -> dict[str, Values | None]:
    """Give the values of each argument, none where there are none.

    spared: it ends with the first required argument that has none, unless its source is among these; None for all.
    """
    values: dict[str, Values | None] = dict(owned(parameters, search.words))
    used: list[Any] = [value for each in values.values() if each for value in each]
    for parameter in sorted(parameters, key=lambda each: turns[each.name]):
        if parameter.name in values:
            continue
        found = _fresh(parameter, search, used)
        if found:
            found = _assigned(parameter, found, parameters, search.words)[:MAX_CANDIDATES]
            used += found if len(found) == 1 else ()
        values[parameter.name] = found
        if found == () and spared is not None and parameter.required and parameter.source not in spared:
            break
    return values


def owned(parameters: tuple[Parameter, ...], words: Words) -> dict[str, Values]:
    """Give the two arguments that "acme/website" is: who owns a thing, and the thing."""
    if "path" not in kinds_in(words.clause) and "path" not in kinds_in(words.whole):
        return {}
    texts = {each.words[-1]: each.name for each in parameters if each.words and each.source in ("phrase", "path")}
    owner = next((texts[word] for word in _OWNERS if word in texts), None)
    thing = next((texts[word] for word in _OWNED if word in texts), None)
    if owner is None or thing is None:
        return {}
    for clause in (words.clause, words.whole):
        for value in values_of_kind(clause, "path"):
            head, _, tail = value.partition("/")
            if head and tail and "/" not in tail and "." not in head:
                return {owner: (head,), thing: (tail,)}
    return {}


_OWNERS: Final = ("owner", "org", "organization", "namespace", "user")
_OWNED: Final = ("repo", "repository", "project")


def _fresh(parameter: Parameter, search: Search, used: list[Any]) -> Values | None:
    """Give the values of an argument, of which those that no other has are preferred; None where nothing limits it."""
    found = (required_values if parameter.required else optional_values)(parameter, search, used)
    if found is None:
        return None
    fitting = tuple([value for value in found if fits(parameter.schema, value) and has_form(parameter, value)])
    if search.nouns is not None:
        fitting = _naming(parameter, fitting, search, used)
    fresh = tuple([value for value in fitting if value not in used])
    if not fresh and parameter.required and parameter.source == "number":
        fresh = tuple([value for value in _number_given(parameter, search.words) if value not in used])
    return fresh if fresh or parameter.source in _EACH_ITS_OWN else fitting


def _naming(parameter: Parameter, found: Values, search: Search, used: list[Any]) -> Values:
    """Give the values that name something, without a number that stands for another argument already."""
    clause, nouns = search.words.clause, search.nouns or frozenset()
    taken = {_figures(value) for value in used} if parameter.source in ("number", "code", "phrase") else set[str]()
    return tuple([
        value for value in found
        if _figures(value) not in taken and not names_nothing(value, parameter, clause, nouns)
    ])  # fmt: skip


def _figures(value: Any) -> str:
    """Give a value as its words have it: the 1042 of "order \u00c4-1042" is no amount of -1042."""
    return str(value).removeprefix("-")


def _number_given(parameter: Parameter, words: Words) -> Values:
    """Give the last result where it is a number: "add 2 and 3, then multiply by 4" leaves one to be filled."""
    value = number_value(words.results[0].strip(BLANK)) if words.results else None
    return (typed(parameter, value),) if value is not None and fits(parameter.schema, value) else ()


_EACH_ITS_OWN: Final = ("number", "date", "time", "datetime", "url", "email", "path", "code", "choice", "phrase")
"""Kinds of which one value is not two arguments."""


def _turn(parameter: Parameter, search: Search) -> tuple[bool, int]:
    """Tell when an argument gets its values: those whose form or place tells them come before what is left over."""
    if parameter.source == "number" and _is_only_one(parameter, search.words.clause):
        return not parameter.required, _NAMED
    if parameter.source not in ("phrase", "quote"):
        return not parameter.required, _TYPED
    clause = search.words.clause
    if not parameter.required and led_names(clause, leads_to(clause, parameter)):
        return False, _TYPED  # "by Mira Vale": no other argument is meant
    if parameter.source == "phrase" and parameter.required and is_token(beside_name(clause, parameter, search.known)):
        return False, _NAMED
    sure = search.words.looks_back or search.phrases(parameter).sure
    return not parameter.required, _SURE if sure else _LEFT_OVER


def _is_only_one(parameter: Parameter, clause: Clause) -> bool:
    """Tell whether of several numbers only one has the argument's type: no 132.75 people pay."""
    numbers = [span.value for span in clause.spans if span.kind == "number"]
    return len(numbers) > 1 and sum([fits(parameter.schema, number) for number in numbers]) == 1


_NAMED, _TYPED, _SURE, _LEFT_OVER = range(4)
"""An identifier beside the argument's name or the one number of its type, a value whose form tells its kind, a phrase
that is led to, the rest."""


def _loose(parameters: tuple[Parameter, ...], words: Words) -> Grounded:
    """Give the values of a kind that the request and the results hold, for arguments that take no other.

    A guessed source counts where the form alone tells the kind; one that the schema names counts as it says.
    """
    texts = [words.whole, *(clause_of(text, words.whole.language) for text in words.results)]
    values: dict[str, Values | None] = {}
    for parameter in parameters:
        if parameter.declared or parameter.source in ("url", "email"):
            found = [typed(parameter, value) for text in texts for value in values_of_kind(text, parameter.source)]
            fitting = dict.fromkeys(value for value in found if fits(parameter.schema, value))
            values[parameter.name] = tuple(fitting)[:MAX_CANDIDATES] or None
    return Grounded(values)


def _assigned(parameter: Parameter, found: Values, parameters: tuple[Parameter, ...], words: Words) -> Values:
    """Give the values beside which the parameter's name stands, else those in order where as many are asked for."""
    if parameter.source == "phrase" and len(found) > 1 and parameter.required:
        return _named_in_order(parameter, found, parameters, words)
    if len(found) < 2 or parameter.source in ("phrase", "quote", "list", "boolean", "expression"):  # noqa: PLR2004
        return found
    if parameter.source == "number":
        beside = numbers_beside(parameter, words.clause, found)
        if beside:
            return beside
    led = _led(parameter, words.clause, found) or _measured(parameter, words.clause, found)
    if led:
        return led
    others = [each for each in parameters if each.required and each.source == parameter.source]
    said = _in_order(parameter, words)
    if parameter.required and len(others) == len(said) and said[others.index(parameter)] in found:
        return (said[others.index(parameter)],)
    return found


def _named_in_order(parameter: Parameter, found: Values, parameters: tuple[Parameter, ...], words: Words) -> Values:
    """Give the name whose turn it is, where as many are said as are asked for: a patient's, then a doctor's."""
    others = [
        each for each in parameters
        if each.required and each.source == "phrase" and takes_name(words.clause, each)
    ]  # fmt: skip
    said = names_in(words.clause)
    if parameter not in others or len(others) != len(said) or said[others.index(parameter)] not in found:
        return found
    return (said[others.index(parameter)],)


def _in_order(parameter: Parameter, words: Words) -> Values:
    """Give all values of the parameter's kind in the order in which they are said."""
    if parameter.source == "choice":
        return named_choices(parameter, words.clause) or named_choices(parameter, words.whole)
    return tuple(typed(parameter, value) for value in values_near(parameter, parameter.source, words))


def _led(parameter: Parameter, clause: Clause, found: Values) -> Values:
    """Give the values before which a word stands that leads to this parameter ("to" before a destination)."""
    leads = {lead for word in parameter.words for lead in clause.language.slots.get(word, ())}
    led = []
    for span in clause.spans:
        before = [word.text for word in clause.words if word.end <= span.start][-1:]
        value = typed(parameter, span.value)
        if before and before[0] in leads and value in found:
            led.append(value)
    return tuple(dict.fromkeys(led))


def _measured(parameter: Parameter, clause: Clause, found: Values) -> Values:
    """Give the unit that stands after a number, which a conversion is from, or the other one, which it is to."""
    is_from, is_to = not FROM.isdisjoint(parameter.words), not TO.isdisjoint(parameter.words)
    if parameter.source != "choice" or is_from == is_to:
        return ()
    ends, places = {span.end for span in clause.spans if span.kind == "number"}, signs_said(clause)
    given = [
        value for value in found if (at := places.get(fold(str(value)), -1)) >= 0 and not ends.isdisjoint((at, at - 1))
    ]
    return tuple(given if is_from else [value for value in found if value not in given]) if given else ()


__all__ = ["Grounded", "Values", "Words", "ground", "missing"]
