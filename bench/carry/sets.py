"""The task sets: data/sets/*.json, each with two halves, their tools by reference into data/tools*.json."""

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from bench.carry.simulated import World

DATA = Path(__file__).resolve().parent / "data"
SETS = (
    "plain",
    "lean",
    "hard",
    "none",
    "german",
    "own",
    "wide",
    "third",
    "talk",
    "fourth",
    "chat",
    "daily",
    "daily_none",
    "threshold",
)
Half = Literal["tune", "final"]
_Entry = TypeVar("_Entry")


class SimulatedTool(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One tool: what the definition says of it, and what it does.

    `does` names a function of the simulated rooms; `takes` gives its parameters where they are called otherwise in the
    schema (the schema's name: the function's). `has_effects` says whether a further call would do harm. `result` is
    what a tool that does `canned.reply` gives, whatever it is asked.
    """

    spec: dict[str, Any]
    does: str
    takes: dict[str, str] = {}
    has_effects: bool = False
    result: Any = None


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a person asks, the calls that it takes, and what stands in a right answer.

    `calls` holds a tool and its arguments, or several arguments any of which are right; `judge` says how values are
    compared. Each entry of `answer` is a text or a list of which one must stand in the answer, none of `answer_not`
    may. `world` replaces entries of the world for this task.
    """

    id: str
    box: str
    query: str
    calls: list[tuple[str, dict[str, Any] | list[dict[str, Any]]]] = []
    answer: list[str | list[str]] = []
    answer_not: list[str] = []
    world: dict[str, dict[str, Any]] = {}


class TaskSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A set: `tune` is for looking at and tuning on, `final` is run at the end only."""

    title: str
    tune: list[Task]
    final: list[Task]

    def half(self, name: Half) -> list[Task]:
        """Give one half."""
        return self.tune if name == "tune" else self.final


@cache
def task_set(name: str) -> TaskSet:
    """Read a set."""
    return msgspec.json.decode((DATA / "sets" / f"{name}.json").read_bytes(), type=TaskSet)


@cache
def catalogue() -> dict[str, SimulatedTool]:
    """Read the tools, by the name that boxes use."""
    return _merged("tools", dict[str, SimulatedTool])


@cache
def boxes() -> dict[str, list[str]]:
    """Read the toolboxes: names of the catalogue."""
    return _merged("boxes", dict[str, list[str]])


def tools_of(box: str) -> dict[str, SimulatedTool]:
    """Give a box's tools by the names that the model reads."""
    return {tool.spec["name"]: tool for tool in (catalogue()[name] for name in boxes()[box])}


def world_of(task: Task) -> World:
    """Give a fresh world for a task."""
    world = json.loads((DATA / "world.json").read_text("utf-8"))
    for name, entries in copy.deepcopy(task.world).items():
        world[name] = {**world[name], **entries}
    return world


def _merged(kind: str, of: type[dict[str, _Entry]]) -> dict[str, _Entry]:
    """Read tools.json or boxes.json and the files beside it that begin like it; a name stands in one of them only."""
    merged: dict[str, _Entry] = {}
    for path in sorted(DATA.glob(f"{kind}*.json")):
        entries = msgspec.json.decode(path.read_bytes(), type=of)
        if twice := merged.keys() & entries.keys():
            raise ValueError(f"{path.name}: {', '.join(sorted(twice))} stands in another file too")
        merged |= entries
    return merged
