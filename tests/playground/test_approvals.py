import json

from playwright.sync_api import Locator, expect

from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final, tool

SEND = {**tool("send_reminder", to="string", text="string"), "approval": "ask"}
SETTINGS = {
    "chosen": "scripted",
    "definition": definition(SEND),
    "outputs": [call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}


def _asked(open_page: Open) -> tuple[Playground, Locator]:
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    card = playground.page.locator(".card", has_text="May this run?")
    expect(card).to_contain_text("send_reminder")
    return playground, card


def _events(playground: Playground) -> dict[str, dict[str, object]]:
    return {event["kind"]: event for event in map(json.loads, playground.download_log().splitlines())}


def test_nothing_runs_before_it_is_approved(open_page: Open) -> None:
    """The card shows tool and arguments; only the approval runs it."""
    playground, card = _asked(open_page)
    assert json.loads(card.get_by_label("Arguments").input_value()) == {"to": "Ada", "text": "Friday"}
    assert "Tool returned" not in playground.labels()
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    assert _events(playground)["tool_result"]["output"] == "sent to Ada: Friday"


def test_a_refusal_goes_back_to_the_model_with_its_reason(open_page: Open) -> None:
    """A refused call never runs, and its reason stands in the log and in the next prompt."""
    playground, card = _asked(open_page)
    card.get_by_label("Reason").fill("Ada has paid")
    card.get_by_role("button", name="Refuse").click()
    playground.expect_answer("That is settled.")
    events = _events(playground)
    assert (events["approval"]["approved"], events["approval"]["reason"]) == (False, "Ada has paid")
    assert "tool_result" not in events
    playground.show_timeline()
    playground.button("Look inside step 3").click()
    playground.page.get_by_role("dialog").get_by_role("button", name="Prompt", exact=True).click()
    expect(playground.page.get_by_role("dialog")).to_contain_text("Ada has paid")


def test_arguments_can_be_changed_and_are_checked_by_the_core(open_page: Open) -> None:
    """Arguments that do not fit are refused at the field; those that fit are what runs."""
    playground, card = _asked(open_page)
    field = card.get_by_label("Arguments")
    field.fill('{"to": 7}')
    card.get_by_role("button", name="Approve and run").click()
    expect(card.get_by_role("alert")).to_contain_text("/to")
    field.fill('{"to": "Bob", "text": "Monday"}')
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    assert _events(playground)["tool_result"]["output"] == "sent to Bob: Monday"
