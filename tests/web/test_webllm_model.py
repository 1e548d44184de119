"""The WebLLM adapter on an engine of WebLLM's documented shapes; every request passes WebLLM's own check."""

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
    script = HERE / "webllm_adapter.mjs"
    done = subprocess.run([node, script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def code_of(observation: dict[str, Any]) -> tuple[str, bool]:
    """Return what the core goes by."""
    return observation["code"], observation["retryable"]


def test_a_stream_becomes_an_output(found: dict[str, Any]) -> None:
    """Text comes in pieces and whole, with the finish reason, the usage, the model's name and the output's id."""
    assert ["Hel", "lo"] == found["hello"]["texts"]
    assert {
        "type": "model_output",
        "content": "Hello",
        "finish_reason": "stop",
        "usage": {"prompt_tokens": 7, "completion_tokens": 2},
        "model": "SmolLM2-360M-Instruct-q4f16_1-MLC",
        "response_id": "1",
    } == found["hello"]["observation"]


@pytest.mark.parametrize(
    ("name", "code", "retryable"),
    [
        ("overflow", "overflow", False),
        ("overflow across a worker", "overflow", False),
        ("device lost", "unavailable", False),
        ("not loaded", "unavailable", True),
        ("bad grammar", "refused", False),
        ("unknown", "unavailable", True),
        ("plain text", "unavailable", True),
        ("nothing", "unavailable", True),
    ],
)
def test_errors_are_known_by_their_names(found: dict[str, Any], name: str, code: str, retryable: bool) -> None:
    """Thrown at once or in mid-stream, as an error or as a worker's text, an error has its code."""
    for observation in found["errors"][name]:
        assert (code, retryable) == code_of(observation)
        assert observation["message"].endswith(".")


def test_overflow_tells_the_sizes(found: dict[str, Any]) -> None:
    """The numbers come out of WebLLM's sentence."""
    for observation in found["errors"]["overflow across a worker"]:
        assert "5000 tokens" in observation["message"]
        assert "4096 tokens" in observation["message"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tools", "dialect"),
        ("last", "last message"),
        ("format", 'type "regex"'),
        ("order", "SystemMessageOrderError"),
        ("sampling", "SeedTypeError"),
    ],
)
def test_request_that_webllm_cannot_meet_is_refused(found: dict[str, Any], name: str, said: str) -> None:
    """What is wrong with a request is said, and is not tried again."""
    observation = found["misfits"][name]["observation"]
    assert ("refused", False) == code_of(observation)
    assert said in observation["message"]


def test_stopping_interrupts_until_the_engine_listens(found: dict[str, Any]) -> None:
    """An interruption that the engine forgets is repeated, nothing more is shown, and the next one waits its turn."""
    stopped = found["stopped"]
    assert "stopped" in stopped["first"]["message"]
    assert ["a"] == stopped["texts"]
    assert "abcHello" == stopped["second"]["content"]
    assert 1 == stopped["most_running"]
    first, second = stopped["yielded"]
    assert first < second == 7


def test_run_interrupts_the_engine_once_it_is_certain(found: dict[str, Any]) -> None:
    """What the model says behind its answer is neither waited for nor part of its output."""
    run = found["run_that_is_certain"]
    assert {"type": "done", "answer": "Hi."} == run["ended"]
    assert '{"kind":"final","content":"Hi."}' == run["said"]
    assert run["yielded"][0] < 15


def test_interruption_by_others_is_no_answer(found: dict[str, Any]) -> None:
    """A reply that somebody else cut short is not taken for a whole one."""
    assert ("unavailable", True) == code_of(found["interrupted_by_others"]["observation"])


def test_slow_generation_meets_its_limit(found: dict[str, Any]) -> None:
    """The time limit ends what takes too long."""
    assert ("timeout", False) == code_of(found["too_slow"]["observation"])


def test_chunk_of_another_shape_is_an_error(found: dict[str, Any]) -> None:
    """What is no chunk of a completion is said to be none."""
    assert ("unavailable", True) == code_of(found["endless_chunk"]["observation"])


def test_progress_never_runs_backwards(found: dict[str, Any]) -> None:
    """WebLLM counts anew for every stage; the bar goes on, moves in each stage, and is full at the end."""
    fractions = [progress["fraction"] for progress in found["progress"]["seen"]]
    assert sorted(fractions) == fractions
    assert 1 == fractions[-1]
    assert fractions[-2] < 1
    assert len(set(fractions)) > 6
    assert "Hello" == found["progress"]["observation"]["content"]
    assert 11 == len(fractions)  # two loads at once are one


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("none", "unsupported", "WebGPU"),
        ("f16", "unsupported", "q4f32"),
        ("unknown", "no_model", "webLlmModels"),
        ("memory", "model_load", "smaller"),
        ("network", "download_failed", "online"),
        ("full", "storage_full", "room"),
    ],
)
def test_failed_load_says_why_and_may_be_tried_again(found: dict[str, Any], name: str, code: str, said: str) -> None:
    """A load that fails throws its code, a completion tells the same, and the next try starts anew."""
    load = found["loads"][name]
    assert code == load["code"]
    assert said in load["message"]
    assert ("unavailable", code == "download_failed") == code_of(load["told"])
    assert load["message"] == load["told"]["message"]
    if name != "none":
        assert "Hello" == load["then"]["content"]


