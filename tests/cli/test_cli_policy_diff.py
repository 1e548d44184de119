"""`policy-diff`: every decision of recorded runs that another definition takes otherwise."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from purestep import ChangedMove, Move
from purestep_hosts import Agent, ScriptedModel, tool
from purestep_hosts.cli import codes
from purestep_hosts.cli.cache_auditing import print_cache_audit
from purestep_hosts.cli.logs import find_log
from purestep_hosts.cli.policy_diffing import print_policy_diff
from purestep_hosts.policy_diffs import kind_of
from tests.cli.conftest import Shell, call, final
from tests.cli.test_cli_redrive import agent_file

CALL = call("calculate", a=17, b=25, operation="plus")


@pytest.fixture
def log(shell: Shell) -> Path:
    """The log of a run with two calls."""
    shell.scripted(CALL, "nonsense", call("calculate", a=1, b=2, operation="plus"), final("It is 42."))
    return shell.session() / "log.jsonl"


def test_all_differences_are_counted_with_examples(shell: Shell, log: Path) -> None:
    """Both calls, not the first alone; the exit code tells, and JSON names each line."""
    agent = str(agent_file(shell, approval="ask"))
    result = shell("policy-diff", str(log), "--agent", agent)
    first, *examples, last = [line[11:] for line in result.stdout.splitlines()]
    assert 6 == result.returncode, result.stderr
    assert first.startswith("calculate: allowed -> asked"), first
    assert (2, True) == (len(examples), "in 1 of 1 logs" in last)
    (found,) = json.loads(shell("policy-diff", str(log), "--agent", agent, "--json").stdout)
    kinds = [json.loads(log.read_text().splitlines()[each["line"] - 1])["kind"] for each in found["diff"]["changes"]]
    assert ["model_response", "model_response"] == kinds


def test_a_log_that_does_not_verify_is_named(shell: Shell, log: Path) -> None:
    """It is compared as this release decides it, and the exit code tells."""
    copy = shell.folder / "changed.jsonl"
    copy.write_bytes(log.read_bytes().replace(b"It is 42.", b"It is 43.", 1))
    result = shell("policy-diff", str(copy), "--agent", str(agent_file(shell)))
    assert (6, True, True) == (
        result.returncode, "unverified" in result.stdout, "; 1 of the logs does not verify" in result.stdout
    ), result.stdout  # fmt: skip


def test_nothing_differs(shell: Shell, log: Path) -> None:
    """Under other words every decision is the same."""
    result = shell("policy-diff", str(log), "--agent", str(agent_file(shell)))
    assert (0, True) == (result.returncode, "in 0 of 1 logs" in result.stdout), result.stdout


def test_a_folder_on_several_processes(shell: Shell, log: Path) -> None:
    """Each log is counted once, and one that cannot be read is named."""
    folder = shell.folder / "logs"
    folder.mkdir()
    for number in range(70):
        shutil.copy(log, folder / f"{number}.jsonl")
    (folder / "broken.jsonl").write_text("nothing\n", "utf-8")
    agent = str(agent_file(shell, approval="deny"))
    result = shell("policy-diff", str(folder), "--agent", agent, "--processes", "2")
    assert (6, True, True) == (
        result.returncode, "140 times" in result.stdout, "in 70 of 71 logs" in result.stdout.splitlines()[-1]
    ), result.stdout  # fmt: skip
    assert "1 cannot be read" in result.stdout


def test_a_log_that_changes_meanwhile_is_a_problem_of_its_own(
    shell: Shell, log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are compared, and audited; a folder of sessions may be written to."""
    changed = shell.folder / "changed.jsonl"
    shutil.copy(log, changed)
    logs = [find_log(str(log), None), find_log(str(changed), None)]
    changed.write_text("", "utf-8")
    agent, nowhere = agent_file(shell, approval="ask"), {"comment": None, "html": None, "processes": 1}
    assert codes.MISMATCH == print_policy_diff(logs, agent, as_json=True, **nowhere)  # type: ignore[arg-type]
    first, second = json.loads(capsys.readouterr().out)
    assert (2, True) == (len(first["diff"]["changes"]), "was changed" in second["problem"])
    print_cache_audit(logs, None, as_json=True)
    first, second = json.loads(capsys.readouterr().out)
    assert (True, True) == (len(first["requests"]) > 1, "was changed" in second["problem"])


