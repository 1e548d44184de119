"""Folders of public data that a user has: nothing is fetched, and a file that is missing is an error that names it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class SourceFolderError(Exception):
    """A folder does not hold what was expected; `message` says which file, and what of it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def files_of(folder: Path, pattern: str, source: str) -> list[Path]:
    """Return the files with such a name in a folder and below it; raises SourceFolderError where there is none."""
    found = sorted(folder.rglob(pattern))
    if not found:
        raise SourceFolderError(f"{folder}: expected {pattern} of {source}; give the folder of its release")
    return found


def json_of(path: Path) -> Any:
    """Return a file as JSON; raises SourceFolderError."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise SourceFolderError(f"{path}: expected JSON ({error})") from None


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON values of a file, one a line; raises SourceFolderError."""
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as error:
                raise SourceFolderError(f"{path}:{number}: expected JSON ({error})") from None
