"""Results that refer to outputs whose bytes stay with the host."""

import json
from typing import Any

import pytest

from purestep_formats import project
from tests.core.agents import call, final, said, tool
from tests.core.driver import Driver, assert_replays

PICTURE = {"digest": "0123456789abcdef" * 4, "media_type": "image/png", "bytes": 20_480}
DRAW = tool("draw", annotations={"readOnlyHint": True})


def drawing(spec: dict[str, Any] = DRAW) -> Driver:
    """Return a run whose tool draws."""
    driver = Driver({"tools": [spec]})
    driver.send(said(call("draw")))
    return driver


def given(**members: Any) -> dict[str, Any]:
    """Return the tool's result, a picture, with other members."""
    return {"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "reference": PICTURE, **members}]}


def drawn(spec: dict[str, Any] = DRAW) -> Driver:
    """Return a run whose tool gave a picture."""
    driver = drawing(spec)
    driver.send(given())
    return driver


def test_the_model_is_told_what_there_is_and_that_it_cannot_read_it() -> None:
    """Type, size and digest, in words."""
    told = drawn().messages[-1]["content"]
    assert all(text in told for text in ("image/png", "20480 bytes", PICTURE["digest"], "not shown"))


def test_the_log_keeps_the_reference_and_no_output() -> None:
    """And gives the run again."""
    driver = drawn()
    (event,) = driver.events("tool_result")
    assert (PICTURE, False) == (event["reference"], "output" in event)
    driver.send(said(final("Here it is.")))
    assert_replays(driver)


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk", "ai-sdk-messages", "openai"])
def test_projections_name_it(form: str) -> None:
    """By its digest and its type."""
    driver = drawn()
    driver.send(said(final("Here it is.")))
    shown = json.dumps(project(driver.log, form))
    assert PICTURE["digest"] in shown
    assert "image/png" in shown


def test_checks_look_at_what_is_known_of_it() -> None:
    """Schemas and checks are about the reference's members."""
    small = {
        **DRAW,
        "checks": [{"schema": {"properties": {"bytes": {"maximum": 1000}}}}],
    }
    typed = {**DRAW, "output_schema": {"type": "object", "required": ["media_type"]}}
    assert "correction" == drawn(small).decision["reason"]
    assert "tool_results" == drawn(typed).decision["reason"]
    assert "correction" == drawn({**DRAW, "output_schema": {"type": "string"}}).decision["reason"]


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"reference": {**PICTURE, "digest": "0" * 63}}, "/digest"),
        ({"reference": {**PICTURE, "digest": "G" * 64}}, "/digest"),
        ({"reference": {**PICTURE, "media_type": "png"}}, "/media_type"),
        ({"reference": {**PICTURE, "media_type": "Image/PNG"}}, "/media_type"),
        ({"reference": {**PICTURE, "media_type": "image/png\n"}}, "/media_type"),
        ({"reference": {**PICTURE, "media_type": "x/" + "y" * 126}}, "/media_type"),
        ({"reference": {**PICTURE, "bytes": -1}}, "/bytes"),
        ({"reference": {"digest": PICTURE["digest"], "media_type": "image/png"}}, ""),
        ({"output": "x"}, ""),
        ({"ok": False, "error": "lost"}, ""),
    ],
)
def test_what_is_no_reference_is_refused(members: dict[str, Any], path: str) -> None:
    """With the place of what is wrong; the call still waits."""
    driver = drawing()
    error = driver.send(given(**members))
    assert "invalid_input" == error["code"]
    assert error["path"].startswith("/observation/results/0")
    assert path in error["path"]
    assert "invoke_tool" == driver.decision["type"]


def test_a_check_tool_that_answers_with_a_reference_accepts_nothing() -> None:
    """Its verdict has to be said in so many words."""
    checked = {**DRAW, "checks": [{"tool": "look", "params": {}}]}
    driver = Driver({"tools": [checked, tool("look", annotations={"readOnlyHint": True})]})
    driver.send(said(call("draw")))
    driver.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": "a picture"}]})
    entry = {"call_id": "call_2", "ok": True, "reference": PICTURE}
    driver.send({"type": "tool_results", "results": [entry]})
    assert ("correction", "postcondition") == (driver.decision["reason"], driver.decision["cause"])


def test_what_is_told_of_a_reference_is_never_cut() -> None:
    """A part of a digest would name nothing."""
    assert PICTURE["digest"] in drawn({**DRAW, "max_output_chars": 20}).messages[-1]["content"]


def test_open_references_are_framed_as_what_they_are() -> None:
    """The words are the core's, and the tool's labels hold."""
    fetch = {**DRAW, "annotations": {"readOnlyHint": True, "openWorldHint": True}}
    driver = drawn(fetch)
    assert PICTURE["digest"] in driver.messages[-1]["content"]
    assert_replays(driver)
