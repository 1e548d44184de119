"""A tool choice where the model is carried: what is routed, grounded and asked (11.tool_choice, 11.carry)."""

from typing import Any

import msgspec
import pytest

from purestep import (
    Agent,
    CallModel,
    Done,
    Failed,
    ModelOutput,
    RequestApproval,
    Step,
    UserMessage,
    replay,
    start,
    step,
)
from tests.core.steps.test_carrying import agent_with, answered, called, decided

CAPITAL = "What is the capital of France?"
SUM = "What is 17 plus 25?"


def asked(question: str, choice: Any, *tools: str, **more: Any) -> Step:
    """Give the first step of a run whose user message makes a choice."""
    message = msgspec.convert({"type": "user_message", "content": question, "tool_choice": choice}, UserMessage)
    return start(agent_with(*tools, **more), message, "r")


def held(decision: Any) -> str:
    """Give what a model's output is held to, as text."""
    assert isinstance(decision, CallModel)
    return bytes(decision.response_format).decode()  # type: ignore[arg-type]


@pytest.mark.parametrize("level", ["route", "ground"])
def test_none_asks_for_an_answer(level: str) -> None:
    """A call that the words would allow is not made, and none is offered."""
    first = asked(SUM, "none", level=level)
    assert "tool_call" not in held(first.decision)
    assert "one_call" not in decided(first.log)
    called_ = step(first.state, ModelOutput(content='{"kind":"tool_call","tool_name":"calculator","arguments":{}}'))
    assert (called_.decision.cause, called_.state.tool_calls) == ("tool_choice", 0)  # type: ignore[union-attr]
    assert "tool_call" not in held(called_.decision)
    last = step(called_.state, ModelOutput(content='{"kind":"final","content":"It is 42."}'))
    assert last.decision == Done(answer="It is 42.", acts=())


def test_required_takes_the_best_tool_below_the_threshold() -> None:
    """The words ask for no tool; the nearest that has its values is used, and its result is the answer."""
    assert held(asked(CAPITAL, "auto").decision).count("tool_call") == 0
    first = asked(CAPITAL, "required", "get_weather", "calculator", "note_add")
    assert called(first.decision) == ("get_weather", {"city": "France"})
    assert answered(first, "rain").decision == Done(answer="rain", acts=())


def test_required_asks_a_person_about_a_tool_that_acts_on_a_guess() -> None:
    """Nobody asked for the note; the choice makes the call, and a person decides on it."""
    first = asked("Hello milk", "required", "note_add")
    assert isinstance(first.decision, RequestApproval)
    assert called(first.decision)[0] == "note_add"
    assert "does not clearly ask" in first.decision.calls[0].reason


def test_required_offers_tools_whose_values_the_words_do_not_hold() -> None:
    """The model has to find them; an answer is not offered, and one that comes is corrected."""
    first = asked("Good day to you", "required", "calculator")
    assert ('"final"' in held(first.decision), "calculator" in held(first.decision)) == (False, True)
    after = step(first.state, ModelOutput(content='{"kind":"final","content":"Hi"}'))
    assert after.decision.cause == "obligation"  # type: ignore[union-attr]
    last = step(after.state, ModelOutput(content='{"kind":"final","content":"Hi"}'))
    assert isinstance(last.decision, Failed)
    assert last.decision.code == "obligation"


def test_required_changes_nothing_where_the_words_ask_for_a_tool() -> None:
    """The same moves, the same answer."""
    first = asked(SUM, "required")
    assert called(first.decision) == ("calculator", {"expression": "17 + 25"})
    assert answered(first, 42).decision == Done(answer="42", acts=())


def test_one_tool_is_called_where_the_words_ask_for_another() -> None:
    """Only it is offered, with the values that the words have for it; after its result the answer follows."""
    first = asked(SUM, {"tool": "note_add"}, "calculator", "note_add")
    assert called(first.decision)[0] == "note_add"
    assert isinstance(first.decision, RequestApproval)
    plain = asked("Save a note: buy milk", {"tool": "calculator"}, "calculator", "note_add")
    assert ("calculator" in held(plain.decision), "note_add" in held(plain.decision)) == (True, False)


def test_one_tool_is_held_to_its_values_at_ground() -> None:
    """The constraint has this tool's grounded arguments and no answer."""
    first = asked("Fetch https://a.example/ please", {"tool": "fetch_page"}, level="ground")
    text = held(first.decision)
    assert ("https://a.example/" in text, '"final"' in text, "calculator" in text) == (True, False, False)


def test_a_failed_tool_ends_openly_also_where_one_is_required() -> None:
    """A route without another way does not become a chain of guesses."""
    last = answered(asked(SUM, "required"), error="broken")
    assert isinstance(last.decision, Failed)
    assert last.decision.code == "tool_failed"


def test_native_carried_tools_come_with_the_choice() -> None:
    """What the server is sent says the same as the constraint would."""
    first = asked("Good day to you", {"tool": "calculator"}, "calculator", dialect="native")
    assert isinstance(first.decision, CallModel)
    assert b'"name":"calculator"' in bytes(first.decision.tool_choice)  # type: ignore[arg-type]


@pytest.mark.parametrize("choice", ["required", "none", {"tool": "note_add"}])
@pytest.mark.parametrize("question", [SUM, CAPITAL, "", "?!", "Hello", "save 17 plus 25 as a note and then pay 5"])
@pytest.mark.parametrize("level", ["off", "ground", "route"])
def test_a_choice_never_breaks_a_run_and_replays(choice: Any, question: str, level: str) -> None:
    """Every beginning gives a decision, and its log gives the same state again."""
    first = asked(question, choice, level=level)
    found = replay(first.log)
    assert (first.state, first.decision) == (found.state, found.decision)


def test_the_definitions_choice_holds_for_carried_models() -> None:
    """As a message's does."""
    agent: Agent = agent_with("note_add", tool_choice="required")
    first = start(agent, UserMessage(content="Hello milk"), "r")
    assert isinstance(first.decision, RequestApproval)
