"""Names, identifiers and other values that only their place or their look tells, in requests to tools of all kinds."""

import json
from typing import Any

import pytest

from purestep.carry import Router, Words, clause_of, plan_of
from purestep.values import ToolSpec


def tool(name: str, description: str, *required: str, **properties: dict[str, Any]) -> ToolSpec:
    """Give a tool; parameters that are only named are texts."""
    texts: dict[str, dict[str, Any]] = {each: {"type": "string"} for each in required}
    parameters = {"type": "object", "properties": texts | properties, "required": list(required)}
    return ToolSpec(name=name, description=description, parameters=parameters)


NUMBER = {"type": "integer"}
TOOLS = {
    spec.name: spec
    for spec in (
        tool("send_note_to_parents", "Send a written note to a student's parents.", "student", "message"),
        tool("list_grades", "List all grades of one student.", "student"),
        tool("record_mark", "Record a mark that a student got.", "student", "mark", mark={"enum": ["A", "B", "C"]}),
        tool("book_appointment", "Book an appointment for a patient with a doctor.", "patient", "doctor"),
        tool("build_status", "Get the state of one build.", "job", "number", number=NUMBER),
        tool("play_track", "Play a track.", "track", artist={"type": "string"}),
        tool("create_issue", "Create an issue in a repository.", "owner", "repo", "title"),
        tool("get_weather", "Get the weather in a city.", "city"),
        tool("find_pages", "Find pages by words.", "query"),
        tool("archive_page", "Archive a page.", "page_id"),
        tool("search_mail", "Search the mail for words.", "query"),
        tool("read_mail", "Read one mail.", "mail_id"),
        tool(
            "set_blinds",
            "Open or close the blinds of a room.",
            "room",
            "position",
            position={"enum": ["open", "closed"]},
        ),
        tool("set_brightness", "Dim the lamps of a room.", "room", "level", level=NUMBER),
        tool("pay_invoice", "Pay an invoice.", "invoice_id"),
    )
}
ROUTER = Router(TOOLS)


def best(request: str, *results: str) -> list[tuple[str, dict[str, Any] | None]]:
    """Give for each step of a request the best tool, and the one call that the words allow to it."""
    plan = plan_of(request, ROUTER)
    routes = [ROUTER.routes(Words(step, plan.whole, results))[:1] for step in plan.steps]
    return [(route.tool, route.grounded.only) for found in routes for route in found]


ONE_CALL = {
    "what grades does Elif Kaya have so far": ("list_grades", {"student": "Elif Kaya"}),
    'Write to the parents of Tom Okafor: "bring a coat"': (
        "send_note_to_parents",
        {"student": "Tom Okafor", "message": "bring a coat"},
    ),
    "Record a B for Jonas Lindqvist": ("record_mark", {"student": "Jonas Lindqvist", "mark": "B"}),
    "Book an appointment for Greta Holm with Dr. Santos": (
        "book_appointment",
        {"patient": "Greta Holm", "doctor": "Dr. Santos"},
    ),
    "hows build 498 of web-frontend doing": ("build_status", {"job": "web-frontend", "number": 498}),
    "play Golden Hour by Mira Vale": ("play_track", {"track": "Golden Hour", "artist": "Mira Vale"}),
    'Open an issue in acme/website called "Form loses umlauts"': (
        "create_issue",
        {"owner": "acme", "repo": "website", "title": "Form loses umlauts"},
    ),
    "what's the weather in New York tomorrow?": ("get_weather", {"city": "New York"}),
    "Find the pages about onboarding": ("find_pages", {"query": "onboarding"}),
    "The invoice INV-7 is fine. Pay it.": ("pay_invoice", {"invoice_id": "INV-7"}),
}


@pytest.mark.parametrize("request_", ONE_CALL)
def test_the_words_leave_one_call(request_: str) -> None:
    """Names end where something is said of them, identifiers are one word, a quote goes to the text that takes all."""
    assert [ONE_CALL[request_]] == best(request_)


def test_a_later_step_takes_the_room_of_the_first() -> None:
    """ "15 percent" names no room."""
    assert [
        ("set_blinds", {"room": "bedroom", "position": "closed"}),
        ("set_brightness", {"room": "bedroom", "level": 15}),
    ] == best("Close the blinds in the bedroom and dim the lamps there to 15 percent")


def test_two_names_leave_a_choice() -> None:
    """The first word of a request may be a name too."""
    ((_, only),) = best("Paris near London, what is the weather?")
    assert only is None


def test_a_value_stands_in_the_result_under_its_name() -> None:
    """What was found first is what "it" means, whichever way its identifier is called."""
    found = json.dumps({"mails": [{"id": "18f3", "subject": "Rent"}, {"id": "99"}]})
    assert ("read_mail", {"mail_id": "18f3"}) in best("Search my mail for rent and read it", found)
    named = json.dumps({"mail_id": 7, "id": 1})
    assert ("read_mail", {"mail_id": "7"}) in best("Search my mail for rent and read it", named)


@pytest.mark.parametrize(
    "request_", ["Find the page", "Thanks a lot, you saved my morning!", "what does the word invoice mean?"]
)
def test_words_are_no_identifier(request_: str) -> None:
    """An identifier is written as one, so nothing that acts on one is asked for."""
    assert not {"archive_page", "pay_invoice", "read_mail"} & {name for name, _ in best(request_)}


def test_looking_is_no_act() -> None:
    """An order to show something lowers tools that act, unless it is their own verb."""
    shown = Words(clause_of("show me page 3b9d20"), clause_of("show me page 3b9d20"))
    names = [route.tool for route in ROUTER.routes(shown)]
    assert "archive_page" not in names[:1]


@pytest.mark.parametrize(
    ("name", "acts"),
    [("abort_build", True), ("ci_abort_build", True), ("list_resumes", False), ("get_start_time", False)],
)
def test_verbs_that_name_things_act_unless_one_that_reads_comes_first(name: str, acts: bool) -> None:
    """Their names are all that says it."""
    assert acts == (name in Router({name: ToolSpec(name=name)}).verbs.acting)
