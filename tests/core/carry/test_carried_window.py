"""A routed model's prompts keep within its window without the transcript, which they do not hold."""

from typing import Any

from purestep import Message
from purestep.window import message_tokens
from tests.core.agents import call, ok, said
from tests.core.driver import Driver

READ = {
    "name": "read_file",
    "description": "Read a text file.",
    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    "annotations": {"readOnlyHint": True},
}


def _definition(window: int) -> dict[str, Any]:
    return {"tools": [READ], "models": [{"name": "small", "window_tokens": window, "carry": "route"}]}


def test_question_longer_than_the_window_is_still_asked() -> None:
    """What is sent is bounded, however long the question; the transcript is not sent, so it may be longer."""
    driver = Driver(_definition(4096), query="Read the file notes.txt. " + "word " * 20_000)
    assert driver.decision["type"] in ("call_model", "invoke_tool")
    assert "switched" not in driver.kinds()


def test_result_is_whole_though_the_transcript_is_longer_than_the_window() -> None:
    """Results are answers there, and no room is taken from them for what is not sent."""
    driver = Driver(_definition(4096), query="Read the file notes.txt")
    while driver.decision["type"] == "call_model":
        driver.send(said(call("read_file", path="notes.txt")))
    driver.send(ok("call_1", "line\n" * 1000))
    assert ("done", "line\n" * 200) == (driver.decision["type"], driver.decision["answer"])


def test_results_that_do_not_fit_are_left_out_of_the_prompt() -> None:
    """The latest stay; without a window all of them do."""
    query = "Read the file a.txt, then read the file b.txt, then read the file c.txt, then tell me what they say"
    sizes = {}
    for window in (800, 100_000):
        definition = {**_definition(window), "answer_schema": {"type": "object"}}
        driver = Driver(definition, query=query)
        for _ in range(3):
            if driver.decision["type"] == "call_model":
                driver.send(said(call("read_file", path="c.txt")))
            driver.send(ok(f"call_{driver.state['calls']}", "1 2 3 " * 160))
        assert "call_model" == driver.decision["type"]
        sizes[window] = sum(message_tokens(Message(**message)) for message in driver.decision["messages"])
    assert sizes[800] <= 600 < sizes[100_000]


def test_overflow_of_a_routed_prompt_ends() -> None:
    """A smaller prompt cannot be made of what is not sent, so it is tried a bounded number of times."""
    driver = Driver(_definition(4096), query="Tell me a long story please")
    tries = 0
    while driver.decision["type"] == "call_model":
        driver.send({"type": "model_error", "code": "overflow", "message": "too long"})
        tries += 1
    assert ("failed", "model_error") == (driver.decision["type"], driver.decision["code"])
    assert tries <= 4
