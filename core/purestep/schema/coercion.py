"""Type coercion: `"42"` is taken for 42 where an integer is wanted.

A scalar is coerced only if the schema refuses it as it stands, only in the one way that its text allows, and only if
the whole value is valid afterwards. So nothing valid is ever changed, nothing is guessed, and a value that stays
invalid comes back as it was, for its sender to correct.
"""

import re
from collections.abc import Iterable, Iterator
from math import isfinite
from typing import Final

import msgspec

from ..bounds import MAX_CHECK_STEPS, MAX_COERCION_ROUNDS, MAX_NUMBER_DIGITS
from ..json_text import excerpt_of, plain_numbers
from .addresses import pointer_tokens, value_at
from .issues import Issue
from .schema import Schema

_NUMBER: Final = r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"
_WORDS: Final = {"true": True, "false": False, "True": True, "False": False, "null": None}

_BY_VALUE: Final = frozenset({"type", "enum", "const", "any_of", "one_of"})
"""The codes of issues that want another value here, rather than another size or shape of this one."""

_TOO_LONG: Final = 10**MAX_NUMBER_DIGITS

Scalar = str | int | float | bool | None


class Coercion(msgspec.Struct, frozen=True, kw_only=True):
    """One coerced scalar: the JSON pointer of its place, the value that came and the value it was taken for."""

    path: str
    given: str | int
    taken: Scalar


def coerce(schema: Schema, value: object, steps: int = MAX_CHECK_STEPS) -> tuple[object, tuple[Coercion, ...]]:
    """Return the value coerced to fit the schema, and what was coerced.

    Strings that hold a JSON number, `true`, `false` or `null` (or Python's `True` or `False`) become these, and an
    integer becomes its digits where a string is wanted. The value itself is never changed: without coercions it comes
    back as it is, valid or not.
    steps: those of all rounds together.
    """
    changed = value
    coercions: dict[str, Coercion] = {}
    for _ in range(MAX_COERCION_ROUNDS):
        issues = schema.check(changed, steps // MAX_COERCION_ROUNDS)
        if not issues:
            return (changed, tuple(coercions.values())) if coercions else (value, ())
        found = {each.path: each for each in _candidates(changed, issues) if each.path not in coercions}
        if not found:
            break
        coercions |= found
        for each in found.values():
            changed = _replaced(changed, pointer_tokens(each.path), each.taken)
    return value, ()


def render_coercion(coercion: Coercion) -> str:
    """Return one line that names the place, what came and what it was taken for."""
    return f"{coercion.path or '/'}: took {excerpt_of(coercion.given)} for {excerpt_of(coercion.taken)}"


def _candidates(value: object, issues: Iterable[Issue]) -> Iterator[Coercion]:
    """Yield a coercion for each place where an issue wants another value and the scalar there has one."""
    for issue in issues:
        if issue.code in _BY_VALUE and "matched" not in issue.params:
            given = value_at(value, pointer_tokens(issue.path))
            if isinstance(given, str | int) and (taken := _coerced(given)) is not None:
                yield Coercion(path=issue.path, given=given, taken=taken[0])


def _coerced(given: str | int) -> tuple[Scalar] | None:
    """Return what else a scalar may stand for, in a tuple since that may be null; None for nothing."""
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


def _replaced(value: object, tokens: list[str], part: object) -> object:
    """Return a copy of the value with another part at a place; it shares all but the way there."""
    if not tokens:
        return part
    token, *rest = tokens
    if isinstance(value, list):
        place = int(token)
        return [*value[:place], _replaced(value[place], rest, part), *value[place + 1 :]]
    assert isinstance(value, dict)
    return value | {token: _replaced(value[token], rest, part)}
