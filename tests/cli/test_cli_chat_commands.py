"""The commands of a chat on a terminal."""

import json
import os
import signal

import pytest

from tests.cli.conftest import Shell, Terminal, ended, final

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


def test_commands_show_and_ask_nothing(shell: Shell, terminal: Terminal) -> None:
    """/help, /tools, /log and an unknown command are answered at once; a path is a question."""
    script = shell.script(final("One."))
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", script, "--tools", "echo,shell")
    for line, said in (
        ("/help", "ends; quit, exit and Ctrl-D do too"),
        ("/tools", "runs.*echo.*\n.*asks first.*shell"),
        ("/log", "none yet"),
        ("/hepl", "there is no command /hepl"),
        ("/HELP", "ends; quit, exit"),
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


@pytest.mark.parametrize("word", ["quit", "Exit", "/exit"])
def test_words_that_leave_are_no_questions(shell: Shell, terminal: Terminal, word: str) -> None:
    """Who types them wants to go."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")))
    child.expect("> ")
    child.sendline(word)
    assert (0, False) == (ended(child), shell.sessions.exists())


def test_prompt_is_shown_again_after_a_stop(shell: Shell, terminal: Terminal) -> None:
    """What goes on after Ctrl-Z shows where it stood: the shell has written over it."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")))
    child.expect("> ")
    child.send("half")
    child.expect("half")
    os.kill(child.pid, signal.SIGCONT)
    child.expect("> half")
    child.sendline(" of it")
    child.expect("One.")
    child.expect("> ")
    child.send("\x04")
    assert (0, ["half of it"]) == (ended(child), [event["content"] for event in shell.facts("user_message")])


def test_prompt_is_no_part_of_the_answers(shell: Shell, terminal: Terminal) -> None:
    """Where stdout is a file, a person still sees the prompt."""
    script = shell.script(final("One."))
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", script, within='exec "$@" >answers.txt')
    child.expect("> ")
    child.sendline("first")
    child.expect("> ")
    child.send("\x04")
    assert (0, "One.\n") == (ended(child), (shell.folder / "answers.txt").read_text())


def test_failed_answer_in_a_chat_asks_for_no_other_command(shell: Shell, terminal: Terminal) -> None:
    """The next question is typed right there; a run names the command that resumes it."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")))
    for line, said in (("first", "One."), ("second", "has 1 output and was asked")):
        child.expect("> ")
        child.sendline(line)
        child.expect(said)
    child.expect("> ")
    assert "--resume" not in (child.before or "")
    child.send("\x04")
    assert 0 == ended(child)


def test_log_of_a_new_conversation_is_not_that_of_the_last(shell: Shell, terminal: Terminal) -> None:
    """After /new there is none yet."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")))
    for line, said in (("first", "One."), ("/new", "new conversation"), ("/log", "none yet")):
        child.expect("> ")
        child.sendline(line)
        child.expect(said)


def test_wrong_options_are_told_before_a_question_is_typed(shell: Shell, terminal: Terminal) -> None:
    """Nobody writes a question for nothing."""
    (shell.folder / "broken.py").write_text("def f(:\n")
    child = terminal("chat", "--functions", "broken.py", "--script", shell.script(final("One.")))
    assert (2, False) == (ended(child), "> " in (child.before or "").replace("chat  ", ""))
    assert "broken.py, line 1: not usable Python" in (child.before or "")


def test_bytes_that_are_no_text_are_no_question(shell: Shell, terminal: Terminal) -> None:
    """A line that is not UTF-8 is left out, and the chat goes on."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One.")))
    child.expect("> ")
    os.write(child.child_fd, b"\xff\xfe what?\n")
    child.expect("not UTF-8 and was left out")
    child.expect("> ")
    child.sendline("Grüße")
    child.expect("One.")
    child.expect("> ")
    child.send("\x04")
    assert (0, ["Grüße"]) == (ended(child), [event["content"] for event in shell.facts("user_message")])
