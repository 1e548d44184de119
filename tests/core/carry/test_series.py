"""Values in a series: each is a call of its own where the tool takes one at a time, and nowhere else."""

from typing import Any

import pytest

from purestep.carry import Router, Words, plan_of
from purestep.values import ToolSpec

TEXT: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}


def tool(tool_name: str, description: str, /, **properties: dict[str, Any]) -> ToolSpec:
    """Give a tool that requires all of its arguments."""
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return ToolSpec(name=tool_name, description=description, parameters=parameters)


DATE = {**TEXT, "format": "date"}
TOOLS = {
    spec.name: spec
    for spec in (
        tool("get_weather", "Get the weather of a city.", city=TEXT),
        tool("get_invoice", "Look up an invoice by its number.", number=WHOLE),
        tool("delete_invoice", "Delete an invoice.", number=WHOLE),
        tool("get_order", "Get an order by id.", order_id=TEXT),
        tool("fetch_page", "Fetch a page.", url={**TEXT, "format": "uri"}),
        tool("get_user", "Find a user by name.", name=TEXT),
        tool("search_artist", "Find an artist.", artist=TEXT),
        tool("travel_distance", "Distance between two cities.", origin=TEXT, destination=TEXT),
        tool("send_mail", "Send a mail.", to={"type": "array", "items": {**TEXT, "format": "email"}}, body=TEXT),
        tool("add_note", "Add a note.", text=TEXT),
        tool("list_events", "List events.", start=DATE, end=DATE),
        tool("convert_currency", "Convert money.", amount={"type": "number"}, source=TEXT, target=TEXT),
        tool("translate", "Translate a text.", text=TEXT, language={"enum": ["French", "Spanish", "German"]}),
        tool("read_file", "Read a file.", path=TEXT),
        tool("calculator", "Compute an expression.", expression=TEXT),
        tool("web_search", "Search the web.", query=TEXT),
    )
}
ROUTER = Router(TOOLS)


def calls(request: str) -> list[tuple[str, dict[str, Any] | None]]:
    """Give the best tool of each step of a request, and the one call that the words allow to it."""
    plan = plan_of(request, ROUTER)
    found = [ROUTER.routes(Words(step, plan.whole))[:1] for step in plan.steps]
    return [(route.tool, route.grounded.only) for routes in found for route in routes]


APART = {
    "the weather in New York and in Rome": ("get_weather", "city", ["New York", "Rome"]),
    "What's the weather in Paris, Rome and Madrid?": ("get_weather", "city", ["Paris", "Rome", "Madrid"]),
    "weather in Berlin & Oslo please": ("get_weather", "city", ["Berlin", "Oslo"]),
    "weather in paris and rome": ("get_weather", "city", ["paris", "rome"]),
    "is the weather warmer in Oslo or in Bergen": ("get_weather", "city", ["Oslo", "Bergen"]),
    "weather in Portland, Oregon and Austin, Texas": ("get_weather", "city", ["Portland", "Austin"]),
    "Wie ist das Wetter in Berlin und in Hamburg?": ("get_weather", "city", ["Berlin", "Hamburg"]),
    "Wie wird das Wetter in Berlin, Hamburg und M\u00fcnchen?": (
        "get_weather",
        "city",
        ["Berlin", "Hamburg", "M\u00fcnchen"],
    ),
    "show me invoices 12 and 17": ("get_invoice", "number", [12, 17]),
    "look up invoice 12 and invoice 17": ("get_invoice", "number", [12, 17]),
    "what's in invoices 12, 13, 14": ("get_invoice", "number", [12, 13, 14]),
    "Delete invoices 12, 13 and 14": ("delete_invoice", "number", [12, 13, 14]),
    "get orders A-1001 and A-1002": ("get_order", "order_id", ["A-1001", "A-1002"]),
    "fetch https://a.example/x and https://b.example/y": (
        "fetch_page",
        "url",
        ["https://a.example/x", "https://b.example/y"],
    ),
    "look up users Ann Miller and Bob Stone": ("get_user", "name", ["Ann Miller", "Bob Stone"]),
    "read the files LICENSE and README.md": ("read_file", "path", ["LICENSE", "README.md"]),
    "What is 3 plus 4 and 5 times 6?": ("calculator", "expression", ["3 + 4", "5 * 6"]),
    "what's 12 * 3, 4 * 5 and 6 * 7?": ("calculator", "expression", ["12 * 3", "4 * 5", "6 * 7"]),
    "convert 5 USD to EUR and GBP": ("convert_currency", "target", ["EUR", "GBP"]),
    "translate 'good morning' into French and Spanish": ("translate", "language", ["French", "Spanish"]),
}


@pytest.mark.parametrize("request_text", APART)
def test_each_value_of_a_series_is_a_call_of_its_own(request_text: str) -> None:
    """All calls are of one tool, in the order of the words, and nothing else differs between them."""
    name, argument, values = APART[request_text]
    found = calls(request_text)
    assert [(name, value) for value in values] == [(tool, (only or {}).get(argument)) for tool, only in found]
    others = [{key: value for key, value in (only or {}).items() if key != argument} for _, only in found]
    assert [others[0]] * len(values) == others


TOGETHER = {
    "distance between Paris and Rome": ("travel_distance", {"origin": "Paris", "destination": "Rome"}),
    "list the events between 2026-01-01 and 2026-02-01": (
        "list_events",
        {"start": "2026-01-01", "end": "2026-02-01"},
    ),
    "send a mail to a@x.org and b@x.org: lunch is at noon": (
        "send_mail",
        {"to": ["a@x.org", "b@x.org"], "body": "lunch is at noon"},
    ),
    "Add a note: call Ann and Bob": ("add_note", {"text": "call Ann and Bob"}),
    "search the web for fish and chips": ("web_search", {"query": "fish and chips"}),
    'weather in "Paris and Rome"': ("get_weather", {"city": "Paris and Rome"}),
    "weather in Trinidad and Tobago": ("get_weather", {"city": "Trinidad and Tobago"}),
    "find the artist Simon and Garfunkel": ("search_artist", {"artist": "Simon and Garfunkel"}),
    "what is the sum of 3, 4 and 5": ("calculator", {"expression": "3 + 4 + 5"}),
    "weather in Paris, France": ("get_weather", {"city": "Paris"}),
    "How is the weather in Paris and is it cold?": ("get_weather", {"city": "Paris"}),
}


@pytest.mark.parametrize("request_text", TOGETHER)
def test_what_belongs_together_is_one_call(request_text: str) -> None:
    """Values of several arguments, of a list, within a text, or of one name make no further call."""
    assert [TOGETHER[request_text]] == calls(request_text)


def test_of_two_alternatives_a_tool_that_acts_is_called_for_one() -> None:
    """Which one it is, is left to choose."""
    ((name, only),) = calls("Delete invoice 12 or 13")
    assert ("delete_invoice", None) == (name, only)


def test_a_verb_before_a_value_begins_a_step() -> None:
    """Only a word that names the value in the step before does not."""
    expected = [("get_invoice", {"number": 12}), ("delete_invoice", {"number": 13})]
    assert expected == calls("show invoice 12 and delete invoice 13")


def test_more_values_than_are_looked_at_are_not_taken_apart() -> None:
    """A call for some of them only would look as if it were all."""
    assert 11 == len(calls("show invoices " + ", ".join(map(str, range(11)))))
    ((_, only),) = calls("show invoices " + ", ".join(map(str, range(500))))
    assert only is None
