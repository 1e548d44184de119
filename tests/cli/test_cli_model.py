"""The program with the real default model, in its own process and behind a server."""

import json
import signal
import subprocess

import pytest

from tests.cli.conftest import PATIENCE_S, Shell


def test_default_model_adds_two_numbers(shell: Shell) -> None:
    """With nothing set, the built-in model calls the tool and answers with its result."""
    result = shell("run", "What is 17 plus 25?", "--tools", "add_numbers", "--json", "--sessions", str(shell.sessions))
    outcome = json.loads(result.stdout)
    outputs = [event["output"] for event in shell.facts("tool_result")]
    assert (0, True, [42]) == (result.returncode, "42" in outcome["answer"], outputs), result.stderr


@pytest.mark.parametrize("supports", ["grammar", "json_schema"])
def test_model_held_to_a_constraint_adds_two_numbers(shell: Shell, supports: str) -> None:
    """An agent file says what llama.cpp is to hold the output to, and the model gets to the answer under it."""
    agent = {"tools": ["add_numbers"], "models": [{"name": "local", "supports": [supports]}]}
    path = shell.folder / "agent.json"
    path.write_text(json.dumps(agent))
    options = ("--agent", str(path), "--dialect", "auto", "--json", "--sessions", str(shell.sessions))
    result = shell("run", "What is 17 plus 25?", "--carry", "ground", *options)
    outcome = json.loads(result.stdout)
    expected = (0, True, [{"a": 17, "b": 25}], [])
    calls = [event["arguments"] for event in shell.facts("tool_call")]
    assert expected == (result.returncode, "42" in outcome["answer"], calls, shell.facts("correction")), result.stderr


def test_served_model_answers_another_process(shell: Shell) -> None:
    """`serve-model` prints a base URL on stdout that `run --base-url` can use, and ends with 0."""
    server = subprocess.Popen(
        shell.command("serve-model"), cwd=shell.folder, env=shell.environment, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        result = shell(
            "run",
            "What is 17 plus 25?",
            "--tools",
            "add_numbers",
            "--base-url",
            url,
            "--dialect",
            "envelope",
            "--sessions",
            str(shell.sessions),
        )
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE_S)
    assert (0, True, 0) == (result.returncode, "42" in result.stdout, server.returncode), result.stderr
