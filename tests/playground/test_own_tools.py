"""Tools that are written in the page: their schema, their calls, what is wrong with them, and who starts them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import Playground, call, final

WEATHER = """import { z } from "zod";
import { tool, ToolFailure } from "purestep";

const seen = [];
export const weather = tool({
  description: "Say the weather of a city.",
  parameters: z.object({ city: z.string().min(2).describe("its name"), days: z.int().max(7).default(1) }),
  annotations: { readOnlyHint: true },
  execute: async ({ city, days }) => {
    if (city === "Atlantis") throw new ToolFailure("there is no such city; ask for another");
    await new Promise((resolve) => setTimeout(resolve, 20));
    seen.push(city);
    return { city, days, seen };
  },
});
"""


def _code(source: str, **rest: Any) -> dict[str, Any]:
    return {"id": 1, "source": source, "hosts": "", "isOn": True, **rest}


def _card(playground: Playground) -> Any:
    if not playground.page.locator("dialog.tools").is_visible():
        playground.page.locator(".composer .tools-button").click()
    return playground.page.locator(".added")


def _write(page: Page, source: str) -> None:
    page.locator(".code-editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)


def _results(playground: Playground) -> list[dict[str, Any]]:
    events = [json.loads(line) for line in playground.download_log().decode().splitlines()]
    return [event for event in events if event["kind"] == "tool_result"]


def test_a_tool_is_written_turned_on_and_called(open_page: Open) -> None:
    """From the first screen: the example stands in the editor, and the model gets the schema that zod gives."""
    outputs = [call("days_until", date="2000-01-01"), final("Long ago.")]
    playground = open_page(settings_open=False, chosen="scripted", definition="{}", outputs=outputs)
    page = playground.page
    playground.button("Add a tool").click()
    assert [] == serious_findings(page)
    playground.button("Write a tool in JavaScript").click()
    page.locator(".code-editor .cm-content").wait_for()
    assert [] == serious_findings(page)
    playground.button("Turn on").click()
    page.locator(".added .tool-row").wait_for()
    expect(page.locator(".added .tool-row")).to_contain_text("only reads")
    assert [] == serious_findings(page)
    page.keyboard.press("Escape")
    expect(playground.button("1 added tool")).to_be_visible()
    playground.ask("How long is it?")
    playground.expect_answer("Long ago.")
    started = json.loads(playground.download_log().splitlines()[0])
    [spec] = started["agent"]["tools"]
    assert "date" == spec["parameters"]["properties"]["date"]["format"]
    assert ["date"] == spec["parameters"]["required"]
    [result] = _results(playground)
    assert result["ok"]
    assert int(result["output"]) < -9000


def test_code_of_a_program_runs_as_it_is(open_page: Open) -> None:
    """Imports, a name from the export, defaults of the schema, what is kept between calls, and words for the model."""
    outputs = [
        call("weather", city="Oslo"),
        call("weather", city="Bergen", days=3),
        call("weather", city="Atlantis"),
        final("Dry."),
    ]
    playground = open_page(chosen="scripted", own_code=[_code(WEATHER)], definition="{}", outputs=outputs)
    playground.ask("Is it dry?")
    playground.expect_answer("Dry.")
    found = [result.get("output", result.get("error")) for result in _results(playground)]
    assert [
        {"city": "Oslo", "days": 1, "seen": ["Oslo"]},
        {"city": "Bergen", "days": 3, "seen": ["Oslo", "Bergen"]},
        "there is no such city; ask for another",
    ] == found


WRONG: Final = (
    ("tool({\n  name: 'a',\n  execute: () => 1,,\n});", "SyntaxError"),
    ("\n\nundefinedName;", "undefinedName is not defined"),
    ("const a = 1;", "it makes no tool"),
    ("tool({ name: 'a' });", "takes a function `execute`"),
    ("tool();", "takes an object"),
    ("tool({ name: 'not a name!', execute: () => 1 });", "letters, digits"),
    ("tool({ name: 'a', execute: () => 1, nonsense: true });", "nonsense"),
    ("tool({ name: 'a', parameters: z.object({ d: z.date() }), execute: () => 1 });", "JSON Schema"),
    ("tool({ name: 'a', parameters: z.string(), execute: () => 1 });", "object"),
    ("tool({ name: 'a', parameters: { type: 'nonsense' }, execute: () => 1 });", "at the root"),
    ("import _ from 'lodash';\ntool({ name: 'a', execute: () => 1 });", 'there is no module "lodash" here'),
    ("while (true) {}", "3 seconds without a pause"),
    ("await new Promise(() => {});", "wait inside of `execute`"),
    ("for (let i = 0; i < 20; i++) tool({ name: `a${i}`, execute: () => 1 });", "at most 16"),
    ("tool({ name: 'a', execute: () => 1 }); tool({ name: 'a', execute: () => 2 });", "a"),
    ("throw 'plain';", "plain"),
)
"""Codes, and words of what is said of each."""


def test_what_is_wrong_with_a_code_is_said(open_page: Open) -> None:
    """At its line where that is known; and nothing of it is offered."""
    codes = [_code(source, id=number, isOn=False) for number, (source, _) in enumerate(WRONG)]
    playground = open_page(own_code=codes)
    cards = _card(playground)
    for number, (_, words) in enumerate(WRONG):
        card = cards.nth(number)
        card.get_by_role("button", name="Turn on").click()
        expect(card).to_contain_text("not usable")
        expect(card.get_by_role("alert")).to_contain_text(words)
    playground.page.keyboard.press("Escape")
    expect(playground.page.locator(".composer").get_by_role("button", name="Add a tool")).to_be_visible()


def test_an_error_stands_under_its_line(open_page: Open) -> None:
    """And goes once the code is mended and turned on."""
    playground = open_page(own_code=[_code("const a = 1;\nboo();\n", isOn=False)])
    page = playground.page
    card = _card(playground)
    card.get_by_role("button", name="Edit").click()
    playground.button("Turn on").click()
    expect(page.locator(".code-editor .problem-line")).to_have_text("ReferenceError: boo is not defined")
    expect(page.locator(".code-editor .cm-line.problem-row")).to_have_text("boo();")
    assert [] == serious_findings(page)
    _write(page, "tool({ name: 'mended', execute: () => 1 });")
    expect(card.locator(".badge")).to_have_text("off")
    playground.button("Turn on").click()
    expect(card.get_by_role("heading")).to_have_text("mended")
    expect(page.locator(".code-editor .problem-line")).to_have_count(0)


def test_arguments_that_zod_refuses_are_told_to_the_model(open_page: Open) -> None:
    """A refinement that JSON Schema cannot say is checked in the sandbox."""
    source = """tool({ name: "even", parameters: z.object({
        n: z.int().refine((n) => n % 2 === 0, "give an even number") }),
      execute: ({ n }) => n / 2 });"""
    outputs = [call("even", n=3), call("even", n=4), final("Two.")]
    playground = open_page(chosen="scripted", own_code=[_code(source)], definition="{}", outputs=outputs)
    playground.ask("Halve it")
    playground.expect_answer("Two.")
    wrong, right = _results(playground)
    assert "n: give an even number" == wrong["error"]
    assert 2 == right["output"]


def test_a_plain_json_schema_and_other_names_do_as_well(open_page: Open) -> None:
    """`input` and `run`, as other libraries have them, and no name."""
    source = """tool({ description: "Twice.", input: { type: "object", properties: { n: { type: "number" } } },
      run: ({ n }) => n * 2 });"""
    outputs = [call("own_tool", n=21), final("It is 42.")]
    playground = open_page(chosen="scripted", own_code=[_code(source)], definition="{}", outputs=outputs)
    playground.ask("Double it")
    playground.expect_answer("It is 42.")
    assert 42 == _results(playground)[0]["output"]


def test_code_writes_dates_and_numbers_as_browsers_do(open_page: Open) -> None:
    """The interpreter has no languages and addresses of its own."""
    source = """tool({ name: "write", execute: () => {
      const day = new Date(Date.UTC(2026, 10, 29, 9, 5));
      const url = new URL("../b?x=1", "https://a.example/c/d");
      url.searchParams.set("q", "a b");
      return [
        (1234.5).toLocaleString("de-DE"),
        day.toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "Asia/Tokyo" }),
        new Intl.DateTimeFormat("fr-FR", { weekday: "long", timeZone: "UTC" }).format(day),
        new Intl.NumberFormat("en-US", { style: "currency", currency: "EUR" }).format(2),
        String(url), url.hostname, new URLSearchParams({ a: "1 2" }).toString(), typeof crypto.randomUUID(),
      ];
    } });"""
    outputs = [call("write"), final("Written.")]
    playground = open_page(chosen="scripted", own_code=[_code(source)], definition="{}", outputs=outputs)
    playground.ask("Write")
    playground.expect_answer("Written.")
    assert [
        "1.234,5",
        "29 November 2026",
        "dimanche",
        "€2.00",
        "https://a.example/b?x=1&q=a%20b",
        "a.example",
        "a=1%202",
        "string",
    ] == _results(playground)[0]["output"]


class Answers(BaseHTTPRequestHandler):
    """A host that lets every page read it, one that does not, and one that leads elsewhere."""

    def do_GET(self) -> None:
        """Answer."""
        self.send_response(302 if self.path == "/elsewhere" else 200)
        if self.path == "/elsewhere":
            self.send_header("Location", "/open")
        if self.path != "/shut":
            self.send_header("Access-Control-Allow-Origin", "*")
        self.end_headers()
        self.wfile.write(json.dumps({"cookies": self.headers.get("Cookie"), "path": self.path}).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def host() -> Iterator[str]:
    """Its name with its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_host_is_asked_once_it_is_named(open_page: Open, host: str) -> None:
    """Without a name it is not; what it does not let be read, and where it leads, is said in words."""
    source = f"""tool({{ name: "ask", parameters: z.object({{ path: z.string() }}),
      annotations: {{ readOnlyHint: true }},
      execute: async ({{ path }}) => (await fetch("http://{host}" + path)).json() }});"""
    outputs = [call("ask", path="/open"), call("ask", path="/shut"), call("ask", path="/elsewhere"), final("Asked.")]
    codes = [_code(source, hosts=host), _code(source.replace('"ask"', '"unnamed"'), id=2)]
    playground = open_page(
        chosen="scripted", own_code=codes, definition="{}", outputs=[call("unnamed", path="/open"), *outputs]
    )
    playground.ask("Ask")
    playground.expect_answer("Asked.")
    unnamed, opened, shut, elsewhere = _results(playground)
    assert f"may not ask {host}: its user has to name that host" in unnamed["error"]
    assert {"cookies": None, "path": "/open"} == opened["output"]
    assert all(f"{host} cannot be read: " in result["error"] for result in (shut, elsewhere))
    agent = json.loads(playground.download_log().splitlines()[0])["agent"]
    assert [["open"], None] == [each.get("labels") for each in sorted(agent["tools"], key=lambda tool: tool["name"])]
    playground.complaints.clear()  # the browser says itself what it did not let be read


