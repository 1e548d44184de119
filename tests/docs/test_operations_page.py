"""The page on operations: its commands have the options that it names."""

import re
from pathlib import Path

import pytest
import typer

from purestep_hosts.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs/operations.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options_of(command: str) -> set[str]:
    """Return the options of a command."""
    return {option for parameter in COMMANDS[command].params for option in parameter.opts}


@pytest.mark.parametrize("line", sorted(set(re.findall(r"^purestep .*$", PAGE, re.MULTILINE))))
def test_commands_have_these_options(line: str) -> None:
    """A command of the page can be given as it stands there."""
    _, command, *words = line.partition("#")[0].split()
    assert set() == {word for word in words if word.startswith("--")} - options_of(command)


def test_options_of_the_table_exist() -> None:
    """Each row of the table of options is one of the service or of the worker."""
    rows = set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.MULTILINE))
    assert set() == rows - options_of("serve") - options_of("worker")
