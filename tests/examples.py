"""How many examples the tests of properties generate: a quarter in a run that somebody waits for, or all of them.

The same for the cases of a matrix: a run that somebody waits for tries a part of them, spread over the matrix.
"""

import os
from collections.abc import Sequence
from typing import Final, TypeVar

from hypothesis import settings

Case = TypeVar("Case")

ARE_ALL_WANTED: Final = os.environ.get("PURESTEP_EXAMPLES") == "all"
_SHARE: Final = 1 if ARE_ALL_WANTED else 4


def examples(count: int) -> settings:
    """Return the settings of a property that is tried with so many examples where all are wanted."""
    return settings(max_examples=count // _SHARE)


def some_of(cases: Sequence[Case], number: int, every: int) -> Sequence[Case]:
    """Return one of each `every` cases, others for the next number: few neighbours try all; all where wanted."""
    return cases if ARE_ALL_WANTED else cases[number % every :: every]
