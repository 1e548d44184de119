"""What a model says, whatever protocol its server writes it in."""

from typing import Any

import msgspec


class Called(msgspec.Struct, frozen=True, kw_only=True):
    """A call; arguments: an object, or a text that may be none."""

    name: str
    arguments: dict[str, Any] | str = {}

    @property
    def written(self) -> str:
        """The arguments as the model writes them."""
        return self.arguments if isinstance(self.arguments, str) else msgspec.json.encode(self.arguments).decode()

    @property
    def value(self) -> Any:
        """The arguments as an object, for protocols that have them so."""
        return msgspec.json.decode(self.arguments) if isinstance(self.arguments, str) else self.arguments


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """One reply. thought: reasoning before it. ends: why it ended, in the words of chat completions."""

    text: str = ""
    calls: tuple[Called, ...] = ()
    thought: str = ""
    ends: str = ""

    @property
    def reason(self) -> str:
        """Why it ended."""
        return self.ends or ("tool_calls" if self.calls else "stop")


PROMPT, CACHED, WRITTEN, THOUGHT = 15, 4, 12, 9
"""The tokens of each reply: of its prompt, those of a cache among them, and those of the reply and its thoughts."""


def pieces(text: str) -> list[str]:
    """Return a text as it comes: in two pieces, where it has two characters."""
    middle = len(text) // 2
    return [piece for piece in (text[:middle], text[middle:]) if piece]
