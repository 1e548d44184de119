"""Within the core's packages no module imports one that leads back to it; the core's rooms are few, on few floors."""

import graphlib
from pathlib import Path

import pytest

from tools.checks.import_graph import circles, floors, import_graph, room_graph

CORE = Path(__file__).resolve().parents[2] / "core"
MAX_ROOMS = 23
MAX_FLOORS = 14


def core_sources(package: str = "purestep*") -> dict[str, str]:
    """Return the modules of the core's packages, or of one, by path relative to the folder of the packages."""
    return {str(path.relative_to(CORE)): path.read_text(encoding="utf-8") for path in CORE.glob(f"{package}/**/*.py")}


def test_core_modules_import_in_no_circle() -> None:
    """The graph of all modules of the core's packages, late and type-only imports included, has no circle."""
    graph = import_graph(core_sources())

    assert "purestep.regex.syntax" in graph["purestep.regex.automaton"]
    assert "purestep.log" in graph["purestep_formats.projections.walk"]
    assert [] == circles(graph)


@pytest.mark.parametrize(
    "planted",
    [
        "from .schema import Schema",
        "from purestep.schema.schema import Schema",
        "import purestep.schema.schema",
        "from . import schema",
        "def late():\n    from .schema import Schema\n    return Schema",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .schema import Schema",
    ],
)
def test_a_planted_circle_is_found(planted: str) -> None:
    """One import that leads back, in whatever form, is found with all modules on the way."""
    sources = core_sources()
    sources["purestep/schema/addresses.py"] += f"\n{planted}\n"

    (found,) = circles(import_graph(sources))

    assert {"purestep.schema.addresses", "purestep.schema.references", "purestep.schema.schema"} <= set(found)


def test_circle_through_a_front_door_is_found() -> None:
    """A module that imports from its own room's front door, which imports it, is in a circle."""
    sources = {
        "core/__init__.py": "from .low import x",
        "core/low.py": "from . import y",
        "core/high.py": "from . import low",
    }

    assert [["core", "core.low"]] == circles(import_graph(sources))


def test_core_has_few_rooms_on_few_floors() -> None:
    """A stranger can keep the rooms in mind, and a value passes few of them on its way down."""
    found = floors(room_graph(import_graph(core_sources("purestep"))))

    assert {"bounds": 1, "api": max(found.values())} == {room: found[room] for room in ("bounds", "api")}
    assert len(found) <= MAX_ROOMS, f"{len(found)} rooms: {sorted(found)}"
    assert max(found.values()) <= MAX_FLOORS, f"{max(found.values())} floors: {found}"


def test_a_planted_room_is_counted() -> None:
    """A module that is new beside the rooms is one more, and one floor more where it imports the highest."""
    sources = core_sources("purestep")
    before = floors(room_graph(import_graph(sources)))
    sources["purestep/attic.py"] = "from .api import step"

    after = floors(room_graph(import_graph(sources)))

    assert {**before, "attic": before["api"] + 1} == after


def test_rooms_that_import_one_another_stand_on_no_floor() -> None:
    """A circle of rooms is an error even where no two modules are in one."""
    sources = {
        "core/low/a.py": "from ..high import b",
        "core/low/c.py": "",
        "core/high/b.py": "",
        "core/high/d.py": "from ..low import c",
    }
    graph = import_graph(sources)

    assert [] == circles(graph)
    with pytest.raises(graphlib.CycleError):
        floors(room_graph(graph))
