"""The adapter of the browser's own model, on an API of the documented shapes, and in a browser that has none."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def found(node: str, package: Path) -> dict[str, Any]:
    """What every case of the script gave."""
    done = subprocess.run([node, HERE / "prompt_api.mjs"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def test_a_stream_becomes_an_output(found: dict[str, Any]) -> None:
    """Text comes in pieces and whole, and every session is given back."""
    assert {"type": "model_output", "content": "Hello", "finish_reason": "stop"} == found["hello"]["observation"]
    assert ["Hel", "lo"] == found["hello"]["texts"]
    assert len(found["hello"]["seen"]["created"]) == found["hello"]["seen"]["destroyed"]


def test_run_ends_the_session_once_it_is_certain(found: dict[str, Any]) -> None:
    """What the model says behind its answer is not waited for, and the session is given back."""
    run = found["certain"]
    assert ({"type": "done", "answer": "Hi."}, '{"kind":"final","content":"Hi."}') == (run["ended"], run["said"])
    seen = run["seen"]
    assert (True, len(seen["created"])) == (seen["pieces"] < 50, seen["destroyed"])


def test_transcript_crosses_in_the_roles_that_there_are(found: dict[str, Any]) -> None:
    """A system message at the beginning stays one; tools and later ones speak as the user; the schema constrains."""
    seen = found["transcript"]["seen"]
    prompts = seen["created"][-1]["initialPrompts"]
    expected = [("system", "s"), ("user", "q"), ("assistant", "a"), ("user", "late")]
    assert expected == [(prompt["role"], prompt["content"]) for prompt in prompts]
    schema = {"type": "object", "properties": {}}
    asked = {"input": "r", "responseConstraint": schema, "omitResponseConstraintInput": True}
    assert [asked] == seen["prompted"]


@pytest.mark.parametrize(
    ("name", "code", "retryable"),
    [
        ("overflow_of_history", "overflow", False),
        ("refused", "refused", False),
        ("broken", "unavailable", True),
        ("stopped", "unavailable", False),
        ("tools", "refused", False),
        ("grammar", "refused", False),
        ("last", "refused", False),
    ],
)
def test_errors_have_their_codes(found: dict[str, Any], name: str, code: str, retryable: bool) -> None:
    """What the API throws, and what it cannot do, comes back as an observation."""
    observation = found[name]["observation"]
    assert (code, retryable) == (observation["code"], observation["retryable"])
    assert found[name]["seen"]["destroyed"] == len(found[name]["seen"]["created"])


def test_overflow_tells_the_sizes(found: dict[str, Any]) -> None:
    """The numbers of the API's error reach the person."""
    message = found["overflow_of_history"]["observation"]["message"]
    assert "9000 tokens" in message
    assert "6144 tokens" in message


@pytest.mark.parametrize(
    ("name", "code"), [("unavailable", "unsupported"), ("gesture", "needs_gesture"), ("full", "storage_full")]
)
def test_load_says_what_is_missing(found: dict[str, Any], name: str, code: str) -> None:
    """A load that cannot be has its code and a sentence."""
    assert code == found[name]["code"]
    assert found[name]["message"].endswith(".")


def test_progress_never_runs_backwards(found: dict[str, Any]) -> None:
    """The bar of the download grows to its end."""
    progress = found["fetched"]["progress"]
    assert "loaded" == found["fetched"]["code"]
    assert sorted(progress) == progress
    assert 1 == progress[-1]


def test_browser_without_a_model_says_so(found: dict[str, Any], page: Page) -> None:
    """Node and headless Chromium have none, and say so in words."""
    assert "no model of its own" in found["none"]["problem"]
    assert "no model of its own" in found["none_asked"]["message"]
    check = """async () => {
      delete globalThis.LanguageModel;
      const { promptApiModel } = await import("/dist/models/prompt_api.js");
      return promptApiModel().load().catch(({ code, message }) => ({ code, message }));
    }"""
    said = page.evaluate(check)
    assert "unsupported" == said["code"]
    assert "no model of its own" in said["message"]
