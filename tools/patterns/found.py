"""Every pattern of the core and of the hosts: what the source says, and what is built while the vectors are played."""

import ast
import gc
import importlib
import json
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
TREES: Final = ("core", "hosts")
CALLS: Final = ("compile", "match", "search", "fullmatch", "sub", "subn", "finditer", "findall", "split")
"""Functions of `re` whose first argument is a pattern."""
METHODS: Final = {
    "match": "match",
    "fullmatch": "fullmatch",
    "search": "search",
    **dict.fromkeys(("finditer", "findall", "sub", "subn", "split"), "finditer"),
}
"""How each method of a pattern goes through a text."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """A pattern, where it stands, and the ways in which it is asked."""

    place: str
    pattern: "re.Pattern[Any]"
    methods: tuple[str, ...]


@dataclass(kw_only=True)
class _Site:
    """A call with a pattern in the source."""

    path: Path
    line: int
    call: ast.Call
    name: str | None
    """What the pattern is assigned to."""
    method: str | None
    """How it is asked there, where it is not kept."""

    @property
    def place(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def found_patterns() -> tuple[list[Found], list[str]]:
    """Return all patterns, and the places of those that were not built; to be called before purestep is imported."""
    assert "purestep" not in sys.modules, "expected a process that has not imported purestep"
    sites, asked = list(_sites()), _Asked()
    recorded = _recorded()
    found: dict[tuple[Any, int], Found] = {}
    unbuilt = []
    for site in (each for each in sites if not _is_lazy(each)):
        built = _evaluated(site) or recorded.get((str(site.path), site.line), [])
        if not built:
            unbuilt.append(site.place)
        methods = {site.method} if site.method else asked.of(site.name, site.path)
        for pattern in built:
            _add(found, pattern, site.place, methods or {*ONCE})
    names = _names_of_lazy()
    for stand_in in _lazy():
        name, path = names.get(id(stand_in), (None, None))
        place = f"{path.relative_to(ROOT)}: {name}" if path else "built when a module is imported"
        used = {METHODS[each] for each in vars(stand_in) if each in METHODS} | (asked.of(name, path) if path else set())
        _add(found, re.compile(*stand_in._given), place, used or {*ONCE})
    return sorted(found.values(), key=lambda each: each.place), unbuilt


ONCE: Final = ("match", "fullmatch", "search")
"""How a pattern is driven of which nothing tells how it is asked."""


def _add(found: dict[tuple[Any, int], Found], pattern: "re.Pattern[Any]", place: str, methods: "set[str]") -> None:
    old = found.get((pattern.pattern, pattern.flags))
    asked = tuple(sorted(methods | set(old.methods if old else ())))
    new = Found(place=old.place if old else place, pattern=pattern, methods=asked)
    found[pattern.pattern, pattern.flags] = new


def _sources() -> Iterator[tuple[Path, ast.Module]]:
    for tree in TREES:
        for path in sorted((ROOT / tree).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def _sites() -> Iterator[_Site]:
    for path, module in _sources():
        names: dict[ast.AST, str] = {}
        for node in ast.walk(module):
            match node:
                case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value) if value:
                    names |= dict.fromkeys(ast.walk(value), ast.unparse(target).rpartition(".")[2])
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=attr)) if attr in CALLS and node.args:
                    method = None if attr == "compile" else METHODS[attr]
                    yield _Site(path=path, line=node.lineno, call=node, name=names.get(node), method=method)
                case ast.Call(func=ast.Name(id="lazy_pattern")):
                    yield _Site(path=path, line=node.lineno, call=node, name=names.get(node), method=None)


class _Asked:
    """The methods that names, and members of objects, are asked by in the tree."""

    def __init__(self) -> None:
        self._names: dict[tuple[Path | None, str], set[str]] = defaultdict(set)
        for path, module in _sources():
            for node in ast.walk(module):
                if isinstance(node, ast.Attribute) and node.attr in METHODS:
                    for name, is_member in _asked_names(node.value):
                        if node.attr == "split" and name.islower():  # that of a text
                            continue
                        self._names[None if is_member else path, name].add(METHODS[node.attr])

    def of(self, name: str | None, path: Path | None) -> set[str]:
        """Return the methods of a name that a module has; where others import it, those there too."""
        if name is None:
            return set()
        own = self._names.get((path, name), set()) | self._names.get((None, name), set())
        others = [methods for (_, other), methods in self._names.items() if other == name and not name.startswith("_")]
        return own.union(*others)


def _asked_names(node: ast.expr) -> Iterator[tuple[str, bool]]:
    """Yield the names that an expression takes a pattern from, and whether each is the member of an object."""
    match node:
        case ast.Name(id=name):
            yield name, False
        case ast.Attribute(attr=name):
            yield name, True
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            yield from _asked_names(inner)
        case ast.IfExp(body=one, orelse=other):
            yield from _asked_names(one)
            yield from _asked_names(other)


def _evaluated(site: _Site) -> list["re.Pattern[Any]"]:
    """Return the pattern of a call whose arguments the module alone settles."""
    parts = site.path.relative_to(ROOT).with_suffix("").parts[1:]
    try:
        module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
        source, flags = _arguments(site.call, vars(module))
        return [source if isinstance(source, re.Pattern) else re.compile(source, flags)]
    except (NameError, ImportError, AttributeError, TypeError):
        return []


def _arguments(call: ast.Call, names: dict[str, Any]) -> tuple[Any, int]:
    is_kept = isinstance(call.func, ast.Name) or (isinstance(call.func, ast.Attribute) and call.func.attr == "compile")
    flags = [keyword.value for keyword in call.keywords if keyword.arg == "flags"]
    if is_kept:
        flags += call.args[1:2]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in {"match", "search", "fullmatch", "finditer"}:
        flags += call.args[2:3]
    values = [eval(compile(ast.Expression(each), "", "eval"), dict(names)) for each in (call.args[0], *flags[:1])]
    return values[0], int(values[1]) if len(values) > 1 else 0


def _recorded() -> dict[tuple[str, int], list["re.Pattern[Any]"]]:
    """Return what each line of the tree compiled while everything was imported and the vectors were played."""
    found: dict[tuple[str, int], dict[Any, re.Pattern[Any]]] = defaultdict(dict)
    compile_one: Callable[..., Any] = re._compile  # type: ignore[attr-defined]

    def recording(source: Any, flags: Any) -> Any:
        pattern = compile_one(source, flags)
        frame = sys._getframe(2)
        found[frame.f_code.co_filename, frame.f_lineno][pattern.pattern, pattern.flags] = pattern
        return pattern

    re._compile = recording  # type: ignore[attr-defined]
    try:
        from .work import play

        play()
    finally:
        re._compile = compile_one  # type: ignore[attr-defined]
    return {place: list(patterns.values()) for place, patterns in found.items()}


def _is_lazy(site: _Site) -> bool:
    return isinstance(site.call.func, ast.Name)


def _lazy() -> list[Any]:
    """Return all stand-ins of patterns that are compiled when they are first used."""
    shape = sys.modules["purestep.lazy"]._FirstUse
    return [each for each in gc.get_objects() if type(each) is shape and each._make is re.compile]


def _names_of_lazy() -> dict[int, tuple[str, Path]]:
    """Return the names of stand-ins, by their identity, and the modules that hold them."""
    found: dict[int, tuple[str, Path]] = {}
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("purestep") and getattr(module, "__file__", None):
            for name, value in vars(module).items():
                path = Path(str(module.__file__))
                if id(value) not in found or name in _defined(path):
                    found[id(value)] = name, path
                if isinstance(value, dict | tuple):
                    inner = value.values() if isinstance(value, dict) else value
                    found |= {id(each): (name, path) for each in inner if id(each) not in found}
    for each in gc.get_objects():
        is_ours = str(type(each).__module__).startswith("purestep")
        members = getattr(each, "__dict__", None) if is_ours else None
        if type(members) is dict:
            path = Path(str(sys.modules[type(each).__module__].__file__))
            found |= {id(value): (name, path) for name, value in members.items() if id(value) not in found}
    return found


@cache
def _defined(path: Path) -> frozenset[str]:
    assigned = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.AnnAssign)]
    return frozenset(ast.unparse(node.target) for node in assigned)


def vectors() -> Iterator[dict[str, Any]]:
    """Yield the conformance vectors."""
    for path in sorted((ROOT / "tests" / "vectors").glob("*/*.jsonl")):
        yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())
