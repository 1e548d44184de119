import json
from collections.abc import Callable

from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.playground.conftest import Open
from tests.playground.driver import PATIENCE_MS, Playground

TRACED = ["toplevel", "devtools.timeline"]
# From here on a browser calls a task long. Ours take half of it.
LONG_US = 50_000
# About 300 ms of an idle processor.
BLOCK = "setTimeout(() => { let sum = 0; for (let at = 0; at < 3e8; at++) sum += at; globalThis.blocked = sum; })"


def test_each_part_is_shown_with_its_size_and_time(playground: Playground) -> None:
    """The table names every file of the core, and whether it started from the snapshot or why not."""
    playground.button("Core ready in").click()
    card = playground.page.locator("#core")
    assert card.locator("tbody tr").count() >= 4
    expect(card.locator("tbody tr", has_text="msgspec.wasm")).to_contain_text("kB")
    started_from = card.get_by_text("restored from a snapshot").or_(card.get_by_text("The snapshot was not used:"))
    started_from.wait_for()


def test_the_page_never_stands_still_while_the_core_loads(open_page: Open, browser: Browser) -> None:
    """The core starts in its worker, and what the page does beside it is done in short tasks."""
    assert min(_longest_task(browser, open_page) for _ in range(3)) < LONG_US


def _longest_task(browser: Browser, work: Callable[[], object]) -> int:
    """Return the processor time of the longest task that a page did meanwhile, in microseconds.

    What passes on the clock is no measure: other processes, and the core's worker itself, keep the page waiting.
    """
    browser.start_tracing(categories=TRACED)
    work()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    pages = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return max(event.get("tdur", 0) for event in events if (event["pid"], event["tid"]) in pages)


def test_a_long_task_would_be_seen(open_page: Open, browser: Browser) -> None:
    """A page that works for a third of a second at a stretch stands still by the same measure."""
    assert _longest_task(browser, lambda: _block(open_page().page)) > LONG_US


def _block(page: Page) -> None:
    page.evaluate(BLOCK)
    page.wait_for_function("globalThis.blocked")


def test_progress_never_runs_backwards(context: BrowserContext, open_page: Open) -> None:
    """The bar of the core only grows."""
    context.add_init_script(
        """globalThis.shares = [];
        addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
          const bar = document.querySelector("#core progress");
          if (bar) shares.push(bar.value / bar.max);
        }).observe(document.body, { childList: true, subtree: true, attributes: true }));"""
    )
    shares = open_page().page.evaluate("shares")
    assert len(shares) > 1
    assert shares == sorted(shares)


def test_a_core_that_cannot_be_loaded_says_why_and_tries_again(context: BrowserContext, site: str) -> None:
    """A missing file is named; once it is there, the button is enough."""

    def missing(route: Route) -> None:
        route.fulfill(status=404, body="")

    context.route("**/assets/msgspec*", missing)
    page: Page = context.new_page()
    page.goto(site)
    problem = page.locator(".thread [role=alert]")
    expect(problem).to_contain_text("msgspec.wasm", timeout=PATIENCE_MS)
    expect(problem.get_by_text("msgspec.wasm")).not_to_be_visible()  # it is for who serves the page
    expect(problem.get_by_text("Is this machine online?")).to_be_visible()
    page.get_by_role("button", name="Core failed").wait_for()
    context.unroute("**/assets/msgspec*")
    problem.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Core ready in").wait_for(timeout=PATIENCE_MS)
