"""Mutations: one more hostile text made of another, by a source of random numbers and nothing else."""

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from .seeds import MARKS, ODD

MAX_CHARS: Final = 6000
"""Longest text that is made here: every property is checked in a few milliseconds; size has a target of its own."""

_STRING: Final = re.compile(r'"[^"\\\n]*"')
_MARK: Final = re.compile("|".join(map(re.escape, sorted(MARKS, key=len, reverse=True))))

Change = Callable[[str, Random, Sequence[str]], str]


def mutated(text: str, random: Random, others: Sequence[str]) -> str:
    """Return a text with one to six changes; others: texts that parts may come from."""
    for _ in range(random.choice((1, 1, 2, 3, 4, 6))):
        text = random.choice(_CHANGES)(text, random, others)[:MAX_CHARS]
    return text


def _span(text: str, random: Random, longest: int = 200) -> tuple[int, int]:
    begin = random.randint(0, len(text))
    return begin, min(len(text), begin + random.randint(0, longest))


def _piece(random: Random) -> str:
    return random.choice(MARKS) if random.random() < 0.5 else random.choice(ODD)  # noqa: PLR2004 (as often as not)


def _insert(text: str, random: Random, _others: Sequence[str]) -> str:
    at = random.randint(0, len(text))
    return text[:at] + _piece(random) + text[at:]


def _delete(text: str, random: Random, _others: Sequence[str]) -> str:
    begin, end = _span(text, random, random.choice((1, 1, 3, 20, 200)))
    return text[:begin] + text[end:]


def _cut(text: str, random: Random, _others: Sequence[str]) -> str:
    return text[: random.randint(0, len(text))]


def _behead(text: str, random: Random, _others: Sequence[str]) -> str:
    return text[random.randint(0, len(text)) :]


def _repeat(text: str, random: Random, _others: Sequence[str]) -> str:
    begin, end = _span(text, random, random.choice((2, 10, 60)))
    return text[:end] + text[begin:end] * random.choice((1, 1, 2, 3, 20)) + text[end:]


def _splice(text: str, random: Random, others: Sequence[str]) -> str:
    other = random.choice(others)
    begin, end = _span(other, random, 400)
    at = random.randint(0, len(text))
    return text[:at] + (other if random.random() < 0.5 else other[begin:end]) + text[at:]  # noqa: PLR2004


def _follow(text: str, random: Random, others: Sequence[str]) -> str:
    return text + random.choice(("", "\n", " ", "\n\n", ";", ", ")) + random.choice(others)


def _of_pattern(pattern: re.Pattern[str], change: Callable[[str, Random, Sequence[str]], str]) -> Change:
    """Return the change of one match of a pattern; texts without any are changed elsewhere."""

    def changed(text: str, random: Random, others: Sequence[str]) -> str:
        found = list(pattern.finditer(text))
        if not found:
            return _insert(text, random, others)
        one = random.choice(found)
        return text[: one.start()] + change(one[0], random, others) + text[one.end() :]

    return changed


def _nested(_string: str, random: Random, others: Sequence[str]) -> str:
    inner = random.choice(others) if random.random() < 0.3 else _piece(random) + "x" + _piece(random)  # noqa: PLR2004
    return json.dumps(inner, ensure_ascii=random.random() < 0.5)  # noqa: PLR2004


def _quoted(text: str, random: Random, _others: Sequence[str]) -> str:
    old, new = random.choice((('"', "'"), ("'", '"'), ('"', "“"), ('"', "`"), ('"', '\\"'), ("\n", "\\n"), ("\n", "")))
    if random.random() < 0.5:  # noqa: PLR2004
        return text.replace(old, new)
    return text.replace(old, new, random.randint(1, 3))


def _spaced(text: str, random: Random, _others: Sequence[str]) -> str:
    old, new = random.choice(
        ((" ", ""), ("\n", " "), (":", " : "), (">", ">\n"), ("<", "\n<"), (",", ",,"), ("}", " }"))
    )
    return text.replace(old, new, random.choice((1, 2, -1)))


def _wrapped(text: str, random: Random, _others: Sequence[str]) -> str:
    begin, end = random.choice(
        (
            ("```json\n", "\n```"),
            ("`", "`"),
            ('"', '"'),
            ("<think>", "</think>"),
            ("[", "]"),
            ("", "</think>"),
            ("{", "}"),
        )
    )
    low, high = (0, len(text)) if random.random() < 0.5 else _span(text, random)  # noqa: PLR2004
    return text[:low] + begin + text[low:high] + end + text[high:]


_CHANGES: Final[tuple[Change, ...]] = (
    *(_insert, _insert, _delete, _delete, _cut, _behead, _repeat, _splice, _follow, _quoted, _spaced, _wrapped),
    _of_pattern(_MARK, lambda mark, random, _others: mark * random.choice((0, 2, 2, 9))),
    _of_pattern(_MARK, lambda _mark, random, _others: random.choice(MARKS)),
    _of_pattern(_MARK, lambda mark, random, _others: mark[: random.randint(0, len(mark))]),
    _of_pattern(_STRING, _nested),
)


# --- values -----------------------------------------------------------------------------------------------


def changed_value(value: Any, random: Random, parts: Sequence[Any]) -> Any:
    """Return a decoded JSON value with one to four places changed; parts: values that may come there."""
    value = json.loads(json.dumps(value))
    for _ in range(random.choice((1, 1, 2, 4))):
        value = _changed(value, random, parts)
    return value


def _changed(value: Any, random: Random, parts: Sequence[Any]) -> Any:
    places = list(_places(value))
    if not places:
        return random.choice(parts)
    inside, key = random.choice(places)
    match random.randint(0, 4):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside[random.choice(("", "a", "$ref", "type", str(key) + "x"))] = inside[key]
        case 2:
            other, place = random.choice(places)
            inside[key] = json.loads(json.dumps(other[place]))  # a copy: a value must not hold itself
        case 3:
            inside[key] = [inside[key]] if random.random() < 0.5 else {"a": inside[key]}  # noqa: PLR2004
        case _:
            inside[key] = json.loads(json.dumps(random.choice(parts)))
    return value


_MAX_DEPTH = 100
"""Levels of a value in which places are changed: deeper ones are kept as they are."""


def _places(value: Any, depth: int = 0) -> list[tuple[Any, Any]]:
    if depth > _MAX_DEPTH:
        return []
    items: list[tuple[Any, Any]] = list(
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [*((value, key) for key, _ in items), *(place for _, item in items for place in _places(item, depth + 1))]
