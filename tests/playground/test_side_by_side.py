"""One question put to two models or under two definitions: two real servers, or one script under two definitions."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.axe import serious_findings
from tests.playground.conftest import Open
from tests.playground.driver import ADD, Playground, call, definition, final, tool
from tests.playground.test_mcp_tools import connect, mcp_server
from tests.replies import as_asked

READS = {"annotations": {"readOnlyHint": True}}
PRICE = {"input": 2_000_000, "output": 4_000_000, "unit": "USD"}
PRICED = definition({**ADD, **READS}, models=[{"name": "any", "price": PRICE}])
SEND = {**tool("send_reminder", to="string", text="string"), "approval": "auto"}
SENT = [call("send_reminder", to="Ada", text="Tea"), final("It is sent.")]
HOSTILE = '<img src=x onerror="globalThis.owned = true">\u202e**bold**'


class Server(ThreadingHTTPServer):
    """A model server of its own: streams one output after the other, and lets pages of any origin ask."""

    daemon_threads = True

    def __init__(self, *outputs: str, hangs: bool = False) -> None:
        """Listen on a free port; hangs: until the end of the test it answers nothing."""
        super().__init__(("127.0.0.1", 0), _Answers)
        self.outputs = list(outputs)
        self.asked: list[dict[str, Any]] = []
        self.may_answer = Event()
        if not hangs:
            self.may_answer.set()

    @property
    def url(self) -> str:
        """The address as the page wants it."""
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Answers(BaseHTTPRequestHandler):
    server: Server

    def do_OPTIONS(self) -> None:
        self._head("text/plain", 200)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.may_answer.wait(60)
        if not self.server.outputs:
            self._head("application/json", 400)
            self.wfile.write(b'{"error":{"message":"nothing left to say"}}')
            return
        self._head("text/event-stream", 200)
        delta = as_asked(self.server.outputs.pop(0), asked)
        choice = {"index": 0, "delta": delta, "finish_reason": "stop"}
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        chunk = {"model": asked["model"], "choices": [choice], "usage": usage}
        self.wfile.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())

    def _head(self, kind: str, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name in ("Origin", "Headers", "Methods"):
            self.send_header(f"Access-Control-Allow-{name}", "*" if name != "Headers" else "*, authorization")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@contextmanager
def serving(*servers: Server) -> Iterator[tuple[Server, ...]]:
    """Serve until the end, and let those that hang end too."""
    for server in servers:
        Thread(target=server.serve_forever, daemon=True).start()
    yield servers
    for server in servers:
        server.may_answer.set()
        server.shutdown()
        server.server_close()


def show(playground: Playground) -> Locator:
    """Open the dialog from the tab that compares."""
    playground.show_compare()
    playground.button("Ask two side by side").click()
    return playground.page.get_by_role("dialog", name="Side by side")


def choose_servers(dialog: Locator, *servers: Server) -> None:
    """Name a server for each side."""
    for side, server in zip(("Left", "Right"), servers, strict=True):
        fields = dialog.get_by_role("group", name=side)
        fields.get_by_label("Model", exact=True).select_option("server")
        fields.get_by_label("Base URL").fill(server.url)
        fields.get_by_label("Model's name").fill(f"{side.lower()}-model")


def ask(dialog: Locator, question: str = "What is 17 plus 25?") -> None:
    """Ask both."""
    dialog.get_by_label("One question for both").fill(question)
    dialog.get_by_role("button", name="Ask both").click()


def column(dialog: Locator, side: str) -> Locator:
    """Return what one side did."""
    return dialog.get_by_role("region", name=side)


def test_two_servers_answer_one_question(open_page: Open) -> None:
    """Each with its calls, its acts, who answered, tokens, time and cost; the first difference is named and marked."""
    with serving(Server(call("add_numbers", a=17, b=25), final("It is 42.")), Server(final("It is 41."))) as servers:
        dialog = show(open_page(definition=PRICED))
        choose_servers(dialog, *servers)
        ask(dialog)
        left, right = column(dialog, "Left: left-model"), column(dialog, "Right: right-model")
        expect(dialog.locator(".beside-verdict")).to_have_text(
            "They differ at once. Left: wants add_numbers(17, 25); right: answer It is 41."
        )
        expect(left).to_contain_text("It is 42.")
        expect(left).to_contain_text("Ended.")
        expect(right).to_contain_text("It is 41.")
        assert ["left-model", "200 read, 20 written"] == left.get_by_role("definition").all_inner_texts()[::2]
        assert ["right-model", "100 read, 10 written"] == right.get_by_role("definition").all_inner_texts()[::2]
        expect(left.locator(".differs")).to_contain_text("add_numbers(17, 25)")
        expect(right.locator(".differs")).to_contain_text("It is 41.")
        assert [1, 1] == [side.get_by_text("first difference").count() for side in (left, right)]
        assert [] == serious_findings(dialog.page)


def test_a_call_with_effects_is_asked_about_in_each(open_page: Open) -> None:
    """Whatever the definition says; each answer is its own run's, and a refused call is not made."""
    with serving(Server(*SENT), Server(SENT[0], final("Then not."))) as servers:
        dialog = show(open_page(definition=definition(SEND)))
        choose_servers(dialog, *servers)
        ask(dialog, "Remind Ada of tea")
        left, right = column(dialog, "Left: left-model"), column(dialog, "Right: right-model")
        expect(right.get_by_role("button", name="Refuse")).to_be_visible()
        expect(left).to_contain_text("Waits for you.")
        left.get_by_role("button", name="Approve and run").click()
        expect(left).to_contain_text("It is sent.")
        expect(left.get_by_role("list", name="What may have been changed")).to_contain_text("send_reminder to=Ada")
        expect(right).to_contain_text("Waits for you.")
        right.get_by_role("button", name="Refuse").click()
        expect(right).to_contain_text("Then not.")
        expect(right.get_by_role("list", name="What may have been changed")).to_contain_text("(refused)")
        expect(dialog.locator(".beside-verdict")).to_contain_text("after 1 act. Left: approved")
        assert [] == serious_findings(dialog.page)


