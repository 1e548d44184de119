"""Whether a value is the expected one: equal, or as an object with one of these members says.

- `{"$any": [...]}`: one of these
- `{"$optional": [...]}`: one of these, or left out; an empty list allows every value
- `{"$contains": "late"}`: a text in which this stands, or all of a list, as whole words and numbers
- `{"$text": "Water the plants"}`: this text without case, outer quotation marks, end punctuation and further spaces
- `{"$letters": "3,000 St. John's Rd"}`: this text without case, spaces and the characters `, . / - _ * ^`
- `{"$pattern": "^[A-Z]{3}$"}`: a text that the regular expression matches, as in JSON Schema
- `{"$schema": {...}}`: a value that fits
- `{"$result": 1}`: what the first expected call gave, as a value or as text

Numbers are compared by value: 2 is 2.0. `true` is no number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

import purestep


class Exactly(NamedTuple):
    """A value that is expected as it is: what a model or a state gave is no matcher, whatever its names are."""

    value: Any


_QUOTES: Final = "\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"
_ENDS: Final = " \t\n.,;:!?\"'`" + _QUOTES


_NO_LETTERS: Final = dict.fromkeys(map(ord, " ,./-_*^"))


def stands_in(text: str, answer: str) -> bool:
    """Whether a text or number stands in an answer; 42 does not stand in 142 or 42.5, and 1,042 is 1042.

    Case counts where the text is in capital letters only.
    """
    body = re.sub(r"(?<=\d),(?=\d{3}\b)", "", " ".join(answer.split()))
    wanted = " ".join(text.split())
    if not wanted.isupper():
        body, wanted = body.casefold(), wanted.casefold()
    lead = r"(?<![\d.])" if wanted[:1].isdigit() else ""
    end = r"(?![0-9]|\.[0-9]*[1-9])" if wanted[-1:].isdigit() else ""
    return re.search(lead + re.escape(wanted) + end, body) is not None


def plain(text: str) -> str:
    """Return a text without case, outer quotation marks, end punctuation and further spaces."""
    return " ".join(text.split()).casefold().strip(_ENDS)


def _letters(text: str) -> str:
    return text.translate(_NO_LETTERS).casefold().replace("'", '"')


def as_text(value: Any) -> str:
    """Return a result as the text that a later call takes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def same_arguments(
    wanted: dict[str, Any], given: dict[str, Any], defaults: dict[str, Any], results: Sequence[Any]
) -> bool:
    """Whether arguments are the expected ones.

    defaults: those of the tool's schema, which may be given or left out. results: those of the expected calls before.
    """
    left = {name: value for name, value in given.items() if name in wanted or not _is_default(name, value, defaults)}
    for name, value in wanted.items():
        if name not in left:
            if not _may_be_left_out(value) and not _is_default(name, value, defaults):
                return False
        elif not same_value(value, left.pop(name), results):
            return False
    return not left


def _may_be_left_out(wanted: Any) -> bool:
    return isinstance(wanted, dict) and "$optional" in wanted


def _is_default(name: str, value: Any, defaults: dict[str, Any]) -> bool:
    return name in defaults and same_value(defaults[name], value)


def same_value(wanted: Any, value: Any, results: Sequence[Any] = ()) -> bool:
    """Whether a value is the expected one."""
    match wanted:
        case Exactly():
            return _is_equal(wanted.value, value)
        case {"$any": list(options)}:
            return any(same_value(option, value, results) for option in options)
        case {"$optional": list(options)}:
            return not options or any(same_value(option, value, results) for option in options)
        case {"$contains": str() | list() as words}:
            texts = [words] if isinstance(words, str) else words
            return isinstance(value, str) and all(stands_in(str(word), value) for word in texts)
        case {"$text": str(text)}:
            return isinstance(value, str) and plain(text) == plain(value)
        case {"$letters": str(text)}:
            return isinstance(value, str) and _letters(text) == _letters(value)
        case {"$pattern": str(pattern)}:
            return isinstance(value, str) and fits({"type": "string", "pattern": pattern}, value)
        case {"$schema": schema}:
            return fits(schema, value)
        case {"$result": int(number)}:
            if not 0 < number <= len(results):
                return False
            result = results[number - 1]
            return same_value(result, value) or (isinstance(value, str) and plain(as_text(result)) == plain(value))
        case dict() if isinstance(value, dict):
            return same_arguments(wanted, value, {}, results)
        case list() if isinstance(value, list):
            return len(wanted) == len(value) and all(
                same_value(one, other, results) for one, other in zip(wanted, value, strict=True)
            )
    return bool(wanted == value) and isinstance(wanted, bool) == isinstance(value, bool)


def _is_equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_equal(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_equal, one, other))
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


class Difference(NamedTuple):
    """Where a value is not the expected one, as a JSON Pointer; UNSET is what is not there."""

    pointer: str
    wanted: Any
    got: Any


def first_difference(wanted: Any, value: Any, results: Sequence[Any] = (), at: str = "") -> Difference | None:
    """Return the first place where a value is not the expected one, None where it is."""
    if same_value(wanted, value, results):
        return None
    pairs: list[tuple[str, Any, Any]] = []
    if isinstance(wanted, dict) and isinstance(value, dict) and not any(name.startswith("$") for name in wanted):
        names = [*wanted, *[name for name in value if name not in wanted]]
        pairs = [(name, wanted.get(name, UNSET), value.get(name, UNSET)) for name in names]
        pairs = [each for each in pairs if each[2] is not UNSET or not _may_be_left_out(each[1])]
    if isinstance(wanted, list) and isinstance(value, list):
        both = enumerate(zip_longest(wanted, value, fillvalue=UNSET))
        pairs = [(f"{index}", one, other) for index, (one, other) in both]
    for name, one, other in pairs:
        place = f"{at}/{name.replace('~', '~0').replace('/', '~1')}"
        if UNSET in (one, other):
            return Difference(place, one, other)
        if found := first_difference(one, other, results, place):
            return found
    return Difference(at, wanted, value)


def fits(schema: Any, value: Any) -> bool:
    """Whether a value fits a JSON Schema, by the core; a schema that it does not take fits nothing."""
    found = msgspec.json.decode(purestep.check_value(json.dumps({"schema": schema, "value": value})))
    return found.get("ok") is True
