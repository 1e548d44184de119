"""Postconditions and output schemas: what a tool's output must be, declared as data and executed."""

from typing import Any

import pytest

from tests.core.agents import call, said, tool
from tests.core.driver import Driver


def _judged(spec: dict[str, Any], output: Any, **arguments: Any) -> Driver:
    driver = Driver({"tools": [spec], "guardrails": []})
    driver.send(said(call(spec["name"], **arguments)))
    driver.give_all(output)
    return driver


CASES: list[tuple[dict[str, Any], Any, bool]] = [
    ({"contains": "done"}, "all done", True),
    ({"contains": "done"}, "all lost", False),
    ({"contains": '"ok":true'}, {"ok": True, "a": 1}, True),
    ({"excludes": "error"}, "fine", True),
    ({"excludes": "error"}, "an error came", False),
    ({"pattern": "^[0-9]+ files$"}, "12 files", True),
    ({"pattern": "^[0-9]+ files$"}, "12 files and more", False),
    ({"pattern": "[0-9]{4}-[0-9]{2}"}, "on 2024-05 or so", True),
    ({"mentions": "city"}, "It rains in Oslo.", True),
    ({"mentions": "city"}, "It rains in Bergen.", False),
    ({"schema": {"type": "object", "required": ["ok"]}}, {"ok": 1}, True),
    ({"schema": {"type": "object", "required": ["ok"]}}, {"no": 1}, False),
    ({"schema": {"type": "array", "minItems": 1}}, [], False),
    ({"schema": False}, "x", False),
    ({"schema": True}, None, True),
    ({"contains": "a", "excludes": "b", "pattern": "c"}, "ac", True),
    ({"contains": "a", "excludes": "b", "pattern": "c"}, "abc", False),
    ({"contains": "a", "excludes": "b", "pattern": "c"}, "a", False),
    ({"contains": ""}, "", True),
    ({"lines": {"min": 2}}, "a\n\n \t\nb\n", True),
    ({"lines": {"min": 2}}, "total 12\n\n", False),
    ({"lines": {"min": 2}}, "a\r\nb", True),
    ({"lines": {"max": 2}}, "a\rb\rc", False),
    ({"lines": {"min": 1, "max": 1}}, {"a": "x\ny"}, True),
    ({"lines": {"max": 0}}, "", True),
    ({"items": {"min": 1}}, [], False),
    ({"items": {"min": 1, "max": 2}}, [1, 2], True),
    ({"items": {"max": 2}}, [1, 2, 3], False),
    ({"items": {"max": 2}}, {"a": 1, "b": 2}, True),
    ({"items": {"min": 0}}, "[1, 2]", False),
    ({"items": {"min": 0}}, None, False),
]


@pytest.mark.parametrize(("check", "output", "holds"), CASES)
def test_postcondition_is_executed(check: dict[str, Any], output: Any, holds: bool) -> None:
    """D23: each member of a postcondition is checked on the output; all given must hold."""
    driver = _judged(tool("look", {"city": {"type": "string"}}, postconditions=[check]), output, city="Oslo")
    assert [("accept" if holds else "reject")] == [event["verdict"] for event in driver.events("verdict")]
    expected = ("tool_results", None) if holds else ("correction", "postcondition")
    assert expected == (driver.decision["reason"], driver.decision.get("cause"))


def test_broken_postcondition_is_retried_once_then_fails() -> None:
    """D23: one corrective retry, then a failure with the code postcondition."""
    driver = _judged(tool("look", postconditions=[{"contains": "x"}]), "a")
    driver.send(said(call("look")))
    driver.give_all("b")
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])


def test_verdict_names_the_member_that_failed() -> None:
    """D22, D23: the verdict names the check and the reason."""
    (verdict,) = _judged(tool("look", postconditions=[{"excludes": "err"}]), "an err").events("verdict")
    assert "postcondition:excludes" == verdict["check"]
    assert "err" in verdict["reason"]


def test_own_message_is_what_the_model_is_told() -> None:
    """D23: `message` replaces our words."""
    driver = _judged(tool("look", postconditions=[{"contains": "x", "message": "Give the table."}]), "a")
    assert "Give the table." in driver.prompt()[-1]["content"]


def test_second_postcondition_is_checked_too() -> None:
    """D23: postconditions are a list, each is executed."""
    driver = _judged(tool("look", postconditions=[{"contains": "a"}, {"contains": "b"}]), "a")
    assert "postcondition" == driver.decision.get("cause")


@pytest.mark.parametrize(
    ("value", "output"), [(42, "the 42nd"), (True, "it is true"), ([1, 2], "saw [1,2]"), (None, "null")]
)
def test_mentioned_value_may_be_any_json(value: Any, output: str) -> None:
    """D23: `mentions` looks for the argument's text as JSON writes it."""
    driver = _judged(tool("look", {"what": {}}, postconditions=[{"mentions": "what"}]), output, what=value)
    assert ["accept"] == [event["verdict"] for event in driver.events("verdict")]


def test_argument_that_was_left_out_need_not_be_mentioned() -> None:
    """D23: an optional argument that was not given asks for nothing."""
    spec = tool("look", {"what": {"type": "string"}}, postconditions=[{"mentions": "what"}])
    spec["parameters"]["required"] = []
    assert "tool_results" == _judged(spec, "anything").decision["reason"]


@pytest.mark.parametrize(
    ("output", "holds"), [({"sum": 3}, True), ({"sum": "3"}, False), ("3", False), ({}, False), (None, False)]
)
def test_output_schema_holds_outputs(output: Any, holds: bool) -> None:
    """Section 4: an output that does not fit output_schema is a broken postcondition."""
    schema = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}
    driver = _judged(tool("add", output_schema=schema), output)
    assert (None if holds else "postcondition") == driver.decision.get("cause")
    if not holds:
        assert "output_schema" == driver.events("verdict")[0]["check"]


def test_guardrails_come_before_postconditions() -> None:
    """D22: the order is guardrails, output schema, postconditions; the first rejection wins."""
    spec = tool(
        "look", output_schema={"type": "object"}, postconditions=[{"contains": "x"}], guardrails=["plausibility"]
    )
    driver = Driver({"tools": [spec]})
    driver.send(said(call("look")))
    driver.give_all("")
    assert ("plausibility", "guardrail") == (driver.events("verdict")[0]["check"], driver.decision["cause"])


@pytest.mark.parametrize(
    ("check", "code"),
    [
        ({"contain": "x"}, "invalid_agent"),
        ({"mentions": "nope"}, "invalid_agent"),
        ({"pattern": "("}, "unsupported_pattern"),
        ({"pattern": "(?<=a)b"}, "unsupported_pattern"),
        ({"schema": {"type": "objekt"}}, "invalid_schema"),
        ({"schema": {"colour": 1}}, "unsupported_keyword"),
        ({"contains": 7}, "invalid_agent"),
        ({"lines": {}}, "invalid_agent"),
        ({"lines": {"min": 3, "max": 2}}, "invalid_agent"),
        ({"items": {"min": -1}}, "invalid_agent"),
        ({"items": {"least": 1}}, "invalid_agent"),
    ],
)
def test_wrong_postcondition_is_refused_with_its_path(check: dict[str, Any], code: str) -> None:
    """Section 4: what cannot be executed is refused when the definition is loaded, never ignored."""
    error = Driver({"tools": [tool("look", postconditions=[check])]}).send({"type": "user_message", "content": "x"})
    assert code == error["code"]
    assert error["path"].startswith("/tools/0/postconditions/0")
