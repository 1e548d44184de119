"""Calls of tags named like their arguments, each after a token of its own, as MiniMax M3 writes them."""

from typing import Any

import pytest

from purestep.entry.standalone import StandaloneReading, read_text

TOKEN = "]<]minimax[>["
TEXT: dict[str, Any] = {"type": "string"}
TRIP: dict[str, Any] = {
    "name": "plan_trip",
    "parameters": {
        "type": "object",
        "properties": {
            "city": TEXT,
            "days": {"type": "integer"},
            "stops": {
                "type": "array",
                "items": {"type": "object", "properties": {"place": TEXT, "hours": {"type": "number"}}},
            },
            "guest": {"type": "object", "properties": {"name": TEXT, "age": {"type": "integer"}}},
        },
        "required": ["city"],
    },
}


def read(inner: str, closed: bool = True) -> StandaloneReading:
    """Read a block with these tags, `<` standing for the token and the sign."""
    block = f"<tool_call>{inner}{'</tool_call>' if closed else ''}"
    return read_text(block.replace("<", f"{TOKEN}<"), "auto", [TRIP])


def calls(reading: StandaloneReading) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls of a reading as pairs."""
    return [(call["tool"], call["params"]) for call in reading.calls]


def codes(reading: StandaloneReading) -> list[str]:
    """Return the codes of a reading's problems."""
    return [problem.code for problem in reading.problems]


def test_each_value_has_the_type_of_its_schema() -> None:
    """Digits are a number where the schema wants one, and text where it wants text."""
    reading = read('<invoke name="plan_trip"><city>42</city><days>3</days></invoke>')
    assert [("plan_trip", {"city": "42", "days": 3})] == calls(reading)


def test_tags_in_tags_are_lists_and_objects() -> None:
    """`item` tags make a list, any others an object, typed by the schema of their place."""
    stops = "<stops><item><place>Fram</place><hours>1.5</hours></item><item><place>Munch</place></item></stops>"
    guest = "<guest><name>7</name><age>7</age><unknown>x</unknown></guest>"
    reading = read(f'<invoke name="plan_trip"><city>Oslo</city>{stops}{guest}</invoke>')
    expected = {
        "city": "Oslo",
        "stops": [{"place": "Fram", "hours": 1.5}, {"place": "Munch"}],
        "guest": {"name": "7", "age": 7, "unknown": "x"},
    }
    assert [("plan_trip", expected)] == calls(reading)


def test_several_calls_stand_in_one_block() -> None:
    """Each `invoke` is a call."""
    each = "".join(f'<invoke name="plan_trip"><city>{city}</city></invoke>' for city in ("Oslo", "Bergen"))
    assert [("plan_trip", {"city": "Oslo"}), ("plan_trip", {"city": "Bergen"})] == calls(read(each))


@pytest.mark.parametrize(
    ("inner", "closed", "expected"),
    [
        ("<invoke><city>Oslo</city></invoke>", True, "parse_error"),
        ("no tags at all", True, "parse_error"),
        ('<invoke name="plan_trip"><days>3</days>', False, "truncated"),
        ("<inv", False, "truncated"),
    ],
)
def test_what_is_damaged_is_a_problem(inner: str, closed: bool, expected: str) -> None:
    """A call without a name, or cut before a required argument, is none."""
    reading = read(inner, closed)
    assert ([], [expected]) == (calls(reading), codes(reading))


def test_call_that_lacks_its_end_alone_is_whole() -> None:
    """All that the tool needs is there."""
    reading = read('<invoke name="plan_trip"><city>Oslo</city>', closed=False)
    assert ([("plan_trip", {"city": "Oslo"})], []) == (calls(reading), codes(reading))
