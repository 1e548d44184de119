"""Durable runs killed at generated boundaries, in processes of their own: nothing is forked beside other threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def crash(home: Path, *arguments: str) -> str:
    """Return what was logged, then what the harness printed: at the end stands how many were tried and what broke."""
    command = [sys.executable, "-m", "tools.crashing", "--processes", "1", *arguments]
    environment = {**os.environ, "HOME": str(home)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done.stderr + done.stdout


def test_runs_in_sqlite(tmp_path: Path) -> None:
    """Checkpoints and log in one file; `./build.sh crash --store sqlite` tries more."""
    assert crash(tmp_path, "8", "--every", "11", "--store", "sqlite").endswith(" 0 broken\n")


def test_trees_in_files_and_in_sqlite(tmp_path: Path) -> None:
    """Runs of agents that call others at once, or hand over to them."""
    assert crash(tmp_path, "6", "--every", "17", "--agents").endswith(" 0 broken\n")
    assert crash(tmp_path, "2", "--every", "41", "--agents", "--store", "sqlite").endswith(" 0 broken\n")


def test_late_results_in_files_and_in_sqlite(tmp_path: Path) -> None:
    """Results of calls that went on elsewhere are neither lost nor doubled, and are those of their calls."""
    assert crash(tmp_path, "20", "--every", "5", "--late").endswith(" 0 broken\n")
    assert crash(tmp_path, "4", "--every", "11", "--late", "--agents").endswith(" 0 broken\n")
    assert crash(tmp_path, "2", "--every", "31", "--late", "--store", "sqlite").endswith(" 0 broken\n")


@pytest.mark.needs("postgresql")
def test_runs_in_postgresql(postgresql: str, tmp_path: Path) -> None:
    """The same on a server, in a database for each point."""
    given = ("6", "--every", "13", "--store", "postgresql", "--server", postgresql)
    assert crash(tmp_path, *given).endswith(" 0 broken\n")


def test_a_server_has_to_be_named(tmp_path: Path) -> None:
    """Nothing is tried anywhere else instead."""
    assert "needs --server" in crash(tmp_path, "1", "--store", "postgresql")
