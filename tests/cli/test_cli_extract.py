"""`purestep extract`: the output on stdout, and each fault as one line with its exit code."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell

TEXT = "Anna Kurz wrote to Tom."


def extract(shell: Shell, *outputs: Any, text: str = TEXT, target: str = "name", **more: Any) -> Any:
    """Extract with a scripted model."""
    script = ("--script", shell.script(*outputs))
    return shell("extract", "--text", text, "--target", target, *script, **more)


def test_output_of_the_skill_is_printed_as_json(shell: Shell) -> None:
    """After the one correction that the first output needed."""
    result = extract(shell, "Anna and Tom", '{"name": ["Tom"]}')
    assert (0, {"name": ["Tom"]}, "") == (result.returncode, json.loads(result.stdout), result.stderr)


def test_text_is_read_from_stdin(shell: Shell) -> None:
    """For texts that no command line takes."""
    result = extract(shell, '{"name": ["Tom"]}', text="-", input=TEXT)
    assert {"name": ["Tom"]} == json.loads(result.stdout), result.stderr


def test_form_needs_no_model(shell: Shell) -> None:
    """None is loaded: the file that is named is none."""
    file = shell.folder / "none.gguf"
    file.write_text("no model")
    where = ("--model", str(file))
    result = shell("extract", "--text", "Write to (bob@mail.example).", "--target", "email", *where)
    assert (0, {"email": ["bob@mail.example"]}) == (result.returncode, json.loads(result.stdout)), result.stderr


@pytest.mark.parametrize(
    ("given", "outputs", "exit_code", "said"),
    [
        ({"target": "phone"}, (), 2, "expected target"),
        ({"text": " "}, (), 2, "expected text"),
        ({}, ("no", "no"), 3, "expected one JSON object"),
        ({}, ('{"names": []}', '{"name": 1}'), 3, "expected an array"),
        ({}, ('{"name": ["Zed"]}', '{"name": ["Zed"]}'), 3, "the text does not hold"),
        ({}, ("no",), 7, "the model gave no answer"),
    ],
)
def test_fault_is_one_line_and_an_exit_code(
    shell: Shell, given: dict[str, str], outputs: tuple[str, ...], exit_code: int, said: str
) -> None:
    """Nothing is printed on stdout then."""
    result = extract(shell, *outputs, **given)
    assert (exit_code, "", 1) == (result.returncode, result.stdout, result.stderr.count("\n"))
    assert said in result.stderr
