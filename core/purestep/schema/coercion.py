"""Gentle reading of a value that is almost right: `"42"` where an integer is asked for.

Only a scalar that the schema refuses as it stands is read differently, only in the one way its text allows, and
only if the whole value is valid afterwards. So nothing valid is ever changed, nothing is guessed, and a value that
stays wrong stays as it came, to be corrected by who sent it.
"""

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Final

import msgspec

from ..bounds import MAX_COERCION_ROUNDS, MAX_NUMBER_DIGITS
from ..json_text import json_text, plain_numbers
from .issues import Issue
from .schema import Schema

_NUMBER: Final = r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
_WORDS: Final = {"true": True, "false": False, "True": True, "False": False, "null": None}

_BY_VALUE: Final = frozenset({"type", "enum", "const", "any_of", "one_of"})
"""The codes of issues that say another value is wanted here, rather than another size or shape of this one."""

_TOO_LONG: Final = 10**MAX_NUMBER_DIGITS

Scalar = str | int | float | bool | None


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One scalar that was read differently: the JSON pointer of its place, what came and what it was taken for."""

    path: str
    given: str | int
    taken: Scalar


def coerce(schema: Schema, value: object) -> tuple[object, tuple[Change, ...]]:
    """The value made to fit the schema by reading scalars differently, and what was changed.

    Texts of JSON numbers, `true`, `false` and `null` (and Python's `True` and `False`) are read as these, and an
    integer as its digits where a string is asked for. The value itself is never changed: without changes it comes
    back as it is, valid or not; with changes what comes back is what `Schema.check` gives for a valid value.
    """
    changed = value
    changes: dict[str, Change] = {}
    for _ in range(MAX_COERCION_ROUNDS):
        settled, issues = schema.check(changed)
        if not issues:
            return (settled, tuple(changes.values())) if changes else (value, ())
        found = {change.path: change for change in _readings(changed, issues) if change.path not in changes}
        if not found:
            break
        changes |= found
        for change in found.values():
            changed = _with(changed, _tokens(change.path), change.taken)
    return value, ()


def render_change(change: Change) -> str:
    """One line that names the place, what came and what it was taken for."""
    return f"{change.path or '/'}: took {json_text(change.given)} for {json_text(change.taken)}"


def _readings(value: object, issues: Iterable[Issue]) -> Iterator[Change]:
    """Another reading for each place where an issue wants another value and there is one."""
    for issue in issues:
        if issue.code in _BY_VALUE and "matched" not in issue.params:
            given = _at(value, issue.path)
            if isinstance(given, str | int) and (read := _read(given)) is not None:
                yield Change(path=issue.path, given=given, taken=read[0])


def _read(given: str | int) -> tuple[Scalar] | None:
    """What else a scalar may stand for, alone in a tuple since that may be null; None for nothing."""
    if isinstance(given, str):
        return (_WORDS[given],) if given in _WORDS else _number(given)
    too_long = isinstance(given, bool) or abs(given) >= _TOO_LONG
    return None if too_long else (str(given),)


def _number(text: str) -> tuple[Scalar] | None:
    found = re.fullmatch(_NUMBER, text, re.ASCII) if len(text) <= MAX_NUMBER_DIGITS else None
    if found is None:
        return None
    if found[1] is None and found[2] is None:
        return (int(text),)
    number = float(text)
    return (plain_numbers(number),) if isfinite(number) else None


def _at(value: object, path: str) -> object:
    for token in _tokens(path):
        value = value[int(token)] if isinstance(value, list) else value[token] if isinstance(value, dict) else None
    return value


def _tokens(path: str) -> list[str]:
    """The steps of a JSON pointer (RFC 6901)."""
    return [token.replace("~1", "/").replace("~0", "~") for token in path.split("/")[1:]]


def _with(value: object, tokens: list[str], part: object) -> object:
    """A copy of the value with another part at a place, of which all but the way there is shared."""
    if not tokens:
        return part
    token, *rest = tokens
    if isinstance(value, list):
        place = int(token)
        return [*value[:place], _with(value[place], rest, part), *value[place + 1 :]]
    assert isinstance(value, dict)
    return value | {token: _with(value[token], rest, part)}
