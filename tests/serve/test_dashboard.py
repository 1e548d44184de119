"""The page /dashboard in Chromium: as an operator uses it, by keyboard and on a phone, over hostile text."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.axe import serious_findings
from tests.serve.conftest import TOKEN, Serving, Start, calls, says, wait_until

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "hosts/purestep_hosts/serve/dashboard"
PATIENCE_MS = 300_000
HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
LARGE = 12345678901234567890


@pytest.fixture
def serving(start: Start) -> Serving:
    """A service with a run that waits for a person, whose question and answer are markup."""
    service = start(script=[calls("refund_order", number=LARGE), says(f"{HOSTILE} It is done.")])
    assert "waiting" == service.post("/runs", {"query": f"Refund {HOSTILE}"}).json["status"]
    return service


@pytest.fixture
def page(browser: Browser, serving: Serving) -> Iterator[Page]:
    """The page; it must not complain, and nothing in it may run."""
    complaints: list[str] = []
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("dialog", lambda dialog: complaints.append(f"ran: {dialog.message}"))
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
        page.on(
            "console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None
        )
        page.goto(f"{serving.url}/dashboard")
        yield page
    assert [] == complaints


def enter(page: Page) -> None:
    """Give the token, by keyboard."""
    page.get_by_label("Token of the service").focus()
    page.keyboard.type(TOKEN)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Waiting for a person 1")).to_be_visible(timeout=PATIENCE_MS)


def test_a_call_is_approved_on_a_phone_by_keyboard(page: Page, serving: Serving) -> None:
    """The run that waits is found and answered, with each digit; text of others stays text, and all fits the screen."""
    page.get_by_label("Token of the service").fill(f"{TOKEN}-wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("expected the header")
    page.reload()
    enter(page)
    page.get_by_role("button", name="Refund").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=f"Refund {HOSTILE}")).to_be_focused(timeout=PATIENCE_MS)
    expect(page.get_by_role("heading", name="May this run?")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text(str(LARGE)).first).to_be_visible()
    approve = page.get_by_role("button", name="Approve and run")
    expect(approve).to_have_attribute("aria-disabled", "false")
    approve.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Answer")).to_have_text(f"{HOSTILE} It is done.", timeout=PATIENCE_MS)
    expect(page.get_by_text("refund_order, approved")).to_be_visible(timeout=PATIENCE_MS)
    wait_until((serving.folder / "refunds").exists)
    assert f"{LARGE}\n" == (serving.folder / "refunds").read_text()
    assert 390 == page.evaluate("document.documentElement.scrollWidth")
    assert [] == serious_findings(page)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert [] == serious_findings(page)


def test_the_page_has_nothing_without_a_token(serving: Serving) -> None:
    """It is the same for everybody, and allows itself nothing inline and nothing from elsewhere."""
    found = serving.get("/dashboard", token=None)
    policy = found.headers["Content-Security-Policy"]
    assert (200, (BUILT / "index.html").read_text()) == (found.status, found.text)
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "trusted-types 'none'" in policy
    assert "unsafe" not in policy
    assert 401 == serving.get("/runs", token=None).status


def test_what_is_served_is_what_the_sources_say(node: str, tmp_path: Path) -> None:
    """node web/dashboard/build.mjs writes it; this fails while that is out of date."""
    subprocess.run([node, ROOT / "web/dashboard/build.mjs", tmp_path], check=True, capture_output=True)
    names = ["dashboard.css", "dashboard.js", "index.html"]
    assert names == sorted(path.name for path in BUILT.iterdir())
    assert [] == [name for name in names if (BUILT / name).read_bytes() != (tmp_path / name).read_bytes()]
