import json
import re

import pytest
from playwright.sync_api import Locator, expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import ADD, SUM, Playground, call, definition

ASKING = definition({**ADD, "approval": "ask"})


@pytest.fixture
def finished(open_page: Open) -> Playground:
    """A run with one call and an answer."""
    playground = open_page(**SUM)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    return playground


def _earlier_step(playground: Playground) -> Locator:
    return playground.page.locator("#chat").get_by_label("An earlier step")


def _events(log: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in log.splitlines()]


def test_a_run_is_the_same_under_its_own_definition(finished: Playground) -> None:
    """Every decision is counted."""
    expect(finished.redrive()).to_contain_text("All 4 decisions are the same")


def test_the_first_decision_that_differs_stands_beside_the_recorded_one(finished: Playground) -> None:
    """Under a definition that asks before the call, what was done is on the left, what would be on the right."""
    log = finished.download_log()
    finished.write_definition(ASKING)
    found = finished.redrive()
    expected = purestep.redrive(log, ASKING)
    expect(found).to_contain_text(f"Differs at line {expected.line}")
    expect(found.get_by_label("Recorded")).not_to_contain_text("Approval requested")
    expect(found.get_by_label("Now")).to_contain_text("Approval requested")
    finished.button("Go to step 2").click()
    expect(_earlier_step(finished)).to_contain_text("Step 2")


def test_every_decision_that_differs_is_listed(finished: Playground) -> None:
    """A call that would be asked about, and an answer that would be sent back: neither hides the other."""
    log = finished.download_log()
    stricter = json.dumps({**json.loads(ASKING), "checks": [{"pattern": "never"}]})
    finished.write_definition(stricter)
    found = finished.redrive()
    found.get_by_text("All 2 decisions that would differ").click()
    rows = found.get_by_label("Decisions that would differ").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expected = purestep.policy_diff(log, stricter).changes
    for row, change in zip(rows.all(), expected, strict=True):
        expect(row).to_contain_text(f"{change.was.does} → {change.becomes.does}")
        expect(row).to_contain_text(f"line {change.line}")


def test_a_definition_with_an_error_is_not_redriven(finished: Playground) -> None:
    """The page says where the error is instead."""
    finished.write_definition('{"limits": 1}')
    finished.show_compare()
    expect(finished.button("Redrive", exact=True)).to_be_disabled()


def test_two_logs_are_compared_as_the_core_does(finished: Playground) -> None:
    """Another value parts them in the line that the native core names, and is marked in both."""
    log = finished.download_log()
    agent = purestep.Agent.load(json.loads(SUM["definition"]))
    run = purestep.start(agent, purestep.UserMessage(content="What is 17 plus 25?"), run_id="other")
    other = run.log + purestep.step(run.state, purestep.ModelOutput(content=call("add_numbers", a=17, b=26))).log
    expected = purestep.diff(log, other)
    found = finished.compare_with("other.jsonl", other.encode())
    expect(found).to_contain_text(f"They part after {expected.events} lines")
    assert ["5", "6"] == [mark.inner_text() for mark in found.locator("li:first-child mark").all()]
    expect(finished.compare_with("same.jsonl", log)).to_contain_text("say the same in both runs")


def test_a_file_that_is_no_log_is_not_compared(finished: Playground) -> None:
    """Its first line is named."""
    finished.compare_with("letter.txt", b"Dear Ada,\n")
    expect(finished.page.locator(".notice")).to_contain_text("line 1")


