"""The rows of a run on a terminal: few, in words of people, and none that a program in a pipe would not want."""

import json
import re
import shutil
from typing import Any

import pytest

from tests.cli.conftest import Shell, Terminal, call, ended, final
from tools.pages.terminal import ScreenOf

# The test runner has threads of its own; the child does nothing but start the program.
pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

BUSY = {"type": "model_error", "code": "unavailable", "message": "All seats are taken.", "retryable": True}
BUSY |= {"retry_after_ms": 10}


def told(shell: Shell, *outputs: Any) -> tuple[str, ...]:
    """The options of a scripted run."""
    return ("--sessions", str(shell.sessions), "--script", shell.script(*outputs))


def rows_of(written: str) -> list[str]:
    """The rows that the terminal of the tests shows at the end, without seconds and the session's id."""
    rows = ScreenOf(written, 40, 100).text()
    return [re.sub(r"\d+\.\d s", "N s", re.sub(r"[0-9a-f]{6}$", "ID", row)) for row in rows]


def test_rows_of_an_answer(shell: Shell, terminal: Terminal) -> None:
    """The model, the call with its arguments, its result, the answer, what was changed, and what it took."""
    child = terminal("What is it?", *told(shell, call("calculate", a=17, b=25, operation="plus"), final("It is 42.")))
    assert 0 == ended(child)
    assert [
        "  script",
        "\u2022 calculate a=17 b=25 operation=plus",
        "  42",
        "",
        "It is 42.",
        "",
        "  nothing was changed",
        "  2 turns, 1 call, N s, session ID",
    ] == rows_of(child.before or "")


def test_words_before_a_call_are_no_false_answer(shell: Shell, terminal: Terminal) -> None:
    """What a model says while it works stays above the call, without a warning; a pipe has it as a row."""
    function = {"name": "echo", "arguments": json.dumps({"text": "hello"})}
    called = {"content": "Let me see.", "tool_calls": [{"id": "a", "type": "function", "function": function}]}
    options = (*told(shell, called, {"content": "Done."}), "--tools", "echo", "--dialect", "native")
    child = terminal("Say hello to me", *options)
    assert 0 == ended(child)
    assert ["", "Let me see.", "\u2022 echo text=hello"] == rows_of(child.before or "")[1:4]
    piped = shell("run", "Go", *options)
    assert ("Done.\n", "says       Let me see.") == (piped.stdout, piped.stderr.splitlines()[1])


def test_sentence_of_a_failing_model_stands_once(shell: Shell, terminal: Terminal) -> None:
    """However often it is asked again, and also in the row that says that the run has failed."""
    child = terminal("Are you there?", *told(shell, *[BUSY] * 9))
    assert 7 == ended(child)
    rows = rows_of(child.before or "")
    assert 1 == "\n".join(rows).count("All seats are taken.")
    assert "! failed  the model gave no answer, also when it was asked again" in rows


def test_interrupt_is_one_row(shell: Shell, terminal: Terminal) -> None:
    """Ctrl-C in a tool: what may have been done, and one row with how to go on."""
    child = terminal("Wait for me", *told(shell, call("shell", command="sleep 3600")), "--tools", "shell", "--yes")
    child.expect("running shell")
    written = f"{child.before}{child.after}"
    child.send("\x03")
    assert 130 == ended(child)
    done, stopped, *rest = rows_of(written + (child.before or ""))[3:]
    assert '! changed  shell command="sleep 3600" (nobody knows whether it was done)' == done
    assert "! stopped  1 turn, 1 call, N s; go on with purestep run --resume " == stopped[: stopped.index("resume") + 7]
    assert ["QUERY"] == "".join(rest).split()[-1:]


def test_chat_opens_with_its_model_its_tools_and_how_to_leave(shell: Shell, terminal: Terminal) -> None:
    """Before anything is typed; the first question does not name the model again."""
    child = terminal("chat", *told(shell, final("Hello.")))
    child.expect("> ")
    opened = child.before or ""
    child.sendline("hi")
    child.expect("Hello")
    child.expect("> ")
    after = child.before or ""
    child.sendline("quit")
    assert 0 == ended(child)
    assert [
        "  script",
        "  tools  add_days, calculate, count_words, days_between and 7 more",
        "  /help lists the commands; Ctrl-D or /quit leaves",
    ] == rows_of(opened)
    assert "script" not in after


def test_pipe_that_is_read_no_further_is_silent(shell: Shell, terminal: Terminal) -> None:
    """`| head -1` prints that line, and the terminal nothing else: no progress, no traceback, no word of the pipe."""
    answer = "".join(f"line {number}\n" for number in range(30_000))
    child = terminal("Count for me", *told(shell, call("today"), final(answer)), within='"$@" | head -1')
    ended(child)
    assert ["line 0"] == rows_of(child.before or "")


def test_a_program_that_reads_the_answer_leaves_what_was_changed(shell: Shell, terminal: Terminal) -> None:
    """Where only stderr is a terminal, what was done and what went wrong stand there."""
    noted = call("session_note_append", note="keys")
    options = told(shell, BUSY, noted, final("I noted it."))
    child = terminal("Note that", *options, "--tools", "session_note_append", within='"$@" | cat')
    assert 0 == ended(child)
    assert [
        "! no answer  All seats are taken. (asked again in N s)",
        "I noted it.",
        "  changed  session_note_append note=keys",
    ] == sorted(rows_of(child.before or ""), key=lambda row: "!I ".index(row[0]))


def test_long_lines_of_errors_are_broken_between_words(shell: Shell, terminal: Terminal) -> None:
    """On a terminal; a pipe has one line."""
    child = terminal("run", "--model", "nothing-that-is-known", "Hello")
    assert 2 == ended(child)
    words = [word for row in rows_of(child.before or "") for word in row.split()]
    assert "SERVER:nothing-that-is-known," in words


def interrupted(shell: Shell, terminal: Terminal) -> Any:
    """Ask in a chat, and press Ctrl-C while the model is loaded."""
    child = terminal("chat", "--sessions", str(shell.sessions))
    child.expect("> ")
    child.sendline("Hello")
    child.expect("loading")
    child.send("\x03")
    return child


def test_interrupt_while_the_model_is_loaded_leaves_the_chat_open(shell: Shell, terminal: Terminal) -> None:
    """Nothing was asked yet: one row says so, and the next line is a new question."""
    child = interrupted(shell, terminal)
    while child.expect(["nothing was asked", "0 turns"]):  # a busy machine may bring the key once it is loaded
        child.expect("> ")
        child.sendline("/quit")
        ended(child)
        shutil.rmtree(shell.sessions)
        child = interrupted(shell, terminal)
    child.expect("> ")
    child.sendline("/quit")
    assert (0, False) == (ended(child), shell.sessions.exists())


def test_sessions_are_listed_by_their_short_ids(shell: Shell, terminal: Terminal) -> None:
    """On a terminal, where a person types one; a program gets whole ids."""
    shell.scripted("nonsense", "nonsense")
    session, options = shell.session().name, ("--sessions", str(shell.sessions))
    child = terminal("sessions", *options)
    assert 0 == ended(child)
    (row,) = rows_of(child.before or "")[1:]
    assert (session[-6:], True, True) == (row.split()[0], "failed: parse error" in row, row.endswith("Go"))
    assert [session, "failed: parse_error"] == shell("sessions", *options).stdout.split("\t")[:3:2]
    assert 0 == shell("replay", row.split()[0], *options).returncode