def test_a_denied_call_stays_denied(open_page: Open) -> None:
    """Asking is stricter than the definition's `auto`, and its `deny` is stricter than that."""
    with serving(Server(*SENT), Server(*SENT)) as servers:
        dialog = show(open_page(definition=definition({**SEND, "approval": "deny"})))
        choose_servers(dialog, *servers)
        ask(dialog, "Remind Ada of tea")
        expect(dialog.locator(".beside-verdict")).to_have_text("Both did the same.")
        expect(dialog.get_by_role("button", name="Approve and run")).to_have_count(0)
        expect(column(dialog, "Left: left-model")).to_contain_text("It is sent.")


def test_one_that_fails_leaves_the_other_alone(open_page: Open) -> None:
    """A server that refuses, and a side without a model's name."""
    with serving(Server(), Server(final("Here."))) as servers:
        playground = open_page(definition=PRICED)
        dialog = show(playground)
        choose_servers(dialog, *servers)
        ask(dialog)
        expect(column(dialog, "Left: left-model")).to_contain_text("Run failed")
        expect(column(dialog, "Right: right-model")).to_contain_text("Here.")
        dialog.get_by_text("Who is asked").click()
        dialog.get_by_role("group", name="Left").get_by_label("Model's name").fill("")
        servers[1].outputs.append(final("Here again."))
        ask(dialog)
        expect(column(dialog, "Left: a model without a name")).to_contain_text("Enter the model's name")
        expect(column(dialog, "Right: right-model")).to_contain_text("Here again.")
        playground.complaints.clear()  # the browser itself writes a refused request to the console


