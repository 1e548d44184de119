"""What a state may say of a negotiation: nothing that the definition's rules could not have led to."""

from ..agent import Agent, leads_to
from ..values import FAULTS, Negotiated, RunState


def negotiated_fits(agent: Agent, state: RunState, kept: Negotiated) -> bool:
    """Tell whether a negotiation is within its bounds, and asks the model in a way that a rule leads to."""
    if not kept.faults.keys() <= set(FAULTS) or list(kept.moved) != sorted(set(kept.moved)):
        return False
    if any(number >= len(agent.rules) for number in kept.moved) or len(kept.skipped) > len(kept.moved):
        return False
    moves = [agent.rules[number] for number in kept.moved]
    dialects = [leads_to(rule) for rule in moves if rule.move == "dialect"]
    if kept.dialect and not any(kept.dialect in names for names in dialects):
        return False
    if kept.carry and not any(rule.move == "carry" for rule in moves):
        return False
    return _places_fit(state, kept)


def _places_fit(state: RunState, kept: Negotiated) -> bool:
    """Tell whether it names places of this exchange, in order."""
    before = state.user_at + 1
    for begin, end in kept.skipped:
        if not before <= begin < end <= state.messages:
            return False
        before = end
    return kept.failed_at == 0 or before <= kept.failed_at < state.messages
