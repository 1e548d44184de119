"""A core whose worker is ended: the page says so, nothing of the run is lost, and it goes on."""

import json

from playwright.sync_api import expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import ADD, SUM, Playground, call, definition, final


def end_worker(playground: Playground) -> None:
    """End the worker of the core for good, as a browser does that has no memory left for it."""
    (worker,) = [worker for worker in playground.page.workers if "/thread-" in worker.url]
    worker.evaluate("() => self.close()")


def expect_told(playground: Playground) -> None:
    """The page says what happened and what to do, beside the question and at its top, and in no notice besides."""
    card = playground.page.locator(".foot [role=alert]")
    expect(card).to_contain_text("The core has stopped")
    expect(card).to_contain_text("Every step of the run is kept: start the core again, and continue.")
    expect(card).to_contain_text("it was ended from outside, or found no memory")
    expect(card).not_to_contain_text("createWorkerCore")
    playground.button("Core failed").wait_for()
    expect(playground.page.locator(".notice")).to_have_count(0)


def start_again(playground: Playground) -> None:
    """Press the button of the card."""
    playground.page.locator(".foot").get_by_role("button", name="Start it again").click()
    playground.wait_for_core()
    expect(playground.page.locator(".foot [role=alert]")).to_have_count(0)


def test_a_run_that_waits_for_a_person_goes_on(open_page: Open) -> None:
    """The core is lost while a call waits for approval: the call is approved afterwards, and the log holds."""
    playground = open_page(**{**SUM, "definition": definition({**ADD, "approval": "ask"})})
    playground.ask("What is 17 plus 25?")
    approve = playground.button("Approve and run")
    approve.wait_for()
    end_worker(playground)
    expect_told(playground)
    start_again(playground)
    approve.click()
    playground.expect_answer("It is 42.")
    assert json.loads(purestep.verify_log(playground.download_log().decode()))["ok"]


def test_a_run_that_was_broken_off_is_continued(open_page: Open) -> None:
    """Lost with a call under way, its steps are there, and Continue is all that has to be pressed."""
    playground = open_page(**{**SUM, "definition": definition({**ADD, "approval": "ask"})})
    playground.ask("What is 17 plus 25?")
    approve = playground.button("Approve and run")
    approve.wait_for()
    end_worker(playground)
    expect_told(playground)
    approve.click()
    go_on = playground.button("Continue", exact=True)
    go_on.wait_for()
    expect_told(playground)
    go_on.click()
    playground.button("Approve and run").click()
    playground.expect_answer("It is 42.")
    playground.verify()


def test_what_is_asked_next_starts_the_core_again(open_page: Open) -> None:
    """A question is enough; steps that were looked at stay to be looked at."""
    playground = open_page(**{**SUM, "outputs": [call("add_numbers", a=17, b=25), final("It is 42."), final("Yes.")]})
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    end_worker(playground)
    expect_told(playground)
    playground.ask("Sure?")
    playground.expect_answer("Yes.")
    playground.verify()


def test_a_core_that_is_lost_again_and_again_is_told_each_time(open_page: Open) -> None:
    """Nothing is counted and nothing given up."""
    playground = open_page(**SUM)
    for _ in range(3):
        end_worker(playground)
        expect_told(playground)
        start_again(playground)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
