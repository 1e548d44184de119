"""How much is decided for the model: the level of the definition, and the rows of moves that no model was asked for."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell, final

SUPPORTS = ["tools", "json_schema", "grammar"]


def definition(shell: Shell) -> dict[str, Any]:
    """Give the definition in the newest session's log."""
    return shell.events()[0]["agent"]


def scripted(shell: Shell, query: str, *options: str) -> Any:
    """Ask a model that gives one answer."""
    script = shell.script(final("from the script"))
    return shell("run", query, "--sessions", str(shell.sessions), "--script", script, *options)


def test_carried_query_is_finished_without_the_model(shell: Shell) -> None:
    """With `route` each decided move has a row, the last line counts them, and the log has the level."""
    result = scripted(shell, "What is 17 plus 25?", "--carry", "route")
    assert (0, "42\n") == (result.returncode, result.stdout), result.stderr
    rows = [line.partition(" ")[0] for line in result.stderr.splitlines()]
    assert ["session", "decided", "call", "result", "verdict", "decided", "changed", "done"] == rows
    assert 2 == result.stderr.count("the model was not asked")
    assert "model calls: 0, decided without the model: 2" in result.stderr
    assert [{"name": "script", "carry": "route"}] == definition(shell)["models"]
    replayed = shell("replay", str(shell.session())).stdout
    assert 2 == replayed.count("the model was not asked")
    counts = json.loads(shell("summary", "--json", str(shell.session())).stdout)
    assert {"one_call": 1, "result": 1} == counts["decided"]


def test_resumed_session_keeps_its_level(shell: Shell) -> None:
    """A session that was begun with `route` goes on with it, whatever the default of its model is."""
    scripted(shell, "What is 17 plus 25?", "--carry", "route")
    script, session = shell.script(final("from the script")), shell.session().name
    result = shell(
        "run", "What is 8 times 7?", "--resume", session, "--script", script, "--sessions", str(shell.sessions)
    )
    assert (0, "56\n") == (result.returncode, result.stdout), result.stderr


@pytest.mark.parametrize(
    ("models", "options", "expected"),
    [
        (None, (), None),
        (None, ("--carry", "off"), None),
        ([{"name": "m"}], (), [{"name": "m"}]),
        ([{"name": "m", "carry": "ground"}], (), [{"name": "m", "carry": "ground"}]),
        ([{"name": "m", "carry": "ground"}], ("--carry", "off"), [{"name": "m", "carry": "off"}]),
        ([{"name": "m"}, {"name": "n"}], ("--carry", "ground"), [{"name": n, "carry": "ground"} for n in "mn"]),
    ],
)
def test_definition_holds_the_level(
    shell: Shell, models: list[Any] | None, options: tuple[str, ...], expected: list[Any] | None
) -> None:
    """An option is written to every model; without one a definition that names levels keeps them."""
    path = shell.folder / "agent.json"
    path.write_text(json.dumps({"tools": ["echo"], **({} if models is None else {"models": models})}))
    assert 0 == scripted(shell, "Who was Napoleon?", "--agent", str(path), *options).returncode
    assert expected == definition(shell).get("models")


def test_unknown_level_is_a_usage_error(shell: Shell) -> None:
    """The option takes the three levels only."""
    result = scripted(shell, "Hello", "--carry", "full")
    assert (2, True) == (result.returncode, "--carry" in result.stderr)


def test_prompt_of_a_decided_query_says_that_no_model_is_asked(shell: Shell) -> None:
    """`prompt` shows the call that is made instead, and where the prompt is to be seen."""
    carried = shell("prompt", "--carry", "route", "--tools", "calculator", "What is 17 plus 25?")
    assert (0, True, True) == (carried.returncode, '"17 + 25"' in carried.stdout, "--carry off" in carried.stdout)
    body = json.loads(shell("prompt", "--carry", "off", "--json", "What is 17 plus 25?").stdout)
    assert "What is 17 plus 25?" == body["messages"][-1]["content"]
