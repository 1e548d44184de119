"""The commands of a chat on a terminal."""

import json

import pytest

from tests.cli.conftest import Shell, Terminal, ended, final

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


def test_commands_show_and_ask_nothing(shell: Shell, terminal: Terminal) -> None:
    """/help, /tools, /log and an unknown command are answered at once; a path is a question."""
    script = shell.script(final("One."))
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", script, "--tools", "echo,shell")
    for line, said in (
        ("/help", "ends; Ctrl-D does too"),
        ("/tools", "runs.*echo.*\n.*asks first.*shell"),
        ("/log", "none yet"),
        ("/hepl", "there is no command /hepl"),
        ("/etc/passwd is what?", "One."),
        ("/log", "purestep replay"),
    ):
        child.expect("> ")
        child.sendline(line)
        child.expect(said)
    child.expect("> ")
    child.sendline("/quit")
    asked = [event["content"] for event in shell.facts("user_message")]
    assert (0, ["/etc/passwd is what?"]) == (ended(child), asked)


def test_new_begins_a_session_of_its_own(shell: Shell, terminal: Terminal) -> None:
    """After /new the model knows nothing of what was said, and both sessions are kept."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One."), final("Two.")))
    for line, said in (("/new", "> "), ("first", "One."), ("/new", "new conversation"), ("second", "Two.")):
        child.sendline(line)
        child.expect(said)
    child.expect("> ")
    child.sendline("/quit")
    assert 0 == ended(child)
    logs = sorted(path.read_text().splitlines() for path in shell.sessions.glob("*/log.jsonl"))
    asked = [[e["content"] for e in map(json.loads, log) if e["kind"] == "user_message"] for log in logs]
    assert [["first"], ["second"]] == sorted(asked)
