"""The real program in a process of its own, with a script in the place of a model."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import platformdirs
import pytest

from tests.cli.forked import MOST_BYTES, ForkingStarter

COMMAND = [sys.executable, "-m", "purestep_hosts.cli"]
# Far more than a start takes, also on a machine that does much other work.
PATIENCE_S = 300


def call(tool: str, **arguments: Any) -> str:
    """A model output that calls a tool, in the envelope dialect."""
    return json.dumps({"kind": "tool_call", "tool_name": tool, "arguments": arguments})


def final(text: str) -> str:
    """A model output that answers, in the envelope dialect."""
    return json.dumps({"kind": "final", "content": text})


def base_environment() -> dict[str, str]:
    """The part of the program's environment that is the same in every test."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "CI") if name in os.environ}
    cache = str(Path(platformdirs.user_cache_dir("purestep")).parent)
    return {**kept, "XDG_CACHE_HOME": cache, "LANG": "C.UTF-8", "TERM": "xterm-256color"}


class Shell:
    """Starts the program in a folder of its own, with none of the developer's settings but these `variables`."""

    def __init__(self, folder: Path, starter: ForkingStarter | None = None, **variables: str) -> None:
        self.folder = folder
        self.starter = starter
        self.sessions = folder / "sessions"
        self.environment = {
            **base_environment(),
            "HOME": str(folder),
            "XDG_DATA_HOME": str(folder / "data"),
            **variables,
        }
        self.usual = dict(self.environment)

    def script(self, *outputs: Any) -> str:
        """Write a script of model outputs and return its path."""
        path = self.folder / "script.jsonl"
        path.write_text("".join(f"{json.dumps(output)}\n" for output in outputs), "utf-8")
        return str(path)

    def command(self, *arguments: str) -> list[str]:
        """The program's command line."""
        return [*COMMAND, *arguments]

    def __call__(self, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        """Run the program to its end and return what it printed; stdin is empty unless given.

        Input, options of subprocess and a changed environment take a process of its own.
        """
        if self.starter and not options and self.environment == self.usual and _size(arguments) < MOST_BYTES:
            return self.starter.run(arguments, self.folder, self.environment, PATIENCE_S)
        environment = {**self.environment, **options.pop("env", {})}
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder, env=environment, capture_output=True, encoding="utf-8", timeout=PATIENCE_S,
            check=False, **options,
        )  # fmt: skip

    def scripted(self, *outputs: Any, tools: str = "", options: tuple[str, ...] = (), **more: Any) -> Any:
        """Run one query against a script of model outputs."""
        named = ("--tools", tools) if tools else ()
        arguments = ("run", "Go", "--sessions", str(self.sessions), "--script", self.script(*outputs))
        return self(*arguments, *named, *options, **more)

    def session(self) -> Path:
        """The folder of the newest session."""
        return max(path for path in self.sessions.iterdir() if not path.name.startswith("."))

    def events(self) -> list[dict[str, Any]]:
        """The events of the newest session."""
        return [json.loads(line) for line in (self.session() / "log.jsonl").read_text("utf-8").splitlines()]

    def facts(self, kind: str) -> list[dict[str, Any]]:
        """The newest session's events of one kind."""
        return [event for event in self.events() if event["kind"] == kind]


def _size(arguments: tuple[str, ...]) -> int:
    return sum(len(argument) for argument in arguments)


@pytest.fixture(scope="session")
def starter() -> Iterator[ForkingStarter | None]:
    """A process to fork from, where the system has all that this needs."""
    if sys.platform != "linux":
        yield None
        return
    forking = ForkingStarter(base_environment())
    yield forking
    forking.close()


@pytest.fixture
def shell(tmp_path: Path, starter: ForkingStarter | None) -> Shell:
    """The program, ready to start."""
    return Shell(tmp_path, starter)


@pytest.fixture
def own_process(tmp_path: Path) -> Shell:
    """The program, each command in a process of its own from its first import on."""
    return Shell(tmp_path)


Terminal = Callable[..., "pexpect.spawn[str]"]


@pytest.fixture
def terminal(shell: Shell) -> Iterator[Terminal]:
    """Start the program on a terminal: a function from arguments to the terminal."""
    started: list[pexpect.spawn[str]] = []

    def start(*arguments: str, env: dict[str, str] | None = None, within: str = "") -> pexpect.spawn[str]:
        """`within` is a shell program that runs its arguments."""
        program = ("/bin/sh", "-c", within, "sh") if within else ()
        command, *rest = (*program, *shell.command(*arguments))
        child = pexpect.spawn(
            command, rest, cwd=str(shell.folder), env={**shell.environment, **(env or {})}, encoding="utf-8",
            codec_errors="replace", timeout=PATIENCE_S, dimensions=(40, 100),
        )  # fmt: skip
        started.append(child)
        return child

    yield start
    for child in started:
        child.close(force=True)


def ended(child: pexpect.spawn[str]) -> int | None:
    """Wait for the end of a program on a terminal and return its exit code."""
    child.expect(pexpect.EOF)
    child.wait()
    return child.exitstatus
