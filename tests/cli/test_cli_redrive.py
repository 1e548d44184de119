"""Comparing runs: `redrive`, `diff`, `fork`, and `replay --at`."""

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Shell, call, final


@pytest.fixture
def log(shell: Shell) -> Path:
    """The log of a run with one call."""
    shell.scripted("nonsense", call("calculate", a=17, b=25, operation="plus"), final("It is 42."))
    return shell.session() / "log.jsonl"


def agent_file(shell: Shell, **members: object) -> Path:
    """Write a definition with the tool that the run has called, and these members of the tool."""
    number = {"type": "number"}
    properties = {"a": number, "b": number, "operation": {"enum": ["plus"]}}
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({"tools": [{"name": "calculate", "parameters": parameters, **members}]}), "utf-8")
    return path


def test_a_run_is_the_same_again(shell: Shell, log: Path) -> None:
    """Under its own definition every decision is the same."""
    result = shell("redrive", str(log))
    assert (0, "same") == (result.returncode, result.stdout[:4])


def test_first_decision_that_differs_is_shown(shell: Shell, log: Path) -> None:
    """Both decisions are shown, and the exit code tells."""
    agent = agent_file(shell, approval="ask")
    result = shell("redrive", str(log), "--agent", str(agent))
    labels = [line[:11].strip() for line in result.stdout.splitlines()]
    assert (6, ["differs", "recorded", "now"]) == (result.returncode, labels[:3])
    assert "approval_request" in result.stdout
    found = json.loads(shell("redrive", str(log), "--agent", str(agent), "--json").stdout)
    assert (False, "tool_call") == (found[0]["same"], found[0]["recorded"][0]["kind"])


def test_logs_of_a_folder_are_counted(shell: Shell, log: Path) -> None:
    """All logs below a folder; one that cannot be read is named, and does not hide the others."""
    (shell.sessions / "broken.jsonl").write_text("nothing\n", "utf-8")
    result = shell("redrive", str(shell.sessions))
    assert (6, "logs       0 of 2 differ, 1 cannot be read") == (result.returncode, result.stdout.splitlines()[-1])
    assert "unread" in result.stdout


def test_a_folder_without_logs_is_said(shell: Shell) -> None:
    """What was expected, in one line."""
    result = shell("redrive", str(shell.folder))
    assert 2 == result.returncode
    assert "has no *.jsonl below it" in result.stderr
    assert "Traceback" not in result.stderr


def test_where_two_runs_part_is_shown(shell: Shell, log: Path) -> None:
    """Ids, times and keys are no difference; another output is, with the line in each run."""
    first = log.read_bytes()
    shell.scripted("nonsense", call("calculate", a=17, b=26, operation="plus"), final("It is 43."))
    other = shell.session() / "log.jsonl"
    assert first != other.read_bytes()
    result = shell("diff", str(log), str(other))
    shown = result.stdout.splitlines()
    assert (6, "same       the first 4 lines") == (result.returncode, shown[0])
    assert [True, True] == [
        f'"b": {number}' in result.stdout or f'"b":{number}' in result.stdout for number in (25, 26)
    ]
    parted = json.loads(shell("diff", str(log), str(other), "--json").stdout)
    assert (False, [5, 5]) == (parted["same"], parted["lines"])
    assert (0, True) == (
        shell("diff", str(log), str(log)).returncode,
        "same" in shell("diff", str(log), str(log)).stdout,
    )


def test_a_run_that_ends_earlier_is_said_to(shell: Shell, log: Path) -> None:
    """A log that is the beginning of another parts from it where it ends."""
    part = shell.folder / "part.jsonl"
    part.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:4]))
    result = shell("diff", str(part), str(log))
    assert (6, True) == (result.returncode, "part.jsonl, ends there" in result.stdout)


def test_a_run_is_replayed_up_to_a_line(shell: Shell, log: Path) -> None:
    """What came later is not told, and a line that there is not is said."""
    shown = shell("replay", str(log), "--at", "4").stdout
    assert ("state      open", False) == (shown.splitlines()[-1][:15], "It is 42" in shown)
    wrong = shell("replay", str(log), "--at", "400")
    assert (2, True) == (wrong.returncode, "has no line 400" in wrong.stderr)


def test_a_fork_goes_on_by_itself(shell: Shell, log: Path) -> None:
    """The new session verifies, goes on under its own id and keys, and the run that it came from stays as it was."""
    before = log.read_bytes()
    made = shell("fork", str(log), "--at", "6", "--sessions", str(shell.sessions))
    assert (0, "forked") == (made.returncode, made.stdout[:6]), made.stderr
    session = made.stdout.split("--resume ")[1].split()[0]
    assert 0 == shell("verify", session, "--sessions", str(shell.sessions)).returncode
    script = shell.script(*["not read again"] * 2, final("Forked."))
    ended = shell("run", "--resume", session, "--sessions", str(shell.sessions), "--script", script, "--yes")
    assert (0, "Forked.") == (ended.returncode, ended.stdout.strip()), ended.stderr
    assert before == log.read_bytes()


def test_advice_to_go_on_can_be_followed(shell: Shell, log: Path) -> None:
    """The command that `fork` and `replay` show finds the session, wherever it is; a log elsewhere has no session."""
    made = shell("fork", str(log), "--at", "3", "--sessions", str(shell.sessions))
    shown = shell("replay", "last", "--sessions", str(shell.sessions))
    advice, again = [
        shlex.split(told.stdout.partition("continue with ")[2].partition(" (")[0]) for told in (made, shown)
    ]
    went_on = shell(*advice[1:], "--script", shell.script(final("unread"), final("It is 42.")))
    assert (advice, 0, "It is 42.\n") == (again, went_on.returncode, went_on.stdout), went_on.stderr
    whole = shell("fork", str(log), "--at", "2", "--sessions", str(shell.sessions)).stdout
    assert "after 1 step\n" in whole
    open_log = shell.folder / "log.jsonl"
    open_log.write_bytes((shell.session() / "log.jsonl").read_bytes())
    assert "the model is asked next (" in shell("replay", str(open_log)).stdout


@pytest.mark.parametrize("command", ["fork", "replay"])
@pytest.mark.parametrize("line", ["0", "-1", "one"])
def test_a_line_that_is_none_is_wrong_usage(shell: Shell, log: Path, command: str, line: str) -> None:
    """No log is damaged by it, as its exit code would say."""
    told = shell(command, str(log), "--at", line)
    assert (2, "purestep: --at: expected") == (told.returncode, told.stderr[:24])


def test_a_fork_under_a_definition_that_decides_otherwise_is_not_made(shell: Shell, log: Path) -> None:
    """The first decision that differs is shown instead, and no session is left."""
    agent = agent_file(shell, approval="ask")
    before = sorted(shell.sessions.iterdir())
    made = shell("fork", str(log), "--agent", str(agent), "--sessions", str(shell.sessions))
    assert (6, before) == (made.returncode, sorted(shell.sessions.iterdir()))
