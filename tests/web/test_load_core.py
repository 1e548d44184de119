"""`loadCore` keeps a page free: the core works in a worker, or in the page with the reason where none can be had."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import PAGE, Site

FIRST_DECISION: Final = """async ([load, options]) => {
  const { [load]: loaded, Agent } = await import("/dist/index.js");
  const complete = async () => ({ type: "model_output", content: '{"kind":"final","content":"Two files."}' });
  try {
    const core = await loaded(options ?? {});
    const { answer } = await new Agent(core, { model: { name: "scripted", complete } }).ask("List the files");
    return { answer, noWorker: core.report.noWorker };
  } catch ({ code, message }) {
    return { code, message };
  }
}"""
TRACED: Final = ["toplevel", "devtools.timeline", "v8.wasm", "disabled-by-default-v8.wasm.detailed"]


def first_decision(page: Page, load: str = "loadCore", **options: Any) -> dict[str, Any]:
    """Load a core in the page and take a run to its end; gives its answer, or the error."""
    return page.evaluate(FIRST_DECISION, [load, options])


def traced(browser: Browser, page: Page, load: str) -> tuple[int, set[str]]:
    """Return the processor time of the page's longest task until its first decision, and which threads ran WebAssembly.

    Time on the clock is no measure: other processes, and the core's worker itself, keep a page waiting.
    """
    browser.start_tracing(page=page, categories=TRACED)
    assert "Two files." == first_decision(page, load)["answer"]
    events = json.loads(browser.stop_tracing())["traceEvents"]
    named = {(event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"}
    thread = [named.get((event["pid"], event["tid"]), "") for event in events]
    longest = max(each.get("tdur", 0) for each, at in zip(events, thread, strict=True) if at == "CrRendererMain")
    ran = {
        at
        for each, at in zip(events, thread, strict=True)
        if each["name"] in ("wasm.SyncInstantiate", "wasm.CompileLazy")
    }
    return longest, ran


def test_no_task_of_the_page_does_the_work_of_the_core(browser: Browser, page: Page, site: Site) -> None:
    """The core is compiled, restored and run in the worker's thread; the same in the page is seen, as long tasks."""
    in_worker, ran_for_worker = traced(browser, page, "loadCore")
    page.goto(site.url)
    in_page, ran_for_page = traced(browser, page, "createAgentCore")

    assert ({"DedicatedWorker thread"}, {"CrRendererMain"}) == (ran_for_worker, ran_for_page)
    assert in_worker < in_page / 2


def refusing_workers(page: Page, site: Site) -> None:
    """Open a page whose policy refuses workers."""
    policy = (
        "default-src 'self' 'unsafe-inline'; script-src 'self' 'wasm-unsafe-eval' 'unsafe-inline'; worker-src 'none'"
    )
    site.answers["/strict"] = lambda handler: handler.reply(200, "text/html", PAGE, Content_Security_Policy=policy)
    page.goto(f"{site.url}/strict")


def without_workers(page: Page, _: Site) -> None:
    """Take the page's workers away, as in an old browser."""
    page.evaluate("delete globalThis.Worker")


def losing_the_file(_: Page, site: Site) -> None:
    """Serve everything but the worker's file."""
    site.answers["/dist/worker/thread.js"] = lambda handler: handler.reply(404, "text/plain", b"")


@pytest.mark.parametrize(
    ("change", "says"),
    [(refusing_workers, "worker-src"), (without_workers, "Worker is not defined"), (losing_the_file, "not found")],
)
def test_a_page_without_workers_has_the_core_itself(
    page: Page, site: Site, change: Callable[[Page, Site], None], says: str
) -> None:
    """The run ends as it would with a worker, and the report says why there is none."""
    change(page, site)
    found = first_decision(page)

    assert ("Two files.", "worker_failed") == (found.get("answer"), found["noWorker"]["code"]), found
    assert says in found["noWorker"]["message"]


def test_a_worker_leaves_nothing_to_tell(page: Page) -> None:
    """Where the worker starts there is no reason."""
    assert {"answer": "Two files.", "noWorker": None} == first_decision(page)


def test_what_fails_in_both_is_told_with_both_reasons(page: Page, site: Site) -> None:
    """Without workers and without files, the error is that of the page and names the worker's as well."""
    without_workers(page, site)
    found = first_decision(page, bundleURL=f"{site.url}/nowhere/")

    assert "bundle_missing" == found["code"]
    assert "Before that the worker failed: expected a worker to start" in found["message"]


def test_files_that_lack_are_told_at_once(page: Page, site: Site) -> None:
    """What the worker could not load, the page does not ask for again."""
    found = first_decision(page, bundleURL=f"{site.url}/nowhere/")

    assert "bundle_missing" == found["code"]
    assert "Before that the worker failed" not in found["message"]


@pytest.mark.parametrize("change", [None, without_workers])
def test_dialects_by_address_are_known_in_both(
    page: Page, site: Site, change: Callable[[Page, Site], None] | None
) -> None:
    """A module that the options name is imported where the core is."""
    if change:
        change(page, site)
    site.answers["/none.mjs"] = lambda handler: handler.reply(200, "text/javascript", b"export default 3;")
    found = first_decision(page, dialects=["/none.mjs"])

    assert "invalid_input" == found["code"], found
    assert "to have a dialect as its default export" in found["message"]
