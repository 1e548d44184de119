import json
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.playground.conftest import Open
from tests.playground.driver import PATIENCE_MS, Playground, call, definition, final, tool

SEND = {**tool("send_reminder", to="string", text="string"), "approval": "ask"}
SETTINGS = {
    "chosen": "scripted",
    "definition": definition(SEND),
    "outputs": [call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}
PAY = {
    "name": "pay",
    "parameters": {
        "type": "object",
        "properties": {"n": {"type": "integer"}, **{name: {"type": "number"} for name in "abcd"}},
    },
    "approval": "ask",
}


def _card(playground: Playground) -> Locator:
    playground.ask("Remind Ada")
    card = playground.page.locator(".card", has_text="May th")
    card.wait_for(timeout=PATIENCE_MS)
    return card


def _asked(open_page: Open) -> tuple[Playground, Locator]:
    playground = open_page(**SETTINGS)
    card = _card(playground)
    expect(card).to_contain_text("send_reminder")
    return playground, card


def _facts(playground: Playground, kind: str) -> list[dict[str, Any]]:
    events = map(json.loads, playground.download_log().splitlines())
    return [event for event in events if event["kind"] == kind]


def _kind(line: str) -> str:
    return str(json.loads(line)["kind"])


def _events(playground: Playground) -> dict[str, dict[str, Any]]:
    return {event["kind"]: event for event in map(json.loads, playground.download_log().splitlines())}


def _shown(card: Locator) -> str:
    """Return the arguments as a person reads them."""
    return card.get_by_role("region", name="Arguments").first.inner_text()


def _edit(card: Locator, text: str) -> None:
    card.get_by_role("button", name="Edit", exact=True).click()
    card.get_by_role("textbox", name="Arguments").fill(text)


def test_nothing_runs_before_it_is_approved(open_page: Open) -> None:
    """The card shows tool and arguments; only the approval runs it."""
    playground, card = _asked(open_page)
    assert json.loads(_shown(card)) == {"to": "Ada", "text": "Friday"}
    assert "Tool returned" not in playground.labels()
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    assert _events(playground)["tool_result"]["output"] == "sent to Ada: Friday"


@pytest.mark.parametrize("by", ["click", "Enter"])
def test_a_refusal_goes_back_to_the_model_with_its_reason(open_page: Open, by: str) -> None:
    """Enter in the reason refuses as the button does: the call never runs, and its reason is in log and prompt."""
    playground, card = _asked(open_page)
    card.get_by_label("Reason").fill("Ada has paid")
    expect(card.get_by_role("button", name="Approve and run")).not_to_have_attribute("aria-disabled", "true")
    if by == "Enter":
        card.get_by_label("Reason").press("Enter")
    else:
        card.get_by_role("button", name="Refuse").click()
    playground.expect_answer("That is settled.")
    events = _events(playground)
    assert (events["approval"]["approved"], events["approval"]["reason"]) == (False, "Ada has paid")
    assert "tool_result" not in events
    playground.show_timeline()
    playground.button("Look inside step 3").click()
    playground.page.get_by_role("dialog").get_by_role("button", name="Prompt", exact=True).click()
    expect(playground.page.get_by_role("dialog")).to_contain_text("Ada has paid")


def test_no_key_in_a_field_approves(open_page: Open) -> None:
    """Enter does nothing in an empty reason, on the arguments, and in the field to edit them."""
    playground, card = _asked(open_page)
    expect(card.get_by_role("button", name="Approve and run")).not_to_have_attribute("aria-disabled", "true")
    card.get_by_label("Reason").press("Enter")
    card.get_by_role("region", name="Arguments").press("Enter")
    card.get_by_role("button", name="Edit", exact=True).click()
    for key in ("Enter", "Control+Enter", "Shift+Enter"):
        card.get_by_role("textbox", name="Arguments").press(key)
    card.wait_for()
    assert [] == _facts(playground, "approval")
    assert playground.page.evaluate("document.querySelectorAll('.card.waiting form, form .card.waiting').length") == 0


def test_a_reason_must_be_cleared_to_approve(open_page: Open) -> None:
    """Who has written why it must not run does not run it by the wrong button."""
    playground, card = _asked(open_page)
    card.get_by_label("Reason").fill("no")
    card.get_by_role("button", name="Approve and run").click()
    expect(card.get_by_role("alert")).to_contain_text("A reason is for a refusal")
    assert [] == _facts(playground, "approval")


@pytest.fixture
def stopped_clock(context: BrowserContext) -> BrowserContext:
    """Pages whose timers run only when the test says so."""
    context.clock.install(time=0)
    return context


def test_approving_is_not_possible_in_the_first_half_second(stopped_clock: BrowserContext, open_page: Open) -> None:
    """A click or key that was meant for what stood there before is ignored."""
    playground = open_page(**SETTINGS)
    clock = playground.page.clock
    clock.pause_at(3_600_000)
    playground.ask("Remind Ada")
    button = playground.button("Approve and run")
    for _ in range(600):
        if button.count():
            break
        clock.run_for(20)
    for _ in range(4):
        button.dispatch_event("click")
        button.focus()
        playground.page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-disabled", "true")
        clock.run_for(110)
    expect(button).to_have_attribute("aria-disabled", "true")
    clock.run_for(300)  # the timer starts once the card is painted
    expect(button).to_have_attribute("aria-disabled", "false")
    assert "Approved" not in playground.labels()
    button.click()
    expect(button).to_have_count(0)
    clock.resume()
    playground.expect_answer("That is settled.")


def test_arguments_can_be_changed_and_are_checked_by_the_core(open_page: Open) -> None:
    """Arguments that do not fit are refused at the field; those that fit are what runs, and what the chat shows."""
    playground, card = _asked(open_page)
    _edit(card, '{"to": 7}')
    card.get_by_role("button", name="Approve and run").click()
    expect(card.get_by_role("alert")).to_contain_text("/to")
    card.get_by_role("textbox", name="Arguments").fill('{"to": "Bob", "text": "Monday"}')
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    assert _events(playground)["tool_result"]["output"] == "sent to Bob: Monday"
    entry = playground.page.locator(".thread .call")
    expect(entry).to_contain_text("edited by a person")
    assert ["Bob", "Monday"] == entry.locator("> .arguments dd").all_inner_texts()
    entry.get_by_text("What the model wrote").click()
    assert ["Ada", "Friday"] == entry.locator("details .arguments dd").all_inner_texts()


def test_an_edit_that_changes_nothing_is_none(open_page: Open) -> None:
    """Blanks between the arguments are not sent as an edit; an edit can be undone."""
    playground, card = _asked(open_page)
    _edit(card, '{"to":"Bob"}')
    card.get_by_text("edited", exact=True).wait_for()
    card.get_by_role("button", name="Undo edit").click()
    card.get_by_role("textbox", name="Arguments").fill('{ "to":"Ada",\n"text":"Friday" }')
    expect(card.get_by_text("edited", exact=True)).to_have_count(0)
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    assert "params" not in _events(playground)["approval"]


def test_several_calls_are_decided_one_by_one(open_page: Open) -> None:
    """Each has its own buttons; what is decided can be changed until all are, and all answers are sent together."""
    calls = [{"name": "send_reminder", "args": {"to": to, "text": "Friday"}} for to in ("Ada", "Bob", "Cy")]
    outputs = ["".join(f"[TOOL_CALL]{json.dumps(each)}[/TOOL_CALL]" for each in calls), "That is settled."]
    playground = open_page(chosen="scripted", definition=definition(SEND, dialect="tool_tags"), outputs=outputs)
    card = _card(playground)
    expect(card).to_contain_text("May these 3 calls run?")
    groups = card.locator(".approve-call")
    groups.nth(0).get_by_role("button", name="Approve and run").click()
    expect(groups.nth(0)).to_contain_text("approved")
    expect(groups.nth(1).get_by_role("region", name="Arguments")).to_be_focused()
    groups.nth(1).get_by_label("Reason").fill("not Bob")
    groups.nth(1).get_by_role("button", name="Refuse").click()
    groups.nth(0).get_by_role("button", name="Change").click()
    groups.nth(0).get_by_role("button", name="Refuse").click()
    assert [] == _facts(playground, "approval")
    groups.nth(2).get_by_role("button", name="Approve and run").click()
    playground.expect_answer("That is settled.")
    answers = [(event["call_id"], event["approved"], event.get("reason")) for event in _facts(playground, "approval")]
    assert [("call_1", False, None), ("call_2", False, "not Bob"), ("call_3", True, None)] == answers
    assert ["sent to Cy: Friday"] == [event["output"] for event in _facts(playground, "tool_result")]


LONG = {f"member_{index}": f"value {index} " * 6 for index in range(60)}


SIZES = [(390, 844), (844, 390), (1360, 860)]
HIDDEN = "(part) => [part.scrollHeight - part.clientHeight, part.scrollWidth - part.clientWidth]"


def test_all_arguments_can_be_seen(open_page: Open) -> None:
    """Nothing of the card is cut off or scrolls inside of it; the conversation scrolls to its buttons."""
    send = {"name": "send", "parameters": {"type": "object"}, "approval": "ask"}
    playground = open_page(chosen="scripted", definition=definition(send), outputs=[call("send", **LONG), final("Ok.")])
    card = _card(playground)
    for width, height in SIZES:
        playground.page.set_viewport_size({"width": width, "height": height})
        assert [0, 0] == card.get_by_role("region", name="Arguments").evaluate(HIDDEN), width
    assert LONG == json.loads(_shown(card))
    card.get_by_role("button", name="Edit", exact=True).click()
    for width, height in SIZES:
        playground.page.set_viewport_size({"width": width, "height": height})
        _assert_edited_arguments_are_in_sight(playground, card)


def _assert_edited_arguments_are_in_sight(playground: Playground, card: Locator) -> None:
    assert [0, 0] == card.get_by_role("textbox", name="Arguments").evaluate(HIDDEN)
    button = card.get_by_role("button", name="Approve and run")
    button.scroll_into_view_if_needed()
    expect(button).to_be_in_viewport()
    last = card.get_by_role("textbox", name="Arguments")
    box, thread = last.bounding_box(), playground.page.locator(".chat .scroll").bounding_box()
    assert box is not None
    assert thread is not None
    assert box["x"] >= thread["x"]
    assert box["x"] + box["width"] <= thread["x"] + thread["width"]


HOSTILE = "pay\u202egnp.exe\u200b\x1b[2K\u2066 \u05d0\u05d1"
AS_SHOWN = "pay\\u202egnp.exe\\u200b\\u001b[2K\\u2066 \u05d0\u05d1"


def _hidden_texts(playground: Playground) -> list[str]:
    """Return the texts of the page with a character that cannot be seen."""
    texts = """() => { const found = [], all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (all.nextNode()) found.push(`${all.currentNode.parentElement.className}: ${all.currentNode.data}`);
        return found; }"""
    return [text for text in playground.page.evaluate(texts) if any(char in text for char in "\u202e\u200b\x1b\u2066")]


def test_hidden_characters_are_shown_as_escapes(open_page: Open) -> None:
    """In the card, the chat, the timeline and the log; what runs is what the model wrote."""
    playground = open_page(
        **{**SETTINGS, "outputs": [call("send_reminder", to=HOSTILE, text="Friday"), final(f"Sent {HOSTILE}")]}
    )
    card = _card(playground)
    assert AS_SHOWN in _shown(card)
    strings = card.get_by_role("region", name="Arguments").locator("bdi.json-string").all_inner_texts()
    assert [f'"{AS_SHOWN}"', '"Friday"'] == strings
    _edit(card, card.get_by_role("region", name="Arguments").inner_text())
    expect(card.get_by_text("edited", exact=True)).to_have_count(0)
    card.get_by_role("button", name="Approve and run").click()
    playground.expect_answer("Sent pay\\u202egnp")
    assert f"sent to {HOSTILE}: Friday" == _events(playground)["tool_result"]["output"]
    assert [] == _hidden_texts(playground)
    playground.show_timeline()
    for summary in playground.page.locator(".timeline summary").all():
        summary.click()
    assert [] == _hidden_texts(playground)


def test_numbers_are_the_same_in_card_chat_and_log(open_page: Open) -> None:
    """The card shows the log's digits, and an edit of another argument does not round them."""
    numbers = {"a": "12345678901234567890", "b": "-9007199254740993", "c": "1e22", "d": "0.1"}
    written = ",".join(f'"{name}":{number}' for name, number in numbers.items())
    says = call("pay", n=1, x=0).replace('"x": 0', written)
    playground = open_page(chosen="scripted", definition=definition(PAY), outputs=[says, final("Paid.")])
    card = _card(playground)
    for name, number in numbers.items():
        assert f'"{name}": {number}' in _shown(card)
    _edit(card, _shown(card).replace('"n": 1', '"n": 98765432109876543210'))
    card.get_by_role("button", name="Approve and run").click()
    playground.page.get_by_label("What does it return?").fill(f"{{{written}}}")
    expect(playground.page.locator(".card.waiting .code")).to_contain_text(numbers["a"])
    playground.button("Return this result").click()
    playground.expect_answer("Paid.")
    log = playground.download_log().decode()
    [approval, result] = [line for line in log.splitlines() if _kind(line) in ("approval", "tool_result")]
    assert f'"params":{{"n":98765432109876543210,{written}}}' in approval
    assert f'"output":{{{written}}}' in result
    shown = playground.page.locator(".thread .call > .arguments dd").all_inner_texts()
    assert ["98765432109876543210", *numbers.values()] == shown
    playground.verify()