def test_stop_stops_both(open_page: Open) -> None:
    """Also one that waits for a person; what was done until then stays."""
    with serving(Server(SENT[0]), Server(hangs=True)) as servers:
        dialog = show(open_page(definition=definition(SEND)))
        choose_servers(dialog, *servers)
        ask(dialog, "Remind Ada of tea")
        left, right = column(dialog, "Left: left-model"), column(dialog, "Right: right-model")
        left.get_by_role("button", name="Approve and run").wait_for()
        dialog.get_by_role("button", name="Stop both").click()
        for side in (left, right):
            expect(side).to_contain_text("Stopped.")
            expect(side).to_contain_text("You stopped")
        expect(left.get_by_role("button", name="Approve and run")).to_have_count(0)
        expect(dialog.get_by_role("button", name="Ask both")).to_have_attribute("aria-disabled", "false")


def test_stop_ends_the_wait_for_a_model(open_page: Open) -> None:
    """A model of the settings that does not come is not waited for any longer, and the other side has answered."""
    with serving(Server(final("Here."))) as (server,):
        playground = open_page(definition=PRICED)
        playground.page.context.route("**/models/*.gguf", lambda _: None)
        dialog = show(playground)
        right = dialog.get_by_role("group", name="Right")
        right.get_by_label("Base URL").fill(server.url)
        right.get_by_label("Model's name").fill("right-model")
        ask(dialog)
        expect(column(dialog, "Right: right-model")).to_contain_text("Ended.")
        left = column(dialog, "Left: SmolLM2")
        expect(left).to_contain_text("The model is being loaded.")
        dialog.get_by_role("button", name="Stop both").click()
        expect(left).to_contain_text("Stopped.")
        expect(column(dialog, "Right: right-model")).to_contain_text("Ended.")


def test_closing_stops_both(open_page: Open) -> None:
    """By Escape, as any dialog; the conversation behind it can go on."""
    with serving(Server(hangs=True), Server(hangs=True)) as servers:
        playground = open_page(definition=PRICED)
        dialog = show(playground)
        choose_servers(dialog, *servers)
        ask(dialog)
        expect(column(dialog, "Right: right-model")).to_contain_text("Asked; at work.")
        playground.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        dialog = show(playground)
        expect(column(dialog, "Left: left-model")).to_contain_text("Stopped.")


def test_one_script_runs_under_two_definitions(open_page: Open) -> None:
    """The model of the settings on both sides, one after the other; the second definition has no such tool."""
    outputs = [call("add_numbers", a=17, b=25), final("It is 42.")]
    dialog = show(open_page(chosen="scripted", definition=PRICED, outputs=outputs))
    right = dialog.get_by_role("group", name="Right")
    right.get_by_label("Model", exact=True).select_option("chosen")
    right.get_by_label("Definition", exact=True).select_option("own")
    right.get_by_label("Definition, right").fill(definition({**tool("look", at="string"), **READS}))
    ask(dialog)
    expect(dialog.locator(".beside-verdict")).to_contain_text("Left: wants add_numbers(17, 25); right: correction")
    expect(column(dialog, "Left: Scripted")).to_contain_text("It is 42.")
    expect(column(dialog, "Right: Scripted")).to_contain_text("It is 42.")


def test_a_definition_with_an_error_is_told_in_its_column(open_page: Open) -> None:
    """In the core's words; the other side is asked."""
    dialog = show(open_page(chosen="scripted", definition=PRICED, outputs=[final("Here.")]))
    right = dialog.get_by_role("group", name="Right")
    right.get_by_label("Model", exact=True).select_option("chosen")
    right.get_by_label("Definition", exact=True).select_option("own")
    right.get_by_label("Definition, right").fill('{"limits": 1}')
    ask(dialog)
    expect(column(dialog, "Right: Scripted").get_by_role("alert")).to_contain_text("limits")
    expect(column(dialog, "Left: Scripted")).to_contain_text("Here.")


