"""How full the model's window is, said beside the question: quiet at first, by parts on demand."""

import json
import re

from playwright.sync_api import Locator, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, definition, final

SMALL = [{"name": "small", "window_tokens": 1500}]


def _parts(playground: Playground) -> Locator:
    playground.button("Context: ").click()
    return playground.page.get_by_role("group", name="What the model is sent")


def test_the_meter_says_how_full_the_window_is_and_by_what(open_page: Open) -> None:
    """The share beside the question, and its parts, which add up to the window."""
    asked = json.loads(SUM["definition"])
    playground = open_page(settings_open=False, **{**SUM, "definition": json.dumps({**asked, "models": SMALL})})
    expect(playground.button("Context: ")).to_have_count(0)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    expect(playground.button("Context: ")).to_have_text(re.compile(r"^Context: \d+ % full$"))
    parts = _parts(playground)
    expect(parts).to_contain_text("of 1,125 tokens, estimated")
    names = parts.locator("dt").all_inner_texts()
    assert ["Instructions", "This question", "Free", "Kept for the answer"] == names
    tokens = [int(each.replace(",", "")) for each in parts.locator("dd:last-child").all_inner_texts()]
    assert 1500 == sum(tokens)
    expect(parts).to_contain_text("long tool results are shortened, then the oldest messages left out")
    assert [] == serious_findings(playground.page)
    playground.page.keyboard.press("Escape")
    expect(playground.button("Context: ")).to_be_focused()


def test_a_window_that_fills_says_what_was_left_out(open_page: Open) -> None:
    """Long questions push the first ones out, and the meter names how many messages that were."""
    playground = open_page(
        settings_open=False,
        chosen="scripted",
        definition=definition(models=SMALL, policies=[{"use": "summary"}]),
        outputs=[final("Noted.")] * 12,
    )
    for question in range(4):
        playground.ask(f"{question} " + "word " * 220)
        expect(playground.page.locator(".answer-foot")).to_have_count(question + 1)
    parts = _parts(playground)
    expect(parts).to_contain_text("the model sums up the oldest messages")
    expect(parts).to_contain_text(re.compile(r"So far: \d+ messages left out"))
    expect(parts.locator("dt", has_text="Earlier")).to_be_visible()


def test_rules_of_history_count_as_left_out(open_page: Open) -> None:
    """What a rule leaves out in a window that is not full stands there, too."""
    playground = open_page(
        settings_open=False,
        chosen="scripted",
        definition=definition(models=SMALL, policies=[{"use": "history", "keep_exchanges": 1, "slack": 0}]),
        outputs=[final("Noted.")] * 3,
    )
    for question in range(3):
        playground.ask(f"What of {question}?")
        expect(playground.page.locator(".answer-foot")).to_have_count(question + 1)
    expect(_parts(playground)).to_contain_text("So far: 4 messages left out")


def test_without_a_declared_window_no_share_is_named(open_page: Open) -> None:
    """A script counts no tokens, and nobody has said how large its window is."""
    playground = open_page(settings_open=False, **SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    expect(playground.button("Context: ")).to_have_count(0)
