from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.playground.conftest import Open
from tests.playground.driver import PATIENCE_MS, Playground

# The browser names no task that is shorter than this.
SHORTEST_NAMED_MS = 50


def test_each_part_is_shown_with_its_size_and_time(playground: Playground) -> None:
    """The table names every file of the core, and whether it started from the snapshot or why not."""
    playground.button("Core ready in").click()
    card = playground.page.locator("#core")
    assert card.locator("tbody tr").count() >= 4
    expect(card.locator("tbody tr", has_text="msgspec.wasm")).to_contain_text("kB")
    started_from = card.get_by_text("restored from a snapshot").or_(card.get_by_text("The snapshot was not used:"))
    expect(started_from).to_be_visible()


def test_the_page_never_stands_still_while_the_core_loads(open_page: Open, context: BrowserContext, site: str) -> None:
    """The core starts in its worker: loading it, no task of the page is much longer than without it."""
    # Other work of the machine lengthens a task now and then; a page that blocks does so at every load.
    with_core, without = [], []
    for _ in range(3):
        with_core.append(_longest_task(open_page().page))
        without.append(_longest_task(_page_without_core(context, site)))
    assert min(with_core) <= 2 * min(without)


def _page_without_core(context: BrowserContext, site: str) -> Page:
    """Give the page as it is after its core could not be had."""
    page = context.new_page()
    page.route("**/assets/*", lambda route: route.abort() if ".wasm" in route.request.url else route.continue_())
    page.goto(site)
    expect(page.get_by_role("button", name="Core failed")).to_be_visible(timeout=PATIENCE_MS)
    return page


def _longest_task(page: Page) -> int:
    return max((task[1] for task in page.evaluate("longTasks")), default=SHORTEST_NAMED_MS)


def test_a_long_task_would_be_seen(playground: Playground) -> None:
    """The measurement itself can fail."""
    block = "setTimeout(() => { for (const end = performance.now() + 200; performance.now() < end; ); })"
    playground.page.evaluate(block)
    playground.page.wait_for_function("longTasks.some((task) => task[1] > 150)")


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
    problem = page.locator("#core [role=alert]")
    expect(problem).to_contain_text("msgspec.wasm", timeout=PATIENCE_MS)
    expect(page.get_by_role("button", name="Core failed")).to_be_visible()
    context.unroute("**/assets/msgspec*")
    problem.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Core ready in")).to_be_visible(timeout=PATIENCE_MS)
