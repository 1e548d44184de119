"""Long runs and outputs stay quick to look at, answers' Markdown is safe, and nothing that a person wrote is lost."""

import json
import re
from typing import Any

from playwright.sync_api import expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, call, definition, final, tool

NODES = "() => document.querySelectorAll('*').length"
HOSTILE = (
    "# Report\n\n**Bold** and `code`, [a site](https://example.org/x), [a trap](javascript:alert(1)).\n\n"
    "- one\n- two\n\n<img src=x onerror=alert(1)> ![picture](https://example.org/p.png)\n\n"
    "| a | b |\n| - | - |\n| 1 | 2 |\n"
)


def run_log(turns: int) -> str:
    """Return the log of a run with so many answered questions."""
    state: Any = None
    log = ""
    for number in range(turns):
        asked: dict[str, Any] = {"observation": {"type": "user_message", "content": f"Question {number}"}}
        begin = {"agent": {"instructions": "Answer."}, "run_id": "long"} if state is None else {"state": state}
        for given in (begin | asked, None):
            said = {"type": "model_output", "content": final(f"Answer {number}")}
            step = json.loads(purestep.run_agent_step(json.dumps(given or {"state": state, "observation": said})))
            state, log = step["state"], log + step["log"]
    return log


def test_a_long_run_is_shown_in_parts(open_page: Open) -> None:
    """The page of 300 exchanges has hardly more elements than that of 40, and earlier ones come by a button."""
    playground = open_page(**SUM)
    playground.open_log("short.jsonl", run_log(40).encode())
    playground.show_timeline()
    expect(playground.page.locator(".thread")).to_contain_text("Answer 39")
    short = playground.page.evaluate(NODES)
    playground.open_log("long.jsonl", run_log(300).encode())
    playground.show_timeline()
    expect(playground.page.locator(".thread")).to_contain_text("Answer 299")

    assert playground.page.evaluate(NODES) < 1.5 * short
    expect(playground.page.locator(".thread")).not_to_contain_text("Answer 3 ")
    shown = playground.page.locator(".thread .by-model").count()
    playground.page.locator(".thread .earlier").click()
    expect(playground.page.locator(".thread .by-model")).to_have_count(2 * shown)


def test_a_step_far_back_is_shown_when_it_is_gone_to(open_page: Open) -> None:
    """Time travel to a step that was not on show brings it."""
    playground = open_page(**SUM)
    playground.open_log("long.jsonl", run_log(100).encode())
    playground.show_timeline()
    playground.page.get_by_label("Time travel").fill("3")

    expect(playground.page.locator('.timeline [aria-current="step"] h3')).to_have_text("Step 3")


def test_a_large_output_is_shown_by_its_beginning(open_page: Open) -> None:
    """Of 200 kB that a tool returned the page lays out some, and more when asked; the log has all."""
    huge = "word " * 40_000
    settings = {
        "chosen": "scripted",
        "definition": definition({**tool("read_all"), "max_output_chars": 500}),
        "outputs": [call("read_all"), final("Read.")],
    }
    playground = open_page(**settings)
    playground.ask("Read all")
    playground.page.get_by_label("What does it return?").fill(json.dumps(huge))
    playground.button("Return this result").click()
    playground.expect_answer("Read.")

    result = playground.page.locator(".call-result")
    assert len(result.inner_text()) < 6_000
    result.get_by_role("button").click()
    expect(result).to_contain_text("the log has all of them")
    assert huge.encode() in playground.download_log()


def test_an_answers_markdown_is_laid_out_and_runs_nothing(open_page: Open) -> None:
    """Lists, tables and links become elements; HTML, images and script addresses stay text."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[final(HOSTILE)])
    playground.ask("Report")
    playground.expect_answer("Report")
    answer = playground.page.locator(".markdown")

    expect(answer.locator("strong")).to_have_text("Bold")
    expect(answer.locator("li")).to_have_count(2)
    expect(answer.locator("td")).to_have_count(2)
    expect(answer.locator("a")).to_have_attribute("href", "https://example.org/x")
    expect(answer).to_contain_text("[a trap](javascript:alert(1))")
    expect(answer).to_contain_text("<img src=x onerror=alert(1)>")
    assert 0 == answer.locator("img").count()
    playground.button("Copy the answer").wait_for()


def test_an_error_in_the_editor_goes_when_it_is_mended(open_page: Open) -> None:
    """The words under the wrong line are there while it is wrong, and no longer."""
    playground = open_page(**SUM)
    playground.write_definition('{"name": 5}')
    problem = playground.page.locator(".editor .problem-line")
    problem.wait_for()
    playground.write_definition('{"name": "right"}')
    expect(playground.page.locator(".verdict-line")).to_contain_text("Valid")

    expect(problem).to_have_count(0)


def test_a_preset_keeps_ones_own_definition(open_page: Open) -> None:
    """What a person wrote can be taken back after a preset was looked at, also at the next visit."""
    playground = open_page(**SUM)
    playground.write_definition('{"name": "mine"}')
    playground.page.get_by_label("Agents to begin with").get_by_role("button", name="Approval").click()
    expect(playground.page.locator(".editor")).to_contain_text("send_reminder")
    playground.page.reload()
    playground.wait_for_core()
    playground.button("Yours", exact=True).click()

    expect(playground.page.locator(".editor")).to_contain_text("mine")


def test_a_question_stands_while_the_core_loads(open_page: Open) -> None:
    """A question that is sent at once is seen at once, with what is being waited for."""
    playground = open_page(**SUM)
    seen = Playground(playground.page.context.new_page(), playground.url)
    seen.page.route("**/core-*.snapshot", lambda route: None)  # never answered
    seen.page.goto(seen.url)
    seen.ask("What is 17 plus 25?")

    expect(seen.page.locator(".thread .by-user")).to_have_text("What is 17 plus 25?")
    expect(seen.page.locator(".thread .thinking")).to_contain_text(re.compile(r"The core is loading, .* of .* MB"))
    seen.page.close()


def test_what_was_streamed_stays_after_a_stop(open_page: Open) -> None:
    """Stopping keeps the words that had come, marked as no part of the run, and nothing is shown as an error."""
    playground = open_page(chosen="scripted", definition=definition(), outputs=[final("word " * 2_000)])
    playground.ask("Say a lot")
    expect(playground.page.locator(".speaking")).to_contain_text("word")
    playground.button("Stop").click()

    expect(playground.page.locator(".stopped")).to_contain_text("word")
    expect(playground.page.locator(".stopped")).to_contain_text("not part of the run")
    assert 0 == playground.page.locator(".thread .tone-failed, .timeline .tone-failed").count()