def test_a_fork_has_an_id_and_keys_of_its_own(finished: Playground, open_page: Open) -> None:
    """It begins with the steps up to the one on show, and the run that it came from stays as it was."""
    before = finished.download_log()
    finished.show_timeline()
    finished.button("Go here (step 3)").click()
    _earlier_step(finished).get_by_role("button", name="Fork", exact=True).click()
    expect(finished.page.locator(".chat-head")).to_contain_text("fork after step 3 of")
    finished.button("Continue", exact=True).click()
    finished.expect_answer("It is 42.")
    finished.verify()
    forked, recorded = _events(finished.download_log()), _events(before)
    assert [event["kind"] for event in forked] == [event["kind"] for event in recorded]
    assert forked[0]["run_id"] != recorded[0]["run_id"]
    assert [event["key"] for event in forked if "key" in event] != [
        event["key"] for event in recorded if "key" in event
    ]
    finished.page.close()
    again = open_page()
    again.page.get_by_text("1 earlier run").wait_for()


def test_a_fork_goes_on_under_the_edited_definition(finished: Playground) -> None:
    """From before the first call, which it asks about."""
    finished.write_definition(ASKING)
    finished.show_timeline()
    finished.button("Go here (step 1)").click()
    finished.show_compare()
    finished.button("Fork with the edited definition").click()
    finished.button("Continue", exact=True).click()
    finished.button("Approve and run").click()
    finished.expect_answer("It is 42.")
    finished.verify()
    assert "ask" == _events(finished.download_log())[0]["agent"]["tools"][0]["approval"]  # type: ignore[index]


def test_a_fork_whose_definition_decides_otherwise_is_not_made(finished: Playground) -> None:
    """The first decision that differs is shown instead, and the run stays on show."""
    finished.write_definition(ASKING)
    finished.show_compare()
    finished.button("Fork with the edited definition").click()
    expect(finished.page.get_by_label("What the redrive found")).to_contain_text("Nothing was forked")
    expect(finished.page.locator(".chat-head")).not_to_contain_text("fork")


def test_an_opened_log_is_gone_on_with_as_a_fork(finished: Playground, open_page: Open) -> None:
    """What somebody else's run did is not continued under its keys, and the page says whose steps they are."""
    log = finished.download_log()
    cut = b"".join(log.splitlines(keepends=True)[:4])
    other = open_page(chosen="scripted", outputs=SUM["outputs"])
    other.open_log("theirs.jsonl", cut)
    expect(other.page.get_by_label("The run is not finished")).to_contain_text("not yours")
    other.button("Fork and continue").click()
    expect(other.page.locator(".approve-call")).to_contain_text("it may have run already")
    other.button("Approve and run").click()
    other.expect_answer("It is 42.")
    forked = _events(other.download_log())
    assert forked[0]["run_id"] != _events(log)[0]["run_id"]
    other.verify()


def test_the_head_can_be_copied_and_a_kept_one_checked(finished: Playground, open_page: Open) -> None:
    """Given the head, lines that were cut off the end are found; a log that has grown since meets it."""
    log = finished.download_log()
    head = purestep.verify(log).head
    expect(finished.page.get_by_label("The head of this log")).to_contain_text(head)
    other = open_page()
    other.open_log("cut.jsonl", b"".join(log.splitlines(keepends=True)[:6]))
    other.hold_against(head)
    expect(other.verdict()).to_contain_text("does not end in the given head")
    earlier = purestep.verify(b"".join(log.splitlines(keepends=True)[:6])).head
    finished.hold_against(earlier)
    expect(finished.verdict()).to_contain_text("2 lines came since")
    finished.hold_against("12345")
    expect(finished.page.locator(".notice")).to_contain_text("64 digits")


def test_an_anchor_of_the_command_is_checked(finished: Playground) -> None:
    """It says how many lines its head is of."""
    log = finished.download_log()
    lines = log.splitlines(keepends=True)
    anchor = {
        "format": "purestep-anchor-1",
        "run_id": "r",
        "lines": 6,
        "head": purestep.verify(b"".join(lines[:6])).head,
    }
    finished.hold_against(json.dumps(anchor))
    expect(finished.verdict()).to_contain_text("2 lines came since")
    finished.hold_against(json.dumps({**anchor, "lines": 60}))
    expect(finished.verdict()).to_contain_text(re.compile("Differs at line"))
