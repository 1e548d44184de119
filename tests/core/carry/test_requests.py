"""Requests as people type them: the tools that they ask for and the values that they hold (11.carry)."""

from typing import Any

import pytest

from purestep.carry import Router, Words, clause_of, ground, plan_of
from purestep.values import ToolSpec
from purestep.values.toolspec import Annotations
from tests.core.carry.tools import ROUTER

RESULT = "42"


def steps_of(request: str) -> list[tuple[str, dict[str, Any] | None]]:
    """Give the tool of each step of a request with the one call that its words allow; earlier steps gave 42."""
    plan = plan_of(request, ROUTER)
    found = []
    for number, step in enumerate(plan.steps):
        best = ROUTER.routes(Words(step, plan.whole, (RESULT,) * min(number, 1)))[0]
        found.append((best.tool, best.grounded.only))
    return found


ONE_STEP = {
    "What is 17 plus 25?": ("calculator", {"expression": "17 + 25"}),
    "what's three hundred minus forty two": ("calculator", {"expression": "300 - 42"}),
    "What is 15% of 80?": ("calculator", {"expression": "80 * 15 / 100"}),
    "calculate the sum of 3, 4 and 5": ("calculator", {"expression": "3 + 4 + 5"}),
    "subtract 3 from 10": ("calculator", {"expression": "10 - 3"}),
    "(3 + 4) * 2 = ?": ("calculator", {"expression": "(3 + 4) * 2"}),
    "compute 2 × 3 ÷ 4": ("calculator", {"expression": "2 * 3 / 4"}),
    "multiply 6 by 1,500": ("calculator", {"expression": "6 * 1500"}),
    "calculate 2 to the power of 10": ("calculator", {"expression": "2 ** 10"}),
    "Save a note: buy milk and eggs": ("note_add", {"note": "buy milk and eggs"}),
    "jot down that the keys are in the drawer": ("note_add", {"note": "the keys are in the drawer"}),
    'Save the note "search the web"': ("note_add", {"note": "search the web"}),
    "search my notes for keys": ("note_search", {"query": "keys"}),
    "Fetch https://a.example/x?y=1.": ("fetch_page", {"url": "https://a.example/x?y=1"}),
    "What's the weather in Oslo today?": ("get_weather", {"city": "Oslo"}),
    "weather in Rome in fahrenheit please": ("get_weather", {"city": "Rome", "unit": "fahrenheit"}),
    "Where is my order A-1042?": ("order_status", {"order_id": "A-1042"}),
    "what about order #77": ("order_status", {"order_id": "77"}),
    "Please pay 50 euros to Anna.": ("send_payment", {"recipient": "Anna", "amount": 50}),
    "Convert 80 EUR to USD": ("convert_currency", {"amount": 80, "source": "EUR", "target": "USD"}),
    "Move old/a.txt to new/b.txt": ("move_file", {"source_path": "old/a.txt", "destination_path": "new/b.txt"}),
    'Create an event "Car service" on 2026-06-03 at 08:00': (
        "create_event",
        {"title": "Car service", "date": "2026-06-03", "time": "08:00"},
    ),
    "How many days are there between 2026-03-16 and 2026-04-01?": (
        "days_between",
        {"start": "2026-03-16", "end": "2026-04-01"},
    ),
    'How often does the letter s occur in the text "Mississippi"?': (
        "count_letter",
        {"text": "Mississippi", "letter": "s"},
    ),
    "Search for files matching *.py in the folder src": ("search_files", {"pattern": "*.py", "folder": "src"}),
    "Set an alarm for 12 minutes": ("set_alarm", {"minutes": 12}),
    "Was ist 17 plus 25?": ("calculator", {"expression": "17 + 25"}),
    "Wie ist das Wetter in Bern?": ("get_weather", {"city": "Bern"}),
    "Notiere bitte, dass die Tür klemmt": ("note_add", {"note": "die Tür klemmt"}),
}


@pytest.mark.parametrize(("request_", "expected"), ONE_STEP.items(), ids=list(ONE_STEP))
def test_a_plain_request_is_one_call(request_: str, expected: tuple[str, dict[str, Any]]) -> None:
    """Words and values leave one call, and it is the right one."""
    assert [expected] == steps_of(request_)


