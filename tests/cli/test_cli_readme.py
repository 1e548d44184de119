"""What the README and the pages show with the built-in model finishes right, with all defaults."""

import json

import pytest

from tests.cli.conftest import Shell

EVERY_TOOL = ",".join((
    "add_numbers", "calculator", "echo", "fetch_url", "list_dir", "read_file", "session_note_append",
    "session_note_search", "shell", "write_file",
))  # fmt: skip


@pytest.mark.parametrize(
    ("query", "options", "answer"),
    [
        ("What is 17 plus 25?", (), "42"),
        ("What is 17 plus 25?", ("--tools", "add_numbers"), "42"),
        ("What is 17 plus 25?", ("--tools", EVERY_TOOL), "42"),
        ("Run the command date -u +%Z", ("--tools", "shell", "--yes"), "UTC"),
    ],
)
def test_commands_of_the_pages_finish_right(shell: Shell, query: str, options: tuple[str, ...], answer: str) -> None:
    """The built-in model, which is loaded here, ends with the right answer."""
    result = shell("run", query, *options, "--json", "--sessions", str(shell.sessions))
    assert 0 == result.returncode, result.stderr
    assert answer in json.loads(result.stdout)["answer"]


def test_all_built_in_tools_are_tried(shell: Shell) -> None:
    """The list above is that of `purestep tools`."""
    listed = json.loads(shell("tools", "--json").stdout)
    assert EVERY_TOOL.split(",") == [spec["name"] for spec in listed]


def test_shell_command_is_asked_about_before_it_runs(shell: Shell) -> None:
    """A call that the core decided is approved like any other: without a terminal it is refused and does not run."""
    result = shell("run", "Run the command touch made", "--tools", "shell", "--sessions", str(shell.sessions))
    assert [False] == [event["approved"] for event in shell.facts("approval")], result.stderr
    assert not (shell.folder / "made").exists()
