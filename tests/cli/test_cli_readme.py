"""What docs/command.md shows with the built-in model finishes right, with all defaults."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import PATIENCE_S, Shell, Terminal, ended

ROOT = Path(__file__).resolve().parents[2]
AGENTS = "docs/agents"

EVERY_TOOL = ",".join((
    "add_days", "add_numbers", "calculate", "calculator", "count_words", "days_between", "echo", "fetch_url",
    "list_dir", "read_file", "search_files", "session_note_append", "session_note_search", "shell", "time_in", "today",
    "write_file",
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
    """Without a terminal the call that the model makes is refused and does not run."""
    result = shell("run", "Run the command touch made", "--tools", "shell", "--sessions", str(shell.sessions))
    assert [False] == [event["approved"] for event in shell.facts("approval")], result.stderr
    assert not (shell.folder / "made").exists()


PAGE = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")


def sessions() -> dict[str, str]:
    """Return by command what the page shows of runs that need no person."""
    found = {}
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE):
        command, _, shown = block.partition("\n")
        if (command.startswith("$ ./build.sh run ") and ASKS not in command) or " extract " in command:
            found[command.removeprefix("$ ./build.sh ").removeprefix("cli ")] = shown
    return found


ASKS = "--tools shell"
"""What the command of the page has that asks a person: it needs a terminal."""


def of_any_day(shown: str) -> str:
    """Return what a run printed without its id, its seconds, and the blocks that the folder's files take."""
    shown = re.sub(r"\b[0-9.]+ s, session [0-9a-f]+$", "N s, session ID", shown, flags=re.MULTILINE)
    shown = re.sub(r"^(result     |  )\w{3} \w{3} .*[0-9]{4}$", "DATE", shown, flags=re.MULTILINE)
    return re.sub(r"^result     total [0-9]+$", "result     total N", shown, flags=re.MULTILINE)


@pytest.mark.parametrize("command", sorted(sessions()))
def test_session_of_the_page_is_printed_as_it_is_shown(shell: Shell, command: str) -> None:
    """An answer, a failure and an extract, with the built-in model; `...` stands for the rest."""
    shutil.copytree(ROOT / AGENTS, shell.folder / AGENTS)
    done = subprocess.run(
        shell.command(*shlex.split(command)), cwd=shell.folder, env=shell.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    printed = of_any_day(done.stdout)
    shown = of_any_day(sessions()[command])
    expected = shown.removesuffix("...\n")
    assert expected == (printed if shown == expected else printed[: len(expected)])


@pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")
def test_command_that_asks_is_printed_as_it_is_shown(shell: Shell, terminal: Terminal) -> None:
    """The call that the built-in model's run needs is shown, runs after `y`, and its output is the answer."""
    (block,) = re.findall(rf"^```console\n(\$ ./build.sh run {ASKS} .*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    command, _, shown = block.partition("\n")
    child = terminal(*shlex.split(command.removeprefix("$ ./build.sh ")), env={"LC_ALL": "C"})
    child.expect(r"\[q\]uit: ")
    asked = child.before or ""
    child.sendline("y")
    assert 0 == ended(child)
    # A terminal shows more beside these lines: that the model is loaded, and an empty one before the question.
    plain = re.sub(r"\x1b\[[0-9;]*m", "", f"{asked}\n{child.before}")
    printed = of_any_day(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "\n", plain)).splitlines()
    expected = [line for line in of_any_day(shown).splitlines() if not line.startswith(("[y]es", "..."))]
    assert expected == [line.rstrip() for line in printed if line.rstrip() in expected]


def test_page_shows_an_answer_a_failure_and_an_extract() -> None:
    """None of the three is lost."""
    shown = {(command.split()[0], "failed     " in text) for command, text in sessions().items()}
    assert {("run", True), ("run", False), ("extract", False)} == shown
