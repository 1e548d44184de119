"""What the tests of the playground share: the page as it is built and served, and a browser to open it in."""

import os
import re
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.conftest import is_built
from tests.hosts.conftest import model_path
from tests.playground.driver import PATIENCE_MS, Playground

__all__ = ["model_path"]

# What is expected of a page is waited for as long as everything else: its own limit of 5 s fails under load.
expect.set_options(timeout=PATIENCE_MS)

WEB = Path(__file__).resolve().parents[2] / "web"
CONFIG = "playground/vite.config.ts"
VITE = WEB / "node_modules/vite/bin/vite.js"
# Collected by the page itself, because a violation of the policy is no error of a script.
WATCH = """
globalThis.violations = [];
addEventListener("securitypolicyviolation", (event) =>
  violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
globalThis.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) longTasks.push([Math.round(entry.startTime), Math.round(entry.duration)]);
}).observe({ type: "longtask", buffered: true });
"""


@pytest.fixture(scope="session")
def site_folder(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built page."""
    assert package.is_dir()
    if is_built():
        return WEB / "dist-playground"
    folder = tmp_path_factory.mktemp("playground")
    command = [node, str(VITE), "build", "-c", CONFIG, "--outDir", str(folder)]
    built = subprocess.run(command, cwd=WEB, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="session")
def site(node: str, site_folder: Path) -> Iterator[str]:
    """The address of the built page, served with the headers it is meant to have."""
    serve = [node, str(VITE), "preview", "-c", CONFIG, "--outDir", str(site_folder), "--port", "0"]
    with subprocess.Popen(serve, cwd=WEB, stdout=subprocess.PIPE, text=True, env=_plain_output()) as server:
        try:
            yield _address(server)
        finally:
            server.terminate()


def _plain_output() -> dict[str, str]:
    return {**os.environ, "NO_COLOR": "1"}


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    for line in server.stdout:
        if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
            _wait_for(found[0])
            return found[0]
    raise AssertionError("vite preview ended without naming its address")


def _wait_for(address: str) -> None:
    for _ in range(100):
        try:
            urllib.request.urlopen(address, timeout=5).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"nothing answers at {address}")


@pytest.fixture
def context(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A fresh profile, at the size of a desktop; its files come from the server, where tests change them."""
    if "model_path" in request.fixturenames:
        browser = request.getfixturevalue("model_browser")
    fresh = browser.new_context(viewport={"width": 1360, "height": 860}, accept_downloads=True, service_workers="block")
    fresh.add_init_script(WATCH)
    yield fresh
    fresh.close()


Open = Callable[..., Playground]


@pytest.fixture
def open_page(context: BrowserContext, site: str) -> Iterator[Open]:
    """Opens the page with these settings remembered; at the end, none of its pages may have complained."""
    opened: list[Playground] = []

    def open_one(**settings: Any) -> Playground:
        page = context.new_page()
        playground = Playground(page, site)
        opened.append(playground)
        playground.open(settings)
        return playground

    yield open_one
    for playground in opened:
        playground.assert_no_complaints()


@pytest.fixture
def playground(open_page: Open) -> Playground:
    """The page, just opened, with the core ready."""
    return open_page()


@pytest.fixture
def bare_page(context: BrowserContext) -> Page:
    """A page of the same browser that nothing has been loaded into."""
    return context.new_page()
