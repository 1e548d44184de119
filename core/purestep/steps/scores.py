"""Scores: a carried model that gives the log-probabilities of texts is asked which tools a request needs.

The tools whose label it finds more likely than that of no tool are offered for the exchange, the best first few;
without any it is asked for an answer. Scores come from a host: where one is missing, or is none, nothing is chosen and
all tools are offered. Sums are whole numbers, so the same scores choose alike on every host.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from ..agent import NO_TOOL, Agent, scored_choices, scoring_messages
from ..bounds import MAX_CHOSEN_TOOLS, MAX_SCORE_NATS, MAX_SCORED_TOOLS
from ..draft import Draft, call_cost, count_usage, kinds_asked
from ..values import CallModel, Decided, ModelOutput, RunState, ScoredChoice, is_aside, response_of
from .limits import ask

CHOICE: Final = "choice"


def is_scoring(agent: Agent, state: RunState) -> bool:
    """Whether the model is asked for scores now."""
    asked = state.phase == "model" and not is_aside(state.exchange)
    return (
        asked and state.run.carried is not None and bool(state.run.carried.scoring) and agent.scores(state.window.model)
    )


def choices_of(agent: Agent, state: RunState) -> tuple[ScoredChoice, ...]:
    """Return what the model is asked to score now; () where it is asked for anything else."""
    if state.run.carried is None or not is_scoring(agent, state):
        return ()
    return scored_choices(agent.specs(), state.run.carried.scoring)


def ask_scores(draft: Draft) -> None:
    """Have a model that scores texts score its tools, where they are few enough for one prompt."""
    agent, state = draft.agent, draft.state
    tools = tuple(sorted(agent.specs(state.exchange.withheld)))
    scores = agent.scores(state.window.model) and not agent.defers(state.window.model)
    can_choose = scores and 1 < len(tools) <= MAX_SCORED_TOOLS and not kinds_asked(state)
    if state.run.carried is None or not can_choose:
        return
    draft.state = replace(
        state,
        exchange=replace(state.exchange, reason=CHOICE, cause=""),
        run=replace(state.run, carried=replace(state.run.carried, scoring=tools)),
    )


def scoring_call(agent: Agent, state: RunState) -> CallModel:
    """Return the decision that asks for scores: of the examples' labels, after the user's message."""
    return CallModel(
        prompt=((state.window.user_at, state.window.user_at + 1),),
        reason=CHOICE,
        messages=scoring_messages(agent.specs()),
        model=agent.definition.models[state.window.model].name,
        wait_ms=state.exchange.wait_ms or UNSET,
        choices=choices_of(agent, state),
    )


def consume_scores(draft: Draft, output: ModelOutput) -> None:
    """Log the output, count it, and offer the tools that it chose."""
    draft.fact(response_of(output, call_cost(draft, output.usage)))
    draft.exchange = replace(
        draft.exchange,
        model_errors=0,
        wait_ms=0,
        used=replace(draft.exchange.used, turns=draft.exchange.used.turns + 1),
    )
    if output.usage is not None:
        count_usage(draft, output.usage)
    carried = draft.run.carried
    assert carried is not None  # only a carried model is asked for scores
    chosen = chosen_tools(output.scores, carried.scoring)
    if chosen is not None:
        draft.derived(Decided(reason="scored", tools=chosen))
    end_scoring(draft, chosen)


def end_scoring(draft: Draft, chosen: tuple[str, ...] | None = None) -> None:
    """Ask the model with the tools that its scores chose; with all where they chose none of them and no answer."""
    carried = draft.run.carried
    assert carried is not None  # only a carried model is asked for scores
    draft.run = replace(draft.run, carried=replace(carried, scoring=(), chosen=chosen))
    ask(draft, "scored")


def chosen_tools(scores: Mapping[str, Any] | None, tools: Sequence[str]) -> tuple[str, ...] | None:
    """Return the best of the tools that are likelier than no tool, sorted; None where a score is missing or odd."""
    found = {id_: _thousandths(scores, id_) for id_ in (NO_TOOL, *tools)}
    least = found.pop(NO_TOOL)
    if least is None or None in found.values():
        return None
    likely = [(value, id_) for id_, value in found.items() if value is not None and value > least]
    best = sorted(likely, key=lambda each: (-each[0], each[1]))[:MAX_CHOSEN_TOOLS]
    return tuple(sorted(id_ for _, id_ in best))


def _thousandths(scores: Mapping[str, Any] | None, id_: str) -> int | None:
    """Return a log-probability in thousandths of a nat; None for what is none."""
    value = None if scores is None else scores.get(id_)
    if not isinstance(value, int | float) or isinstance(value, bool) or not -MAX_SCORE_NATS <= value <= 0:
        return None
    return int(value * 1000)
