"""A policy of a user's own: no refunds above an amount after 18:00."""

from typing import Any

from msgspec import Struct

from purestep import CallProposed, Refuse


class RefundHours:
    """Refuses refunds above an amount after 18:00 UTC, by the time that the host gives."""

    name, version = "refund_hours", 1

    class Options(Struct, frozen=True, forbid_unknown_fields=True):
        """The largest amount that may be paid back at night."""

        above: float

    def __init__(self, options: Options, tools: Any) -> None:
        self._above = options.above

    def call(self, kept: None, call: CallProposed) -> Refuse | None:
        """Refuse a large refund at night; with no time given, every large one."""
        hour = 24 if call.at is None else call.at // 3_600_000 % 24
        if call.tool == "refund" and call.params["amount"] > self._above and hour >= 18:
            return Refuse(text=f"Refunds above {self._above} are made before 18:00 only. Nothing was paid back.")
        return None
