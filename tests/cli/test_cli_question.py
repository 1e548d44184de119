"""A model that asks back: the question is the output, and the command says how to reply."""

import json

from tests.cli.conftest import Shell


def _agent(shell: Shell) -> str:
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({"dialect": "compact"}), "utf-8")
    return str(path)


ASKED = '{"ask": "For how long?"}'


def test_a_question_is_printed_with_how_to_reply(shell: Shell) -> None:
    """The question alone is on stdout, and a row has the command that replies."""
    result = shell.scripted(ASKED, options=("--agent", _agent(shell)))
    assert (0, "For how long?\n") == (result.returncode, result.stdout), result.stderr
    assert f"reply      purestep run --resume {shell.session().name[-6:]} " in result.stderr
    replayed = shell("replay", str(shell.sessions / shell.session().name), "--sessions", str(shell.sessions))
    assert "question   For how long?" in replayed.stdout, replayed.stderr


def test_json_tells_a_question_from_an_answer(shell: Shell) -> None:
    """A program sees that the user is asked for something; an answer has no such member."""
    options = ("--agent", _agent(shell), "--json")
    asked, answered = (shell.scripted(output, options=options) for output in (ASKED, '{"answer": "Done."}'))
    assert [True, None] == [json.loads(each.stdout).get("question") for each in (asked, answered)]
