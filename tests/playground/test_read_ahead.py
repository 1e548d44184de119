"""The model in the tab reads what its first prompt begins with, before anybody asks; then its pace is known."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from tests.playground.conftest import Open

# A small model on one core of a busy machine reads and writes a few tokens a second.
MODEL_PATIENCE_MS = 600_000


def test_first_question_finds_its_prompt_read(open_page: Open, model_path: Path) -> None:
    """Once the reading has ended, nearly all of the first prompt is in the engine; nothing of it is a run.

    The pace of the answer stands beside the model, and still after a reload.
    """
    assert model_path.is_file()
    playground = open_page()
    playground.button("Load SmolLM2").click()
    reading = playground.page.get_by_text("reading ahead")
    reading.wait_for(timeout=MODEL_PATIENCE_MS)
    expect(reading).to_be_hidden(timeout=MODEL_PATIENCE_MS)
    expect(playground.page.locator(".thread .said")).to_have_count(0)
    playground.ask("Why is the sky blue?")
    playground.page.locator(".thread .by-model:not(.speaking)").wait_for(timeout=MODEL_PATIENCE_MS)
    log = [json.loads(line) for line in playground.download_log().splitlines()]
    usage, *_ = [event["usage"] for event in log if event["kind"] == "model_response"]
    assert usage["cached_tokens"] > 0.8 * usage["prompt_tokens"]
    playground.page.reload()
    playground.wait_for_core()
    pace = re.compile(r"· [\d.]+ tokens a second here \(smollm2-135m-tools\)$")
    playground.button("Model: ").click()
    models = playground.page.get_by_role("group", name="Which model answers")
    chosen = models.get_by_role("radio", name="SmolLM2 in this tab")
    expect(chosen).to_have_accessible_description(pace)
