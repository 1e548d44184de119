"""How many examples the tests of properties generate: a quarter in a run that somebody waits for, or all of them."""

import os
from typing import Final

from hypothesis import settings

_SHARE: Final = 1 if os.environ.get("PURESTEP_EXAMPLES") == "all" else 4


def examples(count: int) -> settings:
    """Give the settings of a property that is tried with so many examples where all are wanted."""
    return settings(max_examples=count // _SHARE)
