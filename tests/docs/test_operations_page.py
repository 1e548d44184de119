"""The page on operations: its commands have the options that it names, and its table is what the bench prints."""

import re
from pathlib import Path

import pytest
import typer
from bench.durable import sizes

from purestep_hosts.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs/operations.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options_of(command: str) -> set[str]:
    """Give the options of a command."""
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


def test_sizes_are_those_of_the_figures_on_the_page() -> None:
    """The table follows from the figures that stand above it."""
    exchange, cpu = [float(each) for each in re.findall(r"CPU time of an? [a-z]+: ([0-9.]+) ms", PAGE)]
    (kilobytes,) = re.findall(r"a run in the database: ([0-9.]+) kB", PAGE)
    found = {"exchange_cpu_ms": exchange, "postgresql_cpu_ms": cpu, "postgresql_run_kb": float(kilobytes)}
    assert sizes(found) in PAGE
