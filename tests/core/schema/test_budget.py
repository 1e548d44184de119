"""The work of schemas is bounded by a count of steps, which is the same on every host."""

import json
import random
from typing import Any

import pytest

from purestep import Agent, PurestepError, check_value
from purestep.bounds import MAX_CHECK_STEPS, MAX_COMPILE_STEPS
from purestep.regex import Budget, compile_pattern
from purestep.schema import Schema, SchemaError, compile_schema, render
from tests.core.schema.native_side import native_accepts
from tools.breaking.attacks.schemas import ATTACKS

SLOW = "(a|b)*a(a|b){1500}$"
LETTERS = "".join(random.Random(1).choice("ab") for _ in range(25_000))
HEAVY: dict[str, tuple[Any, Any]] = {
    "patterns": (
        {"properties": {f"p{n}": {"pattern": f"(a|b)*a(a|b){{{200 + n}}}$"} for n in range(24)}},
        {f"p{n}": LETTERS for n in range(24)},
    ),
    "unevaluated properties": (
        {"patternProperties": {f"^a{n}": True for n in range(400)}, "unevaluatedProperties": False},
        {f"a{n}": 1 for n in range(5_000)},
    ),
    "unevaluated items": (
        {"allOf": [{"contains": {"const": n}} for n in range(1_000)], "unevaluatedItems": False},
        list(range(5_000)),
    ),
    "suggestions": ({"allOf": [{"enum": [f"{'a' * 60}{n:03}" for n in range(256)]}] * 300}, "a" * 60 + "zzzz"),
    "equal items": ({"uniqueItems": True}, [[n] * 10 for n in range(200_000)]),
}


@pytest.mark.parametrize("name", HEAVY)
def test_a_check_that_takes_too_much_is_one_issue(name: str) -> None:
    """A value whose check needs more steps than allowed is refused with a code of its own."""
    schema, value = HEAVY[name]
    issues = compile_schema(schema).check(value)
    assert [("", "schema_budget", {"limit": MAX_CHECK_STEPS})] == [(i.path, i.code, i.params) for i in issues]
    assert "/: expected a value that can be checked in 3000000 steps; give a smaller one" == render(issues[0])


def test_native_and_portable_refuse_alike() -> None:
    """A value that the native validator would accept at once is refused where the portable one runs out of steps."""
    schema = compile_schema({"items": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}})
    value = [{"a": number} for number in range(3_000)]
    fits = [bool(schema.check(value, steps)) for steps in (1_000, 50_000, 120_000, 3_000_000)]
    alone = [bool(schema.portable_check(value, steps)) for steps in (1_000, 50_000, 120_000, 3_000_000)]
    assert (True, fits) == (native_accepts(schema, value), alone)
    assert [True, False] == [fits[0], fits[-1]]


def test_equal_scalars_cost_the_same_wherever_they_lie() -> None:
    """Steps do not depend on which equal values share their place in memory."""
    schema = compile_schema({"items": {"allOf": [{"pattern": "^(a|b)+$"}, {"pattern": "b$"}]}}, native=False)
    shared = ["ab" * 40] * 50
    copies = json.loads(json.dumps(shared))
    assert [_least_steps(schema, shared)] == [_least_steps(schema, copies)]


def _least_steps(schema: Schema, value: Any) -> int:
    low, high = 0, 1_000_000
    while low < high:
        middle = (low + high) // 2
        if schema.portable_check(value, middle):
            low = middle + 1
        else:
            high = middle
    return low


def test_a_used_cache_changes_no_count() -> None:
    """A pattern that has searched before takes the same steps."""
    pattern = compile_pattern(SLOW)
    counts = []
    for _ in range(2):
        budget = Budget()
        pattern.search(LETTERS[:600], budget)
        counts.append(budget.limit - budget.left)
    assert counts[0] == counts[1] > 600


def test_steps_grow_as_the_value_does() -> None:
    """Twice the value takes about twice the steps."""
    schema = compile_schema({"items": {"type": "object", "patternProperties": {"^a": {"type": "integer"}}}})
    once, twice = (_least_steps(schema, [{"a": n} for n in range(count)]) for count in (200, 400))
    assert 1.8 < twice / once < 2.2


def test_schemas_that_take_too_much_to_compile_are_refused() -> None:
    """Patterns whose automata are too much together are refused, in one schema and in a definition."""
    patterns = {f"a{n}": {"pattern": f"(?:a|b|c|d){{1,{1_500 + n}}}"} for n in range(30)}
    with pytest.raises(SchemaError, match=f"more than {MAX_COMPILE_STEPS} steps") as raised:
        compile_schema({"properties": patterns})
    assert "schema_too_large" == raised.value.code
    tools = [
        {"name": name, "description": "", "parameters": {"type": "object", "properties": {name: schema}}}
        for name, schema in patterns.items()
    ]
    with pytest.raises(PurestepError) as refused:
        Agent.load({"tools": tools})
    assert ("schema_too_large", True) == (refused.value.code, refused.value.path.startswith("/tools/"))


def test_check_value_names_the_code() -> None:
    """The JSON function gives the same code."""
    given = json.loads(check_value(json.dumps({"schema": {"type": "string", "pattern": SLOW}, "value": LETTERS})))
    assert [False, "schema_budget"] == [given["ok"], given["errors"][0]["code"]]


@pytest.mark.parametrize("seed", range(12))
def test_hostile_schemas_stay_within_their_steps(seed: int) -> None:
    """Random schemas and values: one verdict from every validator, and work in proportion to the steps."""
    assert ATTACKS[0].trial(random.Random(seed)) is None
