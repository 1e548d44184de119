"""Text that was shown and proves to be reasoning: cleared from a terminal, and never sent to a pipe."""

import re
from collections.abc import Callable

import pytest

from tests.cli.conftest import PATIENCE_S, Shell, Terminal, ended
from tools.pages.terminal import ScreenOf

pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")

ROWS, COLUMNS = 40, 100  # those of the terminal that tests start
THOUGHT = "The user asks for a city.\n\nThat would be one of many: " + "Oslo, " * 40 + "\u6771\u4eac \U0001f600 " * 20
ANSWER = "It is Paris.\nIn France."
FOLDED = "  reasoning  The user asks for a city. That … 393 characters (--reasoning)"

Start = Callable[..., list[str]]


@pytest.fixture
def screen(shell: Shell, terminal: Terminal) -> Start:
    """Run outputs on a terminal: a function from them to the rows that are left on the screen at the end."""

    def shown(*outputs: str, options: tuple[str, ...] = (), **env: str) -> list[str]:
        told = ("--sessions", str(shell.sessions), "--script", shell.script(*outputs), "--dialect", "tool_tags")
        child = terminal("run", "Go", *told, *options, env=env)
        assert 0 == ended(child)
        return ScreenOf(child.before or "", ROWS, COLUMNS).text()

    return shown


def between(rows: list[str]) -> list[str]:
    """Return the rows between the one that names the model and those that say what was done and what it took."""
    assert ("  script", "  nothing was changed", "  1 turn") == (*(rows[0], rows[-2]), rows[-1].partition(",")[0])
    return rows[1:-2]


def test_screen_without_reasoning_is_the_measure(screen: Start) -> None:
    """The answer stands on the screen, set off from the talk."""
    assert ["", "It is Paris.", "In France.", ""] == between(screen(ANSWER))


def test_reasoning_is_cleared_from_the_terminal(screen: Start) -> None:
    """What was shown of the reasoning is gone from the screen, over all the rows that it took; a short row is left."""
    assert ["", FOLDED, "", "It is Paris.", "In France.", ""] == between(screen(f"{THOUGHT}</think>{ANSWER}"))


def test_reasoning_that_ends_a_row_is_cleared(screen: Start) -> None:
    """A row that is exactly full, and a line that has ended, take no row above with them."""
    for thought in ("x" * COLUMNS, "x" * COLUMNS * 2 + "\n", "\tx\n"):
        rows = between(screen(f"{thought}</think>{ANSWER}"))
        assert (True, ["", "It is Paris.", "In France.", ""]) == (rows[1].startswith("  reasoning  x"), rows[2:])


def test_reasoning_longer_than_the_screen_is_told_of(screen: Start) -> None:
    """What scrolled out of sight cannot be cleared, so it is said to be no answer; the screen itself is clear."""
    rows = screen("".join(f"thought {number}\n" for number in range(60)) + f"</think>{ANSWER}")
    assert [] == [row for row in rows if row.startswith("thought")]
    assert "! note  what scrolled out of sight above is not the answer" in rows
    assert ["It is Paris.", "In France."] == rows[-5:-3]


def test_reasoning_that_was_shown_is_shown_while_it_comes(shell: Shell, terminal: Terminal) -> None:
    """The text is there before it is taken back; with --no-stream it never is."""
    told = ("--sessions", str(shell.sessions), "--script", shell.script(f"{THOUGHT}</think>{ANSWER}"))
    for option, expected in (("--stream", True), ("--no-stream", False)):
        child = terminal("run", "Go", *told, "--dialect", "tool_tags", option)
        ended(child)
        assert expected == ("one of many" in (child.before or ""))


def test_terminal_that_cannot_clear_shows_the_answer_alone(screen: Start) -> None:
    """Where nothing can be taken back, text is held until it is certain."""
    assert [FOLDED, "It is Paris.", "In France."] == [
        row for row in screen(f"{THOUGHT}</think>{ANSWER}", TERM="dumb")[1:-2] if row
    ]


@pytest.mark.parametrize("option", ["--stream", "--no-stream"])
def test_pipe_gets_the_answer_alone(shell: Shell, option: str) -> None:
    """A pipe cannot take anything back: it gets the answer once, when it is certain."""
    result = shell.scripted(f"{THOUGHT}</think>{ANSWER}", options=("--dialect", "tool_tags", option))
    assert (0, f"{ANSWER}\n") == (result.returncode, result.stdout)


def test_pipe_gets_no_text_that_stood_before_a_call(shell: Shell) -> None:
    """Text beside a call is no answer."""
    called = 'Let me see. [TOOL_CALL]{"name":"echo","args":{"text":"hello"}}[/TOOL_CALL]'
    result = shell.scripted(called, "Done.", tools="echo", options=("--dialect", "tool_tags", "--stream"))
    assert (0, "Done.\n") == (result.returncode, result.stdout)


def test_chat_goes_on_below_the_answer(shell: Shell, terminal: Terminal) -> None:
    """In a talk, too, each answer is left alone on the screen."""
    outputs = shell.script(f"{THOUGHT}</think>One.", f"{THOUGHT}</think>Two.")
    child = terminal("chat", "--sessions", str(shell.sessions), "--script", outputs, "--dialect", "tool_tags")
    written = ""
    for query, answer in (("first", "One."), ("second", "Two.")):
        child.expect("> ", timeout=PATIENCE_S)
        written += (child.before or "") + "> "
        child.sendline(query)
        child.expect(re.escape(answer))
        written += (child.before or "") + answer
    child.expect("> ")
    written += (child.before or "") + "> "
    child.send("\x04")
    code = ended(child)
    rows = ScreenOf(written, ROWS, COLUMNS).text()
    assert (0, [FOLDED, "One.", FOLDED, "Two."]) == (
        code,
        [row for row in rows if re.search(r"Oslo|city|\u6771|One|Two", row)],
    )