SEVERAL = {
    "calculate 17 + 25 and save the result as a note": [
        ("calculator", {"expression": "17 + 25"}),
        ("note_add", {"note": RESULT}),
    ],
    "calculate 12 * 12 and then multiply it by 3": [
        ("calculator", {"expression": "12 * 12"}),
        ("calculator", {"expression": "42 * 3"}),
    ],
    "Fetch https://a.example/, check the weather in Bern, and set an alarm for 5 minutes": [
        ("fetch_page", {"url": "https://a.example/"}),
        ("get_weather", {"city": "Bern"}),
        ("set_alarm", {"minutes": 5}),
    ],
    "Berechne 120 / 8 und notiere das Ergebnis": [
        ("calculator", {"expression": "120 / 8"}),
        ("note_add", {"note": RESULT}),
    ],
}


@pytest.mark.parametrize(("request_", "expected"), SEVERAL.items(), ids=list(SEVERAL))
def test_a_request_is_split_where_a_step_begins(request_: str, expected: list[Any]) -> None:
    """What an earlier step gives is taken up by the next."""
    assert expected == steps_of(request_)


@pytest.mark.parametrize(
    "request_",
    [
        "", '""', "hi", "Good morning!", "thanks", "???", "\n\n", "What is the capital of France?", "Tell me about you",
        "why do people write notes?", "Is it a good idea to send a payment?", "Warum schreibt man Notizen?", "天气",
    ],
)  # fmt: skip
def test_talk_asks_for_no_tool(request_: str) -> None:
    """Greetings, questions of knowledge and of opinion are answered without a tool."""
    assert [] == steps_of(request_)


def test_what_others_do_begins_no_step() -> None:
    """A verb after the person who does it is no order, though it asks for a tool where a modal stands before both."""
    fetched = ("fetch_page", {"url": "https://example.org/hours"})
    assert [fetched] == steps_of("Fetch https://example.org/hours and tell me what they list.")
    assert [("get_weather", {"city": "Oslo"})] == steps_of("Could we get the weather in Oslo?")


def test_what_a_value_holds_begins_no_step() -> None:
    """A note that names other tools is one note."""
    assert [("note_add", {"note": "fetch the page, pay Anna and search the notes"})] == steps_of(
        "Save a note: fetch the page, pay Anna and search the notes"
    )
    assert [("note_add", {"note": "pay Anna and set an alarm"})] == steps_of(
        'Save the note "pay Anna and set an alarm"'
    )


def test_a_value_out_of_bounds_is_no_candidate() -> None:
    """A payment of more than its schema allows is not offered at all."""
    assert "send_payment" not in [route.tool for route in ROUTER.routes(words("Please pay 5000 euros to Anna."))]


def words(request: str, *results: str) -> Words:
    """Give a request of one part, after results."""
    clause = clause_of(request)
    return Words(clause, clause, results)


def grounded(tool: str, request: str, *results: str) -> dict[str, Any] | None:
    """Give the candidates of a tool's arguments."""
    said = words(request, *results)
    found = ground(ROUTER.parameters[tool], said, ROUTER.own_stems(tool, said.clause.language))
    return None if found is None else found.values


def test_a_missing_value_drops_the_tool() -> None:
    """A tool is not asked for without its values; a result may bring them."""
    assert grounded("fetch_page", "fetch the page") is None
    assert {"url": ("https://b.example/",)} == grounded("fetch_page", "fetch the page", "see https://b.example/")
    assert grounded("days_between", "the days between 2026-03-16 and today") is not None
    assert grounded("set_alarm", "set an alarm") is None


def test_lists_hold_all_values_of_their_kind() -> None:
    """Items are the quoted texts, the numbers, or the parts of a phrase."""
    assert {"tags": (["red", "new"],), "ids": ([3, 4],)} == grounded("tag_items", 'Put tags "red" "new" on 3 and 4')
    found = grounded("tag_items", "Put the tags red and blue on items 3 and 4")
    assert found is not None
    assert ([3, 4],) == found["ids"]


def test_open_choices_stay_open() -> None:
    """What the words leave open has several candidates, and the model chooses among them."""
    found = grounded("get_weather", "Paris near London, what is the weather like")
    assert found is not None
    assert len(found["city"]) > 1


