"""Requests as people write them who know nothing of tools: dates in words, reports before an order, implied steps."""

from typing import Any

import pytest

from purestep.carry import Router, Words, clause_of, plan_of
from purestep.values import Example, ToolSpec
from purestep.values.toolspec import Annotations
from tests.core.carry.tools import NUMBER, READS, ROUTER, TEXT, parameters

ADDRESS = {"type": "string", "format": "email"}
NUMBER_OF_A_BOOK = {"type": "string", "pattern": "^[0-9]{13}$"}
LENGTH = {"enum": ["km", "mi", "kg", "lb"]}


def tool(name: str, description: str, given: str = "", /, *, reads: bool = True, **required: Any) -> ToolSpec:
    """Make a tool; `given` is what its example gives."""
    examples = (Example(query="?", arguments={}, result=given),) if given else ()
    annotations = READS if reads else Annotations(destructiveHint=True)
    return ToolSpec(
        name=name,
        description=description,
        parameters=parameters(**required),
        annotations=annotations,
        examples=examples,
    )


TOOLS = (
    tool("add_numbers", "Add two numbers", a=NUMBER, b=NUMBER),
    tool("multiply_numbers", "Multiply two numbers", a=NUMBER, b=NUMBER),
    tool("convert_units", "Convert a length or a weight to another unit", value=NUMBER, source=LENGTH, target=LENGTH),
    tool("split_bill", "Split a bill evenly", total=NUMBER, people={"type": "integer"}),
    tool("count_words", "Count the words of a text", text=TEXT),
    tool("read_file", "Read the text of a file", path=TEXT),
    tool("delete_file", "Delete a file", reads=False, path=TEXT),
    tool("find_contact", "Find somebody's contact details", "Olga: olga@a.example, 030 1234", name=TEXT),
    tool("send_mail", "Send a mail", reads=False, to=ADDRESS, text=TEXT),
    tool("find_book", "Find a book by its title", "9780001000097: Blue Hills", title=TEXT),
    tool("due_date", "Tell when a lent book is due", isbn=NUMBER_OF_A_BOOK),
    tool("lend_book", "Lend a book to a reader", reads=False, isbn=NUMBER_OF_A_BOOK, reader=TEXT),
    tool("replace_word", "Replace a word of a text", text=TEXT, old=TEXT, new=TEXT),
)
OFFICE = Router({each.name: each for each in TOOLS})


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("on March 18, 2026", "date", "2026-03-18"),
        ("on 3rd of August 2026", "date", "2026-08-03"),
        ("am 5. M\u00e4rz 2026 bitte", "date", "2026-03-05"),
        ("on 29 February 2028", "date", "2028-02-29"),
        ("at 7 pm", "time", "19:00"),
        ("at 12:15 am", "time", "00:15"),
        ("at half past ten in the morning", "time", "10:30"),
        ("at a quarter to nine in the evening", "time", "20:45"),
        ("um 18 Uhr 30 bitte", "time", "18:30"),
        ("bitte um halb neun abends", "time", "20:30"),
    ],
)
def test_dates_and_times_in_words_are_values(text: str, kind: str, value: str) -> None:
    """What is said in full is read as ISO 8601 writes it."""
    assert [(kind, value)] == [(span.kind, span.value) for span in clause_of(text).spans]


@pytest.mark.parametrize(
    "text",
    [
        "on March 18",  # no year, and the core has no clock
        "on 31 February 2026 at 13 pm",
        "on 29 February 2027",
        "lunch is at one o'clock",
        "he may 2026 times",
        "at half past ten",  # in the morning, or in the evening?
    ],
)
def test_what_is_said_in_part_is_no_date_or_time(text: str) -> None:
    """Nothing is guessed: neither a year nor half of a day."""
    assert [] == [span.value for span in clause_of(text).spans if span.kind in ("date", "time")]


