"""How the command refuses to start, and what it says."""

import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, starter
from tests.cli.forked import ForkingStarter

__all__ = ["starter"]

GOOD = "a-token-of-the-tests-0123456789"


class Refused:
    """Starts the command, which ends with one line."""

    def __init__(self, folder: Path, starter: ForkingStarter | None) -> None:
        self._folder, self._starter = folder, starter

    def __call__(self, *options: str, token: str = "", **variables: str) -> str:
        """Return the line."""
        if token:
            variables["PURESTEP_SERVE_TOKEN"] = token
        (self._folder / "script.jsonl").touch()
        shell = Shell(self._folder, self._starter, **variables)
        done = shell("serve", "--script", "script.jsonl", *options)
        assert (2, "") == (done.returncode, done.stdout), done.stderr
        assert done.stderr.startswith("purestep: ")
        assert 1 == done.stderr.count("\n"), done.stderr
        return done.stderr


@pytest.fixture
def refused(tmp_path: Path, starter: ForkingStarter | None) -> Refused:
    """The command in the test's folder."""
    return Refused(tmp_path, starter)


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
        (("--tokens", "users", "--metrics", "token"), "", "PURESTEP_METRICS_TOKEN"),
        (("--traces", "127.0.0.1:4318"), GOOD, "http://127.0.0.1:4318"),
    ],
)
def test_service_that_cannot_be_started(
    refused: Refused, tmp_path: Path, options: tuple[str, ...], token: str, words: str
) -> None:
    """One sentence says why, without the token."""
    (tmp_path / "tokens").write_text(f"ann {GOOD}\nbob\n")
    (tmp_path / "users").write_text(f"ann {GOOD}\nbob {GOOD}2\n")
    said = refused(*options, token=token)
    assert words in said
    assert GOOD not in said
    assert not token or token not in said


def test_port_that_is_taken(refused: Refused) -> None:
    """It is named before a model is loaded."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        assert port in refused("--port", port, token=GOOD)


def test_agent_that_lets_the_shell_run_is_not_served_unseen(refused: Refused, tmp_path: Path) -> None:
    """What has to be confirmed is confirmed on a terminal, and there is none."""
    (tmp_path / "agent.yaml").write_text("tools: [shell]\napproval: {tools: {shell: auto}}\n")
    assert "confirm" in refused("--agent", "agent.yaml", token=GOOD, XDG_STATE_HOME=str(tmp_path))
