"""Fixtures to test agents with; pytest finds them once purestep-hosts is installed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from purestep_hosts.agents import Agent
    from purestep_hosts.models.scripted import Output, ScriptedModel
    from purestep_hosts.policy_diffs import Kind


@pytest.fixture
def scripted_model() -> Callable[..., ScriptedModel]:
    """Make models out of outputs: `scripted_model(calls("look_up", order=7), says("It is on its way."))`."""
    from purestep_hosts.models.scripted import ScriptedModel

    def make(*outputs: Output) -> ScriptedModel:
        return ScriptedModel(outputs)

    return make


@pytest.fixture
def assert_same_decisions() -> Callable[..., None]:
    """Drive recorded runs again: `assert_same_decisions("recorded", agent)` fails with the first decision that differs.

    Takes a log or a folder of logs, and the agent to drive them under; without one, the definitions of the logs.
    """
    return _assert_same_decisions


@pytest.fixture
def policy_changes() -> Callable[..., Counter[Kind]]:
    """Count what an agent decides otherwise than recorded runs: `policy_changes("recorded", agent)`.

    Takes a log or a folder of logs; gives how often each kind of difference is there, by `was`, `becomes` and `tool`.
    """
    return _policy_changes


def _policy_changes(place: str | Path, agent: Agent[Any]) -> Counter[Kind]:
    from purestep_hosts.policy_diffs import DiffTable, compared_logs, logs_at

    table = DiffTable()
    for each in compared_logs(logs_at(Path(place)), agent.definition.source):
        if each.diff is None:
            pytest.fail(f"{each.name} cannot be read: {each.problem}")
        table.add(each)
    if not table.logs:
        pytest.fail(f"{place} has no *.jsonl below it; expected recorded runs")
    return table.counts


def _assert_same_decisions(place: str | Path, agent: Agent[Any] | None = None) -> None:
    __tracebackhide__ = True
    from purestep import PurestepError, redrive
    from purestep_hosts.redriven_text import difference, log_paths

    folder = Path(place)
    paths = log_paths(folder) if folder.is_dir() else [folder]
    if not paths:
        pytest.fail(f"{folder} has no *.jsonl below it; expected recorded runs")
    found = []
    for path in paths:
        try:
            source = None if agent is None else agent.definition.source
            found.append(difference(str(path), redrive(path.read_bytes(), source)))
        except (OSError, PurestepError) as error:
            found.append(f"{path} cannot be read: {error}")
    differing = list(filter(None, found))
    if differing:
        pytest.fail("\n".join([*differing, f"{len(differing)} of {len(paths)} recorded runs differ"]))
