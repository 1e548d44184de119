"""An event loop for a test, also in a process whose thread has one running, as a browser of another test leaves it."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_in_loop(made: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in an event loop of its own, and give what it gives or raise what it raises."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(asyncio.run, made).result()
