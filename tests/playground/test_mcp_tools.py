"""An MCP server by its address: its tools beside others, and each way in which it cannot be had, in words."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, final


@contextmanager
def mcp_server(*options: str) -> Iterator[str]:
    """Serve over streamable HTTP until the block ends; gives the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, str(Path(__file__).with_name("mcp_page_server.py")), str(port), *options]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2]) as process:
        try:
            while True:
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            process.kill()


def connect(playground: Playground, address: str, key: str = "") -> Any:
    """Add a server by its address, and connect."""
    page = playground.page
    page.locator(".composer .tools-button").click()
    playground.button("Connect an MCP server").click()
    page.locator(".added").get_by_label("Address").fill(address)
    page.locator(".added").get_by_label("Key").fill(key)
    playground.button("Connect", exact=True).click()
    return page.locator(".added")


def _results(playground: Playground) -> list[dict[str, Any]]:
    events = [json.loads(line) for line in playground.download_log().decode().splitlines()]
    return [event for event in events if event["kind"] == "tool_result"]


def _names(agent: dict[str, Any]) -> list[str]:
    return sorted(each["name"] for each in agent["tools"])


def test_tools_of_a_server_are_listed_and_called(open_page: Open) -> None:
    """Those that do not say that they only read ask first; what is wrong with one costs that one; its end is told."""
    outputs = [
        call("sums_more__add", a=17, b=25),
        call("sums_more__pay_out_", euros=30),
        call("sums_more__fail"),
        call("sums_more__fall"),
        final("It is done."),
    ]
    with mcp_server() as address:
        playground = open_page(settings_open=False, chosen="scripted", definition="{}", outputs=outputs)
        page = playground.page
        card = connect(playground, address)
        expect(card.locator(".tool-row")).to_have_count(4)
        rows = {row.locator("code").inner_text(): row.inner_text() for row in card.locator(".tool-row").all()}
        assert "only reads" in rows["sums_more__add"]
        assert "asks you first" in rows["sums_more__pay_out_"]
        assert "may destroy" in rows["sums_more__pay_out_"]
        expect(card).to_contain_text('The tool "odd" is left out: ')
        assert [] == serious_findings(page)
        page.keyboard.press("Escape")
        playground.ask("Add, and pay out 30 euros")
        playground.button("Approve and run").click()
        playground.answer("It is done.").or_(playground.page.get_by_role("heading", name="outcome")).first.wait_for()
        added, paid, failed, fell = _results(playground)
        assert {"result": 42} == added["output"]
        assert {"result": "paid 30 euros"} == paid["output"]
        assert "Error executing tool fail" in failed["error"]
        assert "does not answer any more; fall may have run" in fell["error"]
        agent = json.loads(playground.download_log().splitlines()[0])["agent"]
        assert {("open",)} == {tuple(each["labels"]) for each in agent["tools"]}
    playground.complaints.clear()  # the browser says itself that the server is gone


def test_a_tool_that_is_left_out_is_not_offered(open_page: Open) -> None:
    """And the address is kept for the next visit, which connects to nothing by itself."""
    with mcp_server() as address:
        playground = open_page(chosen="scripted", definition="{}", outputs=[final("Hello.")])
        page = playground.page
        card = connect(playground, address)
        card.get_by_role("checkbox").first.uncheck()
        page.keyboard.press("Escape")
        expect(page.locator(".composer").get_by_role("button", name="3 added tools")).to_be_visible()
        playground.ask("Hello")
        playground.expect_answer("Hello.")
        agent = json.loads(playground.download_log().splitlines()[0])["agent"]
        assert ["sums_more__fail", "sums_more__fall", "sums_more__pay_out_"] == sorted(
            t["name"] for t in agent["tools"]
        )
        page.reload()
        playground.wait_for_core()
        page.locator(".composer .tools-button").click()
        expect(page.locator(".added").get_by_label("Address")).to_have_value(address)
        expect(page.locator(".added .badge")).to_have_text("off")


def test_a_key_is_for_its_address_and_stays_in_memory(open_page: Open) -> None:
    """Without one the page says that it is wanted; it stands in no storage and no log."""
    with mcp_server("key") as address:
        playground = open_page(
            chosen="scripted", definition="{}", outputs=[call("sums_more__add", a=1, b=2), final("3")]
        )
        page = playground.page
        card = connect(playground, address)
        expect(card.get_by_role("alert")).to_contain_text("wants a key")
        assert [] == serious_findings(page)
        card.get_by_label("Key").fill("sk-wrong")
        playground.button("Connect", exact=True).click()
        expect(card.get_by_role("alert")).to_contain_text("does not take this key")
        card.get_by_label("Key").fill("sk-secret")
        playground.button("Connect", exact=True).click()
        expect(card.locator(".tool-row")).to_have_count(4)
        page.keyboard.press("Escape")
        playground.ask("Add")
        playground.expect_answer("3")
        assert b"sk-secret" not in playground.download_log()
        kept = "JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + location.href"
        assert "sk-secret" not in page.evaluate(kept)
        page.locator(".composer .tools-button").click()
        playground.button("Disconnect").click()
        page.locator(".added").get_by_label("Address").fill(f"{address}?token=sk-query")
        assert "sk-query" not in page.evaluate(kept)
        expect(card.get_by_label("Key")).to_have_value("")
    playground.complaints.clear()


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("", "Enter the address"),
        ("mcp.example.com", "Enter the address"),
        ("http://mcp.example.com/mcp", "by https only"),
        ("http://127.0.0.1:9/mcp", "Nothing that this page may read answers at 127.0.0.1:9"),
        ("/not_a_server", "There is no MCP server at this address"),
    ],
)
def test_an_address_without_a_server_is_told(open_page: Open, site: str, address: str, words: str) -> None:
    """In a sentence that says what to do."""
    playground = open_page()
    card = connect(playground, f"{site}x" if address == "/not_a_server" else address)
    if address in ("", "mcp.example.com"):
        playground.page.locator(".added form").evaluate("(form) => { form.noValidate = true; form.requestSubmit(); }")
    expect(card.get_by_role("alert")).to_contain_text(words)
    playground.complaints.clear()


def test_a_server_that_shuts_pages_out_is_told_what_to_allow(open_page: Open) -> None:
    """A browser does not tell it from none, so the page names both."""
    with mcp_server("shut") as address:
        playground = open_page()
        card = connect(playground, address)
        expect(card.get_by_role("alert")).to_contain_text("has to let pages in (CORS)")
    playground.complaints.clear()


def test_an_answer_that_is_only_a_number_is_shown(open_page: Open) -> None:
    """It is no empty list, heading or quote."""
    playground = open_page(chosen="scripted", definition="{}", outputs=[final("42.")])
    playground.ask("How many?")
    playground.expect_answer("42.")
