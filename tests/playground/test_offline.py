"""The page without a network: once it was open it opens again, and what it then cannot do it says."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.playground.driver import SUM, Playground

PATH = "/deep/playground/"
IS_KEPT = "() => navigator.serviceWorker.controller !== null"
WAIT_FOR_NEXT = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  while (!registration.waiting) await new Promise((done) => setTimeout(done, 50));
  return (await caches.keys()).length;
}"""
WAIT_FOR_ONE_BUILD = """async () => {
  while ((await caches.keys()).length > 1) await new Promise((done) => setTimeout(done, 50));
}"""
OF_THE_CORE = re.compile(r"\.(wasm|gz)$")
KEPT_OF_THE_SNAPSHOT = """async () => {
  const [name] = await caches.keys();
  const kept = await (await caches.open(name)).keys();
  return kept.map(({ url }) => url.split("/").at(-1)).filter((file) => /snapshot|\\.gz$/.test(file));
}"""
OTHER_LETTERS = str.maketrans("abcdefghijklm", "nopqrstuvwxyz")


class Host(ThreadingHTTPServer):
    """A host that serves the build of `folder` at a path of its own, as a site does, and counts what it is asked."""

    folder: Path
    asked: list[str]

    def handle_error(self, request: object, client_address: object) -> None:
        """A page that is closed in the middle of a file is no fault."""


class _Handler(SimpleHTTPRequestHandler):
    def translate_path(self, path: str) -> str:
        assert isinstance(self.server, Host)
        self.server.asked.append(path)
        inside = path.split("?", 1)[0].removeprefix(PATH)
        return str(self.server.folder / (inside or "index.html"))

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@pytest.fixture
def host(site_folder: Path) -> Iterator[Host]:
    """The build, served without the headers that a host should send."""
    with Host(("127.0.0.1", 0), partial(_Handler)) as serving:
        serving.folder, serving.asked = site_folder, []
        Thread(target=serving.serve_forever, args=(0.02,), daemon=True).start()
        yield serving
        serving.shutdown()


