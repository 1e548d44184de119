"""What a check of the sources finds."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One broken rule: the line, and what is wrong with what to do instead."""

    line: int
    message: str
