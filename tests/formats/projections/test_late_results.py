"""Calls that go on elsewhere, as events, messages and spans: ended without a result, which is told when it comes."""

from typing import Any

import pytest

from purestep_formats import project
from tests.core.agents import call, final, ok, said
from tests.core.driver import Driver
from tests.core.steps.test_late_results import begun


def answered() -> Driver:
    """Return a run whose result came after the answer, and then had one of its own."""
    run = begun()
    run.send(said(final("Soon.")))
    run.send(ok("call_1", "42 pages"))
    run.send(said(final("It has 42 pages.")))
    return run


def joined() -> Driver:
    """Return a run whose result came in the same exchange."""
    run = begun()
    run.send(ok("call_1", {"pages": 42}))
    run.send(said(call("look")))
    run.send(ok("call_2", "x"))
    run.send(said(final("It has 42 pages.")))
    return run


def test_the_transcript_has_it_where_the_model_read_it() -> None:
    """As what is said to the model: in the exchange that it begins, or beside the next result."""
    roles = [(each["role"], "42" in str(each["content"])) for each in project(answered().log, "openai")]
    assert roles[-3:] == [("assistant", False), ("user", True), ("assistant", True)]
    assert '{"pages":42}' in str(project(joined().log, "openai"))


@pytest.mark.parametrize("make", [answered, joined])
def test_events_tell_when_it_goes_on_and_when_it_comes(make: Any) -> None:
    """Each by its call; what is told twice in a log is told once here."""
    told = [each for each in project(make().log, "ag-ui") if each["type"] == "CUSTOM"]
    names = [each["name"] for each in told if "late" in each["name"] or "pending" in each["name"]]
    assert sorted(names) == ["purestep.late_result", "purestep.tool_pending"]
    assert {each["value"]["call_id"] for each in told if each["name"] in names} == {"call_1"}
    chunks = [each["type"] for each in project(make().log, "ai-sdk")]
    assert chunks.count("data-late-result") == 1


def test_its_span_ends_where_the_model_goes_on() -> None:
    """A span of days would say that somebody waited."""
    spans = [span["name"] for span in project(answered().log, "otel")]
    assert spans.count("execute_tool report") == 1
    assert spans.count("invoke_agent") == 2
