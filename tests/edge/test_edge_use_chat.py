"""The chat of docs/edge.md, with the AI SDK's `useChat`, in Chromium, against workerd on another origin."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.edge.drivers import Service, serve
from tests.edge.model_server import ModelServer
from tests.edge.run_requests import ASK, PATIENCE_S
from tests.serve.chat_site import ask, chat_site

LOST = "a token that this service has no use for"


@pytest.fixture(scope="module")
def site(node: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page, on an origin of its own."""
    with chat_site(node, tmp_path_factory.mktemp("chat")) as address:
        yield address


@pytest.fixture(scope="module")
def edge(
    hosts: tuple[str, ...], config: dict[str, Any], site: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """A service in workerd whose agent asks before it fetches; pages of the site may call it."""
    assert "workerd" in hosts
    patient = {"allowed_origins": [site], "agent": ASK, "time_limit_ms": int(PATIENCE_S * 1000)}
    with serve("workerd", {**config, **patient}, tmp_path_factory.mktemp("edge")) as running:
        yield running


@pytest.fixture
def page(browser: Browser, edge: Service, site: str) -> Iterator[Page]:
    """The chat; nothing may be thrown in its page."""
    faults: list[str] = []
    with browser.new_context() as profile:
        page = profile.new_page()
        page.set_default_timeout(PATIENCE_S * 1000)
        expect.set_options(timeout=PATIENCE_S * 1000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"{site}/#service=http://127.0.0.1:{edge.port}&token={LOST}&chat=my-chat&keeps=1")
        yield page
    assert [] == faults


def ready(page: Page) -> None:
    """Wait until an exchange is over, without an error."""
    expect(page.locator("p[role=status]")).to_have_text("ready")
    assert "" == page.get_by_role("alert").inner_text()


def kept(page: Page) -> list[dict[str, Any]]:
    """Return the messages that the page keeps."""
    messages: list[dict[str, Any]] = json.loads(page.evaluate("localStorage.getItem('my-chat')"))
    return messages


def test_messages_are_answered_in_one_run(page: Page) -> None:
    """Two exchanges stand in order, and their messages carry one run."""
    for number in ("one", "two"):
        ask(page, f"[hello] {number}")
        expect(page.get_by_text(f"It says: [hello] {number}")).to_be_visible()
        ready(page)
    logs = [message["metadata"]["purestep"]["log"] for message in kept(page)[1::2]]
    assert 1 == json.dumps(logs).count("run_started")
    assert 2 == json.dumps(logs).count("final_answer")


def test_approval_after_a_reload_runs_the_call_once(page: Page, llm: ModelServer) -> None:
    """The page is loaded again while a call waits; the messages that it kept are all that the service needs."""
    before = len(llm.fetched)
    ask(page, "[page] When does it open?")
    expect(page.get_by_role("button", name="Approve")).to_be_visible()
    ready(page)
    assert before == len(llm.fetched)
    page.reload()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("article").last.get_by_text("It says:")).to_contain_text("opens at nine")
    expect(page.get_by_role("region", name="fetch_url").locator("span")).to_have_text("output-available")
    ready(page)
    assert before + 1 == len(llm.fetched)
    assert 2 == page.get_by_role("article").count()


def test_refusal_is_read_by_the_model(page: Page, llm: ModelServer) -> None:
    """The call is denied and never runs, and the chat goes on."""
    before = len(llm.fetched)
    ask(page, "[page] When does it open?")
    page.get_by_role("button", name="Refuse").click()
    expect(page.get_by_role("region", name="fetch_url").locator("span")).to_have_text("output-denied")
    ready(page)
    ask(page, "[hello] then")
    expect(page.get_by_text("It says: [hello] then")).to_be_visible()
    assert before == len(llm.fetched)


def test_stopped_chat_goes_on(page: Page, llm: ModelServer) -> None:
    """`stop` of the hook leaves the stream, and the next message is answered in the same run."""
    asked = len(llm.asked)
    ask(page, "[hang]")
    expect(page.locator("p[role=status]")).to_have_text("streaming")
    while len(llm.asked) == asked:
        page.wait_for_timeout(20)
    page.get_by_role("button", name="Stop").click()
    ready(page)
    ask(page, "[hello] after")
    expect(page.get_by_text("It says: [hello] after")).to_be_visible()
    ready(page)
    said = [message["content"] for message in llm.asked[-1]["messages"] if message["role"] == "user"]
    assert "[hang]" in said


def test_failure_is_shown_and_the_chat_goes_on(page: Page) -> None:
    """A run that fails reaches the page as an error with its message."""
    ask(page, "[refused]")
    expect(page.get_by_role("alert")).to_contain_text("has no use for")
    ask(page, "[hello] again")
    expect(page.get_by_text("It says: [hello] again")).to_be_visible()
    ready(page)


def test_edited_messages_are_refused(page: Page) -> None:
    """A page that changes the log that it keeps is told why it cannot go on."""
    ask(page, "[hello]")
    expect(page.get_by_text("It says: [hello]")).to_be_visible()
    ready(page)
    page.evaluate("localStorage.setItem('my-chat', localStorage.getItem('my-chat').replaceAll('[hello]', '[other]'))")
    page.reload()
    ask(page, "[hello] again")
    expect(page.get_by_role("alert")).to_contain_text("log_mismatch")