def test_what_models_say_stays_text(open_page: Open) -> None:
    """Markup is the characters it is, and what turns text around is an escape."""
    with serving(Server(final(HOSTILE)), Server(call("add_numbers", a=HOSTILE, b=1), final(HOSTILE))) as servers:
        dialog = show(open_page(definition=PRICED))
        choose_servers(dialog, *servers)
        ask(dialog, HOSTILE)
        for side in ("Left: left-model", "Right: right-model"):
            expect(column(dialog, side)).to_contain_text("Ended.")
            expect(column(dialog, side)).to_contain_text("<img src=x")
            expect(column(dialog, side)).to_contain_text("\\u202e")
        assert not dialog.page.evaluate("globalThis.owned")


def test_a_run_is_opened_and_verified(open_page: Open) -> None:
    """Where every step of it can be looked at."""
    with serving(Server(final("One.")), Server(final("Two."))) as servers:
        playground = open_page(definition=PRICED)
        dialog = show(playground)
        choose_servers(dialog, *servers)
        ask(dialog)
        column(dialog, "Right: right-model").get_by_role("button", name="Open this run").click()
        expect(dialog).to_have_count(0)
        playground.expect_answer("Two.")
        playground.show_log()
        expect(playground.verdict()).to_contain_text("Verified")


@pytest.mark.parametrize("width", [390, 1360])
def test_the_columns_stand_where_there_is_room(open_page: Open, width: int) -> None:
    """Beside each other on a wide screen and one above the other on a phone, and nothing is cut off."""
    with serving(Server(final("One " * 200)), Server(final("Two"))) as servers:
        playground = open_page(definition=PRICED)
        dialog = show(playground)
        playground.page.set_viewport_size({"width": width, "height": 844})
        choose_servers(dialog, *servers)
        ask(dialog)
        sides = [column(dialog, f"{side}-model").element_handle() for side in ("Left: left", "Right: right")]
        # At one moment: what ends is scrolled to.
        places = (
            "(sides) => sides.map((each) => [each.getBoundingClientRect().top, each.getBoundingClientRect().bottom])"
        )
        left, right = playground.page.evaluate(places, sides)
        assert (width < 600) == (right[0] >= left[1])
        assert reaches_over(playground.page) == []


def reaches_over(page: Page) -> list[str]:
    """Return what is wider than the dialog."""
    wide = "all.filter((each) => each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML)"
    found: list[str] = page.locator("dialog[open] *").evaluate_all(f"(all) => {wide}")
    return found


def test_the_keyboard_alone_asks_both(open_page: Open) -> None:
    """From the question through both sides to the button."""
    dialog = show(open_page(chosen="scripted", definition=PRICED, outputs=[final("Here.")]))
    page = dialog.page
    page.get_by_label("One question for both").focus()
    page.keyboard.type("Where?")
    reached = []
    while "Ask both" not in reached and len(reached) < 20:
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.textContent"))
    page.keyboard.press("Enter")
    expect(column(dialog, "Left: Scripted")).to_contain_text("Here.")


COUNTS = """const seen = [];
tool({
  name: "visit",
  parameters: z.object({ place: z.string() }),
  annotations: { readOnlyHint: true },
  execute: ({ place }) => (seen.push(place), seen),
});
tool({
  name: "book",
  approval: "auto",
  parameters: z.object({ place: z.string() }),
  execute: ({ place }) => `booked ${place}`,
});
"""


def own_code(source: str) -> dict[str, Any]:
    """Return the page's settings with code whose tools are on."""
    return {"own_code": [{"id": 1, "source": source, "hosts": "", "isOn": True}], "definition": "{}"}


