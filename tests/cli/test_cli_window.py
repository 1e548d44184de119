"""The window of the model is in the definition, where the command knows it, and no prompt is larger."""

import json
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.wiring import agent_for
from purestep_hosts.models.model import LOCAL_WINDOW_TOKENS
from purestep_hosts.skill_folders import FoundSkills
from tests.cli.conftest import Shell, call, final


@pytest.fixture
def _no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "LLM_BASE_URL", "LLM_MODEL", "MODEL_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


SERVER = {"base_url": "http://localhost:1/v1", "model": "m"}


@pytest.mark.usefixtures("_no_settings")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, LOCAL_WINDOW_TOKENS),
        ({"carry": "off"}, LOCAL_WINDOW_TOKENS),
        ({"model": "own.gguf"}, LOCAL_WINDOW_TOKENS),
        ({"model": "own.gguf", "window_tokens": 2000}, 2000),
        (SERVER, None),
        ({**SERVER, "window_tokens": 8000}, 8000),
        ({"script": Path("script.jsonl")}, None),
    ],
)
def test_window_of_a_local_model_is_known_and_of_a_server_only_if_given(
    options: dict[str, Any], expected: int | None
) -> None:
    """A model in this process is run with a window that the command sets itself."""
    Path("own.gguf").write_bytes(b"GGUF")
    models = agent_for(AgentChoice(**options), FoundSkills()).definition.models
    assert expected == (models[0].window_tokens if models else None)


@pytest.mark.usefixtures("_no_settings")
def test_window_that_an_agent_file_names_stands(tmp_path: Path) -> None:
    """Entries without one get it, and the option counts for all."""
    path = tmp_path / "agent.json"
    path.write_text('{"models": [{"name": "a", "window_tokens": 1500}, {"name": "b"}]}', "utf-8")
    for given, expected in ((None, [1500, LOCAL_WINDOW_TOKENS]), (3000, [3000, 3000])):
        models = agent_for(AgentChoice(agent=path, window_tokens=given), FoundSkills()).definition.models
        assert expected == [model.window_tokens for model in models]


def test_long_run_keeps_within_the_window_that_is_given(shell: Shell) -> None:
    """Outputs are shortened instead of running into the server's limit, and the terminal says so."""
    texts = [call("echo", text=f"{number} " + "word " * 350) for number in range(6)]
    options = ("--window-tokens", "4000", "--max-tokens", "500")
    result = shell.scripted(*texts, final("Done."), tools="echo", options=options)
    assert (0, "Done.\n") == (result.returncode, result.stdout), result.stderr
    assert [{"name": "script", "window_tokens": 4000}] == shell.events()[0]["agent"]["models"]
    switched = [event for event in shell.events() if event["kind"] == "switched"]
    assert switched
    assert all(event["tokens"] <= 3500 for event in switched)
    assert "a shorter prompt, as the window is full" in result.stderr


def test_summary_of_an_agent_file_is_told_on_the_terminal(shell: Shell) -> None:
    """The model is asked to sum up what is left out, and nothing of that is shown as an answer."""
    path = shell.folder / "agent.json"
    path.write_text('{"tools": ["echo"], "policies": [{"use": "summary"}]}', "utf-8")
    texts = [call("echo", text=f"{number} " + "word " * 100) for number in range(20)]
    arguments = ("--agent", str(path), "--window-tokens", "3000", "--sessions", str(shell.sessions))
    shell("run", "Echo texts", "--script", shell.script(*texts), *arguments)
    kinds = [event["kind"] for event in shell.events()]
    before = kinds[: kinds.index("switched")].count("model_response")
    told = "Some texts were echoed."
    script = shell.script(*texts[:before], told, *texts[before : before + 2], final("Done."), final("Done."))
    result = shell("run", "Echo texts", "--stream", "--script", script, *arguments)
    switched = [event["what"] for event in shell.events() if event["kind"] == "switched"]
    assert ["prompt", "summary", "summary"] == switched[:3], switched
    assert "the model is asked to sum up" in result.stderr
    assert "a summary of up to" in result.stderr
    assert (0, "Done.\n") == (result.returncode, result.stdout)


def test_replay_says_what_is_not_sent_and_why(shell: Shell) -> None:
    """Messages by their numbers, a row for each rule of history."""
    path = shell.folder / "agent.json"
    rules = {"use": "history", "results": [{"keep": 1, "then": "drop"}], "slack": 0}
    path.write_text(json.dumps({"tools": ["echo"], "policies": [rules]}), "utf-8")
    texts = [call("echo", text=f"{number} " + "word " * 100) for number in range(4)]
    script = shell.script(*texts, final("Done."))
    shell("run", "Echo texts", "--script", script, "--agent", str(path), "--sessions", str(shell.sessions))
    told = purestep.explain_log((shell.session() / "log.jsonl").read_text("utf-8"))
    numbers = [each["begin"] + 1 for each in json.loads(told)["left_out"]]
    assert 3 == len(numbers)
    shown = shell("replay", "last", "--sessions", str(shell.sessions)).stdout
    row = f"messages {', '.join(map(str, numbers))}: only the latest results are kept whole"
    assert [f"cut short {row}"] == [" ".join(line.split()) for line in shown.splitlines() if "cut short" in line]
