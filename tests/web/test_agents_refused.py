"""Agents that call others do not run in JavaScript yet: a definition that names some is refused in words."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def ended(node: str, package: Path) -> list[dict[str, Any]]:
    """Return what definitions end with: one with an agent, and three without."""
    desk = {"agents": {"desk": {"agent": {}}}}
    given = [desk, {"agents": {}}, {}, {"instructions": 'Say "agents".'}]
    lines = "".join(json.dumps(definition) + "\n" for definition in given)
    run = subprocess.run([node, HERE / "agents_refused.mjs"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_agents_are_refused_before_the_model_is_asked(ended: list[dict[str, Any]]) -> None:
    """The core would hand out a run that no part of this host carries out."""
    assert (ended[0]["code"], ended[0]["path"]) == ("invalid_agent", "/agents")
    assert "in Python" in ended[0]["message"]


def test_other_definitions_run(ended: list[dict[str, Any]]) -> None:
    """Also one that only has the word in a text, and one that names no agent."""
    assert [each.get("type") for each in ended[1:]] == ["done"] * 3