def test_the_comment_holds_no_markdown_of_others(shell: Shell, log: Path) -> None:
    """A name in a log that would be markup of the page is text there."""
    hostile = log.read_text().replace("calculate", "a|<b>[x](javascript:y)`")
    (shell.folder / "hostile.jsonl").write_text(hostile, "utf-8")
    agent, comment = agent_file(shell, approval="ask"), shell.folder / "comment.md"
    shell(
        "policy-diff", str(shell.folder / "hostile.jsonl"), str(log), "--agent", str(agent), "--comment", str(comment)
    )
    text = comment.read_text()
    assert ("<b>" not in text, "[x](" not in text, "\\[x\\](" in text) == (True, True, True), text
    assert "| 2 | calculate | allowed | asked |" in text


def test_the_page_escapes_what_logs_say(shell: Shell, log: Path) -> None:
    """Everything stands in one table, and a hostile name is text there; the page may run nothing."""
    (shell.folder / "hostile.jsonl").write_text(log.read_text().replace("calculate", "a<b onload=x>"), "utf-8")
    page = shell.folder / "page.html"
    logs = (str(shell.folder / "hostile.jsonl"), str(log))
    result = shell("policy-diff", *logs, "--agent", str(agent_file(shell, approval="ask")), "--html", str(page))
    text = page.read_text()
    assert (6, 1, False) == (result.returncode, text.count("<strong>calculate</strong>"), "<b onload" in text)
    assert ("a&lt;b onload=x&gt;" in text, "default-src 'none'" in text) == (True, True)
    for option in ("--html", "--comment"):
        refused = shell("policy-diff", *logs, "--agent", "agent.json", option, str(shell.folder / "no" / "file"))
        assert ("cannot be written" in refused.stderr, "Traceback" in refused.stderr) == (True, False), refused.stderr


def test_the_fixture_counts_kinds(policy_changes, log: Path) -> None:  # type: ignore[no-untyped-def]
    """In a test of one's own, by the plugin."""

    @tool(approval="ask")
    def calculate(a: float, b: float, operation: str) -> float:
        """Calculate."""
        return a + b

    found = policy_changes(log, Agent(ScriptedModel([]), tools=[calculate]))
    assert {("allowed", "asked", "calculate"): 2} == {
        (kind.was, kind.becomes, kind.tool): n for kind, n in found.items()
    }


def test_a_log_that_is_named_twice_counts_once(shell: Shell, log: Path) -> None:
    """By its path, its session and its folder; another copy of it is another log."""
    link, copy = shell.folder / "link.jsonl", shell.folder / "copy.jsonl"
    link.symlink_to(log)
    shutil.copy(log, copy)
    names = (str(log), str(log), str(log.parent), str(link), str(copy))
    result = shell("policy-diff", *names, "--agent", str(agent_file(shell, approval="ask")))
    assert "in 2 of 2 logs" in result.stdout.splitlines()[-1], result.stdout


def test_a_call_with_other_arguments_is_told_as_one() -> None:
    """Beside why a person is asked, which is the same under both."""
    was = Move(does="asked", tool="pay", params={"to": "ann@a.example"}, why="The approval policy asks.")
    hidden = replace(was, params={"to": "[email]"})
    kinds = [kind_of(ChangedMove(line=3, was=was, becomes=each)).why for each in (hidden, replace(hidden, why=""))]
    assert [
        "with other arguments: The approval policy asks.",
        "with other arguments: before: The approval policy asks.",
    ] == kinds
    words = ChangedMove(line=3, was=Move(does="answer", said="1"), becomes=Move(does="answer", said="2"))
    assert "in other words" == kind_of(words).why
