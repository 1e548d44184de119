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
    "outputs": [
        f"<think>Ada it is.</think>{call('send_reminder', to='Ada', text='Friday')}",
        final("That is settled."),
    ],
}
OFFER = "This page was closed during a run"
UNKNOWN = "it may have run already: the run was stopped before its result came"


def _closed_mid_run(open_page: Open) -> None:
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Approve and run").wait_for()
    playground.assert_no_complaints()
    playground.page.close()


def test_a_run_goes_on_after_its_page_was_closed(open_page: Open) -> None:
    """The next visit offers it, and it ends as if nothing had happened; its log is whole."""
    _closed_mid_run(open_page)
    playground = open_page()
    playground.page.get_by_role("heading", name=OFFER).wait_for()
    playground.button("Resume").click()
    expect(playground.page.locator(".thread details.reasoning p")).to_have_text("Ada it is.")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log().decode()
    assert json.loads(purestep.verify_log(log))["ok"]
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert kinds == [
        *("run_started", "user_message", "model_response", "tool_call", "approval_request", "approval"),
        *("tool_result", "verdict", "model_response", "final_answer"),
    ]


def _closed_while_a_call_runs(open_page: Open, **members: object) -> None:
    lookup = {**tool("look_up", person="string"), **members}
    outputs = [call("look_up", person="Ada"), final("She is in.")]
    playground = open_page(chosen="scripted", definition=definition(lookup), outputs=outputs)
    playground.ask("Is Ada in?")
    if members.get("approval") == "ask":
        playground.button("Approve and run").click()
    playground.button("Return this result").wait_for()
    playground.assert_no_complaints()
    playground.page.close()


def _give_result(playground: Playground) -> None:
    playground.page.get_by_label("What does it return?").fill('"yes"')
    playground.button("Return this result").click()
    playground.expect_answer("She is in.")


def test_a_call_that_ran_when_the_page_was_closed_is_asked_about(open_page: Open) -> None:
    """Its card says in words that it may have run already; approved, it runs, and the log opens in the same steps."""
    _closed_while_a_call_runs(open_page)
    playground = open_page()
    playground.button("Resume").click()
    expect(playground.page.locator(".approve-call")).to_contain_text(UNKNOWN)
    expect(playground.page.locator(".thread .call")).to_have_count(0)  # its card has all of it
    expect(playground.button("Return this result")).to_have_count(0)
    playground.button("Approve and run").click()
    _give_result(playground)
    log = playground.download_log()
    kinds = [json.loads(line)["kind"] for line in log.splitlines()]
    assert ["tool_call", "resumed", "approval_request", "approval", "tool_result"] == kinds[3:8]
    playground.show_timeline()
    expect(playground.steps()).to_have_count(6)
    expect(playground.page.locator(".timeline")).to_contain_text(UNKNOWN)
    playground.open_log("run.jsonl", log)
    playground.show_timeline()
    expect(playground.steps()).to_have_count(6)


def test_a_call_asked_about_again_waits_for_its_answer_again(open_page: Open) -> None:
    """What was approved before the page was closed does not count as approved now."""
    _closed_while_a_call_runs(open_page, approval="ask")
    playground = open_page()
    playground.button("Resume").click()
    playground.page.locator(".approve-call").wait_for()
    playground.button("Refuse").click()
    playground.expect_answer("She is in.")
    expect(playground.page.locator(".thread .call")).to_contain_text("refused")
    playground.verify()


def test_a_harmless_call_runs_again_unasked_after_its_page_was_closed(open_page: Open) -> None:
    """A tool that only reads is handed out again."""
    _closed_while_a_call_runs(open_page, annotations={"readOnlyHint": True})
    playground = open_page()
    playground.button("Resume").click()
    _give_result(playground)
    expect(playground.page.locator(".approve-call")).to_have_count(0)
    kinds = [json.loads(line)["kind"] for line in playground.download_log().splitlines()]
    assert ["tool_call", "resumed", "tool_result"] == kinds[3:6]
    playground.verify()


