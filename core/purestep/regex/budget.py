"""The budget of a check or a compilation: a count of steps that is the same on every host, unlike time.

What is counted depends on the schema and the value alone: never on a cache, on where a value lies in memory, or on
whether the native validator is there. A check that may take too much is left to the portable validator, which counts.
"""

from typing import Final

from ..bounds import MAX_CHECK_STEPS, MAX_COMPILE_STEPS

SHORT: Final = 16
"""Names or characters that are looked through in the time of one step."""


class OverBudgetError(Exception):
    """More steps were needed than allowed; never leaves the core."""


class Budget:
    """Steps that may still be taken; shared by all parts of one piece of work."""

    __slots__ = ("left", "limit")

    def __init__(self, limit: int = MAX_CHECK_STEPS) -> None:
        self.left = self.limit = limit

    def spend(self, steps: int) -> None:
        """Take steps; raises OverBudgetError when fewer are left."""
        self.left -= steps
        if self.left < 0:
            raise OverBudgetError


def compile_budget() -> Budget:
    """Return the budget of everything that one definition or one check compiles."""
    return Budget(MAX_COMPILE_STEPS)
