"""How the command refuses to start, and what it says."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import base_environment

GOOD = "a-token-of-the-tests-0123456789"


def refused(folder: Path, *options: str, token: str = "", **variables: str) -> str:
    """The one line that the command ends with."""
    environment = {**base_environment(), "HOME": str(folder), **variables}
    if token:
        environment["PURESTEP_SERVE_TOKEN"] = token
    (folder / "script.jsonl").touch()
    command = [sys.executable, "-m", "purestep_hosts.cli", "serve", "--script", "script.jsonl", *options]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert (2, "") == (done.returncode, done.stdout), done.stderr
    assert done.stderr.startswith("purestep: ")
    assert 1 == done.stderr.count("\n"), done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("options", "token", "words"),
    [
        ((), "", "needs a token"),
        (("--no-token", "--host", "0.0.0.0"), "", "this machine alone"),
        (("--no-token",), GOOD, "leave one out"),
        (("--tokens", "tokens"), GOOD, "leave one out"),
        (("--tokens", "missing"), "", "cannot be read"),
        (("--tokens", "tokens"), "", "line 2"),
        ((), "short", "at least 16"),
        ((), "ä" * 20, "visible ASCII"),
        (("--allow-origin", "https://app.example/path"), GOOD, "expected an origin"),
        (("--allow-origin", "*"), GOOD, "expected an origin"),
        (("--host", "no.such.host.invalid"), GOOD, "cannot be used"),
        (("--port", "70000"), GOOD, "65535"),
        (("--agent", "missing.json"), GOOD, "missing.json"),
        (("--tools", "hammer"), GOOD, "hammer"),
    ],
)
def test_service_that_cannot_be_started(tmp_path: Path, options: tuple[str, ...], token: str, words: str) -> None:
    """One sentence says why, without the token."""
    (tmp_path / "tokens").write_text(f"ann {GOOD}\nbob\n")
    said = refused(tmp_path, *options, token=token)
    assert words in said
    assert GOOD not in said
    assert not token or token not in said


def test_port_that_is_taken(tmp_path: Path) -> None:
    """It is named before a model is loaded."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert port in refused(tmp_path, "--port", port, token=GOOD)


def test_agent_that_lets_the_shell_run_is_not_served_unseen(tmp_path: Path) -> None:
    """What has to be confirmed is confirmed on a terminal, and there is none."""
    (tmp_path / "agent.yaml").write_text("tools: [shell]\napproval: {tools: {shell: auto}}\n")
    assert "confirm" in refused(tmp_path, "--agent", "agent.yaml", token=GOOD, XDG_STATE_HOME=str(tmp_path))