def test_a_stopped_call_is_recorded_before_the_run_is_cancelled(open_page: Open) -> None:
    """The log says that the call was interrupted, and then that the run was stopped."""
    lookup = tool("look_up", person="string")
    playground = open_page(
        chosen="scripted", definition=definition(lookup), outputs=[call("look_up", person="Ada"), final("She is in.")]
    )
    playground.ask("Is Ada in?")
    playground.button("Return this result").wait_for()
    playground.button("Stop").click()
    expect(playground.page.locator(".thread")).to_contain_text("You stopped the run")
    expect(playground.page.locator(".thread .call")).to_contain_text("interrupted; it may have run")
    events = [json.loads(line) for line in playground.download_log().splitlines()]
    assert ["tool_result", "cancelled", "run_failed"] == [event["kind"] for event in events[-3:]]
    assert "interrupted" == events[-3]["error_kind"]


def test_a_discarded_run_is_gone(open_page: Open) -> None:
    """Discarding it leaves nothing to offer at the next visit."""
    _closed_mid_run(open_page)
    playground = open_page()
    playground.discard()
    expect(playground.button("Discard")).to_have_count(0)
    playground.page.close()
    again = open_page()
    again.page.get_by_role("heading", name="Stop an agent before it").wait_for()
    expect(again.button("Discard")).to_have_count(0)


def test_a_run_that_another_tab_shows_is_not_offered(open_page: Open) -> None:
    """Two tabs must not write to one log."""
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Approve and run").wait_for()
    other = open_page()
    other.page.get_by_role("heading", name="Stop an agent before it").wait_for()
    expect(other.page.get_by_role("heading", name=OFFER)).to_have_count(0)


def test_of_two_tabs_with_one_offer_the_first_gets_the_run(open_page: Open) -> None:
    """An offer that stands in another tab as well is taken once; the other tab says so and withdraws it."""
    _closed_mid_run(open_page)
    first, second = open_page(), open_page()
    second.button("Resume").wait_for()
    first.button("Resume").click()
    first.button("Approve and run").wait_for()
    second.button("Resume").click()
    expect(second.page.locator(".notice")).to_contain_text("Another tab has this run open")
    expect(second.button("Resume")).to_have_count(0)
    expect(second.button("Approve and run")).to_have_count(0)


def test_a_run_that_another_tab_took_is_not_discarded(open_page: Open) -> None:
    """Discarding an offer that another tab has taken meanwhile takes nothing away from it."""
    _closed_mid_run(open_page)
    first, second = open_page(), open_page()
    second.button("Discard").wait_for()
    first.button("Resume").click()
    first.button("Approve and run").wait_for()
    second.discard()
    expect(second.page.locator(".notice")).to_contain_text("Another tab has this run open")
    first.page.close()
    open_page().button("Resume").wait_for()


def test_every_branch_comes_back(open_page: Open) -> None:
    """A fork made before the page was closed is there with its parent after it."""
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Refuse").click()
    playground.expect_answer("That is settled.")
    playground.button("Go here (step 2)").click()
    playground.button("Continue from here").click()
    playground.button("Approve and run").wait_for()
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


FULL_FOR_A_MOMENT = (
    "const put = IDBObjectStore.prototype.put; IDBObjectStore.prototype.put = function (row) {"
    " if (row.index === 1 && !globalThis.roomy) throw new DOMException('no', 'QuotaExceededError');"
    " return put.call(this, row); };"
)


def _not_stored(context: BrowserContext, open_page: Open) -> Playground:
    """Ask where the second step finds no room: the page waits with it, and has not acted on it."""
    context.add_init_script(FULL_FOR_A_MOMENT)
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.page.get_by_role("heading", name="This step could not be stored").wait_for()
    expect(playground.page.locator(".thread")).to_contain_text("storage is full")
    expect(playground.button("Approve and run")).to_have_count(0)
    return playground


