"""What a model's tokens cost: the price that a definition gives, and the cost of one call at it."""

from typing import Annotated

from msgspec import Meta, Struct

from ..bounds import MAX_PRICES, MAX_SAFE_INTEGER, MAX_UNIT_CHARS
from .content import Count
from .wire import Usage

_MILLION = 1_000_000


class Price(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a million tokens cost, in millionths of a unit, such as `USD`; nothing where nothing is given.

    `cached_input`: of the prompt what the server had in its cache; `cache_write`: what it wrote into it. Where one is
    left out, that costs what the input does. `above`: of several prices, this one is for prompts of more tokens.
    """

    input: Count = 0
    output: Count = 0
    cached_input: Count | None = None
    cache_write: Count | None = None
    above: Count = 0
    unit: Annotated[str, Meta(max_length=MAX_UNIT_CHARS)] = ""


Prices = Price | Annotated[tuple[Price, ...], Meta(min_length=1, max_length=MAX_PRICES)]
"""One price, or several by the length of the prompt: all tokens of a call cost what the highest one says."""


def all_prices(prices: Prices) -> tuple[Price, ...]:
    """Return the prices, that of the shortest prompts first."""
    return (prices,) if isinstance(prices, Price) else tuple(sorted(prices, key=lambda price: price.above))


def shown_cost(cost: int, unit: str) -> str:
    """Return a cost in millionths as people write it, exactly: `0.0123 USD`."""
    whole, rest = divmod(cost, _MILLION)
    digits = f"{rest:06d}".rstrip("0")
    amount = f"{whole}.{digits:0<2}"
    return f"{amount} {unit}" if unit else amount


def cost_of(prices: Prices, usage: Usage) -> int:
    """Return what a call cost, in millionths of the prices' unit, rounded up."""
    tokens = usage.prompt_tokens or 0
    first, *others = all_prices(prices)
    price = next((other for other in reversed(others) if tokens > other.above), first)
    cached = min(usage.cached_tokens or 0, tokens)
    written = min(usage.cache_write_tokens or 0, tokens - cached)
    cost = (
        (tokens - cached - written) * price.input
        + cached * (price.input if price.cached_input is None else price.cached_input)
        + written * (price.input if price.cache_write is None else price.cache_write)
        + (usage.completion_tokens or 0) * price.output
    )
    return min(-(-cost // _MILLION), MAX_SAFE_INTEGER)
