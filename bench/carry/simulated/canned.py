"""A tool that says the same whatever it is asked, so that a new tool needs data and no code."""

from typing import Any

from bench.carry.simulated.failure import World


def reply(world: World, result: Any, /, **arguments: Any) -> Any:
    """Give the result that the tool's data hold; whether the arguments were right is judged by the task."""
    return result
