"""How a simulated tool says that it cannot do what was asked."""

from typing import Any

World = dict[str, Any]
"""What the tools of one task read and change: a copy of data/world.json with the task's own changes."""


class Failure(Exception):
    """The call failed and had no effect; the text is for the model."""
