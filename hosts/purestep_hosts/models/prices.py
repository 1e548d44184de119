"""What the models of hosted servers cost, from the data of the package `genai-prices`, and where a definition has it.

The data come with that package: nothing is fetched, and a newer version knows newer prices. A price that a definition
gives itself stands. What is found stands in the definition, and so in the log: nobody needs the data to read a cost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from purestep_hosts.costs import price_in
from purestep_hosts.extras import PRICES, MissingExtraError
from purestep_hosts.models.server_kinds import LOOPBACK

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, ModelPrice

    from purestep_hosts.settings import Settings

Price = dict[str, Any] | list[dict[str, Any]]
"""The member `price` of a model in a definition."""

PriceOf = Callable[[str], Price | None]
"""What a model of a server costs, by its name; None where that is not known."""

UNIT: Final = "USD"
"""Of the data."""

_MEMBERS: Final = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cached_input": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}
_APART: Final = "requests_kcount"
"""A price of each request beside its tokens, which a definition cannot say: such a model has no known price."""


def free(name: str) -> Price:
    """Return the price of a model on this machine: nothing."""
    return {}


def price_at(url: str | None) -> PriceOf:
    """Return what tells the prices of the server at an address; those of LiteLLM's names where it is None."""
    return lambda name: known_price(name, url)


def price_for(settings: Settings) -> PriceOf:
    """Return what tells the prices of the models that settings may name."""
    if settings.runs_here or (settings.row is not None and settings.row.is_local):
        return free
    return price_at(None if settings.kind == "litellm" else settings.url)


def price_found(settings: Settings) -> tuple[Price | None, str]:
    """Return what the model that settings name costs and whose data say so, or None and why it is not known."""
    price_of = price_for(settings)
    if price_of is free:
        return {}, "a model on this machine"
    try:
        PRICES.require()
    except MissingExtraError as error:
        return None, error.message
    from genai_prices import __version__

    price = price_of(settings.model or "")
    data = f"genai-prices {__version__}"
    return price, f"{data} has none for it" if price is None else f"{data}, on {datetime.now(tz=UTC).date()}"


def shown_prices(price: Price | None) -> list[str]:
    """Return a price in words: a line, or one for each length of prompts that has its own."""
    if price is None:
        return ["unknown"]
    return [_in_words(each) for each in (price if isinstance(price, list) else [price])]


def _in_words(price: dict[str, Any]) -> str:
    amounts = [f"{name.replace('_', ' ')} {_digits(price[name])}" for name in _MEMBERS if name in price]
    if not amounts:
        return "nothing"
    above = f", of prompts above {price['above']:,} tokens" if "above" in price else ""
    return f"{', '.join(amounts)} {price['unit']} per million tokens{above}"


def _digits(millionths: int) -> str:
    return f"{Decimal(millionths).scaleb(-6):f}".rstrip("0").rstrip(".")


def known_price(name: str, url: str | None) -> Price | None:
    """Return today's price of a model at an address, as a definition has it; None where none is known.

    name: as the server at the address has it; `PROVIDER/NAME` where that is None. Of prices that change during the day
    it is the highest.
    """
    try:
        if url is not None and urlsplit(url).hostname in LOOPBACK:
            return None
        PRICES.require()
    except (ValueError, MissingExtraError):
        return None
    from genai_prices.data_snapshot import get_snapshot

    try:
        provider = None if url is not None else "litellm"
        _, model = get_snapshot().find_provider_model(name, None, provider, url)
    except LookupError:
        return None
    return _as_member(_of_today(model))


def with_prices(definition: dict[str, Any], name: str, price_of: PriceOf) -> dict[str, Any]:
    """Return a definition with the prices of those of its models that have none.

    name: of the model that is asked where it names none. What is no definition is left for the core to refuse.
    """
    models = definition.get("models") or [{"name": name}]
    if not isinstance(models, list):
        return definition
    priced = [_with_price(model, price_of) for model in models]
    return definition if priced == models else {**definition, "models": priced}


def _with_price(model: Any, price_of: PriceOf) -> Any:
    if not isinstance(model, dict) or not isinstance(model.get("name"), str) or says_price(model):
        return model
    price = price_of(model["name"])
    return model if price is None else {**model, "price": price}


def says_price(model: dict[str, Any]) -> bool:
    """Whether an entry of a definition's models has a price, itself or in its profile."""
    return price_in(model) is not None


def _of_today(model: ModelInfo) -> ModelPrice:
    """Return the highest of a model's prices of this day."""
    today = datetime.now(tz=UTC).date()
    hours = [model.get_prices(datetime.combine(today, time(hour), UTC)) for hour in range(24)]
    return max(hours, key=lambda price: _amount(price, "input_mtok") or 0)


def _as_member(price: ModelPrice) -> Price | None:
    if price.input_mtok is None or price.output_mtok is None or getattr(price, _APART) is not None:
        return None
    starts = {tier.start for name in _MEMBERS.values() for tier in getattr(getattr(price, name), "tiers", ())}
    prices = [_price_above(price, start) for start in (0, *sorted(starts - {0}))]
    return prices[0] if len(prices) == 1 else prices


def _price_above(price: ModelPrice, start: int) -> dict[str, Any]:
    amounts = {member: _amount(price, name, start) for member, name in _MEMBERS.items()}
    known = {member: amount for member, amount in amounts.items() if amount is not None}
    return {**known, **({"above": start} if start else {}), "unit": UNIT}


def _amount(price: ModelPrice, name: str, start: int = 0) -> int | None:
    """Return a price in millionths for a million tokens, of prompts of more tokens than `start`."""
    given: Any = getattr(price, name)
    if given is None:
        return None
    if not isinstance(given, Decimal):
        passed = [tier.price for tier in given.tiers if tier.start <= start and start]
        given = passed[-1] if passed else given.base
    return int((given * 1_000_000).to_integral_value(ROUND_HALF_UP))
