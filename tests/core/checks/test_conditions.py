"""Conditions and output schemas: what a tool's output must be, declared as data and executed."""

from typing import Any

import pytest

from tests.core.agents import call, said, tool
from tests.core.driver import Driver


def _judged(spec: dict[str, Any], output: Any, **arguments: Any) -> Driver:
    driver = Driver({"tools": [spec]})
    driver.send(said(call(spec["name"], **arguments)))
    driver.give_all(output)
    return driver


CASES: list[tuple[Any, Any, bool]] = [
    ({"pattern": "done"}, "all done", True),
    ({"pattern": "done"}, "all lost", False),
    ({"pattern": '"ok":true'}, {"ok": True, "a": 1}, True),
    ({"not": {"pattern": "error"}}, "fine", True),
    ({"not": {"pattern": "error"}}, "an error came", False),
    ({"pattern": "^[0-9]+ files$"}, "12 files", True),
    ({"pattern": "^[0-9]+ files$"}, "12 files and more", False),
    ({"pattern": "[0-9]{4}-[0-9]{2}"}, "on 2024-05 or so", True),
    ({"schema": {"type": "object", "required": ["ok"]}}, {"ok": 1}, True),
    ({"schema": {"type": "object", "required": ["ok"]}}, {"no": 1}, False),
    ({"schema": {"type": "array", "minItems": 1}}, [], False),
    ({"schema": False}, "x", False),
    ({"schema": True}, None, True),
    ({"pattern": ""}, "", True),
    ({"any": [{"pattern": "a"}, {"pattern": "b"}]}, "b", True),
    ({"any": [{"pattern": "a"}, {"pattern": "b"}]}, "c", False),
    ({"any": ["not_empty", {"pattern": "^$"}]}, "", True),
    ({"any": [{"schema": {"type": "null"}}, "has_substance"]}, "--", False),
    ({"not": {"not": {"pattern": "a"}}}, "a", True),
    ({"not": "not_metadata"}, "total 3", True),
    ({"not": {"any": [{"pattern": "a"}, {"schema": {"type": "array"}}]}}, ["b"], False),
]


@pytest.mark.parametrize(("check", "output", "holds"), CASES)
def test_condition_is_executed(check: Any, output: Any, holds: bool) -> None:
    """D23: each form of a condition is executed on the output."""
    driver = _judged(tool("look", checks=[check]), output)
    assert [("accept" if holds else "reject")] == [event["verdict"] for event in driver.events("verdict")]
    expected = ("tool_results", None) if holds else ("correction", "postcondition")
    assert expected == (driver.decision["reason"], driver.decision.get("cause"))


def test_broken_condition_is_retried_once_then_fails() -> None:
    """D23: one corrective retry, then a failure with the code postcondition."""
    driver = _judged(tool("look", checks=[{"pattern": "x"}]), "a")
    driver.send(said(call("look")))
    driver.give_all("b")
    assert ("failed", "postcondition") == (driver.decision["type"], driver.decision["code"])


def test_verdict_names_the_form_that_failed() -> None:
    """D22, D23: the verdict names the check and the reason."""
    (verdict,) = _judged(tool("look", checks=[{"pattern": "ok"}]), "an err").events("verdict")
    assert ("pattern", "the output does not match ok") == (verdict["check"], verdict["reason"])


def test_reasons_of_all_alternatives_are_told() -> None:
    """Where none of several holds, the model reads why of each."""
    check = {"any": [{"pattern": "a"}, {"schema": {"type": "array"}, "message": "it is no list"}]}
    (verdict,) = _judged(tool("look", checks=[check]), "b").events("verdict")
    assert "none does: the output does not match a; it is no list" in verdict["reason"]


def test_undecided_condition_is_not_turned_into_its_opposite() -> None:
    """A pattern that a text is too long for is not known to be absent."""
    slow = {"not": {"pattern": "(?:a?){1500}b"}}
    driver = _judged(tool("look", checks=[slow]), "a" * 40_000)
    assert "postcondition" == driver.decision.get("cause")
    assert "too long to be searched" in driver.events("verdict")[0]["reason"]


def test_own_message_is_what_the_model_is_told() -> None:
    """D23: `message` replaces our words."""
    driver = _judged(tool("look", checks=[{"pattern": "x", "message": "Give the table."}]), "a")
    assert "Give the table." in driver.prompt()[-1]["content"]


def test_second_check_is_made_too() -> None:
    """D23: checks are a list, each is executed."""
    driver = _judged(tool("look", checks=[{"pattern": "a"}, {"pattern": "b"}]), "a")
    assert "postcondition" == driver.decision.get("cause")


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


def test_output_schema_comes_first() -> None:
    """D22: the order is the output schema, then the checks as they are listed; the first rejection wins."""
    spec = tool("look", output_schema={"type": "string"}, checks=[{"pattern": "x"}, "plausibility"])
    for output, check in ((5, "output_schema"), ("", "pattern"), ("x", "plausibility")):
        driver = Driver({"tools": [spec]})
        driver.send(said(call("look")))
        driver.give_all(output)
        assert check == driver.events("verdict")[0]["check"]


@pytest.mark.parametrize(
    ("check", "code", "path"),
    [
        ({"contain": "x"}, "invalid_agent", "/contain"),
        ({"pattern": "("}, "unsupported_pattern", "/pattern"),
        ({"pattern": "(?<=a)b"}, "unsupported_pattern", "/pattern"),
        ({"schema": {"type": "objekt"}}, "invalid_schema", "/schema/type"),
        ({"schema": {"colour": 1}}, "unsupported_keyword", "/schema/colour"),
        ({"pattern": 7}, "invalid_agent", "/pattern"),
        ({"pattern": "a", "schema": True}, "invalid_agent", ""),
        ({"message": "a"}, "invalid_agent", ""),
        ({"any": []}, "invalid_agent", "/any"),
        ({"pattern": "a", "params": {}}, "invalid_agent", "/params"),
        ({"not": {"not": {"not": {"not": {"pattern": "a"}}}}}, "invalid_agent", "/not/not/not/not"),
        ({"any": [{"pattern": "a"}] * 32}, "", ""),
        ({"any": [{"any": [{"pattern": "a"}] * 32}] * 2}, "invalid_agent", None),
    ],
)
def test_wrong_condition_is_refused_with_its_path(check: dict[str, Any], code: str, path: str | None) -> None:
    """Section 4: what cannot be executed is refused when the definition is loaded, never ignored."""
    error = Driver({"tools": [tool("look", checks=[check])]}).send({"type": "user_message", "content": "x"})
    if not code:
        assert "call_model" == error["type"]
        return
    assert code == error["code"]
    assert ("/tools/0/checks" if path is None else f"/tools/0/checks/0{path}") == error["path"]
