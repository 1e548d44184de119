"""Trees: a prompt with its tools, and the conversations after it; and their files, one JSON value a line."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from tools.tuning.form import answer, bare_system, result_text

Learnt = Literal["all", "branch"]
"""What is learnt of an output: all of it, or only that it answers and calls nothing."""


class Turn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said to the model, the words of a user or the result of a call, and its output."""

    kind: Literal["user", "result"] = "user"
    text: str
    output: str
    learnt: Learnt = "all"


Branch = tuple[Turn, ...]


class Tree(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The system text of a prompt, the branches after it, and the specs of its tools where they are known."""

    system: str
    branches: tuple[Branch, ...]
    instructions: str = ""
    tools: tuple[dict[str, Any], ...] = ()


class TreeFileError(Exception):
    """A file holds something else than trees; `message` says where, and what was expected."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def read_trees(path: Path) -> Iterator[Tree]:
    """Read the trees of a file; raises TreeFileError.

    A line is a tree as `write_trees` writes it, or in the short form `{"sys": text, "branches": [[[kind, text, output,
    "full" or "head"]]]}`, whose system text may have the marks of a chat around it.
    """
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = msgspec.json.decode(line)
                yield _of_short(value) if "sys" in value else msgspec.convert(value, Tree)
            except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
                raise TreeFileError(f"{path}:{number}: expected a tree, got {line[:60]!r} ({error})") from None


def write_trees(path: Path, trees: Iterable[Tree]) -> int:
    """Return how many trees were written into a file, one a line."""
    number = 0
    with path.open("wb") as file:
        for number, tree in enumerate(trees, start=1):  # noqa: B007 (the last number is the count)
            file.write(msgspec.json.encode(tree) + b"\n")
    return number


def _of_short(value: dict[str, Any]) -> Tree:
    branches = tuple(tuple(map(_turn_of_short, turns)) for turns in value["branches"])
    return Tree(system=bare_system(value["sys"]), branches=branches)


def _turn_of_short(turn: list[Any]) -> Turn:
    kind, text, output, learnt = turn
    written = text if isinstance(text, str) else result_text(text)
    if learnt == "head":
        return Turn(kind=kind, text=written, output=answer(""), learnt="branch")
    return Turn(kind=kind, text=written, output=output)
