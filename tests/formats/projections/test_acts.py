"""What may have been changed, beside the ending of an exchange in every form that has a place for it."""

import json
from typing import Any

from purestep_formats import project
from tests.core.agents import call, final, ok, said, tool
from tests.core.driver import Driver

SEND = tool("send", {"to": {"type": "string"}}, annotations={"readOnlyHint": False})
LOOK = tool("look", annotations={"readOnlyHint": True})
ACTS: dict[str, Any] = {"acts": [{"call_id": "call_1", "tool": "send", "params": {"to": "ada"}, "status": "succeeded"}]}


def log_of(*observations: dict[str, Any], tools: tuple[dict[str, Any], ...] = (SEND, LOOK)) -> str:
    """Return the log of a run."""
    driver = Driver({"tools": list(tools)})
    for observation in observations:
        driver.send(observation)
    return driver.log


SENT = log_of(said(call("send", to="ada")), ok("call_1", "sent"), said(final("It is sent.")))
LOOKED = log_of(said(call("look")), ok("call_1", "a"), said(final("It is sent.")))
FAILED = log_of(said(call("send", to="ada")), ok("call_1", "sent"), {"type": "cancel"})


def told(log: str) -> list[Any]:
    """Return what each form that has a place for arguments tells."""
    events = [event["value"] for event in project(log, "ag-ui") if event.get("name") == "purestep.acts"]
    chunks = [chunk["data"] for chunk in project(log, "ai-sdk") if chunk["type"] == "data-acts"]
    parts = [part["data"] for part in project(log, "ai-sdk-messages")[-1]["parts"] if part["type"] == "data-acts"]
    return [events, chunks, parts]


def test_acts_stand_beside_an_answer_and_a_failure() -> None:
    """As an event, a chunk and a part that stays in the message."""
    assert [[ACTS]] * 3 == told(SENT)
    assert [[ACTS]] * 3 == told(FAILED)


def test_that_nothing_was_changed_is_told() -> None:
    """Whatever the answer says; not where no tool may act."""
    assert [[{"acts": []}]] * 3 == told(LOOKED)
    alone = log_of(said(call("look")), ok("call_1", "a"), said(final("It is sent.")), tools=(LOOK,))
    assert [[]] * 3 == told(alone)


def test_acts_come_before_the_end_of_a_stream() -> None:
    """A client that stops at the end has them."""
    assert ["CUSTOM", "RUN_FINISHED"] == [event["type"] for event in project(SENT, "ag-ui")][-2:]
    assert ["data-acts", "finish"] == [chunk["type"] for chunk in project(SENT, "ai-sdk")][-2:]


def test_the_span_of_an_exchange_has_its_acts_without_arguments() -> None:
    """As the spans of the calls, which have none either."""
    (span,) = [span for span in project(SENT, "otel") if span["name"].startswith("invoke_agent")]
    assert ["call_1 send succeeded"] == span["attributes"]["purestep.acts"]
    assert "ada" not in json.dumps(span)
