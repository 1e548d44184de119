"""What is done for the model: the level of the definition."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Shell, final


def definition(shell: Shell) -> dict[str, Any]:
    """Return the definition in the newest session's log."""
    return shell.events()[0]["agent"]


def scripted(shell: Shell, query: str, *options: str) -> Any:
    """Ask a model that gives one answer."""
    script = shell.script(final("from the script"))
    return shell("run", query, "--sessions", str(shell.sessions), "--script", script, *options)


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
    """The option takes the two levels only."""
    result = scripted(shell, "Hello", "--carry", "full")
    assert (2, True) == (result.returncode, "--carry" in result.stderr)
