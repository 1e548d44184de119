"""What happens on a terminal: approvals, interrupts, colour, and text that tries to drive the terminal."""

import json
import os
import signal
import time
from typing import Any

import pexpect
import pytest

from tests.cli.conftest import Shell, Terminal, call, ended, final

# The test runner has threads of its own; the child does nothing but start the program.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

QUESTION = r"\[q\]uit: "
SHELL = ("--tools", "shell")
HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31mred\u202egnp\r[bold]x[/bold]"
SHOWN = "\\x1b]0;owned\\x07\\x1b[2J\\x9b31mred\\u202egnp\\x0d[bold]x[/bold]"


def arguments(shell: Shell, *outputs: Any) -> tuple[str, ...]:
    """A run of a script that may use the shell."""
    return ("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(*outputs), *SHELL)


def test_approved_call_runs(shell: Shell, terminal: Terminal) -> None:
    """The call is shown in full with the reason; after y it runs."""
    child = terminal(*arguments(shell, call("shell", command="echo hello"), final("Done.")))
    child.expect(QUESTION)
    shown = child.before or ""
    child.sendline("y")
    expected = (0, True, ["hello\n"])
    code = ended(child)
    assert expected == (code, '"command": "echo hello"' in shown, [e["output"] for e in shell.facts("tool_result")])


def test_refused_call_does_not_run(shell: Shell, terminal: Terminal) -> None:
    """After n the call does not run, and the model is given the reason."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    child.expect(QUESTION)
    child.sendline("n not on my machine")
    approval = {"approved": False, "reason": "not on my machine", "by": "terminal"}
    code = ended(child)
    answer = {name: shell.facts("approval")[0][name] for name in approval}
    assert (0, approval, False) == (code, answer, (shell.folder / "made").exists())


def test_reason_in_another_encoding_is_kept_as_far_as_it_can_be_read(shell: Shell, terminal: Terminal) -> None:
    """What is no UTF-8 becomes the sign for that, and the refusal holds."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    child.expect(QUESTION)
    os.write(child.child_fd, b"n Gr\xfc\xdfe\n")
    code = ended(child)
    assert (0, ["Gr\ufffd\ufffde"]) == (code, [event["reason"] for event in shell.facts("approval")])


def test_edited_call_runs_as_edited(shell: Shell, terminal: Terminal) -> None:
    """An edit that does not fit is asked again; one that fits is shown, and runs once it is approved by itself."""
    child = terminal(*arguments(shell, call("shell", command="echo one"), final("Done.")), env={"TERM": "dumb"})
    for line in ('{"command": 1}', "[1]", '{"command": "echo one", "timeout": 1e400}', '{"command": "echo two"}'):
        child.expect(QUESTION)
        child.send("e\n")
        child.expect("JSON: ")
        # The line is offered for editing: what stands there goes first.
        child.send(f"\x15{line}\n")
        child.expect("edited .*echo two" if "two" in line else "not taken")
    child.expect(QUESTION)
    assert [] == shell.facts("approval")
    child.sendline("y")
    code = ended(child)
    assert (0, ["two\n"]) == (code, [event["output"] for event in shell.facts("tool_result")])
    assert [{"command": "echo two"}] == [event["params"] for event in shell.facts("approval")]


def test_enter_after_an_edit_approves_nothing(shell: Shell, terminal: Terminal) -> None:
    """The line offered for editing, sent as it stands, leaves the call as it was, and it is asked about again."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    child.expect(QUESTION)
    child.sendline("e")
    child.expect("JSON: ")
    child.sendline("")
    child.expect(QUESTION)
    child.sendline("")
    child.expect(QUESTION)
    child.sendline("n")
    assert (0, False) == (ended(child), (shell.folder / "made").exists())


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_interrupt_in_an_edit_goes_back_to_the_question(shell: Shell, terminal: Terminal, term: str) -> None:
    """Ctrl-C leaves the edit, as often as it is pressed there; at the question it cancels the run."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")), env={"TERM": term})
    for _ in range(3):
        child.expect(QUESTION)
        child.sendline("e")
        child.expect("JSON: ")
        child.send("\x15gone\x03")
        child.expect("left; the arguments are as they were")
    child.expect(QUESTION)
    child.sendline("n")
    assert (0, False) == (ended(child), (shell.folder / "made").exists())
    assert [False] == [event["approved"] for event in shell.facts("approval")]


