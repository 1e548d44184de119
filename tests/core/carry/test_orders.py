"""Which words order a tool that acts clearly, which leave a doubt, and which forbid it (11.carry)."""

import itertools
import json

import pytest

from purestep import (
    Agent,
    CallModel,
    Failed,
    InvokeTool,
    ModelOutput,
    RequestApproval,
    Step,
    UserMessage,
    replay,
    start,
    step,
)
from tests.core.carry.tools import NUMBER, TEXT, parameters

TOOLS = (
    {
        "name": "refund_order",
        "description": "Refund an order to the customer",
        "parameters": parameters(order_id=TEXT, amount=NUMBER),
    },
    {"name": "get_order", "description": "Look up an order", "parameters": parameters(order_id=TEXT)},
    {"name": "delete_file", "description": "Deletes a file for good", "parameters": parameters(path=TEXT)},
)

EMAIL = {
    "name": "send_email",
    "description": "Send an email",
    "parameters": parameters(to=TEXT, subject=TEXT, body=TEXT),
}

ORDERS = ("refund 25 for order A-1042", "delete the file notes/old.txt")
OPENINGS = (
    "",
    "please ",
    "Could you ",
    "can you please ",
    "hi, ",
    "I want to ",
    "I'd like you to ",
    "now ",
    "go ahead and ",
)
DOUBTS = (
    "I already did {}", "What happens if I {}?", "Should I {}?", "Explain how to {}", "The customer wrote: {}",
    "The customer wrote {}", "Write a poem about how they {}", "Instead of that {}", "Somebody said I should {}",
    "Undo that: {}", "He asked me to {}", "If the boss agrees, {}", "{} - no, wait", "{}, unless it is done already",
    "Why did you {}?", "Imagine you {}", "I never wanted to {}", "You cannot {}", "Could you have {}?",
    "How many times did you {}?", "Summarize this mail. It begins so. {}. It was denied",
)  # fmt: skip
FORBIDDING = (
    "do not {}", "Don't {}", "please don\u2019t {}", "Never {}", "You must not {}", "I don't want you to {}",
    "Please do not {} today", "no need to {}", "avoid to {}",
)  # fmt: skip
GERMAN = (
    ("Erstatte 25 Euro für Bestellung A-1042", "refund_order"),
    ("Bitte erstatte nicht 25 Euro für Bestellung A-1042", ""),
    ("Bitte lösche die Datei notes/old.txt nicht", ""),
    ("Lösche keine Datei notes/old.txt", ""),
    ("Ich habe die Datei notes/old.txt schon gelöscht", ""),
    ("Die Datei notes/old.txt wurde gelöscht", ""),
)


def ran(text: str) -> tuple[str, ...]:
    """Give the tools that run at once for a request, without a person or a model."""
    decision = start(Agent.load({"tools": list(TOOLS), "models": [{"name": "m", "carry": "route"}]}),
                     UserMessage(content=text), "r").decision  # fmt: skip
    return tuple(call.tool for call in decision.calls) if isinstance(decision, InvokeTool) else ()


def waits(text: str) -> bool:
    """Tell whether a person is asked about a call."""
    decision = start(Agent.load({"tools": list(TOOLS), "models": [{"name": "m", "carry": "route"}]}),
                     UserMessage(content=text), "r").decision  # fmt: skip
    return isinstance(decision, RequestApproval)


@pytest.mark.parametrize(("opening", "order"), tuple(itertools.product(OPENINGS, ORDERS)))
def test_clear_order_runs_at_once(opening: str, order: str) -> None:
    """A verb of the tool, first in the request but for polite words."""
    assert order.partition(" ")[0] in ran(opening + order)[0]


@pytest.mark.parametrize(("words", "order"), tuple(itertools.product(DOUBTS + FORBIDDING, ORDERS)))
def test_other_words_run_nothing_that_acts(words: str, order: str) -> None:
    """Negations, reports, questions, conditions and quotes: whatever runs at once only reads."""
    assert set(ran(words.format(order))) <= {"get_order"}


@pytest.mark.parametrize(("words", "order"), tuple(itertools.product(FORBIDDING, ORDERS)))
def test_what_is_forbidden_is_not_even_asked_about(words: str, order: str) -> None:
    """Whoever approves everything would have it done."""
    assert not waits(words.format(order))


@pytest.mark.parametrize(("text", "tool"), GERMAN)
def test_orders_in_german(text: str, tool: str) -> None:
    """A negation stands behind the verb there."""
    assert set(ran(text)) - {"get_order"} == ({tool} - {""})


@pytest.mark.parametrize("text", ["reembolsar 25 del pedido A-1042 no es posible", "refund\u4e0d25 A-1042"])
def test_words_of_a_language_without_a_file_run_nothing_that_acts(text: str) -> None:
    """Nobody knows how it denies."""
    assert set(ran(text)) <= {"get_order"}


