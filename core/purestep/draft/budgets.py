"""Budgets: what an exchange has used of each limit, what it cost, and what the model is told before the end."""

from collections.abc import Iterator

from msgspec.structs import replace

from ..agent import corrections
from ..bounds import FINAL_PERCENT, MAX_SAFE_INTEGER, WARN_PERCENT
from ..values import Decided, ExchangeUse, Usage, all_prices, cost_of, shown_cost, with_text
from .draft import Draft


def call_cost(draft: Draft, usage: Usage | None) -> int | None:
    """Return what a call of the model at hand cost, in millionths of its price's unit; None where that is not known."""
    models = draft.agent.definition.models
    price = models[draft.state.window.model].price if models else None
    return None if price is None or usage is None else cost_of(price, usage)


def shown_amount(draft: Draft, name: str, amount: int) -> str:
    """Return how much of a limit is used or allowed, as people write it."""
    models = draft.agent.definition.models
    price = models[draft.state.window.model].price if models else None
    if name != "max_cost" or price is None:
        return str(amount)
    return shown_cost(amount, all_prices(price)[0].unit)


def count_usage(draft: Draft, usage: Usage) -> None:
    """Count the tokens of a model call, and what they cost at the model's price."""
    state = draft.state
    draft.exchange = replace(
        state.exchange,
        used=replace(
            state.exchange.used,
            input_tokens=_sum(state.exchange.used.input_tokens, usage.prompt_tokens),
            output_tokens=_sum(state.exchange.used.output_tokens, usage.completion_tokens),
            cached_tokens=_sum(state.exchange.used.cached_tokens, usage.cached_tokens),
            reasoning_tokens=_sum(state.exchange.used.reasoning_tokens, usage.reasoning_tokens),
            cost=_sum(state.exchange.used.cost, call_cost(draft, usage)),
        ),
    )


def count_above(draft: Draft) -> None:
    """Count in the run above what this one has used since that was counted there last."""
    above, used, counted = draft.above, draft.exchange.used, draft.counted
    if above is None or used == counted:
        return
    before = above.exchange.used
    more = {
        name: _sum(getattr(before, name), getattr(used, name) - getattr(counted, name))
        for name in ExchangeUse.__struct_fields__
    }
    above.exchange, draft.counted = replace(above.exchange, used=ExchangeUse(**more)), used


def _sum(before: int, more: int | None) -> int:
    return min(before + (more or 0), MAX_SAFE_INTEGER)


def spent(draft: Draft) -> Iterator[tuple[str, int, int]]:
    """Return each budget of the exchange that model calls use up: its name, what is used and what is allowed."""
    state, limits = draft.state, draft.agent.limits
    if limits.max_input_tokens is not None:
        yield "max_input_tokens", state.exchange.used.input_tokens, limits.max_input_tokens
    if limits.max_output_tokens is not None:
        yield "max_output_tokens", state.exchange.used.output_tokens, limits.max_output_tokens
    if limits.max_cost is not None:
        yield "max_cost", state.exchange.used.cost, limits.max_cost


def warn(draft: Draft) -> None:
    """Tell the model, before it is asked, that a limit is near or that it has to answer now; once each, and logged.

    Without a new message in this step nothing is told: what was sent is never changed.
    """
    if not draft.messages or draft.state.exchange.final:
        return
    used = [*_all_spent(draft)]
    limits = draft.agent.limits
    if limits.final_answer and (_is_last(draft) or any(_past(part, FINAL_PERCENT) for part in used)):
        draft.exchange = replace(draft.state.exchange, final=True, warned=True)
        _tell(draft, "final_answer", corrections.answer_now())
        return
    near = next((part for part in used if _past(part, WARN_PERCENT)), None)
    if near is not None and not draft.state.exchange.warned:
        draft.exchange = replace(draft.state.exchange, warned=True)
        name, *amounts = near
        used_up, allowed = [shown_amount(draft, name, amount) for amount in amounts]
        _tell(draft, "near_limit", corrections.near_limit(name, used_up, allowed))


def _is_last(draft: Draft) -> bool:
    return draft.state.exchange.used.turns >= draft.agent.max_turns - 1


def _past(part: tuple[str, int, int], percent: int) -> bool:
    _, used, allowed = part
    return used * 100 >= allowed * percent


def _all_spent(draft: Draft) -> Iterator[tuple[str, int, int]]:
    state, limits = draft.state, draft.agent.limits
    yield "max_turns", state.exchange.used.turns, draft.agent.max_turns
    if limits.max_tool_calls:
        yield "max_tool_calls", state.exchange.used.tool_calls, limits.max_tool_calls
    yield from spent(draft)
    if limits.deadline_ms is not None and draft.at is not None and state.exchange.started_at is not None:
        yield "deadline_ms", max(0, draft.at - state.exchange.started_at), limits.deadline_ms


def _tell(draft: Draft, reason: str, text: str) -> None:
    """Log a text and add it to what the model reads next."""
    draft.derived(Decided(reason=reason, content=text))
    if draft.next_index == draft.state.window.user_at + 1:
        return  # what the user said stays as it is
    last = draft.joinable()
    if last is not None and last.content:
        draft.messages[-1] = replace(last, content=with_text(last.content, text))
    else:
        draft.say_apart(text)