def _comes_back_whole(playground: Playground, open_page: Open) -> None:
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log()
    playground.page.close()
    again = open_page()
    again.button("Open", exact=True).first.click()
    again.expect_answer("That is settled.")
    assert log == again.download_log()


def test_a_run_waits_with_a_step_that_found_no_room(context: BrowserContext, open_page: Open) -> None:
    """Nothing is acted on that would not be remembered; once there is room, the run goes on."""
    playground = _not_stored(context, open_page)
    playground.page.evaluate("globalThis.roomy = true")
    playground.button("Try again").click()
    _comes_back_whole(playground, open_page)


def test_a_step_that_found_no_room_is_kept_with_the_next(context: BrowserContext, open_page: Open) -> None:
    """A person may let the run go on without it; a disk that was full for a moment then leaves no hole in the log."""
    playground = _not_stored(context, open_page)
    playground.button("Go on without storing").click()
    playground.button("Approve and run").wait_for()
    playground.page.evaluate("globalThis.roomy = true")
    _comes_back_whole(playground, open_page)


def test_a_run_whose_storage_was_cleared_is_stored_anew(open_page: Open) -> None:
    """Site data that somebody clears during a run leave no hole in the log either."""
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Approve and run").wait_for()
    deleted = "new Promise((done) => (indexedDB.deleteDatabase('purestep-playground').onsuccess = () => done(true)))"
    assert playground.page.evaluate(deleted)
    _comes_back_whole(playground, open_page)


def test_without_locks_the_second_tab_is_told_before_it_acts(context: BrowserContext, open_page: Open) -> None:
    """Where a browser has no locks, the step that the other tab has stored stands, and this run stops."""
    context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });")
    _closed_mid_run(open_page)
    first, second = open_page(), open_page()
    for tab in (first, second):
        tab.button("Resume").click()
        tab.button("Approve and run").wait_for()
    first.button("Approve and run").click()
    first.expect_answer("That is settled.")
    second.button("Refuse").click()
    expect(second.page.locator(".notice")).to_contain_text("Another tab has gone on with this run")
    first.verify()


def test_a_store_of_a_later_page_is_told(context: BrowserContext, open_page: Open) -> None:
    """Runs that a later release has stored are left alone, and the page says why it stores nothing."""
    earlier = open_page(**SETTINGS)
    earlier.page.close()
    page = context.new_page()
    page.goto(f"{earlier.url}icon.svg")
    page.evaluate(
        "new Promise((done) => { const asked = indexedDB.open('purestep-playground', 9);"
        " asked.onsuccess = () => { asked.result.close(); done(true); }; })"
    )
    page.close()
    again = open_page()
    again.ask("Remind Ada")
    again.button("Approve and run").click()
    again.expect_answer("That is settled.")
    expect(again.page.locator(".notice").first).to_contain_text("a newer version of this page")


def test_a_clock_that_goes_back_breaks_nothing(context: BrowserContext, open_page: Open) -> None:
    """An hour less at every step: the run ends, its log verifies, and no time is shown as negative."""
    context.add_init_script("const now = Date.now; let back = 0; Date.now = () => now() - 3_600_000 * back++;")
    playground = open_page(**SETTINGS)
    playground.ask("Remind Ada")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    log = playground.download_log()
    times = [json.loads(line)["at"] for line in log.splitlines() if b'"at":' in line]
    assert times[-1] < times[0]
    assert json.loads(purestep.verify_log(log))["ok"]
    playground.show_timeline()
    expect(playground.page.locator(".timeline")).not_to_contain_text("+-")


def _runs_in_memory(playground: Playground, reason: str) -> None:
    playground.ask("Remind Ada")
    playground.button("Approve and run").click()
    playground.expect_answer("That is settled.")
    expect(playground.page.locator(".notice")).to_contain_text(re.compile(f"Nothing is being stored.*{reason}"))
    playground.verify()
