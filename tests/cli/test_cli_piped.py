"""What is piped into `run` joins the question, as data."""

import os
import subprocess
from pathlib import Path

import pytest

from purestep_hosts.cli.piped import MAX_PIPED_BYTES
from tests.cli.conftest import Shell, final


def ask(shell: Shell, *options: str) -> tuple[str, ...]:
    """The arguments of a question to a script."""
    return ("run", "What failed?", "--sessions", str(shell.sessions), "--script", shell.script(final("Yes.")), *options)


def asked(shell: Shell) -> list[str]:
    """The user's messages of the newest session."""
    return [event["content"] for event in shell.facts("user_message")]


def came_along(shell: Shell) -> list[str]:
    """What came along with the user's messages of the newest session."""
    return [each["text"] for event in shell.facts("user_message") for each in event.get("data", ())]


def test_piped_text_comes_along_with_the_question(shell: Shell) -> None:
    """The question stands alone; the model reads the data framed after it."""
    assert 0 == shell(*ask(shell), input="Grüße\nit failed\n").returncode
    assert (["What failed?"], ["Grüße\nit failed"]) == (asked(shell), came_along(shell))
    assert [{"text": "Grüße\nit failed", "name": "stdin"}] == shell.facts("user_message")[0]["data"]


def test_files_join_and_nothing_joins_without_data(shell: Shell, tmp_path: Path) -> None:
    """A file on stdin is read like a pipe; an empty pipe and /dev/null leave the question as it is."""
    (tmp_path / "log.txt").write_text("it failed")
    with (tmp_path / "log.txt").open() as file:
        shell(*ask(shell), stdin=file)
    assert ["it failed"] == came_along(shell)
    for options in ({"input": " \n"}, {"stdin": subprocess.DEVNULL}):
        shell(*ask(shell), **options)
        assert (["What failed?"], []) == (asked(shell), came_along(shell))


def test_built_in_model_is_said_to_be_too_small(shell: Shell) -> None:
    """Before it is asked; a script, a server and a quiet run have no such row."""
    none = ("--agent", "none.json")
    ways = (none, (*none, "--quiet"), (*none, "--base-url", "http://127.0.0.1:9/v1"), (*none, "--script", "no.jsonl"))
    said = [shell("run", "What failed?", *options, input="it failed\n").stderr for options in ways]
    assert [True, False, False, False] == ["the built-in model is too small" in text for text in said]


WRONG = [
    ({"input": "x" * (MAX_PIPED_BYTES + 1)}, "more than 262,144 bytes are piped in"),
    ({"input": "\udcff", "errors": "surrogateescape"}, "what is piped in is not UTF-8 (byte 1)"),
]


@pytest.mark.parametrize(("options", "said"), WRONG)
def test_unusable_data_is_told(shell: Shell, options: dict[str, str], said: str) -> None:
    """Nothing is cut in silence; the message says what to do."""
    result = shell(*ask(shell), **options)
    assert (2, True) == (result.returncode, said in result.stderr), result.stderr


def test_open_pipe_that_stays_silent_does_not_hang(shell: Shell) -> None:
    """A program that was started with a pipe nobody writes to asks without it, and says so."""
    reader, writer = os.pipe()
    try:
        result = shell(*ask(shell), stdin=reader)
    finally:
        os.close(reader)
        os.close(writer)
    assert (0, ["What failed?"], True) == (result.returncode, asked(shell), "nothing came in 3 s" in result.stderr)
