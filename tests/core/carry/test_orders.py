"""Which words order a tool that acts clearly, which leave a doubt, and which forbid it (11.carry)."""

import itertools

import pytest

from purestep import Agent, InvokeTool, RequestApproval, UserMessage, start

TOOLS = (
    {
        "name": "refund_order",
        "description": "Refund an order to the customer",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
            "required": ["order_id", "amount"],
        },
    },
    {
        "name": "get_order",
        "description": "Look up an order",
        "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]},
    },
    {
        "name": "delete_file",
        "description": "Deletes a file for good",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    },
)

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
