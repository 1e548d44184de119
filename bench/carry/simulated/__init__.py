"""Simulated tools: deterministic functions on a world of plain data, so a wrong argument gives a wrong result."""

from bench.carry.simulated import canned, desk, numbers, people, projects, texts
from bench.carry.simulated.failure import Failure, World

FUNCTIONS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": function
    for module in (canned, desk, numbers, people, projects, texts)
    for name, function in vars(module).items()
    if callable(function) and getattr(function, "__module__", "") == module.__name__ and not name.startswith("_")
}
"""By the name that data/tools*.json give under `does`: room and function."""

__all__ = ["FUNCTIONS", "Failure", "World"]
