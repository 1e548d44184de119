import json
import re

from playwright.sync_api import BrowserContext, expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, definition, final, tool

SEND = {**tool("send_reminder", to="string", text="string"), "approval": "ask"}
SETTINGS = {
    "chosen": "scripted",
    "definition": definition(SEND),
    "outputs": [call("send_reminder", to="Ada", text="Friday"), final("That is settled.")],
}
OFFER = "This page was closed during a run"


def _closed_mid_run(open_page: Open) -> None:
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    expect(playground.button("Approve and run")).to_be_visible()
    playground.assert_no_complaints()
    playground.page.close()


def test_a_run_goes_on_after_its_page_was_closed(open_page: Open) -> None:
    """The next visit offers it, and it ends as if nothing had happened; its log is whole."""
    _closed_mid_run(open_page)
    playground = open_page()
    expect(playground.page.get_by_role("heading", name=OFFER)).to_be_visible()
    playground.button("Resume").click()
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log().decode()
    assert json.loads(purestep.verify_log(log))["ok"]
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert kinds == [
        *("run_started", "user_message", "model_response", "tool_call", "approval_request", "approval"),
        *("tool_result", "verdict", "model_response", "final_answer"),
    ]


def test_a_discarded_run_is_gone(open_page: Open) -> None:
    """Discarding it leaves nothing to offer at the next visit."""
    _closed_mid_run(open_page)
    playground = open_page()
    playground.discard()
    expect(playground.button("Discard")).to_have_count(0)
    playground.page.close()
    again = open_page()
    expect(again.page.get_by_role("heading", name="See how an agent decides.")).to_be_visible()
    expect(again.button("Discard")).to_have_count(0)


def test_a_run_that_another_tab_shows_is_not_offered(open_page: Open) -> None:
    """Two tabs must not write to one log."""
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    expect(playground.button("Approve and run")).to_be_visible()
    other = open_page()
    expect(other.page.get_by_role("heading", name="See how an agent decides.")).to_be_visible()
    expect(other.page.get_by_role("heading", name=OFFER)).to_have_count(0)


def test_of_two_tabs_with_one_offer_the_first_gets_the_run(open_page: Open) -> None:
    """An offer that stands in another tab as well is taken once; the other tab says so and withdraws it."""
    _closed_mid_run(open_page)
    first, second = open_page(), open_page()
    expect(second.button("Resume")).to_be_visible()
    first.button("Resume").click()
    expect(first.button("Approve and run")).to_be_visible()
    second.button("Resume").click()
    expect(second.page.locator(".notice")).to_contain_text("Another tab has this run open")
    expect(second.button("Resume")).to_have_count(0)
    expect(second.button("Approve and run")).to_have_count(0)


def test_a_run_that_another_tab_took_is_not_discarded(open_page: Open) -> None:
    """Discarding an offer that another tab has taken meanwhile takes nothing away from it."""
    _closed_mid_run(open_page)
    first, second = open_page(), open_page()
    expect(second.button("Discard")).to_be_visible()
    first.button("Resume").click()
    expect(first.button("Approve and run")).to_be_visible()
    second.discard()
    expect(second.page.locator(".notice")).to_contain_text("Another tab has this run open")
    first.page.close()
    expect(open_page().button("Resume")).to_be_visible()


def test_every_branch_comes_back(open_page: Open) -> None:
    """A fork made before the page was closed is there with its parent after it."""
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Refuse").click()
    playground.expect_answer("That is settled.")
    playground.button("Go here (step 2)").click()
    playground.button("Continue from here").click()
    expect(playground.button("Approve and run")).to_be_visible()
    playground.page.close()
    again = open_page()
    again.button("Resume").click()
    again.button("Approve and run").click()
    again.expect_answer("That is settled.")
    expect(again.button("Branch 1")).to_contain_text("4 steps")
    again.verify()


def test_without_storage_the_run_goes_on_and_the_page_says_so(context: BrowserContext, open_page: Open) -> None:
    """A browser that stores nothing costs the resuming, never the run."""
    context.add_init_script("IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };")
    playground = open_page(**SETTINGS)
    _runs_in_memory(playground, "does not let the page store anything")


def test_a_full_disk_is_told_and_the_run_goes_on(context: BrowserContext, open_page: Open) -> None:
    """A write that fails for want of room is told at once."""
    context.add_init_script(
        "IDBObjectStore.prototype.put = () => { throw new DOMException('no', 'QuotaExceededError'); };"
    )
    playground = open_page(**SETTINGS)
    _runs_in_memory(playground, "storage is full")


def test_a_step_that_found_no_room_is_kept_with_the_next(context: BrowserContext, open_page: Open) -> None:
    """A disk that was full for a moment leaves no hole in the log that is stored."""
    context.add_init_script(
        "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (row) {"
        " if (row.index === 1 && !globalThis.roomy) throw new DOMException('no', 'QuotaExceededError');"
        " return put.call(this, row); };"
    )
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    expect(playground.page.locator(".notice")).to_contain_text("storage is full")
    playground.page.evaluate("globalThis.roomy = true")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log()
    playground.page.close()
    again = open_page()
    again.button("Open", exact=True).first.click()
    again.expect_answer("That is settled.")
    assert log == again.download_log()


def _runs_in_memory(playground: Playground, reason: str) -> None:
    playground.ask("Remind Ada")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    expect(playground.page.locator(".notice")).to_contain_text(re.compile(f"Nothing is being stored.*{reason}"))
    playground.verify()
