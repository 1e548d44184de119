"""The playground as its user sees it, in words of the page."""

import json
from typing import Any

from playwright.sync_api import ConsoleMessage, Locator, Page, expect

# The core starts in under a second; a machine that does other things as well may take many times that.
PATIENCE_MS = 300_000
CORE_IS_READY = (
    """() => [...document.querySelectorAll("button")].some((button) => /Core ready in/.test(button.textContent))"""
)
"""Asked while the core starts. A look for a role goes through the whole page, and when `expect` misses a thing it lists
all that the page has, each time: together a fifth of what opening a page cost. So tests wait by `wait_for` for what is
to appear, and leave `expect` to what is there."""


class Playground:
    """One open page."""

    def __init__(self, page: Page, url: str) -> None:
        """Listen to everything that the page complains of; `open` loads it."""
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.complaints.append(message.text)

    def open(self, settings: dict[str, Any]) -> None:
        """Load the page with these settings remembered from an earlier visit, and wait for the core.

        What is beside the conversation is open, unless the settings say otherwise.
        """
        remembered = json.dumps(json.dumps({"settings_open": True, **settings}))
        self.page.add_init_script(f"localStorage['purestep-playground'] ??= {remembered}")
        self.page.goto(self.url)
        self.wait_for_core()

    def wait_for_core(self) -> None:
        """Wait until the top of the page says that the core is ready."""
        self.page.wait_for_function(CORE_IS_READY, polling=100, timeout=PATIENCE_MS)
        self.button("Core ready in").wait_for(timeout=PATIENCE_MS)

    def assert_no_complaints(self) -> None:
        """Fail if the console showed an error, or the policy refused anything."""
        assert [] == self.complaints
        if not self.page.is_closed():
            assert [] == self.page.evaluate("violations")

    def button(self, name: str, exact: bool = False) -> Locator:
        """Find a button by its name."""
        return self.page.get_by_role("button", name=name, exact=exact)

    def discard(self) -> None:
        """Discard the newest stored run, which the page asks about once more."""
        self.button("Discard", exact=True).first.click()
        self.button("Discard for good").click()

    def play(self, title: str) -> None:
        """Play a preset by its script, from the settings, which a narrow screen shows alone."""
        if not self.page.locator("#agent").is_visible():
            self.button("Settings").click()
        self.page.locator("#agent").get_by_role("button", name=title, exact=True).click()
        self.button("Play it with a script").click()

    def ask(self, question: str) -> None:
        """Write a question and send it by Enter."""
        self.page.get_by_label("Your question").fill(question)
        self.page.keyboard.press("Enter")

    def answer(self, text: str) -> Locator:
        """Find an answer of the agent in the conversation."""
        return self.page.locator(".thread .by-model:not(.speaking)", has_text=text)

    def expect_answer(self, text: str) -> None:
        """Wait for an answer."""
        self.answer(text).wait_for(timeout=PATIENCE_MS)

    def steps(self) -> Locator:
        """Find the steps of the timeline."""
        return self.page.locator(".timeline > li")

    def labels(self) -> list[str]:
        """Return the labels of all rows of the timeline, decisions included, in order."""
        return self.page.locator(".timeline summary .tone-word").all_inner_texts()

    def show_log(self) -> None:
        """Turn to the log."""
        self.page.locator("#trail").get_by_role("button", name="Log", exact=True).click()

    def show_timeline(self) -> None:
        """Turn to the timeline."""
        self.page.locator("#trail").get_by_role("button", name="Timeline", exact=True).click()

    def show_compare(self) -> None:
        """Turn to what compares the run with others."""
        self.page.locator("#trail").get_by_role("button", name="Compare", exact=True).click()

    def compare_with(self, name: str, content: bytes) -> Locator:
        """Compare the run on show with a log file, and give the card that says where they part."""
        self.show_compare()
        file = {"name": name, "mimeType": "application/jsonl", "buffer": content}
        self.page.get_by_label("Compare with a log file").set_input_files(files=[file])
        return self.page.get_by_label("Where the runs part")

    def redrive(self) -> Locator:
        """Drive the run on show again under the definition in the editor, and give the card that says what came."""
        self.show_compare()
        self.button("Redrive", exact=True).click()
        return self.page.get_by_label("What the redrive found")

    def hold_against(self, kept: str) -> None:
        """Check the log on show against a head or an anchor that was kept elsewhere."""
        self.show_log()
        card = self.page.get_by_label("The head of this log")
        if not card.get_by_label("Expected head").is_visible():
            card.get_by_text("Check against a head").click()
        card.get_by_label("Expected head").fill(kept)
        card.get_by_role("button", name="Check", exact=True).click()

    def verdict(self) -> Locator:
        """Find what checking a log found."""
        return self.page.get_by_label("What checking the log found")

    def verify(self) -> None:
        """Check the log of the branch on show, and expect that it holds."""
        self.show_log()
        self.button("Verify", exact=True).click()
        expect(self.verdict()).to_contain_text("Verified")

    def download_log(self) -> bytes:
        """Download the log of the branch on show."""
        self.show_log()
        with self.page.expect_download() as download:
            self.button("Download").click()
        return download.value.path().read_bytes()

    def open_log(self, name: str, content: bytes) -> None:
        """Open a log file."""
        self.show_log()
        file = {"name": name, "mimeType": "application/jsonl", "buffer": content}
        self.page.get_by_label("Open a log file").set_input_files(files=[file])
        expect(self.verdict()).to_contain_text(name)

    def write_definition(self, text: str) -> None:
        """Put another text into the editor."""
        self.page.locator(".editor .cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)


def call(tool: str, **arguments: Any) -> str:
    """Return what a model says to call a tool."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


def final(content: str) -> str:
    """Return what a model says to answer."""
    return json.dumps({"kind": "final", "content": content})


def definition(*tools: dict[str, Any], **rest: Any) -> str:
    """Return a definition with these tools, as the editor's text."""
    return json.dumps({"tools": list(tools), **rest}, indent=2)


def tool(name: str, **properties: str) -> dict[str, Any]:
    """Return a tool with required arguments of these types."""
    members = {argument: {"type": kind} for argument, kind in properties.items()}
    return {"name": name, "parameters": {"type": "object", "properties": members, "required": list(members)}}


ADD = tool("add_numbers", a="number", b="number")
SUM = {
    "chosen": "scripted",
    "definition": definition(ADD),
    "outputs": [call("add_numbers", a=17, b=25), final("It is 42.")],
}
"""Settings for the shortest run with a call: a sum and its answer."""
