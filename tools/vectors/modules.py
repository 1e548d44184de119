"""The modules of scenarios, found by their place, and what they define together."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from .agents import AGENTS
from .observations import Scenario

FOLDER = Path(__file__).parent / "scenarios"


class ScenarioModule(NamedTuple):
    """A module with the folder and the name of its file of vectors."""

    folder: str
    name: str
    module: ModuleType

    def table(self, name: str) -> dict[str, Any]:
        """Return a table that the module may define."""
        found: dict[str, Any] = getattr(self.module, name, {})
        return found


@cache
def scenario_modules() -> tuple[ScenarioModule, ...]:
    """Return all modules, in the order of their paths."""
    return tuple(
        ScenarioModule(
            path.parent.name, path.stem, import_module(f"{__package__}.scenarios.{path.parent.name}.{path.stem}")
        )
        for path in sorted(FOLDER.glob("*/*.py"))
    )


@cache
def agents() -> dict[str, dict[str, Any] | None]:
    """Return every definition by its name."""
    return _joined("AGENTS", AGENTS)


@cache
def histories() -> dict[str, list[dict[str, Any]]]:
    """Return what runs begin with, by the name of the run."""
    return _joined("HISTORIES", {})


@cache
def step_scenarios() -> dict[str, Scenario]:
    """Return every run of the delta form by its name."""
    return _joined("STEPS", {})


def _joined(table: str, first: dict[str, Any]) -> dict[str, Any]:
    joined = dict(first)
    for name, value in _entries(table):
        if name in joined:
            raise ValueError(f"expected one entry {name!r} in all tables {table}, got two: rename one of them")
        joined[name] = value
    return joined


def _entries(table: str) -> Iterator[tuple[str, Any]]:
    for module in scenario_modules():
        yield from module.table(table).items()
