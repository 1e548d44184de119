"""The chat of docs/serve.md, with the AI SDK's `useChat`, in Chromium, against `purestep serve` on another origin."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.serve.chat_site import ask, chat_site
from tests.serve.conftest import SOON_S, TOKEN, Serving, Start, calls, says, wait_until


@pytest.fixture(scope="module")
def site(node: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, on an origin of its own."""
    with chat_site(node, tmp_path_factory.mktemp("chat")) as address:
        yield address


OpenChat = Callable[[Serving], Page]


@pytest.fixture
def open_chat(browser: Browser, site: str) -> Iterator[OpenChat]:
    """Opens the page with a service; at its end nothing may have been thrown in it."""
    expect.set_options(timeout=SOON_S * 1000)
    with browser.new_context() as profile:
        faults: list[str] = []

        def open_one(service: Serving) -> Page:
            page = profile.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto(f"{site}/#service={service.url}&token={TOKEN}&chat=my-chat")
            return page

        yield open_one
        assert [] == faults


def shown(page: Page) -> list[Any]:
    """What the page shows of the last message of the agent's."""
    return page.locator("article[data-role=assistant]").last.locator("p").all_inner_texts()


def test_calls_and_answers_are_shown(start: Start, open_chat: OpenChat, site: str) -> None:
    """A call with its output and the answer; the next message goes on with the same run."""
    outputs = [calls("find_order", number=7), says("Order 7 is lost."), says("You are welcome.")]
    service = start("--allow-origin", site, script=outputs)
    page = open_chat(service)
    ask(page, "Where is order 7?")
    expect(page.get_by_text("Order 7 is lost.")).to_be_visible()
    expect(page.get_by_role("region", name="find_order").locator("output")).to_have_text('"lost"')
    ask(page, "Thank you.")
    expect(page.get_by_text("You are welcome.")).to_be_visible()
    expect(page.locator("p[role=status]")).to_have_text("ready")
    assert 1 == len(service.get("/runs").json["runs"])


def test_approval_after_kill_9_and_reload(start: Start, open_chat: OpenChat, site: str, tmp_path: Path) -> None:
    """The service is killed while a call waits, the page is loaded again, and the approval still runs the call once."""
    service = start("--allow-origin", site, script=[calls("refund_order", number=8)])
    page = open_chat(service)
    ask(page, "Refund order 8.")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    expect(page.get_by_text("the approval policy asks a person about this tool")).to_be_visible()
    service.kill()
    start("--allow-origin", site, "--port", str(service.port), script=[says("Order 8 is refunded.")])
    page.reload()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Order 8 is refunded.", exact=True)).to_be_visible()
    expect(page.get_by_role("region", name="refund_order").locator("span")).to_have_text("output-available")
    assert ("8\n", "") == ((tmp_path / "refunds").read_text(), page.get_by_role("alert").inner_text())


def test_refusal_without_reload(start: Start, open_chat: OpenChat, site: str, tmp_path: Path) -> None:
    """A refused call is shown as denied, and the model reads why."""
    service = start("--allow-origin", site, script=[calls("refund_order", number=8), says("Then not.")])
    page = open_chat(service)
    ask(page, "Refund order 8.")
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_text("Then not.")).to_be_visible()
    expect(page.get_by_role("region", name="refund_order").locator("span")).to_have_text("output-denied")
    assert not (tmp_path / "refunds").exists()


def test_stop_ends_the_run(start: Start, open_chat: OpenChat, site: str, tmp_path: Path) -> None:
    """The page's stop leaves the stream, so the run is cancelled, and the chat goes on with the next message."""
    service = start("--allow-origin", site, script=[calls("wait_for", file="never"), says("Hello again.")])
    page = open_chat(service)
    ask(page, "Wait.")
    wait_until((tmp_path / "waiting").exists)
    page.get_by_role("button", name="Stop").click()
    run = service.get("/runs").json["runs"][0]["run"]
    service.becomes(run, "failed")
    ask(page, "Hello?")
    expect(page.get_by_text("Hello again.")).to_be_visible()


def test_reload_reads_on(start: Start, open_chat: OpenChat, site: str, tmp_path: Path) -> None:
    """A second page of the same chat reads on in what goes on, and keeps it alive when the first one leaves."""
    service = start("--allow-origin", site, script=[calls("wait_for", file="there"), says("It is there now.")])
    first = open_chat(service)
    ask(first, "Wait.")
    wait_until((tmp_path / "waiting").exists)
    second = open_chat(service)
    expect(second.get_by_role("region", name="wait_for").locator("span")).to_have_text("input-available")
    expect(second.locator("p[role=status]")).to_have_text("streaming")
    first.close()
    (tmp_path / "there").touch()
    expect(second.get_by_text("It is there now.")).to_be_visible()
    assert ["It is there now."] == shown(second)


def test_errors_are_shown(start: Start, open_chat: OpenChat, site: str) -> None:
    """A run that fails reaches the page as an error with its message."""
    service = start("--allow-origin", site, script=[])
    page = open_chat(service)
    ask(page, "Hello")
    expect(page.get_by_role("alert")).to_contain_text("script")
