"""The suite: tasks and tools as data, and whether a task was finished right."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from purestep_hosts.probe.toolbox import Ran

_FILE = Path(__file__).with_name("suite.json")
_ENDS = " \t\n.,;:!?\"'“”"
_WRITES = "save_note"


class ExpectedCall(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call that a task takes: its arguments, or what it has to give where there are many ways to write them."""

    tool: str
    params: dict[str, str] | None = None
    output: Any = None


class Task(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is asked, the calls that it takes in order, and what stands in the answer."""

    id: str
    query: str
    calls: tuple[ExpectedCall, ...] = ()
    answer: tuple[str, ...] = ()
    quick: bool = False


class Suite(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tasks, the tools, the world that the tools answer from, and each family's dialect by models' names."""

    tools: tuple[dict[str, Any], ...]
    orders: dict[str, str]
    pages: dict[str, str]
    tasks: tuple[Task, ...]
    families: tuple[tuple[str, str], ...]


@cache
def probe_suite() -> Suite:
    """Return the suite."""
    return msgspec.json.decode(_FILE.read_bytes(), type=Suite)


def wrong(task: Task, ran: Sequence[Ran], answer: Any) -> str:
    """Say in a few words what was not right; an empty text when all was.

    A call that reads may be made besides, where the task takes any; one that writes may not.
    """
    open_calls = list(task.calls)
    for call in ran:
        if open_calls and call.ok and _fits(open_calls[0], call):
            del open_calls[0]
        elif not task.calls or (call.tool == _WRITES and call.ok):
            return f"an unwanted call of {call.tool}"
    if open_calls:
        return f"no right call of {open_calls[0].tool}"
    text = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
    if not text.strip() or _plain(text) == _plain(task.query):
        return "no answer"
    missing = [part for part in task.answer if part.casefold() not in text.casefold()]
    return f"{missing[0]!r} is not in the answer" if missing else ""


def _fits(expected: ExpectedCall, call: Ran) -> bool:
    if expected.tool != call.tool:
        return False
    if expected.params is None:
        return bool(expected.output == call.output)
    given = {name: _plain(value) if isinstance(value, str) else value for name, value in call.params.items()}
    return {name: _plain(value) for name, value in expected.params.items()} == given


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold().strip(_ENDS)
