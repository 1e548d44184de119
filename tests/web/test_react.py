"""The hook `useAgent` in Chromium, with React in its strict mode: the app of docs/react.md as it stands."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.web.react_pages import built_app, programs_of_page, served

HERE = Path(__file__).parent
PATIENCE_MS = 300_000


@pytest.fixture(scope="module")
def site(node: str, package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the app."""
    del package
    app = HERE / "react_app"
    _, with_hook = programs_of_page("react.md", "jsx")
    files = {path.name: path.read_text() for path in app.iterdir()} | {"app.jsx": with_hook}
    with served(built_app(node, tmp_path_factory.mktemp("react"), files)) as address:
        yield address


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """The app with its core ready; it must not complain."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "favicon" not in message.location["url"]:
            complaints.append(message.text)

    with browser.new_page() as page:
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
        page.goto(site)
        expect(page.get_by_role("button", name="Send")).to_be_visible(timeout=PATIENCE_MS)
        yield page
    assert [] == complaints


def send(page: Page, text: str) -> None:
    """Write a message and send it."""
    page.get_by_label("Message").fill(text)
    page.keyboard.press("Enter")


def shown(page: Page) -> list[str]:
    """Return the lines of the app."""
    return page.locator("main > p").all_inner_texts()


def test_an_answer_is_shown(page: Page) -> None:
    """The message and the answer stand in order, and the next exchange follows them."""
    send(page, "Good day")
    expect(page.locator("p.answer")).to_have_text("You said: Good day")
    expect(page.get_by_role("button", name="Send")).to_be_enabled()
    send(page, "Again")
    expect(page.locator("p.answer").nth(1)).to_have_text("You said: Again")
    assert ["Good day", "You said: Good day", "Again", "You said: Again"] == shown(page)


def test_a_person_approves_a_call(page: Page) -> None:
    """The call waits with its arguments, runs once it is approved, and its result leads to the answer."""
    send(page, "Refund order 7")
    asked = page.get_by_text("refund_order").filter(has=page.get_by_role("button", name="Approve"))
    expect(asked).to_contain_text('{"number":7}')
    assert 'refund_order {"number":7}: asked' == shown(page)[1]
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("p.answer")).to_contain_text("Order 7 is refunded.")
    expect(page.get_by_role("button", name="Approve")).to_have_count(0)
    assert 'refund_order {"number":7}: done' == shown(page)[1]


def test_a_person_refuses_a_call(page: Page) -> None:
    """The call is refused and the model reads why."""
    send(page, "Refund order 8")
    page.get_by_role("button", name="Refuse").click()
    expect(page.locator("p.answer")).to_contain_text("not now")
    assert 'refund_order {"number":8}: refused' == shown(page)[1]


def test_an_answer_grows_and_a_run_is_stopped(page: Page) -> None:
    """Text is there while the model writes; the stop ends the run, and the next message is taken."""
    page.evaluate("held.isHolding = true")
    send(page, "One two three")
    expect(page.get_by_role("button", name="Stop")).to_be_enabled()
    for _ in range(4):
        page.evaluate("new Promise((done) => setTimeout(done, 30)).then(() => held.release())")
    expect(page.locator("p.answer")).to_contain_text("You said")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("p.failure")).to_contain_text("the run was cancelled")
    expect(page.locator("p.answer")).to_have_count(0)
    page.evaluate("held.isHolding = false")
    send(page, "Hello")
    expect(page.locator("p.answer")).to_have_text("You said: Hello")
