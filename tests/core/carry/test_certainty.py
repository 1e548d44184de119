"""No effect on a guess: which orders run without a person being asked, and which do not (11.carry)."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep import (
    Agent,
    CallModel,
    Failed,
    InvokeTool,
    ModelOutput,
    RequestApproval,
    Step,
    ToolResult,
    ToolResults,
    UserMessage,
    start,
    step,
)
from purestep.carry import LANGUAGES
from purestep.carry.languages import RESERVATIONS, Language, Reservations
from tests.core.carry.orders_said import ASKS, CALLS_NOTHING, RUNS
from tests.core.carry.strangers import BOXES

AGENTS = {
    box: Agent.load({"tools": list(tools), "models": [{"name": "m", "carry": "route"}]}) for box, tools in BOXES.items()
}
READING = ("get_", "list_", "read_", "search_")


def said(box: str, text: str) -> Step:
    """Give the first step of a run with the tools of a box."""
    return start(AGENTS[box], UserMessage(content=text), "r")


def effects(decision: Any) -> list[tuple[str, dict[str, Any]]]:
    """Give the calls that run at once and may act."""
    calls = decision.calls if isinstance(decision, InvokeTool) else ()
    return [(call.tool, call.params) for call in calls if not call.tool.startswith(READING)]


def lines(table: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Give each line of a table with its toolbox."""
    for box, texts in table.items():
        for text in texts.strip().splitlines():
            yield box, text.strip()


@pytest.mark.parametrize(("box", "text", "tool", "params"), [(box, *row) for box, rows in RUNS.items() for row in rows])
def test_what_is_ordered_in_full_runs_at_once(box: str, text: str, tool: str, params: dict[str, Any]) -> None:
    """Nobody is asked about what the words leave no doubt of; of several orders the first one runs."""
    decision = said(box, text).decision
    assert isinstance(decision, InvokeTool)
    assert (tool, params) == (decision.tool, decision.params)


@pytest.mark.parametrize(("box", "text"), list(lines(ASKS)))
def test_a_doubt_is_asked_about(box: str, text: str) -> None:
    """A person is asked at once, or about whatever call the model makes of the words."""
    first = said(box, text)
    assert isinstance(first.decision, RequestApproval | CallModel)
    assert [] == effects(first.decision)
    assert first.state.carried is not None
    assert "" == first.state.carried.sure


@pytest.mark.parametrize(("box", "text"), list(lines(CALLS_NOTHING)))
def test_what_names_nothing_calls_nothing(box: str, text: str) -> None:
    """A call of which nothing is known but the tool is none to ask about either."""
    decision = said(box, text).decision
    assert isinstance(decision, InvokeTool | CallModel | Failed)
    assert [] == effects(decision)


def test_call_that_a_model_makes_of_a_doubt_is_asked_about() -> None:
    """The model words whom the money goes to, and a person sees it."""
    first = said("bank", "send 50 to him")
    call = '{"kind":"tool_call","tool_name":"send_payment","arguments":{"to":"him","amount":50}}'
    assert isinstance(step(first.state, ModelOutput(content=call)).decision, RequestApproval)


@pytest.mark.parametrize("order", ["delete notes.txt {}", "Bitte l\u00f6sche notes.txt, {}"])
@pytest.mark.parametrize("language", RESERVATIONS)
def test_each_reservation_is_heard_in_each_language(language: Reservations, order: str) -> None:
    """Whoever mixes languages is understood as well."""
    phrases = (*language.conditions, *language.delays, *language.told)
    assert [] == [phrase for phrase in phrases if effects(said("file", order.format(phrase)).decision)]


@pytest.mark.parametrize("language", RESERVATIONS)
def test_what_is_told_about_the_order_is_heard_in_a_dictated_text(language: Reservations) -> None:
    """ "Save a note that ..., but ask me first": a text may hold conditions of its own, but not these."""
    order = "save a note that the car is on level 3, {}"
    assert [] == [phrase for phrase in language.told if effects(said("notes", order.format(phrase)).decision)]


@pytest.mark.parametrize("text", ["read notes.txt", "Read the file notes.txt", "please read notes.txt"])
@pytest.mark.parametrize("more", ["", " if you can", " once more", ", maybe", " before lunch", " jutro", ", nah"])
def test_what_only_reads_is_held_to_none_of_this(text: str, more: str) -> None:
    """A look too many does no harm."""
    decision = said("file", text + more).decision
    assert isinstance(decision, InvokeTool)
    assert ("read_file", {"path": "notes.txt"}) == (decision.tool, decision.params)


@given(
    st.sampled_from(("Delete notes.txt {}", "{} delete notes.txt", "delete {} notes.txt")), st.text("qxzv", min_size=3)
)
def test_a_word_that_nobody_knows_makes_an_order_unsure(order: str, word: str) -> None:
    """So no order is certain in a language without a file, nor one that is denied in it."""
    assert [] == effects(said("file", order.format(word)).decision)


@pytest.mark.parametrize(
    ("language", "order"),
    list(zip(LANGUAGES, ("Please delete the file notes.txt {}", "L\u00f6sche notes.txt {}"), strict=True)),
)
def test_words_that_add_nothing_leave_an_order_certain(language: Language, order: str) -> None:
    """A false alarm is a fault too."""
    expected = [("delete_file", {"path": "notes.txt"})]
    found = {word: effects(said("file", order.format(word)).decision) for word in sorted(language.fillers)}
    assert [] == [word for word, calls in found.items() if calls != expected]


@pytest.mark.parametrize(("result", "runs"), [("nothing of note", True), ("see /etc/hosts", False)])
def test_a_pronoun_means_what_was_said_and_not_what_a_result_names(result: str, runs: bool) -> None:
    """ "Read notes.txt and delete it": the text of a file must not choose what is deleted."""
    first = said("file", "Read notes.txt and delete it")
    assert isinstance(first.decision, InvokeTool)
    assert "read_file" == first.decision.tool
    given_back = ToolResult(call_id=first.decision.call_id, ok=True, output=result)
    second = step(first.state, ToolResults(results=(given_back,)))
    assert ([("delete_file", {"path": "notes.txt"})] if runs else []) == effects(second.decision)


def test_amount_in_another_currency_than_the_tools_is_asked_about() -> None:
    """An argument may say which currency its number is in."""
    amount = {"type": "number", "description": "Amount in EUR"}
    schema = {
        "type": "object",
        "properties": {"to": {"type": "string"}, "amount": amount},
        "required": ["to", "amount"],
    }
    pay = {"name": "send_payment", "description": "", "parameters": schema}
    agent = Agent.load({"tools": [pay], "models": [{"name": "m", "carry": "route"}]})
    for text, runs in (
        ("Send 50 euros to Anna", True),
        ("Send 50 dollars to Anna", False),
        ("Send $50 to Anna", False),
    ):
        assert runs == bool(effects(start(agent, UserMessage(content=text), "r").decision)), text
