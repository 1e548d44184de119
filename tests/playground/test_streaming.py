"""What the page makes of an output while it comes: text, calls, what is taken back, and where it is cut off."""

import json
from typing import Any

from playwright.sync_api import Page, expect

from tests.playground.conftest import Open
from tests.playground.driver import Playground, definition, final, tool

# Everything that was ever shown of an output under way, in order.
WATCH = """() => {
  globalThis.seen = [];
  const note = (text) => text && seen.at(-1) !== text && seen.push(text);
  new MutationObserver(() => {
    note(document.querySelector(".speaking")?.textContent);
    for (const call of document.querySelectorAll(".call.written")) note(`written ${call.textContent}`);
    for (const call of document.querySelectorAll(".call:not(.written)")) note(`made ${call.textContent}`);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
NOTE = tool("note", text="string")


def begun(open_page: Open, outputs: list[str], **members: Any) -> Playground:
    """Open the page with these outputs, watch it, and ask."""
    playground = open_page(chosen="scripted", definition=definition(NOTE, **members), outputs=outputs)
    playground.page.evaluate(WATCH)
    playground.ask("Go")
    return playground


def seen(page: Page) -> list[str]:
    """Return what was shown."""
    found: list[str] = page.evaluate("seen")
    return found


def test_a_call_is_shown_as_soon_as_it_is_complete(open_page: Open) -> None:
    """While the model still writes, its finished calls stand there with their arguments, and are not run."""
    written = "".join(
        f'<tool_call>{{"name":"note","arguments":{{"text":"{text}"}}}}</tool_call>\n' for text in ("first", "second")
    )
    playground = begun(open_page, [f"Well. {written}{'And so on. ' * 100}"], dialect="hermes_json")
    playground.page.get_by_role("heading", name="You play the tool").first.wait_for()
    shown = seen(playground.page)
    marks = [next(at for at, text in enumerate(shown) if text.startswith(mark)) for mark in ("written", "made")]
    assert marks == sorted(marks)
    # A slow page shows several pieces at once, so that what is first seen of the text may be more than its first word.
    assert shown[0].startswith("Well.")
    assert any("And so on" in text for text in shown[marks[0] : marks[1]])
    assert {"written notewrittentextfirst", "written notewrittentextsecond"} <= set(shown)
    expect(playground.page.locator(".call.written")).to_have_count(0)


def expect_folded(page: Page, *thoughts: str) -> None:
    """Expect this reasoning, each folded until it is opened."""
    folded = page.locator(".thread details.reasoning")
    expect(folded).to_have_count(len(thoughts))
    for number, thought in enumerate(thoughts):
        one = folded.nth(number)
        expect(one.locator("summary")).to_have_text(f"Reasoning, {len(thought)} characters")
        expect(one.locator("p")).not_to_be_visible()
        one.locator("summary").click()
        one.locator("p").wait_for()
        expect(one.locator("p")).to_have_text(thought)


def test_reasoning_is_folded(open_page: Open) -> None:
    """Reasoning is never shown as text; it stands folded before the output."""
    thoughts = ("I make a note <b>of it</b>.", "That is all there is to do here.")
    call = '<tool_call>{"name":"note","arguments":{"text":"it"}}</tool_call>'
    outputs = [f"<think>{thoughts[0]}</think>{call}", f"<think>{thoughts[1]}</think>It is noted."]
    playground = begun(open_page, outputs, dialect="hermes_json")
    playground.page.get_by_label("What does it return").fill("noted")
    playground.button("Return this result").click()
    playground.expect_answer("It is noted.")
    assert [] == [text for text in seen(playground.page) if "I make" in text or "That is all" in text]
    expect_folded(playground.page, *thoughts)
    playground.verify()


def test_reasoning_is_taken_back(open_page: Open) -> None:
    """Text that proves to be reasoning disappears from the page, and is folded; the answer is what comes after it."""
    thought = "The user wants to go. Where to? " * 6
    playground = begun(open_page, [f"{thought}</think>To Paris."], dialect="tool_tags")
    playground.expect_answer("To Paris.")
    shown = seen(playground.page)
    assert any(text.startswith("The user wants") for text in shown)
    assert shown[-1].startswith("To")
    expect_folded(playground.page, thought.strip())
    playground.verify()


def test_a_model_that_goes_on_is_cut_off(open_page: Open) -> None:
    """What stands behind the answer is not waited for, not shown and not in the log."""
    playground = begun(open_page, [final("It is so.") + " and more" * 2000])  # half a minute at the model's pace
    playground.expect_answer("It is so.")
    lines = [json.loads(line) for line in playground.download_log().splitlines()]
    assert [final("It is so.")] == [line["content"] for line in lines if line["kind"] == "model_response"]
    playground.verify()