def test_interrupt_at_the_question_after_an_edit_cancels(shell: Shell, terminal: Terminal) -> None:
    """A Ctrl-C that left an edit is forgotten, and the next one still counts."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    child.expect(QUESTION)
    child.sendline("e")
    child.expect("JSON: ")
    child.send("\x03")
    child.expect(QUESTION)
    child.send("\x03")
    assert (130, False, 1) == (ended(child), (shell.folder / "made").exists(), len(shell.facts("cancelled")))


def test_calls_of_a_turn_are_decided_one_by_one(shell: Shell, terminal: Terminal) -> None:
    """Each is shown with its place, and only those that were approved run."""
    (shell.folder / "agent.yaml").write_text("dialect: native\ntools: [shell]\n")
    calls = [
        {"id": name, "type": "function", "function": {"name": "shell", "arguments": json.dumps({"command": command})}}
        for name, command in (("a", "echo made | tee a"), ("b", "echo made | tee b"), ("c", "echo made | tee c"))
    ]
    script = shell.script({"content": None, "tool_calls": calls}, {"content": "Done."})
    child = terminal("run", "Go", "--sessions", str(shell.sessions), "--script", script, "--agent", "agent.yaml")
    for place, answer in (("1 of 3", "y"), ("2 of 3", "n"), ("3 of 3", "y")):
        child.expect(place)
        child.expect(QUESTION)
        child.sendline(answer)
    code = ended(child)
    assert (0, [True, False, True]) == (code, [(shell.folder / name).exists() for name in "abc"])
    assert [True, False, True] == [event["approved"] for event in shell.facts("approval")]


def test_quitting_at_the_question_cancels_the_run(shell: Shell, terminal: Terminal) -> None:
    """q ends the run; it is logged as cancelled and can be gone on with."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("Done.")))
    child.expect(QUESTION)
    child.sendline("q")
    child.expect("--resume")
    assert (130, 1) == (ended(child), len(shell.facts("cancelled")))


def is_gone(group: int) -> bool:
    """Whether a group of processes ends; killed ones may take a moment. What is left is killed."""
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    os.killpg(group, signal.SIGKILL)
    return False


def test_interrupted_command_that_ignores_it_is_killed(shell: Shell, terminal: Terminal) -> None:
    """After Ctrl-C nothing of the command is left, even if it traps every signal that can be trapped."""
    command = "trap '' INT TERM; echo $$ > pid; while :; do sleep 0.1; done"
    child = terminal(*arguments(shell, call("shell", command=command), final("Done.")))
    child.expect(QUESTION)
    child.sendline("y")
    child.expect("running shell")
    while not (shell.folder / "pid").exists() or not (group := (shell.folder / "pid").read_text()):
        time.sleep(0.05)
    child.send("\x03")
    code = ended(child)
    assert (130, True) == (code, is_gone(int(group)))


def test_interrupt_ends_all_commands_of_a_turn(shell: Shell, terminal: Terminal) -> None:
    """Ctrl-C ends calls that run side by side too, and the program does not wait for their time limit."""
    (shell.folder / "agent.yaml").write_text("dialect: native\ntools: [shell]\n")
    calls = [
        {"id": name, "type": "function", "function": {"name": "shell", "arguments": json.dumps({"command": command})}}
        for name, command in (
            ("a", "echo $$ > a; sleep 3600"),
            ("b", "trap '' TERM; echo $$ > b; sleep 3600; sleep 3600"),
        )
    ]
    script = shell.script({"content": None, "tool_calls": calls}, final("Done."))
    child = terminal("run", "Go", "--sessions", str(shell.sessions), "--script", script, "--agent", "agent.yaml")
    while child.expect([QUESTION, "running shell"]) == 0:
        child.sendline("y")
    groups = [shell.folder / name for name in "ab"]
    while not all(path.exists() and path.read_text() for path in groups):
        time.sleep(0.05)
    child.send("\x03")
    child.expect(pexpect.EOF)
    child.wait()
    assert (130, [True, True]) == (child.exitstatus, [is_gone(int(path.read_text())) for path in groups])


def test_interrupt_at_the_question_cancels_the_run(shell: Shell, terminal: Terminal) -> None:
    """Ctrl-C at the question ends the run without running the call."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("Done.")))
    child.expect(QUESTION)
    child.send("\x03")
    assert (130, False) == (ended(child), (shell.folder / "made").exists())


@pytest.mark.parametrize("keys", ["\x04", "y\x04\x04"])
def test_end_of_input_at_the_question_refuses_the_call(shell: Shell, terminal: Terminal, keys: str) -> None:
    """Ctrl-D is no answer, also after a word that was not sent, and the run goes on without the call."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    child.expect(QUESTION)
    child.send(keys)
    code = ended(child)
    answers = [(event["approved"], event["reason"]) for event in shell.facts("approval")]
    assert (0, [(False, "the question was not answered")]) == (code, answers)
    assert not (shell.folder / "made").exists()


