"""What a definition is explored as, and what several of them have: the id of their runs, and some tools."""

from typing import Any, Final

from msgspec import Struct, field

from purestep import ModelError

from .alphabet import Alphabet

RUN_ID: Final = "explored"


class Case(Struct, frozen=True):
    """A definition and what it is explored with."""

    name: str
    definition: dict[str, Any]
    alphabet: Alphabet
    after: dict[str, Any] | None = None
    """The definition that a run may go on under."""
    below: dict[str, Alphabet] = field(default_factory=dict)
    """What the agents that it calls are explored with, by their names."""


VALUE: Final = {"type": "object", "properties": {"to": {"enum": ["a", "b"]}}, "required": ["to"]}
BUSY: Final = ModelError(code="rate_limit", retryable=True, retry_after_ms=500)


def tool(name: str, hints: dict[str, bool] | None = None, **members: Any) -> dict[str, Any]:
    """Return a tool that takes "a" or "b"; hints: its annotations."""
    annotations = {} if hints is None else {"annotations": hints}
    return {"name": name, "description": f"To {name}.", "parameters": VALUE, **annotations, **members}


LOOK: Final = tool("look", {"readOnlyHint": True})
SEND: Final = tool("send", {"readOnlyHint": False}, approval="ask")
ADD: Final = tool("add", {"readOnlyHint": False, "destructiveHint": False})
