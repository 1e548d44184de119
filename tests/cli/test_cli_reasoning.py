"""Reasoning on the command line: a short row on stderr, all of it with --reasoning, never on stdout."""

import json

import pytest

from tests.cli.conftest import Shell

THOUGHT = "The user wants a sum.\n\nI add 17 and 25, which is 42, and I say so. \x1b]0;owned\x07 Nothing else is asked."
OUTPUT = f"<think>{THOUGHT}</think>It is 42."
OPTIONS = ("--dialect", "tool_tags")


def rows(stderr: str) -> list[str]:
    """The rows of reasoning."""
    return [line for line in stderr.split("\n") if line.startswith("reasoning")]


def test_reasoning_is_folded_to_a_row(shell: Shell) -> None:
    """Its first words and its length stand on stderr, and the answer alone on stdout."""
    result = shell.scripted(OUTPUT, options=OPTIONS)
    assert (0, "It is 42.\n") == (result.returncode, result.stdout)
    assert [f"reasoning  The user wants a sum. I add 17 and … {len(THOUGHT)} characters (--reasoning)"] == rows(
        result.stderr
    )


def test_reasoning_is_shown_whole(shell: Shell) -> None:
    """--reasoning shows all of it, as text that no terminal obeys."""
    result = shell.scripted(OUTPUT, options=(*OPTIONS, "--reasoning"))
    assert (0, "It is 42.\n") == (result.returncode, result.stdout)
    assert "reasoning  The user wants a sum.\n           \n           I add 17 and 25," in result.stderr
    assert "\\x1b]0;owned\\x07 Nothing else is asked.\n" in result.stderr
    assert "\x1b" not in result.stderr


def test_reasoning_before_a_call_is_shown_before_it(shell: Shell) -> None:
    """Each output has its own row, in the order in which things happen."""
    called = '<think>I echo.</think>[TOOL_CALL]{"name":"echo","args":{"text":"hello"}}[/TOOL_CALL]'
    result = shell.scripted(called, "<think>Done</think>It said hello.", tools="echo", options=OPTIONS)
    labels = [line.split()[0] for line in result.stderr.split("\n") if line.strip()]
    assert "reasoning  I echo." in result.stderr
    assert ["model", "reasoning", "call", "result", "reasoning", "done"] == [
        label for label in labels if label in ("reasoning", "model", "call", "result", "done")
    ]


@pytest.mark.parametrize("thought", ["", " \n ", "\u200b"])
def test_empty_reasoning_has_no_row(shell: Shell, thought: str) -> None:
    """Models that were told not to think write empty tags; a row of nothing visible is escaped."""
    result = shell.scripted(f"<think>{thought}</think>It is 42.", options=OPTIONS)
    assert (["reasoning  \\u200b"] if thought.strip() else []) == rows(result.stderr)


@pytest.mark.parametrize("options", [("--quiet",), ("--quiet", "--reasoning")])
def test_quiet_shows_no_reasoning(shell: Shell, options: tuple[str, ...]) -> None:
    """Only failures and questions are shown then."""
    result = shell.scripted(OUTPUT, options=(*OPTIONS, *options))
    assert ("It is 42.\n", "") == (result.stdout, result.stderr)


def test_json_holds_the_answer_alone(shell: Shell) -> None:
    """What programs read has no reasoning in it."""
    result = shell.scripted(OUTPUT, options=(*OPTIONS, "--json", "--reasoning"))
    outcome = json.loads(result.stdout)
    assert "It is 42." == outcome["answer"]
    made = {"session", "head", "usage"}  # of time and chance, or counts alone
    assert not any("reason" in name or "17" in str(value) for name, value in outcome.items() if name not in made)
    assert 1 == len(rows(result.stderr))


@pytest.mark.parametrize("options", [(), ("--reasoning",)])
def test_replay_shows_reasoning_as_it_was_shown_live(shell: Shell, options: tuple[str, ...]) -> None:
    """In the same rows, folded or whole, also that of outputs which were sent back; of a damaged log there is none."""
    called = '<think>I echo what was asked for, word by word, once.</think>[TOOL_CALL]{"name":"echo"}[/TOOL_CALL]'
    live = shell.scripted(called, OUTPUT, tools="echo", options=(*OPTIONS, *options))
    told = [line for line in live.stderr.split("\n") if line.startswith("reasoning")]
    log = shell.session() / "log.jsonl"
    replayed = shell("replay", str(log), *options)
    assert (2, told) == (len(told), rows(replayed.stdout))
    log.write_text(log.read_text("utf-8").replace("I echo", "We echo"), "utf-8")
    assert [] == rows(shell("replay", str(log), *options).stdout)