def test_other_words_are_asked_again(shell: Shell, terminal: Terminal) -> None:
    """Nothing but a clear yes runs a call."""
    child = terminal(*arguments(shell, call("shell", command="touch made"), final("I did not.")))
    for word in ("", "yess", "ok", "y not really", "n"):
        child.expect(QUESTION)
        child.sendline(word)
    assert (0, False) == (ended(child), (shell.folder / "made").exists())


def test_without_a_terminal_the_call_is_refused(shell: Shell) -> None:
    """Where nobody can be asked, the call is refused with that reason."""
    result = shell.scripted(call("shell", command="touch made"), final("I could not."), options=SHELL, input="y\n")
    reasons = [event["reason"] for event in shell.facts("approval")]
    assert (0, ["nobody can be asked: there is no terminal"]) == (result.returncode, reasons)


def test_hostile_call_is_shown_as_text(shell: Shell, terminal: Terminal) -> None:
    """A call cannot hide itself: escape sequences and direction marks in its arguments are spelled out."""
    child = terminal(*arguments(shell, call("shell", command=HOSTILE), final("Done.")), env={"NO_COLOR": "1"})
    child.expect(QUESTION)
    shown = child.before or ""
    child.sendline("q")
    ended(child)
    found = [mark for mark in ("\x07", "\x1b]0;owned", "\x9b", "\u202e") if mark in shown]
    assert ([], True) == (found, "\\u001b]0;owned\\u0007" in shown)


def test_hostile_output_is_shown_as_text(shell: Shell) -> None:
    """Model and tool text is neither obeyed nor read as markup, on stdout and on stderr."""
    result = shell.scripted(call("echo", text=HOSTILE), final(HOSTILE), options=("--stream",), tools="echo")
    assert (f"{SHOWN}\n", True) == (result.stdout, f"result     {SHOWN}" in result.stderr)


def test_hostile_text_is_safe_in_json_and_still_whole(shell: Shell) -> None:
    """With --json odd characters are escaped, and the value is the same."""
    result = shell.scripted(final(HOSTILE), options=("--json",))
    assert (HOSTILE, []) == (json.loads(result.stdout)["answer"], [c for c in "\x1b\x9b\u202e" if c in result.stdout])


def test_hostile_replay_is_shown_as_text(shell: Shell) -> None:
    """A log from elsewhere is printed as safely as a run."""
    shell.scripted("\x1b[2J", final(HOSTILE))
    said = shell("replay", str(shell.session())).stdout
    assert (False, True) == ("\x1b" in said, f"answer     {SHOWN}" in said)


def colours(shell: Shell, terminal: Terminal, **env: str) -> bool:
    """Whether a run on a terminal is coloured."""
    child = terminal("run", "Go", "--sessions", str(shell.sessions), "--script", shell.script(final("Yes.")), env=env)
    ended(child)
    return "\x1b[3" in (child.before or "") or "\x1b[2m" in (child.before or "")


def test_no_color_is_honoured(shell: Shell, terminal: Terminal) -> None:
    """A terminal gets colour, and none with NO_COLOR."""
    coloured = {"chat": colours(shell, terminal)}
    failing = shell.script("nonsense", "nonsense")
    child = terminal("run", "Go", "--sessions", str(shell.sessions), "--script", failing, env={"NO_COLOR": "1"})
    ended(child)
    assert (True, False) == (coloured["chat"], "\x1b[3" in (child.before or ""))


def test_pipes_get_no_colour(shell: Shell) -> None:
    """What goes to a pipe holds no escape sequence."""
    result = shell.scripted("nonsense", "nonsense")
    assert "\x1b" not in result.stderr + result.stdout


def test_chat_on_a_terminal_ends_with_the_end_of_input(shell: Shell, terminal: Terminal) -> None:
    """Queries are typed after a prompt; Ctrl-C drops a line, Ctrl-D ends."""
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", shell.script(final("One."), final("Two.")))
    child.expect("> ")
    child.sendline("first")
    child.expect("One.")
    child.expect("> ")
    child.send("dropped\x03")
    child.expect("> ")
    child.sendline("second")
    child.expect("Two.")
    child.expect("> ")
    child.send("\x04")
    asked = [event["content"] for event in shell.facts("user_message")]
    assert (0, ["first", "second"]) == (ended(child), asked)
