import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

import purestep
from purestep_hosts.evaluation.log_links import log_link
from tests.evaluation.suites import evaluated, plan_of, sum_case, written
from tests.playground.conftest import Open
from tests.playground.driver import SUM, Playground, final


@pytest.fixture
def finished(open_page: Open) -> Playground:
    """A run with one call and an answer."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    return playground


def test_a_downloaded_log_verifies_with_the_native_core(finished: Playground) -> None:
    """The file is a whole log, and its head is the one that the page shows."""
    log = finished.download_log().decode()
    finished.verify()
    found = json.loads(purestep.verify_log(log))
    assert found["ok"]
    expect(finished.page.get_by_label("The head of this log")).to_contain_text(found["head"])


def test_a_changed_byte_is_found_and_its_line_named(finished: Playground) -> None:
    """A file with one digit changed is not taken up; the line that no longer follows is named and marked."""
    changed = finished.download_log().replace(b'"output":42', b'"output":43')
    expected = json.loads(purestep.verify_log(changed.decode()))
    assert not expected["ok"]
    finished.open_log("changed.jsonl", changed)
    expect(finished.verdict()).to_contain_text(f"Differs at line {expected['line']}")
    marked = finished.page.locator(".log-lines .marked")
    expect(marked).to_have_count(1)
    assert changed.decode().splitlines()[expected["line"] - 1] in marked.inner_text()


def test_the_page_shows_what_one_changed_byte_does(finished: Playground) -> None:
    """The button changes a copy only: it differs, and the log itself still holds."""
    finished.show_log()
    finished.button("Change one byte").click()
    expect(finished.verdict()).to_contain_text(re.compile(r"Differs at line \d+"))
    expect(finished.page.locator(".differs mark").first).not_to_be_empty()
    finished.verify()


_OPEN_AND_ASK = """([text, presses]) => {
    const file = document.querySelector('input[aria-label="Open a log file"]')
    const chosen = new DataTransfer()
    chosen.items.add(new File([text], "chosen.jsonl"))
    file.files = chosen.files
    file.dispatchEvent(new Event("change", { bubbles: true }))
    const question = document.querySelector("#question")
    const enter = { key: "Enter", bubbles: true, cancelable: true }
    for (let i = 0; i < presses; i++) question.dispatchEvent(new KeyboardEvent("keydown", enter))
}"""
"""Opens a log and presses Enter in the same moment: no machine is fast enough to have read it."""


def test_a_question_sent_while_a_log_is_opened_goes_to_its_run(finished: Playground) -> None:
    """Somebody who presses Enter twice, before the log is there, asks the run that they opened, and asks once."""
    log = finished.download_log().decode()
    page = finished.page
    page.get_by_role("button", name="New run").click()
    finished.show_log()
    page.get_by_label("Your question").fill("Go on")
    page.evaluate(_OPEN_AND_ASK, [log, 2])
    asked = page.locator(".thread .by-user")
    expect(asked).to_have_text(["What is 17 plus 25?", "Go on"])
    expect(page.get_by_label("Your question")).to_have_value("")


def test_a_question_sent_while_a_broken_log_is_opened_is_kept(finished: Playground) -> None:
    """The question was for a run that is not there: it stays where it was written."""
    changed = finished.download_log().decode().replace('"output":42', '"output":43')
    finished.show_log()
    question = finished.page.get_by_label("Your question")
    question.fill("Go on")
    finished.page.evaluate(_OPEN_AND_ASK, [changed, 1])
    expect(finished.verdict()).to_contain_text("Differs at line")
    expect(question).to_have_value("Go on")
    expect(finished.page.locator(".thread .by-user")).to_have_text(["What is 17 plus 25?"])


def test_what_was_found_goes_with_the_steps_it_was_found_of(open_page: Open) -> None:
    """A log that has grown since it was checked does not stand under what that check found."""
    playground = open_page(chosen="scripted", definition=SUM["definition"], outputs=[final("One."), final("Two.")])
    playground.ask("First")
    playground.expect_answer("One.")
    playground.verify()
    playground.ask("Second")
    playground.expect_answer("Two.")
    expect(playground.verdict()).to_have_count(0)


def test_a_changed_last_fact_shows_against_the_head(finished: Playground) -> None:
    """Only a head kept elsewhere tells a log whose end was cut off cleanly from a whole one."""
    log = finished.download_log()
    head = json.loads(purestep.verify_log(log.decode()))["head"]
    whole = json.loads(purestep.replay_log(log.decode()))
    assert whole["decision"]["type"] == "done"
    shorter = b"".join(log.splitlines(keepends=True)[:6])
    finished.open_log("shorter.jsonl", shorter)
    expect(finished.verdict()).to_contain_text("Verified")
    finished.hold_against(head)
    expect(finished.verdict()).to_contain_text("does not end in the given head")


def test_an_opened_log_is_replayed_and_can_be_gone_on_with(finished: Playground, open_page: Open) -> None:
    """The steps of a file come to the timeline with their decisions, and the run goes on from its end."""
    log = finished.download_log()
    other = open_page(chosen="scripted", outputs=[])
    other.open_log("sum.jsonl", log)
    other.expect_answer("It is 42.")
    other.show_timeline()
    expect(other.page.locator(".timeline .decides summary")).to_have_count(4)
    finished.show_timeline()
    assert other.labels() == finished.labels()
    other.ask("And twice that?")
    other.page.get_by_label("The script has ended").fill('{"kind":"final","content":"84"}')
    other.button("Say this").click()
    other.expect_answer("84")
    other.verify()


def _long_log(steps: int) -> str:
    """Return the log of a run that was asked so many times and answered each time."""
    agent = purestep.Agent.load(json.loads(SUM["definition"]))
    taken = purestep.start(agent, purestep.UserMessage(content="Again"), run_id="long")
    log = taken.log
    for _ in range(steps // 2):
        for observation in (purestep.ModelOutput(content=final("Done.")), purestep.UserMessage(content="Again")):
            taken = purestep.step(taken.state, observation)
            log += taken.log
    return log


def test_a_long_log_is_derived_where_it_is_looked_at(open_page: Open) -> None:
    """Hundreds of steps do not keep the core busy: the last are shown, and those in sight derived."""
    playground = open_page()
    playground.open_log("long.jsonl", _long_log(300).encode())
    playground.show_timeline()
    expect(playground.steps()).to_have_count(60)
    playground.steps().last.locator(".decides summary").wait_for()
    playground.page.wait_for_timeout(2000)
    assert playground.page.locator(".timeline .decides summary").count() < 50
    assert 0 == playground.page.locator(".timeline pre").count()
    middle = playground.steps().nth(5)
    middle.scroll_into_view_if_needed()
    middle.locator(".decides summary").wait_for()


def test_a_log_is_not_opened_into_a_run_under_way(open_page: Open) -> None:
    """A file that was chosen before a run began does not take its place while steps are still to come."""
    playground = open_page(chosen="scripted", definition=SUM["definition"], outputs=[])
    playground.ask("And this?")
    playground.page.get_by_label("The script has ended").wait_for()
    playground.open_log("long.jsonl", _long_log(2).encode())
    expect(playground.page.locator(".notice")).to_contain_text("A run is in progress")
    playground.page.get_by_label("The script has ended").fill(final("This."))
    playground.button("Say this").click()
    playground.expect_answer("This.")
    playground.verify()


def test_a_log_cut_off_by_a_crash_is_mended(finished: Playground) -> None:
    """A torn last line is cut off, lost lines are derived again, and the reader is told."""
    log = finished.download_log()
    finished.open_log("torn.jsonl", log[:-30])
    expect(finished.page.locator(".notice")).to_contain_text("derived again")
    finished.verify()
    assert finished.download_log() == log


def test_a_log_of_another_version_says_so(playground: Playground) -> None:
    """A log that a later version wrote is not guessed at."""
    line = b'{"seq":0,"kind":"run_started","schema_version":7,"run_id":"r","agent":null}\n'
    playground.open_log("later.jsonl", line)
    expect(playground.verdict()).to_contain_text("got 7; use the purestep that wrote it")


def test_a_log_with_a_line_of_a_later_release_says_so(finished: Playground) -> None:
    """A kind that this release does not know is named with its line, and with where it may come from."""
    log = finished.download_log()
    finished.open_log("later.jsonl", log + b'{"seq":8,"kind":"dreamt","prev":"0"}\n')
    expect(finished.verdict()).to_contain_text("Differs at line 9")
    expect(finished.verdict()).to_contain_text("a later one may have written it")


def test_a_file_that_is_no_log_says_so(playground: Playground) -> None:
    """Any other file is named as no log, with its first line."""
    playground.open_log("letter.txt", b"Dear Ada,\n")
    expect(playground.verdict()).to_contain_text("Differs at line 1")
    expect(playground.page.locator(".log-lines .marked")).to_contain_text("Dear Ada,")


def test_a_log_in_the_address_opens(open_page: Open, tmp_path: Path) -> None:
    """A link of an evaluation's report shows its run, which is only looked at; the address keeps nothing of it."""
    log = _evaluated_log(tmp_path)
    playground = open_page()
    link = log_link(playground.page.url, "a", log)
    playground.page.evaluate("link => { location.hash = new URL(link).hash; }", link)
    expect(playground.verdict()).to_contain_text("Verified")
    expect(playground.page.locator(".log-lines")).to_contain_text("run_started")
    assert "" == playground.page.evaluate("location.hash")
    assert log == playground.download_log()


def test_an_address_without_a_whole_log_is_told(playground: Playground) -> None:
    """What cannot be unpacked opens nothing; and a few letters may stand for any number of bytes."""
    told = playground.page.get_by_text("The log in the address of this page cannot be read")
    for packed in ("no-gzip", "H4sI", "%00", ""):
        playground.page.evaluate("packed => { location.hash = `log=${packed}`; }", packed)
        told.wait_for()
        playground.button("Dismiss this notice").click()
        expect(told).to_have_count(0)
    link = log_link(playground.page.url, "a", b" " * 5_000_000)
    playground.page.evaluate("link => { location.hash = new URL(link).hash; }", link)
    expect(playground.page.get_by_text("has more than 4194304 bytes")).to_be_visible()


def _evaluated_log(folder: Path) -> bytes:
    """Return the log of a run of an evaluation."""
    plan = plan_of(written(folder / "suite.jsonl", [sum_case(1)]))
    (record,) = evaluated(plan, folder / "out")
    return (folder / "out" / record.log()).read_bytes()
