"""The file tools against real folders, links and races."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A root folder with a file outside of it that nobody may reach."""
    (tmp_path / "outside.txt").write_text("secret")
    (tmp_path / "session").mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / "hello.txt").write_text("Good morning!")
    return root


def run(root: Path, tool: str, key: str = "k", **params: Any) -> dict[str, Any]:
    """Run a file tool over `root` in a toolbox of its own."""
    return Toolbox(ToolConfig(session_dir=root.parent / "session", root=root)).run(tool, params, key)


def test_file_is_read(place: Path) -> None:
    """Text comes back as it is."""
    assert run(place, "read_file", path="hello.txt") == {"ok": True, "output": "Good morning!"}
    assert run(place, "read_file", path=f"{place}/hello.txt")["ok"]


@pytest.mark.parametrize(
    "path",
    [
        "../outside.txt",
        "a/../../outside.txt",
        "/etc/passwd",
        "up/outside.txt",
        "secret.txt",
        "chain",
        "",
        "\0",
    ],
)
def test_nothing_outside_is_reached(place: Path, path: str) -> None:
    """Neither dots nor absolute paths nor links nor chains of links lead out."""
    (place / "up").symlink_to("..")
    (place / "secret.txt").symlink_to(place.parent / "outside.txt")
    (place / "chain").symlink_to("secret.txt")
    for tool, more in (("read_file", {}), ("list_dir", {}), ("write_file", {"content": "owned"})):
        if tool == "list_dir" and path == "":
            continue
        found = run(place, tool, path=path, **more)
        assert not found["ok"]
        assert "secret" not in found["error"].removeprefix("secret.txt")
    assert (place.parent / "outside.txt").read_text() == "secret"


def test_link_inside_the_root_is_followed(place: Path) -> None:
    """Links that stay inside are ordinary files."""
    (place / "again").symlink_to("hello.txt")
    assert run(place, "read_file", path="again")["ok"]


def test_file_with_a_second_name_is_not_read(place: Path) -> None:
    """A hard link may be a file outside of the root, and the kernel does not tell; replacing it leaves that one."""
    os.link(place.parent / "outside.txt", place / "inside.txt")
    found = run(place, "read_file", path="inside.txt")
    assert ("secret" in str(found), "hard link" in found["error"]) == (False, True)
    assert run(place, "write_file", path="inside.txt", content="new")["ok"]
    assert "secret" == (place.parent / "outside.txt").read_text()


def test_swapping_a_folder_for_a_link_wins_nothing(place: Path) -> None:
    """While another process swaps a folder and a link to the outside, no read ever gets out."""
    (place.parent / "evil").mkdir()
    (place.parent / "evil" / "f").write_text("secret")
    (place / "real").mkdir()
    (place / "real" / "f").write_text("fine")
    (place / "link").symlink_to(place.parent / "evil")
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            os.rename(place / "real", place / "d")
            os.rename(place / "d", place / "real")
            os.rename(place / "link", place / "d")
            os.rename(place / "d", place / "link")

    thread = threading.Thread(target=swap)
    thread.start()
    box = Toolbox(ToolConfig(session_dir=place.parent / "session", root=place))
    found = [box.run("read_file", {"path": "d/f"}, "k") for _ in range(150)]
    stop.set()
    thread.join()
    assert all(result.get("output", "fine") == "fine" for result in found)


@pytest.mark.parametrize("name", [".env", ".ENV", ".env.local", "key.pem", ".git/config"])
def test_hidden_files_are_not_shown(place: Path, name: str) -> None:
    """Files that usually hold secrets cannot be read, written or listed."""
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("OPENAI_API_KEY=sk-1")
    (place / "alias").symlink_to(name)
    assert run(place, "read_file", path=name)["error_kind"] == "invalid_arguments"
    assert run(place, "read_file", path="alias")["error_kind"] == "invalid_arguments"
    assert run(place, "write_file", path=name, content="x")["error_kind"] == "invalid_arguments"
    assert name.partition("/")[0] not in run(place, "list_dir", path=".")["output"]


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\x00\xff", b"text with \x00 inside"])
def test_binary_file_is_refused(place: Path, data: bytes) -> None:
    """Only text is read."""
    (place / "b").write_bytes(data)
    assert "no text file" in run(place, "read_file", path="b")["error"]


def test_large_file_is_refused_and_a_long_one_comes_whole(place: Path) -> None:
    """A file past the bound is refused; one that is only longer than what a model reads comes whole, for the core."""
    (place / "huge").write_bytes(b"x" * 2_000_000)
    (place / "long").write_bytes(b"x" * 100_000)
    assert "larger" in run(place, "read_file", path="huge")["error"]
    assert "x" * 100_000 == run(place, "read_file", path="long")["output"]


def test_named_pipe_does_not_block(place: Path) -> None:
    """A pipe is no file and is not waited for."""
    os.mkfifo(place / "pipe")
    assert "no file" in run(place, "read_file", path="pipe")["error"]


def test_missing_file_and_folder_are_named(place: Path) -> None:
    """The model learns what is wrong with its path."""
    assert run(place, "read_file", path="no.txt")["error"] == "no.txt: no such file or directory"
    assert run(place, "list_dir", path="hello.txt")["error"] == "hello.txt: not a directory"
    assert not run(place, "read_file", path=".")["ok"]


def test_folder_is_listed_in_order(place: Path) -> None:
    """Folders end in a slash, files tell their size, links are named."""
    (place / "notes").mkdir()
    (place / "away").symlink_to("..")
    assert run(place, "list_dir", path=".")["output"] == "away link\nhello.txt 13 bytes\nnotes/"
    assert run(place, "list_dir", path="notes")["output"] == "the folder is empty"


def test_file_is_written_with_its_folders(place: Path) -> None:
    """Folders are made, and no temporary file is left."""
    found = run(place, "write_file", path="a/b/c.txt", content="Grüße")
    assert found == {"ok": True, "output": "wrote 7 bytes to a/b/c.txt"}
    assert (place / "a/b/c.txt").read_text("utf-8") == "Grüße"
    assert os.listdir(place / "a/b") == ["c.txt"]


def test_repeated_key_does_not_write_again(place: Path) -> None:
    """A call that is run again after a crash does not undo what happened since."""
    run(place, "write_file", key="k1", path="f", content="one")
    (place / "f").write_text("changed by a person")
    assert run(place, "write_file", key="k1", path="f", content="one")["ok"]
    assert (place / "f").read_text() == "changed by a person"
    run(place, "write_file", key="k2", path="f", content="two")
    assert (place / "f").read_text() == "two"


def test_replaced_file_keeps_its_permissions(place: Path) -> None:
    """An executable script stays one."""
    (place / "run.sh").write_text("old")
    (place / "run.sh").chmod(0o750)
    run(place, "write_file", path="run.sh", content="new")
    assert (place / "run.sh").stat().st_mode & 0o777 == 0o750


@pytest.mark.parametrize("path", [".", "notes", "hello.txt/x"])
def test_folder_is_not_overwritten(place: Path, path: str) -> None:
    """A path that cannot be a file is refused."""
    (place / "notes").mkdir()
    assert not run(place, "write_file", path=path, content="x")["ok"]
    assert (place / "hello.txt").read_text() == "Good morning!"
