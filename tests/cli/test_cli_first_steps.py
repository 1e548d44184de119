"""What the command says to somebody who is new: without arguments, in its help, and about a wrong command line."""

import re

import pytest

from tests.cli.conftest import Shell, Terminal, ended


def test_bare_command_says_what_to_do_in_five_lines(shell: Shell) -> None:
    """Nothing after the name is no error: stdout names the first commands to try."""
    result = shell()
    lines = result.stdout.splitlines()
    assert (0, "", 5) == (result.returncode, result.stderr, len(lines))
    assert [] == [word for word in ('"What is', "chat", "models", "help") if f"purestep {word}" not in result.stdout]


pytestmark = pytest.mark.filterwarnings("ignore:.*forkpty:DeprecationWarning")


@pytest.mark.parametrize("columns", ["80", "40"])
@pytest.mark.parametrize("command", [("--help",), ("skills", "--help"), ("skills",)])
def test_lists_of_commands_have_whole_lines(shell: Shell, command: tuple[str, ...], columns: str) -> None:
    """No line of a list of commands breaks off, however narrow the terminal is, and every sentence in it ends."""
    result = shell(*command, env={"COLUMNS": columns})
    groups = [group for group in result.stdout.split("\n\n")[2:] if re.match(r"[A-Z].*:\n  (?!-)", group)]
    sentences = [each for group in groups for each in re.split(r"\n  (?=\S)", group.rstrip())[1:]]
    assert (0, True) == (result.returncode, len(sentences) > 1)
    assert [] == [each for each in sentences if each.endswith("...") or not each.endswith(".")]


@pytest.mark.parametrize("columns", ["40", "100"])
def test_tables_break_no_word(shell: Shell, terminal: Terminal, columns: str) -> None:
    """Where the columns are too narrow for their words, a row's cells stand below its name."""
    child = terminal("tools", env={"COLUMNS": columns, "NO_COLOR": "1"})
    assert 0 == ended(child)
    words = (child.before or "").split()
    assert [] == [word for word in ("arithmetic", "default", "named", "expression") if not has_word(words, word)]


def has_word(words: list[str], word: str) -> bool:
    """Whether a word stands whole among others, whatever sign follows it."""
    return any(each.rstrip(",;.") == word for each in words)


WRONG = [
    (("run", "Go", "--max-turns", "many"), "--max-turns: expected a whole number; see purestep run --help"),
    (("run", "Go", "--max-turns", "0"), "--max-turns: expected at least 1; see purestep run --help"),
    (("run", "Go", "--timeout", "99999999"), "--timeout: expected at most 86400; see purestep run --help"),
    (
        ("run", "Go", "--approve", "maybe"),
        "--approve: expected one of 'ask', 'all', 'none'; got 'maybe'; see purestep run --help",
    ),
    (
        ("run", "What", "failed?"),
        "more than expected: failed?; put a text of several words in quotes; see purestep run --help",
    ),
    (("run", "Go", "--tools"), "--tools needs a value; see purestep run --help"),
    (("run", "Go", "--tolos", "x"), "there is no option --tolos (near it: --root, --tools); see purestep run --help"),
    (("run", "Go", "-z"), "there is no option -z; see purestep run --help"),
    (("ru",), "there is no command ru; did you mean run?"),
    (
        ("nonsense",),
        "there is no command nonsense; purestep help lists them, and purestep run nonsense asks that",
    ),
    (("extract",), "--text is missing; see purestep extract --help"),
    (("replay",), "LOG is missing; see purestep replay --help"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_wrong_command_line_is_told_in_plain_words(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    """The words are this program's, not those of the library that reads the arguments."""
    result = shell(*arguments)
    assert (2, f"purestep: {said}\n") == (result.returncode, result.stderr)
