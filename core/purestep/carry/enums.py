"""The values of an enum that a request names."""

from typing import Any

from .clauses import Clause, Words
from .currencies import signs_said
from .sources import Parameter
from .words import fold, stem


def enum_values(parameter: Parameter, words: Words, known: frozenset[str]) -> tuple[Any, ...]:
    """Give the values of an enum that the words name; all of them where they name none.

    known: the stems of the tool's own words.
    """
    named = named_choices(parameter, words.clause) or named_choices(parameter, words.whole)
    if named:
        language = words.clause.language
        # "merge it, squashed": the verb that asks for the tool is no choice where there is another.
        others = tuple([value for value in named if stem(fold(str(value)), language) not in known])
        return others or named
    if "const" in parameter.schema:
        return (parameter.schema["const"],)
    default = parameter.schema.get("default")
    given = parameter.schema.get("enum")
    everything = tuple(given) if isinstance(given, list) else ()
    return (default,) if default is not None and default in everything else everything


def named_choices(parameter: Parameter, clause: Clause) -> tuple[Any, ...]:
    """Give the values of an enum that the words name, in the order in which they are said."""
    if not parameter.choices:
        return ()
    language, folded = clause.language, fold(clause.text)
    stems, said = {stem(word.text, language) for word in clause.words}, [word.text for word in clause.words]
    # One letter is meant only as a capital that begins nothing: "a B in Chemistry".
    letters = {clause.text[word.start : word.end] for word in clause.words[1:] if word.end - word.start == 1}
    letters = {letter for letter in letters if letter != fold(letter)}
    signs = signs_said(clause)
    places: dict[str, int] = {}
    for value, small, words in parameter.choices:
        if (words and len(value) > 1 and all(stem(word, language) in stems for word in words)) or (
            small in said if len(value) > 1 else value in letters
        ):
            places[value] = folded.find(small) % (len(folded) + 1)
        elif small in signs:
            places[value] = signs[small]
    return tuple(sorted(places, key=lambda value: places[value]))


__all__ = ["enum_values", "named_choices"]
