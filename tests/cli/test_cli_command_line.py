"""What a command line means: a command, a question without one, or a slip that reaches no model."""

import json

import pytest

from tests.cli.conftest import Shell, final

QUESTIONS = [
    ("What is 17 plus 25?",),
    ("why?",),
    ("replay the last run",),
    ("17加25等于多少",),
    ("ما\u0627؟",),
    ("- what is this?",),
    ("--", "-1 + 3"),
]


@pytest.mark.parametrize("words", QUESTIONS)
@pytest.mark.parametrize("options_first", [True, False])
def test_question_without_a_command_is_asked(shell: Shell, words: tuple[str, ...], options_first: bool) -> None:
    """A blank, a question mark or an ideograph makes a question of a first argument, with options on either side."""
    options = ("--script", shell.script(final("Yes.")), "--sessions", str(shell.sessions))
    result = shell(*options, *words) if options_first or words[0] == "--" else shell(*words, *options)
    assert (0, "Yes.\n") == (result.returncode, result.stdout), result.stderr
    assert [words[-1]] == [event["content"] for event in shell.facts("user_message")]


SLIPS = [
    (("repaly", "last"), "there is no command repaly; did you mean replay?"),
    (("Run",), "there is no command Run; did you mean run?"),
    (("What", "is", "this"), 'there is no command What; a question stands in quotes: purestep "What is this"'),
    (("--quiet", "repaly"), "there is no command repaly; did you mean replay?"),
    (("--sessions", "here", "replay", "last"), "options stand after the command: purestep replay last --sessions here"),
    (("help", "repaly"), "there is no command repaly; purestep help lists them"),
]


@pytest.mark.parametrize(("arguments", "said"), SLIPS)
def test_slip_is_told_and_asks_nothing(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    """What is neither a command nor a question ends with the line that was meant."""
    result = shell(*arguments)
    assert (2, "", f"purestep: {said}\n") == (result.returncode, result.stdout, result.stderr)


@pytest.mark.parametrize("words", [(), ("run",), ("eval", "suite"), ("serve",)])
def test_help_of_a_command_is_what_its_option_prints(shell: Shell, words: tuple[str, ...]) -> None:
    """With the same usage line, also of a command in a group of its own."""
    assert shell(*words, "--help").stdout == shell("help", *words).stdout


def test_help_has_groups_and_no_exit_codes(shell: Shell) -> None:
    """The options of `run` stand in groups, those of a command with few in one; exit codes have a help of their own."""
    groups = [line for line in shell("help", "run").stdout.splitlines() if line.endswith(":") and line[0] != " "]
    few = [line for line in shell("help", "replay").stdout.splitlines() if line.endswith(":") and line[0] != " "]
    expected = ["Arguments:", "Model:", "Agent:", "Tools:", "Output:", "Session:", "Options:"]
    assert (expected, ["Arguments:", "Options:"]) == (groups, few)
    assert "  130  cancelled" in shell("help", "exit-codes").stdout
    assert "Exit codes" not in shell("help", "run").stdout


def _three_runs(shell: Shell) -> list[str]:
    for _ in range(3):
        shell.scripted(final("Yes."))
    return sorted(path.name for path in shell.sessions.iterdir())


@pytest.mark.parametrize("command", ["replay", "verify", "summary", "anchor", "rates", "redrive", "fork"])
def test_last_and_short_ids_name_a_log(shell: Shell, command: str) -> None:
    """`last` is the newest; the last part of an id, and any beginning that is unique, name one as its whole id does."""
    first, _, newest = _three_runs(shell)
    options = ("--sessions", str(shell.sessions))
    for name, meant in (("last", newest), (first[-6:], first), (newest[:-3], newest)):
        found = shell(command, name, *options)
        assert 0 == found.returncode, found.stderr
        if command in ("replay", "summary", "anchor", "rates"):
            assert shell(command, meant, *options).stdout == found.stdout
        if command == "fork":
            return


def test_last_is_continued(shell: Shell) -> None:
    """`--resume last` goes on with the newest session."""
    newest = _three_runs(shell)[-1]
    options = ("--sessions", str(shell.sessions), "--script", shell.script(final("Yes."), final("Again.")), "--json")
    result = shell("run", "And now?", "--resume", "last", *options)
    assert (newest, "Again.") == tuple(json.loads(result.stdout)[name] for name in ("session", "answer"))


def test_ambiguous_and_short_names_are_told(shell: Shell) -> None:
    """What several ids begin with is told with those, and less than four characters name none."""
    ids = _three_runs(shell)[::-1]
    many = shell("replay", ids[0][:8], "--sessions", str(shell.sessions))
    said = f"{ids[0][:8]!r} may be any of {', '.join(ids)}; give more of the id."
    assert (2, f"purestep: {said}\n") == (many.returncode, many.stderr)
    assert "neither a file nor a session" in shell("replay", ids[0][:3], "--sessions", str(shell.sessions)).stderr
    assert "There is no session 'last'" in shell("run", "--resume", "last", "--sessions", "none").stderr
