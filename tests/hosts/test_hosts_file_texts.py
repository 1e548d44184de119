"""The tools that look into files: what they find, and what they never show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a few files."""
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "a.txt").write_text("One lemon\ntwo apples\n")
    (root / "sub" / "b.txt").write_text("  A LEMON tree  \n")
    (root / "picture").write_bytes(b"\0lemon")
    (root / ".env").write_text("KEY=lemon\n")
    (root / "outside").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "secret.txt").write_text("lemon\n")
    return root


def run(folder: Path, tool: str, **params: Any) -> dict[str, Any]:
    """Run a tool over the folder."""
    return Toolbox(ToolConfig(session_dir=folder.parent, root=folder)).run(tool, params, "k")


def test_lines_with_a_text_are_found_in_all_folders(folder: Path) -> None:
    """With file and number, in any case; no hidden file, no link and no picture is looked into."""
    assert "a.txt:1: One lemon\nsub/b.txt:1: A LEMON tree" == run(folder, "search_files", text="lemon")["output"]


def test_a_text_that_is_nowhere_is_said(folder: Path) -> None:
    """An empty result says what was looked for."""
    assert "no file contains: melon" == run(folder, "search_files", text="melon")["output"]


def test_an_empty_text_is_refused(folder: Path) -> None:
    """Every line holds it."""
    assert "invalid_arguments" == run(folder, "search_files", text=" ")["error_kind"]


def test_found_lines_are_bounded(folder: Path) -> None:
    """More lines than a model can use are only mentioned."""
    (folder / "long.txt").write_text("lemon\n" * 500)
    found = run(folder, "search_files", text="lemon")["output"].splitlines()
    assert (51, "and more") == (len(found), found[-1])


def test_lines_and_words_of_a_file_are_counted(folder: Path) -> None:
    """As a person counts them."""
    assert "2 lines, 4 words, 21 characters" == run(folder, "count_words", path="a.txt")["output"]


def test_a_file_outside_is_not_counted(folder: Path) -> None:
    """The tool has no way around the folder."""
    assert not run(folder, "count_words", path="../secret.txt")["ok"]
    assert not run(folder, "count_words", path=".env")["ok"]
