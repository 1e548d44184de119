"""What the members of a call object are expected to be, by its tool's schema, for the repair of damaged JSON."""

from collections.abc import Mapping
from typing import Any

from ..bounds import MAX_NESTED_CALLS
from ..json_text import Shape
from ..schema import SchemaShape
from ..values import Tools
from .call_keys import ARGUMENTS, BESIDE, NAMES, WRAPPERS, plain_name


class CallShape:
    """The shape of a call object, or of a list of them; within: calls around it."""

    __slots__ = ("beside", "has_arguments", "made", "tools", "within")

    def __init__(self, tools: Tools | None, within: int = 0) -> None:
        self.tools, self.within = tools, within
        self.made: Mapping[str, Any] = {}
        self.has_arguments = False
        self.beside: tuple[str, Shape | None] = ("", None)

    def types(self) -> Mapping[str, None]:
        """Return the types of a call."""
        return {"object": None, "array": None}

    def item(self) -> Shape | None:
        """Return the shape of a call in a list."""
        return CallShape(self.tools, self.within + 1) if self.within <= MAX_NESTED_CALLS else None

    def member(self, key: str, made: Mapping[str, Any]) -> Shape | None:
        """Return the shape of a member: arguments by the tool that is named before them."""
        self.made = made
        if key in ARGUMENTS:
            self.has_arguments = True
            return self.arguments()
        if key in WRAPPERS and self.within <= MAX_NESTED_CALLS:
            return CallShape(self.tools, self.within + 1)
        if key in NAMES or key in BESIDE:
            return None
        if not self.is_named():
            return arguments_shape(self.tools, key)
        beside = self.arguments()
        return beside.member(key, made) if beside is not None else None

    def has(self, key: str) -> bool | None:
        """Whether a call has such a member."""
        if key in NAMES or key in ARGUMENTS or key in WRAPPERS or key in BESIDE:
            return True
        if self.has_arguments:
            return False
        if not self.is_named():
            return self.tools is not None and plain_name(key, self.tools) in self.tools
        beside = self.arguments()
        return beside.has(key) if beside is not None else None

    def is_same_listed(self) -> bool:
        """Whether a call alone means the same as a list of it."""
        return True

    def is_named(self) -> bool:
        """Whether the tool is named already."""
        return any(isinstance(self.made.get(name), str) for name in NAMES)

    def arguments(self) -> Shape | None:
        """Return the shape of the arguments of the tool that is named."""
        name = next((self.made[key] for key in NAMES if isinstance(self.made.get(key), str)), None)
        if name and self.beside[0] != name:
            self.beside = (name, arguments_shape(self.tools, name))
        return self.beside[1] if name else None


def arguments_shape(tools: Tools | None, name: str) -> SchemaShape | None:
    """Return the shape of a tool's arguments; None for a tool that is not known."""
    spec = tools.get(plain_name(name, tools)) if tools else None
    return SchemaShape(spec.parameters, spec.parameters) if spec is not None else None
