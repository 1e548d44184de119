"""The ways in which a model can be asked: as its definition says, and as its rules of negotiation may change that."""

from typing import Final

from msgspec import Struct

from ..dialects import Dialect, dialect_named
from ..errors import PurestepError
from ..values import TEXT_DIALECT, CarryLevel, Negotiated, NegotiationRule, RunState, learnt_members


class Way(Struct, frozen=True):
    """A way of asking: the dialect, the least carry level, and whether most tools are to be found."""

    dialect: str
    carry: CarryLevel
    defers: bool = False


def way_of(state: RunState, dialect: str, *, defers: bool) -> Way:
    """Return the way in which the model is asked now; `dialect` is the definition's."""
    negotiated = state.exchange.negotiated or _UNCHANGED
    by_refusal = TEXT_DIALECT if "tools" in learnt_members(state) else dialect
    return Way(negotiated.dialect or by_refusal, negotiated.carry or "off", defers)


_UNCHANGED: Final = Negotiated()


def check_rules(rules: tuple[NegotiationRule, ...], place: str) -> None:
    """Raise `invalid_agent` for a rule of negotiation that leads nowhere; place: of the policy in the definition."""
    for index, rule in enumerate(rules):
        _check_target(rule, f"{place}/rules/{index}/to")


def _check_target(rule: NegotiationRule, path: str) -> None:
    if rule.to is None:
        return
    match rule.move:
        case "carry" if rule.to == "ground":
            return
        case "carry":
            raise PurestepError("invalid_agent", f'expected ground; got "{rule.to}"', path)
        case "dialect":
            _check_dialect(rule.to, path)
        case _:
            raise PurestepError("invalid_agent", f"the move {rule.move} has no target; leave it out", path)


def _check_dialect(name: str, path: str) -> None:
    try:
        dialect = dialect_named(name)
    except PurestepError as error:
        raise PurestepError(error.code, error.message, path) from None
    if name == "bare" or dialect.native_tools:
        # A later model or exchange has the definition's dialect again, and could not be shown calls beside the text.
        raise PurestepError(
            "invalid_agent", f"expected a dialect that teaches its form in the prompt; {name} does not", path
        )


def next_dialect(dialect: Dialect) -> str:
    """Return the dialect to try after one: the envelope, whose outputs a schema holds; after it tags amid text."""
    return "tool_tags" if dialect.name == "envelope" else "envelope"


def leads_to(rule: NegotiationRule) -> tuple[str, ...]:
    """Return the dialects that a rule may lead to."""
    return (rule.to,) if rule.to is not None else ("envelope", "tool_tags")
