"""Every pattern of the dialects and of the readers of calls is linear: no two parts of one share a run."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from purestep import dialects
from purestep.dialects import read_output
from purestep.entry.standalone import specs_of
from purestep.scanner import BlockStart
from purestep_formats import call_readers, families
from purestep_formats.families.canonical_forms import canonical_reader
from purestep_formats.families.families import ALL_MARKERS, AUTO
from purestep_formats.families.family_forms import FAMILIES
from tools.growth import is_linear

PROBES = " \n\ta0_-:.'\"{}[]()<>`,=/\\|é▁｜"
"""One character of each class that the patterns tell apart, and some that they name."""

LONG = 16
"""Repeats up to this number cost little, whatever they share."""

SIZES = (60, 250, 1_000, 4_000)
"""Characters of the shorter of two runs: each shows a lower power, before a higher one would take minutes."""


def patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns of the rooms' modules, by the pattern's own text."""
    rooms = (call_readers, dialects, families)
    names = [each.name for room in rooms for each in pkgutil.iter_modules(room.__path__, f"{room.__name__}.")]
    modules = [importlib.import_module(name) for name in names]
    found = [pattern for module in modules for value in vars(module).values() for pattern in _patterns_in(value)]
    for start in ALL_MARKERS.starts:
        found += _patterns_in(start)
    for family in FAMILIES:
        inside = (cell.cell_contents for cell in getattr(canonical_reader(family), "__closure__", None) or ())
        found += [each for each in inside if isinstance(each, re.Pattern)]
    return {pattern.pattern: pattern for pattern in found}


def _patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    match value:
        case re.Pattern():
            yield value
        case _ if type(value).__module__ == "purestep.lazy":
            yield re.compile(value.pattern, value.flags)
        case BlockStart():
            yield from (re.compile(source, re.ASCII) for source in (value.pattern, value.partial) if source)
            yield from _patterns_in(value.values)
        case _ if type(value).__module__.startswith(("purestep_formats.call_readers.", "purestep.scanner.raw_values")):
            names = [name for name in dir(type(value)) if not name.startswith("_")]
            for each in (getattr(value, name) for name in names):
                if isinstance(each, re.Pattern) or type(each).__name__ == "RawValues":
                    yield from _patterns_in(each)


def runs(pattern: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return what leads to each long repeat of a pattern, and each probe that the repeat takes."""
    found: set[tuple[str, str]] = set()
    _walk(_parser.parse(pattern.pattern, pattern.flags), "", found)
    return found


def _walk(items: Any, lead: str, found: set[tuple[str, str]]) -> str:
    """Walk a part of a pattern after a lead; returns the lead with a text that the part takes."""
    for kind, value in items:
        match kind:
            case _constants.MAX_REPEAT | _constants.MIN_REPEAT | _constants.POSSESSIVE_REPEAT:
                least, most, inner = value
                once = _walk(inner, lead, found)
                if most > LONG:
                    found |= {(lead, unit) for unit in {*_probes(inner), once[len(lead) :]} if unit}
                lead = _walk(inner, lead, set()) if least else lead
                lead += _walk(inner, "", set()) * (least - 1)
            case _constants.SUBPATTERN | _constants.ATOMIC_GROUP:
                lead = _walk(value[-1] if kind is _constants.SUBPATTERN else value, lead, found)
            case _constants.BRANCH:
                lead, *_ = [_walk(branch, lead, found) for branch in value[1]]
            case _constants.ASSERT:
                _walk(value[1], lead, found)
            case _constants.LITERAL | _constants.NOT_LITERAL | _constants.IN | _constants.ANY:
                lead += next(iter(_probes([(kind, value)])), chr(value) if kind is _constants.LITERAL else "")
    return lead


def _probes(items: Any) -> list[str]:
    """Return the probes that a part of one character takes."""
    kind, value = items[0] if len(items) == 1 else (None, None)
    return [probe for probe in PROBES if _takes(kind, value, ord(probe))]


def _takes(kind: Any, value: Any, code: int) -> bool:
    match kind:
        case _constants.LITERAL | _constants.NOT_LITERAL:
            return (code == value) is (kind is _constants.LITERAL)
        case _constants.ANY:
            return code != ord("\n")
        case _constants.IN:
            is_negated = value[0][0] is _constants.NEGATE
            bounds = [(each, each) if op is _constants.LITERAL else each for op, each in value[is_negated:]]
            return any(low <= code <= high for low, high in bounds) is not is_negated
    return False


PATTERNS = sorted(patterns().items())


@pytest.mark.parametrize("pattern", [each for _, each in PATTERNS], ids=range(len(PATTERNS)))
def test_pattern_takes_a_run_of_one_class_in_linear_time(pattern: re.Pattern[str]) -> None:
    """Property: whatever a pattern repeats, four times as much of it costs about four times as much."""

    def match(text: str) -> object:
        return pattern.match(text + "\0"), pattern.fullmatch(text + "\0")

    every = ((lead, unit, size) for size in SIZES for lead, unit in sorted(runs(pattern)))
    assert None is next((run for run in every if not is_linear(match, run[1], lead=run[0], chars=run[2])), None)


TOOLS = specs_of([{"name": "a", "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}])
MARKS = sorted({mark for start in ALL_MARKERS.starts for mark in (start.mark, *start.closers) if mark})


@pytest.mark.parametrize("unit", [" ", "\n", "a", "0", ":", '"', "{", "<", "a "])
def test_run_of_one_class_after_a_marker_is_read_in_linear_time(unit: str) -> None:
    """Property: no marker leads to work that grows faster than the text."""

    def read(text: str) -> object:
        return read_output(AUTO, text + "x", TOOLS)

    every = ((mark, size) for size in SIZES[:3] for mark in MARKS)
    assert None is next((run for run in every if not is_linear(read, unit, lead=run[0], chars=run[1])), None)
