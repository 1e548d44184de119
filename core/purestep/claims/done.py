"""What calls of an exchange have done, and what an answer claims against that."""

from msgspec import Struct

from ..values import Claims, OrderedAct


class FalseClaim(Struct, frozen=True):
    """What an answer claims without a call: the tools that would do it, and the item named that no call had."""

    tools: tuple[str, ...]
    item: str = ""
    about: str = ""
    """What the answer says the item of, where a result has it of another one."""
    is_absent: bool = False
    """Whether the item is a value that nobody has said."""
    ordered: bool = False
    """Whether the user's words order it; a model must not be sent to do what nobody asked for."""


class DoneActs(Struct, frozen=True):
    """What calls of an exchange have done: the tools that succeeded, and those of them that act."""

    succeeded: frozenset[str]
    acted: frozenset[str]
    is_open: bool
    is_shell: bool

    def met(self, order: OrderedAct, claims: Claims) -> bool:
        """Tell whether an order was met: by one of its tools, or by a call of another that acted on just its items."""
        if self.is_shell or not self.acted.isdisjoint(order.tools):
            return bool(order.tools)
        return bool(order.items and self.acted and len(claims.ordered) == 1) and all(
            item in claims.items for item in order.items
        )
