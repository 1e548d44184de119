"""What model calls cost, read from a log: the sum of what its lines say, and of which models nobody knows it."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from purestep import events, read_events

_MILLION: Final = 1_000_000
_SMALL: Final = 10_000
"""Millionths below which an amount is written with all its digits."""


def shown_amount(millionths: int, unit: str) -> str:
    """Return an amount as people write it, small ones exactly: `0.0123 USD`."""
    digits = 6 if millionths < _SMALL else 4
    return f"{millionths / _MILLION:.{digits}f} {unit}".rstrip()


def price_in(model: dict[str, Any]) -> Any:
    """Return the price of an entry of a definition's models, its own or its profile's; None where it has none."""
    own, profile = model.get("price"), model.get("profile")
    return profile.get("price") if own is None and isinstance(profile, dict) else own


class CostCount:
    """The cost of the model calls of events, at the prices of the definitions that they ran under."""

    def __init__(self, before: CostCount | None = None) -> None:
        """Begin at nothing. before: of the same log, whose definition holds on."""
        self.millionths = 0
        """What is known, in millionths of the unit."""
        self.unknown: dict[str, None] = {}
        """Why something is not known, each reason once."""
        self.unit: str = "" if before is None else before.unit
        self.is_priced: bool = before is not None and before.is_priced
        """Whether the definition has a price above nothing."""

    @property
    def known(self) -> int | None:
        """The cost in millionths of the unit; None where a part of it is not known."""
        return None if self.unknown else self.millionths

    def add(self, event: events.Event) -> None:
        """Count an event, of a log of any format."""
        match event:
            case events.RunStarted() | events.AgentChangedEvent():
                self._note_prices(event.agent)
            case events.ModelResponse() | events.ToolResultEvent() if event.cost is not None:
                self.millionths += event.cost
            case events.ToolResultEvent() if event.usage is not None:
                self.unknown["no price for the model that a tool had asked"] = None
            case events.ModelResponse() if event.usage is not None:
                self.unknown[f"no price for {_model(event)}"] = None
            case events.ModelResponse() if self.is_priced:
                self.unknown["the server told no tokens"] = None

    def _note_prices(self, agent: msgspec.Raw) -> None:
        definition = msgspec.json.decode(agent)
        models: list[dict[str, Any]] = (definition or {}).get("models", [])
        given = [price for model in models if (price := price_in(model))]
        prices = [price for each in given for price in (each if isinstance(each, list) else [each])]
        priced = [price for price in prices if price.get("input") or price.get("output")]
        self.is_priced = bool(priced)
        self.unit = next((price["unit"] for price in priced if price.get("unit")), "")

    def __str__(self) -> str:
        known = shown_amount(self.millionths, self.unit) if self.millionths else ""
        if not self.unknown:
            return known
        why = ", ".join(self.unknown)
        return f"at least {known}: {why}" if known else f"cost unknown: {why}"


class ExchangeBegins:
    """Tells at which events of a log an exchange begins."""

    def __init__(self) -> None:
        self._is_open = False

    def at(self, event: events.Event) -> bool:
        """Whether one begins here: at a user's message, unless it came in the middle of one."""
        steers = isinstance(event, events.Decided) and event.reason == "steered"
        if (isinstance(event, events.UserMessageEvent) or steers) and not self._is_open:
            self._is_open = True
            return True
        if isinstance(event, events.FinalAnswer | events.RunFailed):
            self._is_open = False
        return False


def exchange_cost(log: str) -> CostCount:
    """Return what the last exchange of a log cost; a line that is torn is left out."""
    begins, cost = ExchangeBegins(), CostCount()
    for _, event in read_events(log):
        cost = CostCount(cost) if begins.at(event) else cost
        cost.add(event)
    return cost


def _model(event: events.ModelResponse) -> str:
    asked = (event.request or {}).get("model")
    return asked if isinstance(asked, str) and asked else event.model or "the model"
