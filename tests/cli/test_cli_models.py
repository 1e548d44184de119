"""Models by name on the command line: of a hub, of ollama, and the list of a server."""

import json

import pytest

from purestep_hosts.download import default_model
from tests.cli.conftest import Shell, Terminal, ended
from tests.hosts.conftest import web as web  # noqa: PLC0414 (a fixture)
from tests.hosts.small_hub import small_hub

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
NAME = "hf:org/small:Tiny-Q4_1.gguf"


def test_model_of_a_hub_runs_and_is_there_offline(shell: Shell, terminal: Terminal) -> None:
    """Fetched with progress on a terminal, run, named in the log as it was asked for, and there without the hub."""
    home = {"HF_HOME": str(shell.folder / "hub")}
    told = ("What is 17 plus 25?", "--model", NAME, "--tools", "add_numbers", "--carry", "ground")
    told = (*told, "--sessions", str(shell.sessions))
    with small_hub({"org/small": {"Tiny-Q4_1.gguf": default_model()}}) as hub:
        child = terminal("run", *told, env={**home, "HF_ENDPOINT": hub.url})
        assert 0 == ended(child), child.before
    assert "98.4M/98.4M" in (child.before or "")
    assert "42" in (child.before or "")
    again = shell("run", *told, env={**home, "HF_ENDPOINT": "http://127.0.0.1:9"})
    assert (0, True) == (again.returncode, "42" in again.stdout), again.stderr
    started = shell.events()[0]
    assert NAME.removeprefix("hf:") == started["agent"]["models"][0]["name"]
    assert str(shell.folder) not in json.dumps(started)


def test_models_of_a_server_are_listed(shell: Shell, web) -> None:  # type: ignore[no-untyped-def]
    """One a line for a program, with the window where the server tells it."""
    body = b'{"data": [{"id": "small", "max_model_len": 8192}, {"id": "large\\u001b"}]}'
    url = web(lambda handler, number: handler.reply(200, "application/json", body)) + "/v1"
    result = shell("models", "--base-url", url)
    assert (0, "small\t8,192\nlarge\\x1b\t\n") == (result.returncode, result.stdout)
    listed = json.loads(shell("models", "--base-url", url, "--json").stdout)
    assert [{"id": "small", "window_tokens": 8192}, {"id": "large\x1b"}] == listed["models"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("models", "--base-url", "http://127.0.0.1:9/v1"), 7, "cannot be reached"),
        (("models", "--base-url", "nowhere"), 2, "is not a web address"),
        (("run", "--model", "hf:org", "Hello"), 2, "expected hf:ORG/REPO or hf:ORG/REPO:FILE.gguf"),
        (("run", "--model", "ollama:", "Hello"), 2, "expected ollama:NAME"),
    ],
)
def test_wrong_names_are_told_in_a_line(shell: Shell, arguments: tuple[str, ...], code: int, said: str) -> None:
    """What was expected, without a traceback."""
    result = shell(*arguments)
    assert (code, True, 1) == (result.returncode, said in result.stderr, result.stderr.count("\n")), result.stderr
