"""Hostile schemas and values: a check ends within its steps, and does no more work than they stand for.

Work is counted in calls of Python functions, which no other process disturbs.
"""

import json
import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from purestep.schema import Schema, SchemaError, compile_schema

from ..attack import Attack

STEPS: Final = 30_000
"""The steps that a trial allows: the same bound as in use, but smaller, so that a trial is quick."""

CALLS_A_STEP: Final = 3
CALLS_FREE: Final = 40_000
"""Calls of Python functions that a check may make: for each step, and for describing up to twenty issues."""


def _letters(rng: random.Random, most: int) -> str:
    return "".join(rng.choice("ab") for _ in range(rng.randint(0, most)))


def _pattern(rng: random.Random) -> str:
    count = rng.choice((1, 5, 40, 300))
    return rng.choice((
        f"(a|b)*a(a|b){{{count}}}$", f"^(?:a|b|ab){{1,{count}}}$", f"(?=.*a.{{{count}}}b)^[ab]+$", "^a", "b$", "[^a]",
        "^" + "|".join(f"a{{{number}}}b" for number in range(1, 9)),
    ))  # fmt: skip


def hostile_schema(rng: random.Random, depth: int = 3) -> Any:
    """Return a schema whose keywords multiply work: many branches, patterns, names and fixed values."""
    if depth == 0:
        return rng.choice((True, {"type": "integer"}, {"const": rng.randint(0, 9)}, {"pattern": _pattern(rng)}))
    many = rng.choice((1, 3, 12, 60))
    inner: Callable[[], Any] = lambda: hostile_schema(rng, depth - 1)  # noqa: E731
    some: Callable[[], list[Any]] = lambda: [inner() for _ in range(rng.randint(1, 3))] * rng.choice((1, 4))  # noqa: E731
    makers: tuple[Callable[[], dict[str, Any]], ...] = (
        lambda: {"allOf": some()},
        lambda: {"anyOf": some()},
        lambda: {"oneOf": some()},
        lambda: {"not": inner()},
        lambda: {"items": inner()},
        lambda: {"contains": {"const": rng.randint(0, 9)}, "unevaluatedItems": rng.choice((False, True))},
        lambda: {"allOf": [{"contains": {"const": n}} for n in range(many)], "unevaluatedItems": False},
        lambda: {"uniqueItems": True, "items": inner()},
        lambda: {"properties": {f"a{n}": inner() for n in range(rng.randint(1, 4))}, "additionalProperties": inner()},
        lambda: {"patternProperties": {f"^a{n}": True for n in range(many)}, "unevaluatedProperties": False},
        lambda: {"patternProperties": {_pattern(rng): True}, "unevaluatedProperties": inner()},
        lambda: {"required": [f"r{n}" for n in range(many)], "propertyNames": inner()},
        lambda: {"enum": [_letters(rng, 60) for _ in range(many)] + [[n] * 5 for n in range(many)]},
        lambda: {"if": inner(), "then": inner(), "else": inner()},
        lambda: {"dependentSchemas": {f"a{n}": inner() for n in range(3)}},
        lambda: {"$ref": "#", "pattern": _pattern(rng)} if rng.random() < 0.1 else {"pattern": _pattern(rng)},  # noqa: PLR2004
    )
    schema: dict[str, Any] = {}
    for make in rng.sample(makers, rng.randint(1, 3)):
        schema |= make()
    return schema


def hostile_value(rng: random.Random, depth: int = 3) -> Any:
    """Return a value with many parts that resemble what the schemas name."""
    if depth == 0:
        return rng.choice((rng.randint(0, 9), 3.0, _letters(rng, 300), None))
    many = rng.choice((1, 5, 50, 200 if depth == 1 else 5))
    match rng.randint(0, 3):
        case 0:
            return [hostile_value(rng, depth - 1) for _ in range(many)]
        case 1:
            return {f"{rng.choice('abr')}{number}": hostile_value(rng, depth - 1) for number in range(many)}
        case 2:
            return _letters(rng, 2_000)
        case _:
            return list(range(many))


def _calls(work: Callable[[], object]) -> tuple[object, int]:
    """Return what work returns, and how many Python functions it called."""
    counted = 0

    def count(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal counted
        counted += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return result, counted


def trial(rng: random.Random) -> str | None:
    """Check one hostile value against one hostile schema, several times."""
    source = json.dumps(hostile_schema(rng))
    value = json.dumps(hostile_value(rng))
    try:
        schema = compile_schema(json.loads(source))
        again = compile_schema(json.loads(source), native=False)
    except SchemaError as error:
        return None if error.code in ("schema_too_large", "unresolvable_ref") else f"{error.code}: {error} for {source}"
    return _different(schema, again, value) or _too_much(again, value, source)


def _different(schema: Schema, again: Schema, value: str) -> str | None:
    for steps in (300, 3_000, STEPS):
        found = [
            repr(schema.check(json.loads(value), steps)),
            repr(schema.check(json.loads(value), steps)),
            repr(again.check(json.loads(value), steps)),
        ]
        if len(set(found)) > 1:
            return f"with {steps} steps one check found {found[0][-200:]} and another {found[2][-200:]}"
    return None


def _too_much(schema: Schema, value: str, source: str) -> str | None:
    decoded = json.loads(value)
    _, calls = _calls(lambda: schema.portable_check(decoded, STEPS))
    if calls > CALLS_A_STEP * STEPS + CALLS_FREE:
        return f"{calls} calls for {STEPS} steps: {source[:300]} with {value[:100]}"
    return None


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="schemas",
        promise="no schema and no value takes a check past its steps, and every host finds the same",
        trial=trial,
        least=40,
    ),
)
