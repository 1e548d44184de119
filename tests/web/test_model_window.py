"""The windows that models say: what they are loaded with, and what becomes of them in definitions."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
NARROW = {"name": "narrow", "window_tokens": 3000}


@pytest.fixture(scope="module")
def found(node: str, package: Path) -> dict[str, Any]:
    """What the script gave."""
    script = HERE / "model_window.mjs"
    done = subprocess.run([node, script, package], capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr[-2000:]
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_models_say_the_windows_that_their_hosts_know(found: dict[str, Any]) -> None:
    """That of llama.cpp is always known, those of WebLLM and of a server by their option, that of a browser never."""
    assert {
        "wllama": 4096,
        "wllama with its option": 512,
        "webllm": None,
        "webllm with its option": 1024,
        "server": None,
        "server with its option": 8192,
        "browser": None,
    } == found["said"]


def test_window_that_is_said_is_the_one_loaded(found: dict[str, Any]) -> None:
    """Engines are told what the definition will say; WebLLM is left its own without the option."""
    assert {
        "by default": {"n_ctx": [4096], "said": 4096},
        "with its option": {"n_ctx": [512], "said": 512},
    } == found["loaded"]
    assert {"by default": None, "with its option": {"context_window_size": 1024}} == found["created"]


def test_run_names_the_window_of_its_own_model_alone(found: dict[str, Any]) -> None:
    """The window stands before that of a profile; the entry of another model is left as it is."""
    assert {
        "no definition": [NARROW],
        "another model": [{"name": "wide"}],
        "a profile": [NARROW],
        "a profile of a model that says none": [{"name": "m", "window_tokens": 9000}],
        "the bare form": [],
    } == found["runs"]


def test_service_keeps_the_window_over_requests(found: dict[str, Any]) -> None:
    """A second request goes on with the definition that the first one logged."""
    assert {"models": [NARROW], "answers": ["Good morning to you."] * 2} == found["served"]


def test_probe_takes_the_window_into_the_profile(found: dict[str, Any]) -> None:
    """The option says another one."""
    assert {"by default": 3000, "with its option": 2000} == found["probed"]


def test_run_that_is_taken_up_keeps_its_definition(found: dict[str, Any]) -> None:
    """A window is never added to a run that began without one; one that it has is in the definition of its log."""
    other = "agent_mismatch"
    assert {
        "from no window": {"ok": True, "windows": []},
        "from no window, with a level": {"ok": True, "windows": []},
        "from a window to the same": {"ok": True, "windows": [3000]},
        "from a window to none": other,
        "from a window to none, with the definition of the log": {"ok": True, "windows": [3000]},
        "from a window to another": other,
        "from a window to another, with the definition of the log": {"ok": True, "windows": [3000]},
    } == found["taken_up"]


def test_state_that_is_none_is_refused_by_the_core(found: dict[str, Any]) -> None:
    """What the host reads of a state to find its definition never throws."""
    assert ["invalid_json", "invalid_input", "invalid_input"] == found["refused"]
