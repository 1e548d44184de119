"""Every preset ends right with the bundled model, as the page offers it."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import expect

import purestep
from tests.playground.conftest import Open
from tests.playground.driver import Playground

# A small model on one core of a busy machine reads and writes a few tokens a second.
MODEL_PATIENCE_MS = 600_000


class Ended(NamedTuple):
    """What a run came to: its calls, its answer, and how often the model was asked."""

    calls: list[tuple[str, dict[str, Any]]]
    answer: str
    asked: int


def test_every_preset_ends_right_with_the_bundled_model(open_page: Open, model_path: Path) -> None:
    """On one page, with no call of the model: a sum, the page's headline, and a reminder that a person approved."""
    assert model_path.is_file()
    playground = open_page()
    playground.button("Load SmolLM2").click()
    expect(playground.page.get_by_text("Ready: SmolLM2-135M-Instruct.Q4_1")).to_be_visible(timeout=MODEL_PATIENCE_MS)
    reminder = {"to": "Ada", "text": "her invoice is due on Friday"}

    added = _ended(playground, "Adder", "What is 17 plus 25?")
    read = _ended(playground, "Page reader", "What is the headline of this page?")
    sent = _ended(playground, "Approval", "Send a reminder to Ada that her invoice is due on Friday.", approves=True)

    assert Ended([("calculator", {"expression": "17 + 25"})], "42", 0) == added
    assert Ended([("read_dom", {"selector": "#headline"})], "purestep", 0) == read
    assert Ended([("send_reminder", reminder)], "sent to Ada: her invoice is due on Friday", 0) == sent


def _ended(playground: Playground, preset: str, question: str, *, approves: bool = False) -> Ended:
    """Play a preset in a new run."""
    if playground.button("New run").count():
        playground.button("New run").click()
    playground.button(preset, exact=True).click()
    playground.ask(question)
    if approves:
        playground.button("Approve and run").click()
    expect(playground.page.locator(".thread .by-model:not(.speaking)")).to_be_visible(timeout=MODEL_PATIENCE_MS)
    log = playground.download_log().decode()
    playground.show_timeline()
    assert json.loads(purestep.verify_log(log))["ok"]
    events = [json.loads(line) for line in log.splitlines()]
    return Ended(
        [(event["tool_name"], event["arguments"]) for event in events if event["kind"] == "tool_call"],
        events[-1]["content"],
        sum(event["kind"] == "model_response" for event in events),
    )
