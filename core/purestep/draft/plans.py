"""A plan asked for: a larger model gives steps, and the smaller one is asked one of them at a time.

The larger model is asked as the model at hand, in two messages that no other prompt has, so its price, its window and
what its server refuses hold as for any other. It is shown the tools and may use none.
"""

from itertools import pairwise

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import Agent, Offer, corrections
from ..bounds import MAX_PLAN_STEP_CHARS, MAX_PLAN_STEPS, MAX_PLANS, MIN_PLAN_STEPS
from ..dialects import Sample
from ..json_text import BLANK
from ..values import Decided, Plan, RunState, is_planning
from .draft import Draft
from .prompt_window import with_model

PLAN = "plan"

_DIGITS = "0123456789"
_AFTER_NUMBERS = (".", ")", ":")
_BULLETS = ("-", "*", "\u2022")


def can_plan(draft: Draft) -> bool:
    """Whether this exchange had no plan yet, and has turns for one and its steps."""
    exchange = draft.exchange
    turns = exchange.used.turns + 1 + MIN_PLAN_STEPS
    has_room = turns < draft.agent.max_turns and len(draft.run.plan_requests) < MAX_PLANS
    return exchange.plan is None and not exchange.final and has_room


def begin_plan(draft: Draft, larger: int) -> None:
    """Ask the larger model for the steps of what is left to do."""
    plan = Plan(model=draft.window.model, asked=draft.next_index)
    draft.say("assistant", draft.agent.dialect.write(Sample(answer=corrections.before_plan())))
    draft.say("user", corrections.ask_plan(MIN_PLAN_STEPS, MAX_PLAN_STEPS))
    draft.run = replace(draft.run, plan_requests=(*draft.run.plan_requests, plan.asked))
    draft.exchange = replace(draft.exchange, plan=plan)
    draft.window = with_model(draft.window, larger)


def unsent_requests(state: RunState) -> tuple[tuple[int, int], ...]:
    """Return the ranges of the transcript that ask for plans, but for the one that is asked for now."""
    past = state.run.plan_requests[: -1 if is_planning(state.exchange) else None]
    return tuple([(asked, asked + 2) for asked in past])


def step_asked(state: RunState) -> int:
    """Return the index of the message that asks for the step at hand; 0 where there is none."""
    plan = state.exchange.plan
    return plan.asked if plan is not None and plan.steps else 0


def say_step(draft: Draft) -> None:
    """Put the step that is due to the model, and log it."""
    plan = draft.exchange.plan
    assert plan is not None  # the callers have looked
    number, step = plan.at + 1, plan.steps[plan.at]
    draft.derived(Decided(reason="step", attempt=number, content=step))
    draft.exchange = replace(draft.exchange, plan=replace(plan, asked=draft.next_index))
    draft.say("user", corrections.do_step(step, number, len(plan.steps)))


def steps_left(state: RunState) -> bool:
    """Whether an answer ends a step, and another one follows; not where the model was told to answer at once."""
    plan = state.exchange.plan
    return plan is not None and plan.at + 1 < len(plan.steps) and not state.exchange.final


def steps_in(text: str) -> tuple[str, ...]:
    """Return the steps in a text: its numbered or bulleted lines with what follows each, or all lines if none is."""
    lines = [line.strip(BLANK) for line in text.split("\n")]
    items = [_item(line) for line in lines]
    if not any(items):
        return tuple([line for line in lines if line])
    steps: list[str] = []
    for line, item in zip(lines, items, strict=True):
        if item:
            steps.append(item)
        elif line and steps:
            steps[-1] += " " + line
    return tuple(steps)


def _item(line: str) -> str:
    """Return the words of a line after its number or bullet; "" where it has none."""
    after = line.lstrip(_DIGITS)
    marks = _BULLETS if after == line else _AFTER_NUMBERS
    return after[1:].strip(BLANK) if after.startswith(marks) and after[1:2] in BLANK else ""


def wrong_steps(steps: tuple[str, ...]) -> str:
    """Say why steps cannot be put to a model one by one; "" if they can."""
    if len(steps) < MIN_PLAN_STEPS:
        return "it has fewer than two steps"
    if len(steps) > MAX_PLAN_STEPS:
        return f"it has more than {MAX_PLAN_STEPS} steps"
    return "a step is too long" if max(map(len, steps)) > MAX_PLAN_STEP_CHARS else ""


def plan_offer(agent: Agent, state: RunState) -> Offer:
    """Return what the larger model is offered: the tools to plan with, none to call, and no form of the answer."""
    offer = agent.offer(state.window.model, (), "none", plain=agent.sends_plain(state), found=state.exchange.found)
    return replace(offer, response_format=UNSET, grammar=UNSET)


def without_planning(state: RunState) -> RunState:
    """Return the state with its smaller model asked again, where a plan is asked for in messages that are gone."""
    exchange, plan = state.exchange, state.exchange.plan
    if plan is None or not is_planning(exchange):
        return state
    window, summing = with_model(state.window, plan.model), exchange.summing
    if summing is not None:
        exchange = replace(exchange, summing=replace(summing, reason="switch"))
    else:
        exchange = replace(exchange, reason="switch")
    return replace(state, exchange=replace(exchange, plan=None), window=window)


def plan_fits(agent: Agent, state: RunState) -> bool:
    """Whether the definition has a rule for plans, and the state stands where its plan can be."""
    exchange, plan = state.exchange, state.exchange.plan
    assert plan is not None  # the caller has looked
    if not any(rule.move == PLAN for rule in agent.options.rules):
        return False
    asked, user_at = plan.asked, state.window.user_at
    if not is_planning(exchange):
        return plan.at < len(plan.steps) and not plan.model and (not asked or user_at < asked < state.messages)
    is_asked = state.phase == "model" and plan.model < state.window.model and user_at < asked
    return is_asked and state.run.plan_requests[-1:] == (asked,)


def requests_fit(state: RunState) -> bool:
    """Whether the places where plans were asked for are in the transcript, in order."""
    places = (*state.run.plan_requests, state.messages)
    return places[0] > 0 and all(place + 2 <= after for place, after in pairwise(places))
