"""Rates and costs: the model that rates speak for is asked first, and no model past what may be spent."""

from purestep import CallModel, ModelOutput

from ..book import cost_of
from .made import Made


def rates_choose(made: Made) -> str | None:
    """Check that an exchange asks first the model that its message is for, and that the log says why."""
    message, decision = made.move.message, made.step.decision
    if message is None or not message.model or not isinstance(decision, CallModel):
        return None
    told = [line.get("model") for line in made.lines if line.get("reason") == "rates"]
    if decision.model != message.model:
        return f"{decision.model} is asked first, and the rates speak for {message.model}"
    return None if told == [decision.model] else f"the log names {told}"


def costs_limited(made: Made) -> str | None:
    """Check that each output costs what its model's price says, that costs add up, and that none is made past them."""
    policy, book, observation = made.policy, made.after, made.move.observation
    if not policy.prices:
        return None
    if made.step.state.exchange.used.cost != book.cost:
        return f"{made.step.state.exchange.used.cost} was counted, and {book.cost} spent"
    if isinstance(observation, ModelOutput) and observation.usage is not None:
        cost = cost_of(policy, made.before, observation.usage.completion_tokens or 0)
        if [cost] != [line.get("cost") for line in made.lines if line["kind"] == "model_response"]:
            return f"the log has another cost than {cost}"
    is_past = policy.max_cost is not None and book.cost >= policy.max_cost
    asks = isinstance(made.step.decision, CallModel)
    return "the model is asked past what may be spent" if is_past and asks else None