@pytest.mark.parametrize(
    ("request_", "minutes"),
    [
        ("set an alarm for an hour and a half", 90),
        ("set an alarm for half an hour", 30),
        ("set an alarm for 1 hour and 30 minutes", 90),
        ("set an alarm for two hours", 120),
        ("set an alarm for 12 minutes", 12),
    ],
)
def test_lengths_of_time_are_given_in_the_arguments_unit(request_: str, minutes: int) -> None:
    """A number that is called minutes is one of minutes."""
    clause = clause_of(request_)
    best = ROUTER.routes(Words(clause, clause))[0]
    assert ("set_alarm", {"minutes": minutes}) == (best.tool, best.grounded.only)


ONE_STEP = {
    "My suitcase weighs 52 pounds, how many kilos is that?": (
        "convert_units",
        {"value": 52, "source": "lb", "target": "kg"},
    ),
    "How many kilometres are 26.2 miles?": ("convert_units", {"value": 26.2, "source": "mi", "target": "km"}),
    "5 of us had dinner, 132.75 in total. split it please": ("split_bill", {"total": 132.75, "people": 5}),
    "125 x 48": ("multiply_numbers", {"a": 125, "b": 48}),
    "I had 318 stamps and she gave me 94 more. How many are that?": ("add_numbers", {"a": 318, "b": 94}),
    "what's inside notes.txt?": ("read_file", {"path": "notes.txt"}),
    "when do I have to bring back 9780001000035": ("due_date", {"isbn": "9780001000035"}),
    "Please lend 9780001000011 to reader Hannah Vogt": (
        "lend_book",
        {"isbn": "9780001000011", "reader": "Hannah Vogt"},
    ),
    'Take "see you on monday", replace monday with friday': (
        "replace_word",
        {"text": "see you on monday", "old": "monday", "new": "friday"},
    ),
}


@pytest.mark.parametrize(("request_", "expected"), ONE_STEP.items(), ids=list(ONE_STEP))
def test_an_everyday_request_is_one_call(request_: str, expected: tuple[str, dict[str, Any]]) -> None:
    """Units, types, patterns and signs tell the tool and its values."""
    plan = plan_of(request_, OFFICE)
    (step,) = plan.steps
    best = OFFICE.routes(Words(step, plan.whole))[0]
    assert expected == (best.tool, best.grounded.only)


def test_a_report_before_an_order_gives_values_only() -> None:
    """The order tells the tool, and a report no value that the order has."""
    plan = plan_of("I've caught a cold and we're tired. Please delete the file old.txt", OFFICE)
    assert ["Please delete the file old.txt"] == [step.text for step in plan.steps]


IMPLIED = {
    "How many words are in the file ideas.md?": [("ideas.md", "read_file"), ("in the file it?", "")],
    "Mail Ben Okafor: the boat is ready": [("Ben Okafor", "find_contact"), ("the boat is ready", "")],
    "When is Night Ferries due? I don't have the ISBN.": [("Night Ferries", "find_book"), ("the ISBN.", "")],
}


@pytest.mark.parametrize(("request_", "expected"), IMPLIED.items(), ids=list(IMPLIED))
def test_what_a_step_lacks_is_read_or_looked_up_first(request_: str, expected: list[tuple[str, str]]) -> None:
    """A step that the words only imply has its tool, and comes before the one that needs it."""
    plan = plan_of(request_, OFFICE)
    assert [tool for _, tool in expected] == list(plan.tools)
    assert all(part in step.text for (part, _), step in zip(expected, plan.steps, strict=True))


@pytest.mark.parametrize(
    "request_",
    [
        'How many words are in "the file ideas.md"?',
        "I need the contact details of Ben Okafor",
        "Mail ben@a.example: the boat is ready",
        "I wonder when Ben Okafor will mail me",
    ],
)
def test_nothing_is_looked_up_that_no_step_lacks(request_: str) -> None:
    """What is said, or asked for itself, needs no step before it."""
    assert not any(plan_of(request_, OFFICE).tools)


@pytest.mark.parametrize(
    "request_",
    [
        "Write me a two-line rhyme about autumn",
        "Could you write a short birthday wish for a friend who turns thirty? Just show it to me here.",
        "What's the best way to organise files?",
        "Is it hard to learn to count words backwards?",
    ],
)
def test_texts_to_be_written_and_general_questions_need_no_tool(request_: str) -> None:
    """A poem is the model's own work, and how hard something is no tool knows."""
    assert () == plan_of(request_, OFFICE).steps
