"""The import graph of a package, by module and by room: the circles in it, and how many floors it has.

Imports inside functions and under TYPE_CHECKING count too: a reader who follows a name meets them just the same.
"""

import ast
import functools
import graphlib
from collections.abc import Iterator, Mapping


def import_graph(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the modules that each module imports, by dotted names.

    sources: text by path relative to the folder that holds the package, such as `purestep/regex/syntax.py`.
    Other packages do not count, nor does the `__init__` that Python runs before any module of its package.
    """
    packages = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in sources}
    return {
        name: {target for target in _imported(sources[path], path, packages) if target != name}
        for name, path in packages.items()
    }


def _imported(source: str, path: str, known: Mapping[str, str]) -> Iterator[str]:
    folder = path.split("/")[:-1]
    for node in _import_statements(source):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in known)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = folder[: len(folder) - level + 1] if level else []
                package = ".".join([*base, *([module] if module else [])])
                for alias in names:
                    # `from . import syntax` names a module, `from .syntax import parse` something in one.
                    found = next((each for each in (f"{package}.{alias.name}", package) if each in known), None)
                    if found is not None:
                        yield found


@functools.lru_cache(maxsize=1024)  # who looks at the same sources again, one of them changed, has read the others
def _import_statements(source: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    return tuple(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom))


def circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of modules that import one another, each sorted; none in a graph without circles."""
    reached = {name: _reachable(graph, name) for name in graph}
    groups = {tuple(sorted(other for other in ways if name in reached[other])) for name, ways in reached.items()}
    return sorted([list(group) for group in groups if group])


def room_graph(graph: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the rooms that each room imports: the packages and single modules directly in the root package.

    graph: from `import_graph`, of one root package, whose own `__init__` is no room.
    """
    rooms: dict[str, set[str]] = {}
    for name, targets in graph.items():
        for room in _room_of(name):
            rooms.setdefault(room, set()).update(other for target in targets for other in _room_of(target))
    return {room: others - {room} for room, others in rooms.items()}


def _room_of(name: str) -> list[str]:
    return name.split(".")[1:2]


def floors(rooms: Mapping[str, set[str]]) -> dict[str, int]:
    """Return the floor of each room, from 1 up: the one above the highest room that it imports.

    rooms: from `room_graph`. Raises graphlib.CycleError for rooms that import one another.
    """
    found: dict[str, int] = {}
    for room in graphlib.TopologicalSorter(rooms).static_order():
        found[room] = 1 + max((found[other] for other in rooms[room]), default=0)
    return found


def _reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    pending = sorted(graph[start])
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(sorted(graph[name] - found))
    return found
