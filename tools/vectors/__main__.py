"""Writes the conformance vectors, or says with --check which of them differ.

What the scenarios record is read by a person when it changes, since every host is held to it byte for byte.
"""

import sys
from collections.abc import Iterator
from itertools import chain

from .files import FOLDER
from .modules import ScenarioModule, scenario_modules
from .record import Vector, called, lines
from .runs import replay_vectors, step_vectors, whole_vectors


def files() -> dict[str, str]:
    """Return the text of every file by its path in `tests/vectors`."""
    texts: dict[str, str] = {}
    for module in scenario_modules():
        for path, text in _files_of(module):
            if path in texts:
                raise ValueError(f"expected one file {path}, got two: rename a module of scenarios")
            if text:
                texts[path] = text
    return texts


def _files_of(module: ScenarioModule) -> Iterator[tuple[str, str]]:
    explained = module.table("EXPLAINED")
    yield f"{module.folder}/{module.name}.jsonl", lines(_vectors_of(module))
    yield (
        f"replay/{module.name}.jsonl",
        lines(vector for name in module.table("STEPS") for vector in replay_vectors(name, name in explained)),
    )
    for name, text in getattr(module.module, "files", dict)().items():
        yield f"{module.folder}/{name}", text


def _vectors_of(module: ScenarioModule) -> Iterator[Vector]:
    yield from chain.from_iterable(step_vectors(name) for name in module.table("STEPS"))
    yield from chain.from_iterable(whole_vectors(*entry) for entry in module.table("WHOLE").items())
    yield from (called(name, *call) for name, call in module.table("CALLS").items())
    yield from getattr(module.module, "vectors", tuple)()


def main(arguments: list[str]) -> int:
    """Write the files and remove those that no scenario makes, or say which differ."""
    made = files()
    stored = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.glob("*/*.json*")}
    stale = sorted(
        name for name in {*made, *stored} if name not in stored or made.get(name) != stored[name].read_text("utf-8")
    )
    if "--check" not in arguments:
        for name in stale:
            path = FOLDER / name
            if name in made:
                path.parent.mkdir(exist_ok=True)
                path.write_text(made[name], encoding="utf-8")
            else:
                path.unlink()
    if stale:
        print(f"vectors {'differ' if '--check' in arguments else 'written'}: {', '.join(stale)}", file=sys.stderr)
    return bool(stale) and "--check" in arguments


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