def test_what_is_off_stays_off_and_what_is_changed_goes_off(open_page: Open) -> None:
    """A visit starts what was on when the page was left, and nothing else."""
    codes = [_code(WEATHER), _code("tool({ name: 'off', execute: () => 1 });", id=2, isOn=False)]
    playground = open_page(own_code=codes)
    card = _card(playground)
    expect(card.nth(0).locator(".added-head .badge")).to_have_text("on")
    expect(card.nth(1).locator(".added-head .badge")).to_have_text("off")
    card.nth(0).get_by_role("button", name="Edit").click()
    playground.page.get_by_label("Hosts it may ask").fill("api.example.com https://b.example/path, ???")
    expect(card.nth(0)).to_contain_text("api.example.com, b.example")
    expect(card.nth(0).locator(".added-head .badge")).to_have_text("off")
    card.nth(0).get_by_role("button", name="Remove").click()
    expect(card).to_have_count(1)


def test_an_opened_log_starts_no_code(open_page: Open) -> None:
    """Its definition says what runs unasked, so the page's own tool of that name is not handed its calls."""
    outputs = [call("weather", city="Oslo"), final("Dry.")]
    playground = open_page(chosen="scripted", own_code=[_code(WEATHER)], definition="{}", outputs=outputs)
    playground.ask("Is it dry?")
    playground.expect_answer("Dry.")
    log = playground.download_log()
    cut = b"".join(log.splitlines(keepends=True)[:2])
    playground.open_log("foreign.jsonl", cut)
    playground.button("Continue").first.click()
    playground.page.get_by_label("What does it return?").wait_for()


def test_a_tool_of_the_definition_is_filled_in_by_code_of_its_name(open_page: Open) -> None:
    """The code's own schema and function take its place; a run keeps the tools that it began with."""
    definition = json.dumps({"tools": [{"name": "weather", "description": "by hand"}], "limits": {"max_turns": 5}})
    outputs = [call("weather", city="Oslo"), final("Dry.")]
    playground = open_page(chosen="scripted", own_code=[_code(WEATHER)], definition=definition, outputs=outputs)
    playground.ask("Is it dry?")
    playground.expect_answer("Dry.")
    agent = json.loads(playground.download_log().splitlines()[0])["agent"]
    assert ["Say the weather of a city."] == [each["description"] for each in agent["tools"]]
    _card(playground)
    expect(playground.page.locator("dialog.tools .note")).to_contain_text("keeps the tools that it started with")