def test_tools_written_in_the_page_run_in_each_side(open_page: Open) -> None:
    """In a sandbox for each: neither finds what the other keeps; one that may act is asked about, whatever it says."""
    left_said = [call("visit", place="Oslo"), call("book", place="Oslo"), final("Booked.")]
    right_said = [call("visit", place="Bergen"), call("book", place="Bergen"), final("Not booked.")]
    with serving(Server(*left_said), Server(*right_said)) as servers:
        dialog = show(open_page(**own_code(COUNTS)))
        choose_servers(dialog, *servers)
        ask(dialog, "Book a trip")
        left, right = column(dialog, "Left: left-model"), column(dialog, "Right: right-model")
        left.get_by_role("button", name="Approve and run").click()
        expect(left).to_contain_text("Booked.")
        right.get_by_role("button", name="Refuse").click()
        expect(right).to_contain_text("Not booked.")
        told = [server.asked[1]["messages"][-1]["content"] for server in servers]
        assert ["Oslo" in told[0], "Bergen" in told[0]] == [True, False]
        assert ["Oslo" in told[1], "Bergen" in told[1]] == [False, True]
        assert "booked Oslo" in servers[0].asked[2]["messages"][-1]["content"]
        assert [] == serious_findings(dialog.page)


def test_a_tool_that_hangs_ends_with_stop(open_page: Open) -> None:
    """In both sides, and the next question finds a sandbox that answers."""
    hangs = "tool({ name: 'look', annotations: { readOnlyHint: true }, execute: () => { for (;;); } });"
    with serving(Server(call("look"), final("Here.")), Server(call("look"), final("Here."))) as servers:
        dialog = show(open_page(**own_code(hangs)))
        choose_servers(dialog, *servers)
        ask(dialog)
        sides = [column(dialog, f"{name.title()}: {name}-model") for name in ("left", "right")]
        for side in sides:
            expect(side).to_contain_text("look")
        dialog.get_by_role("button", name="Stop both").click()
        for side in sides:
            expect(side).to_contain_text("Stopped.")
        ask(dialog, "Again?")
        for side in sides:
            expect(side).to_contain_text("Here.")


def test_tools_of_an_mcp_server_run_in_each_side(open_page: Open) -> None:
    """What only reads runs unasked; what may pay is asked about in each, and refused in one."""
    said = [call("sums_more__add", a=17, b=25), call("sums_more__pay_out_", euros=30), final("That was it.")]
    with mcp_server() as address, serving(Server(*said), Server(*said)) as servers:
        playground = open_page(definition="{}")
        connect(playground, address)
        playground.page.locator(".added .tool-row").first.wait_for()
        playground.page.keyboard.press("Escape")
        dialog = show(playground)
        choose_servers(dialog, *servers)
        ask(dialog, "Pay 30")
        left, right = column(dialog, "Left: left-model"), column(dialog, "Right: right-model")
        left.get_by_role("button", name="Approve and run").click()
        right.get_by_role("button", name="Refuse").click()
        for side in (left, right):
            expect(side).to_contain_text("That was it.")
        assert ["42" in server.asked[1]["messages"][-1]["content"] for server in servers] == [True, True]
        told = [server.asked[2]["messages"][-1]["content"] for server in servers]
        assert ["paid 30 euros" in each for each in told] == [True, False]


def test_an_mcp_server_that_ends_is_told_in_each_side(open_page: Open) -> None:
    """The models read it, and the runs end with their answers."""
    said = [call("sums_more__fall"), final("It is gone.")]
    with mcp_server() as address, serving(Server(*said), Server(*said)) as servers:
        playground = open_page(definition="{}")
        connect(playground, address)
        playground.page.locator(".added .tool-row").first.wait_for()
        playground.page.keyboard.press("Escape")
        dialog = show(playground)
        choose_servers(dialog, *servers)
        ask(dialog, "Fall")
        for side, server in zip(("left", "right"), servers, strict=True):
            expect(column(dialog, f"{side.title()}: {side}-model")).to_contain_text("It is gone.")
            assert "fall may have run" in server.asked[1]["messages"][-1]["content"]
        playground.complaints.clear()  # the browser itself writes a failed request to the console