def test_load_can_be_stopped(found: dict[str, Any]) -> None:
    """A load that is stopped ends its worker."""
    assert {"code": "stopped", "terminated": True} == found["load_stopped"]


def test_worker_that_does_not_start_is_told(found: dict[str, Any]) -> None:
    """WebLLM would wait for ever for a worker whose file is missing."""
    assert "model_load" == found["worker_missing"]["code"]
    assert "worker" in found["worker_missing"]["message"]


def test_constraint_is_said_in_webllms_words(found: dict[str, Any]) -> None:
    """A schema crosses as text of the type json_object, and a grammar as its own type."""
    requests = found["requests"]
    schema = requests["schema"]["response_format"]
    assert "json_object" == schema["type"]
    assert "oneOf" in json.loads(schema["schema"])
    assert {"type": "json_object"} == requests["json"]["response_format"]
    assert {"type": "grammar", "grammar": 'root ::= "yes"'} == requests["grammar"]["response_format"]
    tags = requests["tags"]["response_format"]
    assert ("structural_tag", ["<call>"]) == (tags["type"], tags["structural_tag"]["format"]["triggers"])
    assert "response_format" not in requests["text"]
    assert "response_format" not in requests["plain"]


def test_messages_have_text_and_sampling_its_names(found: dict[str, Any]) -> None:
    """A message without text gets an empty one; settings that WebLLM does not have are left out."""
    assert ["s", "q", "", "r"] == [message["content"] for message in found["requests"]["transcript"]["messages"]]
    assert ["</call>"] == found["requests"]["transcript"]["stop"]
    plain, sampled = found["requests"]["plain"], found["requests"]["sampling"]
    added = {name: value for name, value in sampled.items() if name not in plain}
    assert {"temperature": 0, "top_p": 0.9, "max_tokens": 9, "seed": 3, "repetition_penalty": 1.1} == added
    assert {"include_usage": True} == plain["stream_options"]


def test_models_are_listed_with_what_they_need(found: dict[str, Any]) -> None:
    """Every language model has an id and a size to choose by; the smallest come first."""
    models = {model["id"]: model for model in found["models"]}
    smallest = models["SmolLM2-360M-Instruct-q4f16_1-MLC"]
    assert (376.06, True, 203) == (smallest["vramMB"], smallest["needsF16"], smallest["downloadMB"])
    assert not models["Qwen2.5-0.5B-Instruct-q4f32_1-MLC"]["needsF16"]
    assert models["Qwen2.5-0.5B-Instruct-q4f16_1-MLC"]["needsF16"]
    assert not [name for name in models if "embed" in name or "vision" in name]
    sizes = [model["vramMB"] for model in found["models"] if "vramMB" in model]
    assert sorted(sizes) == sizes
    assert len(sizes) > 50


def test_browser_without_webgpu_says_so(page: Page) -> None:
    """Headless Chromium has no graphics card: the check says why, and a load fails with the same words."""
    said = page.evaluate("import('/dist/models/webgpu.js').then((module) => module.webGpuSupport())")
    assert not said["supported"]
    assert "WebGPU" in said["problem"]
