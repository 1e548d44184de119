"""The documentation as a site: built at a path of a host, opened in Chromium."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import serious_findings
from tests.web.react_pages import ROOT, served

SITE = ROOT / "web/site"


@pytest.fixture(scope="module")
def built(node: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a host that serves the site under /deep/."""
    folder = tmp_path_factory.mktemp("site")
    npm = ["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    for command in (npm, [node, "build.mjs", "/deep/", str(folder / "deep")]):
        done = subprocess.run(command, cwd=SITE, capture_output=True, text=True, check=False)
        assert 0 == done.returncode, done.stdout + done.stderr
    return folder


@pytest.fixture
def page(browser: Browser, built: Path) -> Iterator[Page]:
    """The first page, which must not complain."""
    complaints: list[str] = []
    with served(built) as address, browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("response", lambda reply: complaints.append(reply.url) if reply.status >= 400 else None)
        page.goto(f"{address}/deep/")
        yield page
    assert [] == [each for each in complaints if "favicon" not in each]


def test_the_first_page_leads_to_every_page(page: Page, built: Path) -> None:
    """The README opens it, and its table of pages is the menu."""
    expect(page.get_by_role("heading", level=1)).to_contain_text("purestep")
    links = page.locator(".VPSidebarItem a").evaluate_all("links => links.map(({pathname}) => pathname)")
    pages = {f"/deep/docs/{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    assert set() == pages - set(links)
    assert [] == [link for link in links if not (built / link.lstrip("/")).is_file()]


def test_what_a_page_says_is_shown_as_it_stands(page: Page) -> None:
    """Braces that look like a template's are text, pictures load, and a file of the tree opens."""
    page.goto(page.url + "docs/react.html")
    expect(page.get_by_text('words={{ approve: "Ausf')).to_be_visible()
    page.goto(page.url.replace("react", "command"))
    loaded = "[...document.querySelectorAll('main img')].map((picture) => picture.naturalWidth > 0)"
    page.wait_for_load_state("networkidle")
    assert {True} == set(page.evaluate(loaded))
    page.goto(page.url.replace("command", "determinism"))
    page.get_by_role("link", name="core/purestep/bounds.py").click()
    expect(page.locator("body")).to_contain_text("BYTES")


def test_a_page_is_found_by_its_words(page: Page) -> None:
    """The search finds the page of information flow without a server."""
    page.get_by_role("button", name="Search").first.click()
    page.get_by_placeholder("Search").fill("page that was read make my agent act")
    first = page.get_by_role("option").first.get_by_role("link")
    expect(first).to_have_attribute("href", re.compile(r"^/deep/docs/information-flow\.html"))


def test_axe_finds_nothing_serious(page: Page) -> None:
    """In light and in dark."""
    assert [] == serious_findings(page)
