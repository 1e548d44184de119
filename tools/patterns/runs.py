"""What a pattern is driven with: texts that lead to a place in it, and what is repeated there."""

import re
from collections.abc import Iterator
from itertools import islice
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

PROBES: Final = " \n\taZz09_-:;.,'\"{}[]()<>`=/\\|#&@!+*%\u00e9\u2581\uff5c"
"""Characters of each class that patterns tell apart, and some that they name."""

LONG: Final = 16
"""Repeats up to this number cost little, whatever they share."""

MOST_LEADS: Final = 48
MOST_UNITS: Final = 24
"""Tables of hundreds of markers are one pattern; its leads differ in their letters only."""

TAILS: Final = ("\0", "")
"""After the run: a character that hardly any class takes, and the end."""


class Run(NamedTuple):
    """A text: what leads to a place of the pattern, what is repeated there, and what follows."""

    lead: str
    unit: str
    tail: str

    def text(self, chars: int) -> str:
        """Return it with a run of about so many characters."""
        return self.lead + self.unit * (chars // len(self.unit) + 1) + self.tail


def runs_of(source: str, flags: int = 0) -> list[Run]:
    """Return the runs that a pattern is driven with."""
    shape = _Shape()
    shape.walk(_parser.parse(source, flags), "")
    leads = ["", *_spread(sorted(shape.leads - {""}), MOST_LEADS)]
    units = _spread(sorted(shape.units | {" ", "a"}), MOST_UNITS) if shape.has_long else [" "]
    pairs = dict.fromkeys((lead, unit) for lead in leads for unit in units)
    pairs |= dict.fromkeys(_spread(sorted(shape.inner), MOST_LEADS))
    pairs |= dict.fromkeys(("", lead) for lead in leads if lead)
    return [Run(lead, unit, tail) for lead, unit in pairs for tail in TAILS]


def _spread(items: list[Any], most: int) -> list[Any]:
    """Return at most so many of some items, evenly taken."""
    return items if len(items) <= most else list(islice(items, 0, None, -(-len(items) // most)))


class _Shape:
    """The leads of a pattern, the characters that its long repeats take, and the texts that a repeat takes once."""

    def __init__(self) -> None:
        self.leads: set[str] = set()
        self.units: set[str] = set()
        self.inner: set[tuple[str, str]] = set()
        self.has_long = False

    def walk(self, items: Any, lead: str) -> str:
        """Walk a part of a pattern after a lead; returns the lead with a text that the part takes."""
        for kind, value in items:
            lead = self._one(kind, value, lead)
            self.leads.add(lead)
        return lead

    def _one(self, kind: Any, value: Any, lead: str) -> str:
        match kind:
            case _constants.MAX_REPEAT | _constants.MIN_REPEAT | _constants.POSSESSIVE_REPEAT:
                return self._repeat(value, lead)
            case _constants.SUBPATTERN | _constants.ATOMIC_GROUP:
                return self.walk(value[-1] if kind is _constants.SUBPATTERN else value, lead)
            case _constants.BRANCH:
                after = [self.walk(branch, lead) for branch in value[1]]
                return str(after[0])
            case _constants.ASSERT | _constants.ASSERT_NOT:
                self.walk(value[1], lead)
            case _constants.LITERAL | _constants.NOT_LITERAL | _constants.IN | _constants.ANY:
                return lead + next(_taken(kind, value), "")
        return lead

    def _repeat(self, value: Any, lead: str) -> str:
        least, most, inner = value
        once: str = self.walk(inner, lead)[len(lead) :]
        if most > LONG:
            self.has_long = True
            self.units.update(_probes(inner))
            self.inner |= {(lead, once)} if once else set()
        return lead + once * min(int(least), LONG)


def _probes(items: Any) -> Iterator[str]:
    """Yield the characters that the classes of a repeated part take."""
    for kind, value in items:
        match kind:
            case _constants.MAX_REPEAT | _constants.MIN_REPEAT | _constants.POSSESSIVE_REPEAT:
                yield from _probes(value[-1])
            case _constants.SUBPATTERN:
                yield from _probes(value[-1])
            case _constants.ATOMIC_GROUP:
                yield from _probes(value)
            case _constants.BRANCH:
                for branch in value[1]:
                    yield from _probes(branch)
            case _:
                yield from _taken(kind, value)


def _taken(kind: Any, value: Any) -> Iterator[str]:
    """Yield the probes that a part of one character takes; a literal takes itself."""
    if kind is _constants.LITERAL:
        yield chr(value)
    elif kind in {_constants.NOT_LITERAL, _constants.ANY, _constants.IN}:
        items = [(kind, value)]
        pattern = _compiled(items)
        found = [probe for probe in PROBES if pattern(ord(probe))]
        yield from found or _first(items)


def _compiled(items: Any) -> Any:
    ((kind, value),) = items

    def takes(code: int) -> bool:
        match kind:
            case _constants.NOT_LITERAL:
                return bool(code != value)
            case _constants.ANY:
                return code != ord("\n")
        negated = value[0][0] is _constants.NEGATE
        return any(_is_in(op, each, code) for op, each in value[negated:]) is not negated

    return takes


def _is_in(op: Any, value: Any, code: int) -> bool:
    match op:
        case _constants.LITERAL:
            return bool(code == value)
        case _constants.RANGE:
            return bool(value[0] <= code <= value[1])
    name = str(value).removeprefix("CATEGORY_").replace("UNI_", "")
    of = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
    return (re.match(of[name.removeprefix("NOT_")], chr(code)) is not None) is not name.startswith("NOT_")


def _first(items: Any) -> list[str]:
    ((kind, value),) = items
    if kind is _constants.IN and value[0][0] is not _constants.NEGATE:
        op, each = value[0]
        return [chr(each if op is _constants.LITERAL else each[0])] if op is not _constants.CATEGORY else []
    return []