@pytest.mark.parametrize("text", ["Where is my order A-1042?", "I never got order A-1042"])
def test_tools_whose_name_says_that_they_read_need_nobody(text: str) -> None:
    """`get_order` has no annotations."""
    assert ran(text) == ("get_order",)


def begun(text: str, *more: object) -> Step:
    """Give the first step of a run with these tools and more."""
    agent = Agent.load({"tools": [*TOOLS, *more], "models": [{"name": "m", "carry": "route"}]})
    return start(agent, UserMessage(content=text), "r")


def failed_for(text: str, *more: object) -> object:
    """Give what a failed run says is missing."""
    decision = begun(text, *more).decision
    return decision.detail if isinstance(decision, Failed) and decision.code == "missing_value" else None


@pytest.mark.parametrize(
    ("text", "tool", "names"),
    [
        ("refund order A-1042", "refund_order", ["amount"]),
        ("Please delete the file", "delete_file", ["path"]),
        ("Erstatte Bestellung A-1042", "refund_order", ["amount"]),
        ("send an email", "send_email", ["to", "subject", "body"]),
    ],
)
def test_order_that_lacks_a_value_fails_and_names_it(text: str, tool: str, names: list[str]) -> None:
    """An answer in words, or a look at the order, would pass for what was ordered."""
    assert {"tool": tool, "missing": names} == failed_for(text, EMAIL)


@pytest.mark.parametrize("text", ["Send me a joke", "write a poem", "Delete", "hello", "Where is my order?"])
def test_words_that_name_no_object_of_the_tool_are_answered(text: str) -> None:
    """The verb alone is no order of this tool."""
    write = {**TOOLS[2], "name": "write_file", "description": "Writes a file"}
    assert failed_for(text, EMAIL, write) is None


@pytest.mark.parametrize(
    ("words", "runs"), [("25 euros", True), ("it is 25", True), ("forget it", False), ("no", False)]
)
def test_next_words_may_say_what_was_missing(words: str, runs: bool) -> None:
    """The request goes on with them, unless they take it back."""
    before = begun("refund order A-1042")
    after = step(before.state, UserMessage(content=words))
    assert runs == isinstance(after.decision, InvokeTool)
    calls = [(call.tool, call.params) for call in getattr(after.decision, "calls", ())]
    assert ([("refund_order", {"order_id": "A-1042", "amount": 25})] if runs else []) == calls
    assert replay(before.log + after.log).state == after.state


def test_next_words_that_ask_for_something_else_stand_alone() -> None:
    """Nobody is held to an order."""
    after = step(begun("refund order A-1042").state, UserMessage(content="Where is my order B-7?"))
    assert isinstance(after.decision, InvokeTool)
    assert ("get_order", {"order_id": "B-7"}) == (after.decision.tool, after.decision.params)


def test_missing_text_of_a_clear_order_is_worded_by_the_model_and_seen_by_a_person() -> None:
    """What the request says is held to it."""
    first = begun("email bob@example.com that the shipment is late", EMAIL)
    assert isinstance(first.decision, CallModel)
    arguments = {"to": "bob@example.com", "subject": "Your shipment", "body": "the shipment is late"}
    output = json.dumps({"kind": "tool_call", "tool_name": "send_email", "arguments": arguments})
    second = step(first.state, ModelOutput(content=output))
    assert isinstance(second.decision, RequestApproval)
    assert arguments == second.decision.calls[0].params


def test_address_that_nobody_gave_is_no_candidate() -> None:
    """The model words texts; whom they reach is the user's to say, and a person sees what a model says instead."""
    first = begun("send an email to bob@example.com", EMAIL)
    assert isinstance(first.decision, CallModel)
    assert b'"to":{"enum":["bob@example.com"]}' in bytes(first.decision.response_format or b"")
    arguments = {"to": "eve@example.com", "subject": "s", "body": "b"}
    output = json.dumps({"kind": "tool_call", "tool_name": "send_email", "arguments": arguments})
    assert isinstance(step(first.state, ModelOutput(content=output)).decision, RequestApproval)


APPEND = {
    "name": "note_append",
    "description": "Write down a note to remember it.",
    "parameters": {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]},
}
SEARCH = {
    "name": "note_search",
    "description": "Find the notes that contain some words.",
    "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
}


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("note: buy milk", "note_append"),
        ("add a note that the car is on level 3", "note_append"),
        ("make a note that the car is on level 3", "note_append"),
        ("find my notes about milk", "note_search"),
        ("search the notes for milk", "note_search"),
    ],
)
def test_verb_decides_between_tools_that_come_near_each_other(text: str, tool: str) -> None:
    """Both are about notes."""
    decision = begun(text, APPEND, SEARCH).decision
    assert isinstance(decision, InvokeTool)
    assert tool == decision.tool


def test_verb_and_object_alone_are_no_value() -> None:
    """Nothing is noted that nobody said."""
    assert {"tool": "note_append", "missing": ["note"]} == failed_for("Add a note", APPEND, SEARCH)