@pytest.fixture
def kept_context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile in which pages keep their files."""
    fresh = browser.new_context(viewport={"width": 1360, "height": 860})
    yield fresh
    fresh.close()


Visit = Callable[..., Playground]


@pytest.fixture
def visit(kept_context: BrowserContext, host: Host) -> Visit:
    """Opens the page in a tab, and waits until its files are kept."""

    def visit_one(**settings: object) -> Playground:
        playground = Playground(kept_context.new_page(), f"http://127.0.0.1:{host.server_port}{PATH}")
        playground.open(settings)
        playground.page.wait_for_function(IS_KEPT)
        return playground

    return visit_one


def without_network(playground: Playground) -> None:
    """Open the page again with the network off."""
    context = playground.page.context
    context.set_offline(True)
    playground.page.reload()
    # Chromium 150 takes nothing from the network then, but its new page says that it has one.
    context.set_offline(False)
    context.set_offline(True)
    playground.wait_for_core()


def test_a_page_that_was_seen_opens_and_works_without_a_network(visit: Visit, host: Host) -> None:
    """A story, a script, the editor, the log: all is there, and nothing is asked of anybody."""
    playground = visit(**SUM)
    asked = len(host.asked)
    without_network(playground)
    playground.ask("What is 17 plus 25?")
    playground.expect_answer("It is 42.")
    log = playground.download_log()
    playground.button("New run", exact=True).click()
    playground.page.locator("#headline").wait_for()
    playground.open_log("kept.jsonl", log)
    playground.verify()
    playground.page.locator(".editor .cm-content").wait_for()
    playground.button("New run", exact=True).click()
    playground.play("Injection")
    playground.show_timeline()
    playground.steps().nth(2).wait_for()
    # The browser itself looks for another service worker, past what switches the page's network off.
    assert set(host.asked[asked:]) <= {f"{PATH}service_worker.js"}


def test_of_a_host_that_compresses_nothing_the_compressed_copies_are_kept(visit: Visit, host: Host) -> None:
    """What the page read of it is what is kept, so no file comes in both forms; without a network it does."""
    playground = visit()
    kept = playground.page.evaluate(KEPT_OF_THE_SNAPSHOT)
    assert ["core.snapshot", "core.wasm", "core_rest.wasm", "msgspec.wasm"] == sorted(
        re.sub(r"-.{8}\.gz$", "", name)
        for name in kept  # a hash may hold a hyphen
    )
    asked = len(host.asked)
    without_network(playground)
    assert set(host.asked[asked:]) <= {f"{PATH}service_worker.js"}


def test_a_model_that_was_not_fetched_says_that_the_machine_is_offline(visit: Visit) -> None:
    """What happened, and what to do; once there is a network again, the same button goes on."""
    playground = visit()
    without_network(playground)
    playground.button("Load SmolLM2").click()
    problem = playground.page.locator("#model [role=alert]")
    expect(problem).to_contain_text("The model was not fetched: this machine is offline.")
    expect(problem).to_contain_text("Go online and try again; once fetched, it works without a network.")
    problem.get_by_role("button", name="Try again").wait_for()
    expect(playground.page.locator("body")).not_to_contain_text("wasmUrl")


def test_a_core_that_cannot_be_fetched_says_that_the_machine_is_offline(
    kept_context: BrowserContext, host: Host
) -> None:
    """The network went after the page itself had come: it says so, and the button goes on once it is back."""
    page = kept_context.new_page()
    page.add_init_script("Object.defineProperty(navigator, 'onLine', { get: () => false })")
    page.route(OF_THE_CORE, lambda route: route.abort())
    page.route("**/thread-*.js", lambda route: route.abort())
    page.goto(f"http://127.0.0.1:{host.server_port}{PATH}")
    card = page.locator(".thread [role=alert]")
    expect(card).to_contain_text("The core was not loaded")
    expect(card).to_contain_text("this machine is offline")
    page.unroute(OF_THE_CORE)
    page.unroute("**/thread-*.js")
    card.get_by_role("button", name="Try again").click()
    page.get_by_role("button", name="Core ready in").wait_for()


def test_a_new_build_is_taken_at_the_next_load_and_strands_no_open_page(
    visit: Visit, host: Host, tmp_path: Path
) -> None:
    """A page of the old build finds its files, which the host has no more; offline, too, the new build is opened."""
    old = visit(settings_open=False)
    host.folder = next_build(host.folder, tmp_path / "next")
    page = old.page
    page.get_by_role("button", name="Settings").click()
    page.locator(".editor .cm-content").wait_for()  # its part of the page is loaded only now
    fresh = page.context.new_page()
    fresh.goto(old.url)
    fresh.get_by_role("button", name="Core ready in").wait_for()
    assert script_of(host.folder) == fresh.evaluate("() => document.querySelector('script[src]').getAttribute('src')")
    assert 2 == fresh.evaluate(WAIT_FOR_NEXT)
    page.context.set_offline(True)
    fresh.reload()
    fresh.get_by_role("button", name="Core ready in").wait_for()
    assert script_of(host.folder) == fresh.evaluate("() => document.querySelector('script[src]').getAttribute('src')")
    page.context.set_offline(False)
    page.goto("about:blank")
    fresh.goto("about:blank")
    last = visit()
    last.page.evaluate(WAIT_FOR_ONE_BUILD)
    without_network(last)


def next_build(folder: Path, target: Path) -> Path:
    """Copy a build as if each of its scripts had changed: another name, and the old one is gone."""
    shutil.copytree(folder, target)
    scripts = sorted((target / "assets").glob("*.js"))
    renamed = {path.name: renamed_script(path.name) for path in scripts}
    for path in [*scripts, target / "index.html", target / "service_worker.js"]:
        text = path.read_text()
        for name, other in renamed.items():
            text = text.replace(name, other)
        path.write_text(text)
    for path in scripts:
        path.rename(path.with_name(renamed[path.name]))
    worker = target / "service_worker.js"
    # What a script holds has changed with the names in it.
    text = worker.read_text().replace('const BUILD = "', 'const BUILD = "next ')
    worker.write_text(re.sub(r'(assets/[^"]*\.js":)"[^"]*"', r'\1""', text))
    return target


def renamed_script(name: str) -> str:
    """Return a name with another hash."""
    stem, _, rest = name.rpartition("-")
    return f"{stem}-{rest.removesuffix('.js')[::-1].translate(OTHER_LETTERS)}.js"


def script_of(folder: Path) -> str:
    """Return the script that a page begins with."""
    found = re.search(r'src="([^"]+)"', (folder / "index.html").read_text())
    assert found is not None
    return found[1]


def test_all_files_of_a_build_are_known_to_it(site_folder: Path) -> None:
    """What is fetched ahead is small, and what only a chosen model needs is not fetched before."""
    text = (site_folder / "service_worker.js").read_text()
    named = re.findall(r"^const (?:FIRST|COPIES|LATER) = (.*);$", text, re.MULTILINE)
    first, copies, later = (json.loads(found) for found in named)
    files = {str(path.relative_to(site_folder)) for path in site_folder.rglob("*") if path.is_file()}
    assert files - {"index.html", "service_worker.js"} == {*first, *copies, *later} - {"./"}
    assert {"lib", "webllm_thread", "wllama"} == {Path(name).name.split("-")[0] for name in later}
