"""Requirement 40: a dialect and a stream formatter of one's own in JavaScript, in Node and in a page."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.web.conftest import Site

HERE = Path(__file__).parent
TRIED = """async () => {
    const { tried } = await import("/own_dialect.mjs");
    return await tried(await import("/dist/index.js"));
}"""


def assert_tried(found: dict[str, Any]) -> None:
    """What came of the dialect is what its functions say."""
    assert found["taught"].endswith("Write CALL NAME JSON. Tools: echo")
    assert {"text": "ü😀" + "x" * 600} == found["params"]
    assert found["verified"]
    broken, late, odd = found["failed"]
    assert ["dialect_failed"] * 3 == [each["code"] for each in found["failed"]]
    assert "read failed: it broke" in broken["message"]
    assert "these functions are not async" in late["message"]
    assert "read failed: " in odd["message"]
    assert "it says <<hidden>> tree now" == found["answer"]
    assert "IT SAYS  TREE NOW" == found["shown"]
    assert ["unknown_dialect", "invalid_input", "invalid_input", "invalid_input"] == found["refused"]


@pytest.mark.parametrize("tier", ["snapshot", "zip"])
def test_a_dialect_is_registered_in_node(node: str, package: Path, tier: str) -> None:
    """It is taught, read and written by JavaScript's functions, and streamed text is shown by its formatter."""
    program = [node, str(HERE / "own_dialect_node.mjs"), str(package), tier]
    done = subprocess.run(program, capture_output=True, text=True, check=False, timeout=300)
    assert 0 == done.returncode, done.stderr[-2000:]
    assert_tried(json.loads(done.stdout))


def test_a_dialect_is_registered_in_a_page(site: Site, page: Page) -> None:
    """The same in Chromium."""
    module = (HERE / "own_dialect.mjs").read_bytes()
    site.answers["/own_dialect.mjs"] = lambda handler: handler.reply(200, "text/javascript", module)
    assert_tried(page.evaluate(TRIED))


IN_WORKER = """async (dialects) => {
    const { createWorkerCore } = await import("/dist/worker/index.js");
    const tools = [{ name: "echo" }];
    const observation = { type: "user_message", content: "Echo it" };
    const given = { agent: { dialect: "shout", tools }, run_id: "r", observation };
    try {
        const core = await createWorkerCore({ dialects, tier: "zip" });
        const step = JSON.parse(await core.run_agent_step(JSON.stringify(given)));
        core.close();
        return step.messages[0].content;
    } catch ({ code, message }) {
        return { code, message };
    }
}"""


def test_a_dialect_is_registered_in_a_worker(site: Site, page: Page) -> None:
    """By the address of its module, since functions do not cross; what is no dialect is told."""
    module = (HERE / "own_dialect.mjs").read_bytes()
    site.answers["/own_dialect.mjs"] = lambda handler: handler.reply(200, "text/javascript", module)
    site.answers["/none.mjs"] = lambda handler: handler.reply(200, "text/javascript", b"export const no = 1;")
    assert page.evaluate(IN_WORKER, ["/own_dialect.mjs"]).endswith("Write CALL NAME JSON. Tools: echo")
    assert "invalid_input" == page.evaluate(IN_WORKER, ["/none.mjs"])["code"]
    assert "unknown_dialect" == page.evaluate(IN_WORKER, ["/own_dialect.mjs", "/own_dialect.mjs?again"])["code"]
    assert "core_failed" == page.evaluate(IN_WORKER, ["/missing.mjs"])["code"]
