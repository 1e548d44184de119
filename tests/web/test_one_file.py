"""The package as one module: the lines of docs/loading.md work without a bundler, and fetch each file once."""

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.web.conftest import WEB, Site

LOADING = WEB.parent / "docs" / "loading.md"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
SAID = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "It is 42."}, "finish_reason": "stop"}]}
LATER = "core_rest.wasm"


def the_lines() -> str:
    """Return the lines that a page copies."""
    (lines,) = re.findall(r"^```html\n(.*?)^```", LOADING.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return lines


class Host:
    """A static host as they are: it compresses what it sends, and lets browsers keep it for a while."""

    def __init__(self, site: Site, lines: str, *, is_bare: bool = False) -> None:
        """Serve the page of these lines, the package, and a model's server."""
        self.fetched: Counter[str] = Counter()
        self.is_bare = is_bare
        page = f'<!doctype html><html lang="en"><link rel="icon" href="data:," /><body>{lines}</body></html>'
        site.answers["/page"] = lambda handler: handler.reply(200, "text/html", page.encode())
        site.answers["/v1/chat/completions"] = lambda handler: handler.reply(
            200, "application/json", json.dumps(SAID).encode()
        )
        for path in [*(WEB / "dist/one").iterdir(), *(WEB / "dist/bundle").iterdir()]:
            site.answers[f"/purestep/{path.parent.name}/{path.name}"] = partial(self._send, path)

    def _send(self, path: Path, handler: Any) -> None:
        self.fetched[path.name] += 1
        kind = TYPES.get(path.suffix, "application/octet-stream")
        if self.is_bare:
            return handler.reply(200, kind, path.read_bytes(), Cache_Control="max-age=600")
        packed = gzip.compress(path.read_bytes(), 1)
        handler.reply(200, kind, packed, Content_Encoding="gzip", Cache_Control="max-age=600")


@pytest.fixture
def answered(browser: Browser, site: Site) -> Iterator[Any]:
    """Opens the page of some lines and waits for the agent's answer; gives what was fetched, and the page."""
    context = browser.new_context()

    def open_page(lines: str, *, is_bare: bool = False) -> tuple[Counter[str], Page]:
        host, page = Host(site, lines, is_bare=is_bare), context.new_page()
        page.goto(f"{site.url}/page")
        page.get_by_text("It is 42.").wait_for(timeout=300_000)
        return host.fetched, page

    yield open_page
    context.close()


def test_the_lines_of_the_page_fetch_each_file_once(answered: Any) -> None:
    """The agent answers, and neither the page nor its worker asks for a file a second time."""
    fetched, _ = answered(the_lines())
    fetched.pop(LATER, None)
    expected = {"purestep.js", "thread.js", "core.mjs", "core.wasm", "core.snapshot", "msgspec.wasm"}

    assert dict.fromkeys(expected, 1) == fetched


def test_of_a_host_that_compresses_nothing_the_lines_may_name_the_copies(answered: Any) -> None:
    """With .gz added to the preloaded names, as the page says, each copy is fetched once; of others one head is."""
    lines = re.sub(r'(crossorigin href="[^"]+)"', r'\1.gz"', the_lines())
    fetched, _ = answered(lines, is_bare=True)
    fetched.pop(f"{LATER}.gz", None)
    copies = {f"{name}.gz" for name in ("core.wasm", "core.snapshot", "msgspec.wasm")}

    asked = "core.snapshot"  # its answer shows that nothing is compressed
    assert dict.fromkeys({"purestep.js", "thread.js", "core.mjs", asked, *copies}, 1) == fetched


def test_a_line_that_asks_otherwise_is_seen(answered: Any) -> None:
    """Preloaded under another address, as from another version, a file is fetched a second time."""
    fetched, _ = answered(the_lines().replace('core.wasm" />', 'core.wasm?old" />'))

    assert 2 == fetched["core.wasm"]


def test_each_file_is_begun_before_the_page_runs(answered: Any) -> None:
    """With the lines no file waits for a script to ask for it: all are begun by the page's own lines."""
    _, page = answered(the_lines())
    begun = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name.split('/').at(-1))")

    assert {"purestep.js", "thread.js", "core.mjs", "core.wasm", "core.snapshot", "msgspec.wasm"} <= set(begun)


def test_the_one_module_has_what_the_package_has(page: Page) -> None:
    """It exports all of `purestep` and of `purestep/openai`."""
    names = "async (path) => Object.keys(await import(path)).sort()"
    both = {*page.evaluate(names, "/dist/index.js"), *page.evaluate(names, "/dist/models/openai.js")}

    assert sorted(both) == page.evaluate(names, "/dist/one/purestep.js")


@pytest.mark.parametrize("name", ["purestep.js", "thread.js"])
def test_the_modules_carry_the_licences_of_what_they_hold(package: Path, name: str) -> None:
    """Each begins with the licence of every package that went into it."""
    text = (package / "one" / name).read_text("utf-8")
    held = {"purestep.js": ("eventsource-parser", "@noble/hashes"), "thread.js": ("@noble/hashes",)}[name]

    assert [*held] == re.findall(r"^/\*! (\S+)$", text, re.MULTILINE)
    assert len(held) == text.count("Permission is hereby granted")
