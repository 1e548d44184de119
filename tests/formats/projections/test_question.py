"""An answer that asks the user for something is told as a question in every form that has a place for it."""

from purestep_formats import project
from tests.core.agents import said, tool
from tests.core.driver import Driver


def asked(output: str) -> str:
    """Return the log of a run in the dialect compact that ends with this output."""
    driver = Driver({"dialect": "compact", "tools": [tool("send", {"to": {"type": "string"}})]})
    driver.send(said(output))
    return driver.log


QUESTION = asked('{"ask": "To whom?"}')
ANSWER = asked('{"answer": "To whom?"}')


def test_question_is_told_before_the_end_of_a_stream() -> None:
    """As an event of its own, and as a part that stays in the message."""
    events = [event.get("name", event["type"]) for event in project(QUESTION, "ag-ui")]
    assert ["purestep.question", "purestep.acts", "RUN_FINISHED"] == events[-3:]
    chunks = [chunk["type"] for chunk in project(QUESTION, "ai-sdk")]
    assert ["data-question", "data-acts", "finish"] == chunks[-3:]
    parts = [part["type"] for part in project(QUESTION, "ai-sdk-messages")[-1]["parts"]]
    assert ["text", "data-question", "data-acts"] == parts[-3:]


def test_question_is_an_attribute_of_the_exchange() -> None:
    """Of its span alone."""
    spans = project(QUESTION, "otel")
    assert [True] == [
        span["attributes"]["purestep.question"] for span in spans if "purestep.question" in span["attributes"]
    ]
    assert spans[-1]["name"].startswith("invoke_agent")


def test_answer_is_no_question() -> None:
    """The same words as an answer are told without it."""
    for form in ("ag-ui", "ai-sdk", "ai-sdk-messages", "otel"):
        assert "question" not in str(project(ANSWER, form)), form
