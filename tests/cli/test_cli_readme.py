"""What the README and the pages show with the built-in model finishes right, with all defaults."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import PATIENCE_S, Shell

ROOT = Path(__file__).resolve().parents[2]
AGENTS = "docs/agents"

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


def sessions() -> dict[tuple[str, str], str]:
    """Give by page and command what the pages show of runs that need no person."""
    found = {}
    for page in ("README.md", "docs/checks.md", "docs/skills.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            command, _, shown = block.partition("\n")
            if f"--agent {AGENTS}" in command or " extract " in command:
                found[page, command.removeprefix("$ ./build.sh ").removeprefix("cli ")] = shown
    return found


def of_any_day(shown: str) -> str:
    """Give what a run printed without its id, its seconds, and the blocks that the folder's files take."""
    shown = re.sub(r"^session    [0-9a-f-]+", "session    ID", shown, flags=re.MULTILINE)
    shown = re.sub(r"\b[0-9.]+ s$", "N s", shown, flags=re.MULTILINE)
    return re.sub(r"^result     total [0-9]+$", "result     total N", shown, flags=re.MULTILINE)


@pytest.mark.parametrize(("page", "command"), sessions())
def test_session_of_a_page_is_printed_as_it_is_shown(shell: Shell, page: str, command: str) -> None:
    """A failure, an answer that was saved and an extract, with the built-in model; `...` stands for the rest."""
    shutil.copytree(ROOT / AGENTS, shell.folder / AGENTS)
    done = subprocess.run(
        shell.command(*shlex.split(command)), cwd=shell.folder, env=shell.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    shown = of_any_day(sessions()[page, command])
    expected = shown.removesuffix("...\n")
    printed = of_any_day(done.stdout)
    assert expected == (printed if shown == expected else printed[: len(expected)])


def test_pages_show_a_failure_an_answer_that_was_saved_and_an_extract() -> None:
    """None of the three is lost: README has them all, and the pages that explain them too."""
    shown = {(page, command.split()[0], "failed     " in text) for (page, command), text in sessions().items()}
    assert {(page, *rest) for page, *rest in shown} == {
        ("README.md", "run", True), ("README.md", "run", False), ("README.md", "extract", False),
        ("docs/checks.md", "run", True), ("docs/checks.md", "run", False), ("docs/skills.md", "extract", False),
    }  # fmt: skip