def test_values_only_are_held_where_texts_are_not() -> None:
    """At the lower level a model words its texts; addresses it copies."""
    said = words("fetch https://a.example/ and https://b.example/")
    held = ground(ROUTER.parameters["fetch_page"], said, frozenset(), strict=False)
    free = ground(ROUTER.parameters["note_add"], said, frozenset(), strict=False)
    assert held is not None
    assert free is not None
    assert {"url": ("https://a.example/", "https://b.example/")} == held.values
    assert {} == free.values


def test_two_hundred_tools_without_a_word_are_no_trouble() -> None:
    """Tools without descriptions are known by their names and parameters alone."""
    specs = {f"tool_{number}": ToolSpec(name=f"tool_{number}") for number in range(200)}
    assert () == plan_of("What is 17 plus 25?", Router(specs)).steps


REMINDER = Router(
    {
        "send_reminder": ToolSpec(
            name="send_reminder",
            description="Send a reminder to a customer",
            parameters={
                "type": "object",
                "properties": {"to": {"type": "string"}, "message": {"type": "string"}},
                "required": ["to", "message"],
            },
        )
    }
)


@pytest.mark.parametrize(
    "request_",
    ["Remind Ada that it is due to Bob on Friday.", "Send a reminder to Ada that it is due to Bob on Friday"],
)
def test_what_is_told_leads_to_no_other_argument(request_: str) -> None:
    """Names within a message are not its recipient."""
    (route,) = REMINDER.routes(words(request_))
    assert route.grounded.values["message"] == ("it is due to Bob on Friday",)
    assert (route.grounded.values["to"] or ("",))[0] == "Ada"


def test_what_is_merely_left_over_is_not_sure() -> None:
    """A value that only the rest of the request gives makes the call a guess."""
    assert REMINDER.routes(words("Send a reminder to Ada that it is due"))[0].grounded.sure
    assert not REMINDER.routes(words("Send Ada a reminder that it is due"))[0].grounded.sure


SOURCED: dict[str, dict[str, Any]] = {
    "Dial X555-0100": {"type": "string", "x-source": "code"},
    "Dial 2026-01-02": {"type": "string", "x-source": "date"},
    "Dial monday": {"type": "string", "format": "date"},
    "Dial True things": {"type": "boolean"},
    'Dial "x y"': {"type": ["string", "null"]},
    "Dial «Grüezi»": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    "Dial 12": {"type": "integer"},
    "Dial 12%": {"type": "number", "maximum": 20},
    "Dial ann@example.org": {"$ref": "#/$defs/mail"},
    "Dial bob@example.org": {"$ref": "#mail"},
    "Dial 12:30": {"type": "string", "format": "time"},
    "Dial 2026-01-02T10:00Z": {"type": "string", "description": "when, as a timestamp"},
    "Dial data/a.txt": {"type": "string", "description": "path of it"},
    "Dial seven": {"const": "seven"},
    "Dial #12": {"type": "integer"},
}


@pytest.mark.parametrize(("request_", "schema"), SOURCED.items(), ids=list(SOURCED))
def test_a_value_of_each_source_is_found(request_: str, schema: dict[str, Any]) -> None:
    """The source of an argument is said by its schema, or guessed, and the request holds a value of it."""
    spec = ToolSpec(
        name="dial",
        parameters={
            "type": "object",
            "properties": {"what": schema},
            "required": ["what"],
            "$defs": {"mail": {"$anchor": "mail", "type": "string", "format": "email"}},
        },
    )
    (route,) = Router({"dial": spec}).routes(words(request_))
    assert str((route.grounded.values["what"] or ("?",))[0]) in request_


def test_plans_are_kept_in_a_bounded_number() -> None:
    """Many requests to one definition leave its memory bounded."""
    for number in range(200):
        plan_of(f"What is {number} plus 1?", ROUTER)
    assert len(ROUTER.plans) <= 64


@pytest.mark.parametrize(
    ("name", "request_"),
    [("delete_note", "delete which note?"), ("notiz_loeschen", "welche notiz löschen?")],
)
def test_a_question_lowers_a_tool_that_acts_by_its_name(name: str, request_: str) -> None:
    """What acts is told by a verb of the name, in each language; an annotation says otherwise."""
    acting, reading = (
        Router({name: ToolSpec(name=name, annotations=Annotations(readOnlyHint=hint))}) for hint in (None, True)
    )
    (asked,), (read,) = (router.routes(words(request_)) for router in (acting, reading))
    assert asked.score * 2 == read.score
