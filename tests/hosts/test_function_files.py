"""Python files with decorated functions, as tools of any host."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from purestep_hosts.function_files import load_functions
from purestep_hosts.tools.tool import RunningCall
from tests.event_loops import run_in_loop

SOURCE = b"""
import asyncio
from purestep_hosts import tool

lock = None

@tool
async def first() -> str:
    "Open what the other one uses."
    global lock
    lock = asyncio.Event()
    lock.set()
    return "opened"

@tool
async def second() -> int:
    "Use it, in the event loop that it was opened in."
    global waiting
    waiting = asyncio.get_running_loop()
    await lock.wait()
    return id(waiting)
"""


def test_async_functions_share_an_event_loop_also_where_one_runs() -> None:
    """What a file keeps open stays usable, and a program in an event loop of its own may call the tools directly."""
    opened, used = load_functions(SOURCE, Path("shared.py"))

    async def call_all() -> list[Any]:
        return [opened.run({}, RunningCall("k", 60)), *(used.run({}, RunningCall("k", 60)) for _ in range(2))]

    said, *loops = run_in_loop(call_all())
    assert ("opened", 1) == (said, len(set(loops)))
