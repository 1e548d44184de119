"""The numbers that an argument may be: by the words beside them, by its type, and as a length of time in its unit."""

from typing import Any, Final

from .clauses import Clause
from .languages import LANGUAGES
from .moments import seconds_said
from .sources import Parameter
from .words import stem


def numbers_beside(parameter: Parameter, clause: Clause, found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Give the numbers next to which a word of the parameter's name stands: the 30 of "30 days" for `days`."""
    own = {stem(word, clause.language) for word in parameter.words}
    leads = {lead for word in parameter.words for lead in clause.language.counts.get(word, ())}
    near = []
    for span in clause.spans:
        if span.kind == "number":
            before = [word.text for word in clause.words if word.end <= span.start][-1:]
            after = [word.text for word in clause.words if word.start >= span.end][:1]
            is_share = clause.text[span.end : span.end + 1] == "%" and not _SHARES.isdisjoint(parameter.words)
            if is_share or leads.intersection(before) or own & {stem(w, clause.language) for w in (*before, *after)}:
                near.append(typed(parameter, span.value))
    return tuple(value for value in dict.fromkeys(near) if value in found)


def lengths_for(parameter: Parameter, clause: Clause) -> tuple[Any, ...]:
    """Give the lengths of time in a text in the unit that a number's name says: 90 for an hour and a half."""
    unit = next((_SECONDS[word] for word in _naming(parameter) if word in _SECONDS), 0)
    if not unit:
        return ()
    ends = {span.end: (span.value, span.start) for span in clause.spans if span.kind == "number"}
    numbers = {
        word.start: ends[end] for word in clause.words for end in range(word.start, word.start - 3, -1) if end in ends
    }
    said = seconds_said(clause.text, clause.words, numbers, clause.language)
    whole = [seconds // unit if seconds % unit == 0 else seconds / unit for seconds in said]
    return tuple(dict.fromkeys(whole))


def _naming(parameter: Parameter) -> tuple[str, ...]:
    """Give the words that say a number's unit: its name, else a short description."""
    return (*parameter.words, *(parameter.about if len(parameter.about) <= _SHORT else ()))


_SECONDS: Final = {word: length for language in LANGUAGES for word, length in language.clock.seconds.items()}
"""Units of time in any language: names of parameters are often English beside words that are not."""

_SHORT: Final = 6
"""Words of a description that says little more than the unit."""

_SHARES: Final = frozenset({"pct", "percent", "percentage", "prozent"})


def typed(parameter: Parameter, value: Any) -> Any:
    """Give a number as the parameter's type has it."""
    return int(value) if parameter.whole and isinstance(value, float) and value.is_integer() else value
