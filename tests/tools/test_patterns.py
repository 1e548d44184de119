"""Every regular expression of the tree is linear, and the tool that says so finds those that are not."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.patterns.growth import slow_run
from tools.patterns.runs import runs_of
from tools.patterns.scripts import slow_scripts

ROOT = Path(__file__).resolve().parents[2]

SLOW = {
    "blanks that two parts take": (r"<call>[ \t]*[ \t]*x", "match", 2),
    "blanks that four parts take": (r"<call>[ \t]*[ \t]*[^<>{}]{0,200}?[ \t]*x", "match", 3),
    "two ways to take a character": (r"[a-z](?:[^A-Z:]|-){0,256}:", "match", 5),
    "a repeat of a repeat": (r"(?:[a-z]+)+:", "match", 5),
    "an end that every beginning looks for": (r"<!--.*?-->", "search", 2),
    "a run that begins anywhere": (r"\s+$", "search", 2),
}
"""Patterns that were or may be written, how they are asked, and at least what power the time grows with."""

LINEAR = (
    r"<call>[ \t]*+x",
    r"[a-z][a-z-]{0,256}:",
    r"<!--.*?(?:-->|\Z)",
    r"(?<!\s)\s+$",
    r"[0-9]+(?:[.][0-9]+)*",
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?',
)


@pytest.mark.parametrize("name", SLOW)
def test_slow_pattern_is_found(name: str) -> None:
    """The tool can fail: whatever the kind of the fault, some run shows it."""
    source, method, power = SLOW[name]
    found = slow_run(re.compile(source, re.DOTALL), [method])
    assert found is not None
    assert found.power >= power - 0.7


@pytest.mark.parametrize("source", LINEAR)
def test_linear_pattern_is_passed(source: str) -> None:
    """The same readings, written so that no part takes what another one took."""
    assert None is slow_run(re.compile(source, re.DOTALL), ["match", "search", "finditer"])


def test_runs_follow_each_literal() -> None:
    """Of a pattern with two literals, runs of each class of it stand after both."""
    runs = {(run.lead, run.unit) for run in runs_of(r"<a>[0-9]*<b>[a-z]*!")}
    assert {(lead, unit) for lead in ("<a>", "<a><b>") for unit in ("0", "a", " ")} <= runs


def test_slow_pattern_of_javascript_is_found(node: str) -> None:
    """The tool can fail there too."""
    assert node
    planted = [{"place": "planted", "source": source, "flags": "g"} for source in (r"\/+$", r"(?<!\/)\/+$")]
    assert [r"\/+$"] == [each["source"] for each in slow_scripts(planted)]


def test_every_pattern_of_the_tree_is_linear(node: str) -> None:
    """`./build.sh break patterns`: all of the core, of the hosts and of the page, as they are built and asked."""
    assert shutil.which("node") or node
    command = [sys.executable, "-m", "tools.patterns"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr), done.stdout[-3000:]
