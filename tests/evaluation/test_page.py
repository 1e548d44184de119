"""The page: what models write stays text, nothing is asked for, and it fits a phone."""

from __future__ import annotations

import gzip
import random
import string
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from purestep_hosts.evaluation import EvalStore
from purestep_hosts.evaluation.figures import Summary
from purestep_hosts.evaluation.plan import Variant
from purestep_hosts.evaluation.report import write_report
from purestep_hosts.models.scripted import calls, says
from tests.evaluation.suites import evaluated, plan_of, sum_case, written

EVIL = (
    "</td></table><script>alert(1)</script><img src='http://127.0.0.1:9/x' onerror=alert(2)>"
    "<a href='javascript:alert(3)'>"
)
EVIL_NAME = 'x" onclick="alert(4)" <script>alert(5)</script>'


class _Elements(HTMLParser):
    """The elements of a page and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """The page of an evaluation whose model and suite are hostile."""
    evil = {
        "id": EVIL_NAME,
        "query": EVIL,
        "tools": [{"name": "t", "description": EVIL, "results": [{"output": EVIL}],
                   "parameters": {"type": "object", "properties": {"a": {"type": "string"}}}}],
        "calls": [{"tool": "t", "arguments": {"a": EVIL}}],
        "answer": {"contains": [EVIL_NAME]},
        "script": [calls("t", a=EVIL), says(f"{EVIL} \u202e\x1b[31m {'long' * 200}")],
    }  # fmt: skip
    variants = [Variant(model="script"), Variant(model="script", carry="ground")]
    cases: list[dict[str, Any]] = [evil, sum_case(1), sum_case(2, right=False)]
    plan = plan_of(written(tmp_path / "suite.jsonl", cases), variants=variants)
    summary = Summary()
    for record in evaluated(plan, tmp_path / "out"):
        summary.add(record)
    with EvalStore(tmp_path / "out", writes=False) as store:
        keys = [bytes.fromhex(run.key) for run in plan.runs()]
        return write_report(tmp_path / "out" / "report.html", EVIL_NAME, store, keys, summary)


def test_what_a_model_writes_stays_text(page: Path) -> None:
    """No element and no attribute of the page comes from a model, a tool or a suite."""
    html = page.read_text("utf-8")
    elements = _Elements()
    elements.feed(html)
    assert set() == elements.tags & {"script", "img", "iframe", "object", "link", "form", "base"}
    assert set() == {name for name, _ in elements.attributes if name.startswith("on") or name == "src"}
    assert {"logs"} == {str(value).partition("/")[0] for name, value in elements.attributes if name == "href"}
    assert "\u202e" not in html
    assert "\x1b" not in html
    assert "default-src 'none'" in html


@pytest.fixture(params=[(390, 844), (1280, 900)], ids=["phone", "desktop"])
def opened(request: pytest.FixtureRequest, browser: Any, page: Path) -> Iterator[tuple[Any, list[str]]]:
    """The page in Chromium, and what it asked for."""
    width, height = request.param
    window = browser.new_page(viewport={"width": width, "height": height})
    asked: list[str] = []
    window.on("request", lambda each: asked.append(each.url))
    window.on("dialog", lambda each: asked.append(each.message))
    window.goto(page.as_uri())
    yield window, asked
    window.close()


def test_the_page_fits_and_asks_for_nothing(opened: tuple[Any, list[str]]) -> None:
    """It is as wide as the window, has its charts, and asks for no address but its own."""
    window, asked = opened
    assert 1 == len(asked)
    assert window.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert 3 == window.locator("figure svg").count()


def test_rows_are_filtered_without_a_script(opened: tuple[Any, list[str]]) -> None:
    """The switch shows wrong runs only, also by the keyboard; a row leads to its log."""
    window, _ = opened
    rows = window.locator("#runs tbody tr:visible")
    assert 6 == rows.count()
    window.locator("#only-wrong").focus()
    window.keyboard.press("Space")
    assert (4, 0) == (rows.count(), window.locator("#runs tbody tr.right:visible").count())
    window.keyboard.press("ArrowRight")
    assert 4 == rows.count() == window.locator("#runs tbody tr.silent:visible").count()
    window.keyboard.press("ArrowLeft")
    window.locator("#runs tbody tr.wrong a").first.click()
    assert window.url.endswith(".jsonl")
    assert '"run_started"' in window.inner_text("body")


def test_a_row_opens_its_run_in_the_playground(tmp_path: Path) -> None:
    """The log stands in the link whole, after the mark where no server gets it; one that is too long is a file only."""
    cases = [sum_case(1), {**sum_case(2), "id": EVIL_NAME}, {**sum_case(3), "query": random_text(40_000)}]
    plan = plan_of(written(tmp_path / "suite.jsonl", cases))
    summary = Summary()
    logs = []
    for record in evaluated(plan, tmp_path / "out"):
        summary.add(record)
        logs.append((tmp_path / "out" / record.log()).read_bytes())
    with EvalStore(tmp_path / "out", writes=False) as store:
        keys = [bytes.fromhex(run.key) for run in plan.runs()]
        page = tmp_path / "out" / "report.html"
        write_report(page, "suite", store, keys, summary, playground="https://play.example/")
    elements = _Elements()
    elements.feed(page.read_text("utf-8"))
    links = [urlsplit(str(value)) for name, value in elements.attributes if name == "href" and "#" in str(value)]
    assert {("https", "play.example", "/", "")} == {tuple(link[:4]) for link in links}
    found = [parse_qs(link.fragment) for link in links]
    assert [f"{cases[0]['id']}.jsonl", f"{EVIL_NAME}.jsonl"] == [each["name"][0] for each in found]
    packed = [gzip.decompress(urlsafe_b64decode(each["log"][0] + "==")) for each in found]
    assert logs[:2] == packed


def random_text(letters: int) -> str:
    """Return a text that cannot be packed."""
    return "".join(random.Random(letters).choices(string.ascii_letters, k=letters))
