"""What a recorded run and the run driven again did, in words; and the logs that a folder has."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from purestep import Redriven
from purestep_hosts.show.sanitize import one_line


def log_paths(folder: Path) -> list[Path]:
    """Return all files *.jsonl below a folder, by their paths; raises OSError for a folder that cannot be listed.

    Links to files and to folders are followed, and each file is there once, by its own name where that is below too.
    """
    found: list[Path] = []
    pending, seen = [folder], set[str]()
    while pending:
        for place, folders, names in os.walk(pending.pop(0), onerror=_unlisted):
            real = os.path.realpath(place)
            if real in seen:
                folders.clear()  # it was listed by another name, and a link to a folder above it has no end
                continue
            seen.add(real)
            pending += [Path(place, name) for name in sorted(folders) if Path(place, name).is_symlink()]
            found += [Path(place, name) for name in names]
    logs = [path for path in found if path.suffix == ".jsonl" and path.is_file()]
    links_first = sorted(logs, key=lambda path: not path.is_symlink())
    return sorted({os.path.realpath(path): path for path in links_first}.values())


def _unlisted(error: OSError) -> NoReturn:
    raise error


def steps_of(made: Redriven) -> str:
    """Return how many steps a run took until it ended or parted."""
    return "1 step" if made.steps == 1 else f"{made.steps} steps"


def outlined(lines: Iterable[dict[str, Any]]) -> str:
    """Return derived lines in a few words each; hostile text is made harmless."""
    return "\n".join([one_line(_words(line)) for line in lines]) or "the model is asked, or a result is waited for"


def _words(line: dict[str, Any]) -> str:
    said = {name: value for name, value in line.items() if name not in ("kind", "call_id")}
    texts = [value if isinstance(value, str) else msgspec.json.encode(value).decode() for value in said.values()]
    return " ".join([line["kind"], *texts])


def now_text(made: Redriven) -> str:
    """Return what the fact that differs leads to now."""
    return one_line(made.message) if made.message else outlined(made.redriven)


def difference(name: str, made: Redriven) -> str:
    """Return where a run driven again parts from the recorded one; empty where it does not."""
    if made.same:
        return ""
    texts = (("recorded", outlined(made.recorded)), ("now", now_text(made)))
    told = [f"  {label:<9} {text}".replace("\n", "\n" + " " * 12) for label, text in texts]
    return "\n".join([f"{one_line(name)} differs at line {made.line}, after {steps_of(made)}:", *told])
