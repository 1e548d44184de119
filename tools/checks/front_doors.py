"""Rules for imports across rooms: a room of the core is used by its front door, and hosts use public names.

A room is a package directly in one of the packages of core/; its front door is its `__init__`. Direction is
import-linter's.
"""

import ast
from collections.abc import Iterator

from tools.checks.finding import Finding

CORE = "core/"
HOSTS = "hosts/"
PACKAGES = ("purestep", "purestep_formats", "purestep_policies")
"""The packages of the core, whose names are public."""

PUBLIC_ROOM = "api"
"""The room whose modules hold public names: the `__init__` of the package lists them, and the room has no list."""

SHARED_CLASSES = ("Agent",)
"""The definition made ready, in the core, and what runs it, in the hosts: each is looked for by this name alone."""


def check_doors(source: str, path: str) -> list[Finding]:
    """Return the imports of one module that bypass a front door; `path` is relative to the repository."""
    tree = ast.parse(source)
    if path.startswith(HOSTS):
        return list(_private_imports(tree))
    if not path.startswith(CORE):
        return []
    return [*_side_doors(tree, path.removeprefix(CORE)), *_side_doors_of_others(tree)]


def _private_imports(tree: ast.Module) -> Iterator[Finding]:
    for line, name in _absolute_imports(tree):
        package, _, inner = name.partition(".")
        if package in PACKAGES and inner:
            yield Finding(line, f"import of {name}: a host uses public names, from {package} alone")


def _side_doors_of_others(tree: ast.Module) -> Iterator[Finding]:
    for line, name in _absolute_imports(tree):
        package, *inner = name.split(".")
        if package in PACKAGES and len(inner) > 1:
            yield Finding(line, f"import of {name}: take it from the front door, {package}.{inner[0]}")


def _absolute_imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(name), level=0):
                yield node.lineno, name
            case ast.Import(names=aliases):
                yield from ((node.lineno, alias.name) for alias in aliases)


def _side_doors(tree: ast.Module, path: str) -> Iterator[Finding]:
    """Yield imports within one package; path: relative to core/."""
    own = path.split("/")[1:-1]
    own_room = own[0] if own else PUBLIC_ROOM
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = own[: len(own) - node.level + 1]
        target = [*base, *(node.module.split(".") if node.module else [])]
        if len(target) > 1 and target[0] != own_room:
            room = target[0]
            yield Finding(node.lineno, f"import of {'.'.join(target)}: take it from the front door, {room}")


def doubled_classes(sources: dict[str, str]) -> list[tuple[str, Finding]]:
    """Return the classes whose name another module's class has, as (path, finding); sources: text by path."""
    seen: dict[str, str] = {}
    found = []
    for path, source in sorted(sources.items()):
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.ClassDef) or node.name in SHARED_CLASSES:
                continue
            if seen.setdefault(node.name, path) != path:
                found.append(
                    (path, Finding(node.lineno, f"class {node.name} has the name of one in {seen[node.name]}"))
                )
    return found
