"""What a definition says that only holds together: what its models take of its dialect, and what they cost."""

from collections.abc import Container

from ..bounds import MAX_COMPACT_TOOLS_CHARS
from ..constraints import takes_copies
from ..dialects import Dialect, tool_line
from ..errors import PurestepError
from ..values import AgentDefinition, all_prices
from .corrections import shown


def takes(feature: str, supports: tuple[str, ...] | None) -> bool:
    """Whether a model's server takes something; one of which nothing is said takes all."""
    return supports is None or feature in supports


def check_supports(definition: AgentDefinition, dialect: Dialect, deferred: Container[str]) -> None:
    """Raise an error for a model that no way exists to show the tools to, and for a tool that none of them takes.

    deferred: the names of those that are found, and shown then.
    """
    _check_compact(definition, dialect, deferred)
    for index, model in enumerate(definition.models):
        if dialect.native_tools and (definition.tools or definition.skills) and not takes("tools", model.supports):
            raise PurestepError(
                "invalid_agent",
                f'the {dialect.name} dialect gives the tools to the server, and "{model.name}" does not take any; '
                "choose another dialect",
                f"/models/{index}/supports",
            )


def check_sampling(definition: AgentDefinition) -> None:
    """Raise an error for a number of tokens that is none; the other settings are the server's to judge."""
    given = definition.sampling.get("max_tokens")
    if given is not None and (type(given) is not int or given < 1):
        raise PurestepError("invalid_agent", "expected an integer from 1", "/sampling/max_tokens")


def check_prices(definition: AgentDefinition) -> None:
    """Raise an error for a limit of cost that no price lets hold, and for prices in several units."""
    prices = [model.price for model in definition.models]
    unpriced = next((index for index, price in enumerate(prices or [None]) if price is None), None)
    if definition.limits.max_cost is not None and unpriced is not None:
        name = f'"{definition.models[unpriced].name}"' if definition.models else "the model"
        raise PurestepError(
            "invalid_agent",
            f"limits.max_cost cannot be held: no price of {name} is given; give the price of each model, "
            'such as {"input": 2000000, "output": 8000000}',
            f"/models/{unpriced}/price",
        )
    each = [price for given in prices if given is not None for price in all_prices(given)]
    units = sorted({price.unit for price in each if price.input or price.output})
    if len(units) > 1:
        raise PurestepError(
            "invalid_agent",
            f"expected prices in one unit; got {', '.join([shown(unit) or 'none' for unit in units])}",
            "/models",
        )


def _check_compact(definition: AgentDefinition, dialect: Dialect, deferred: Container[str]) -> None:
    """Raise an error for spans in a dialect without them, and for more tools than the compact one has room for."""
    is_compact = dialect.stream == "compact"
    for index, model in enumerate(definition.models):
        if model.spans and not takes_copies(dialect):
            raise PurestepError(
                "invalid_agent",
                "expected spans in a dialect whose calls have strings as JSON or Python writes them, such as compact; "
                f"got {dialect.name}; leave spans out or choose another dialect",
                f"/models/{index}/supports",
            )
    tools = [tool for tool in definition.tools if tool.name not in deferred]
    chars = sum([len(tool_line(tool)) + 1 for tool in tools]) if is_compact else 0
    if chars > MAX_COMPACT_TOOLS_CHARS:
        raise PurestepError(
            "invalid_agent",
            f"the {len(tools)} tools take {chars} characters in the compact dialect, which has room for "
            f"{MAX_COMPACT_TOOLS_CHARS}, about 14 tools; offer fewer, have them found (tools_offered), or use a larger "
            "model with another dialect",
            "/tools",
        )
