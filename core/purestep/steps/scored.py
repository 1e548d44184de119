"""Scores: a model asked which tool a step needs, where the words leave a choice or are silent.

The host gives the log-probability of each tool's label, and the best decides the route. A call that only scores chose
is never sure: a tool that may act asks first. Without scores, after an error, or with odd ones the words decide.
"""

from msgspec.structs import replace

from ..agent import Agent, scored_choices, scoring_messages
from ..bounds import MAX_SCORED_TOOLS, SCORE_RESERVE_TOKENS
from ..carry import (
    NO_TOOL,
    Plan,
    Route,
    Words,
    chosen_among,
    chosen_of_all,
    holds_value,
    is_musing,
    plan_of,
    withdraws,
    words_in,
)
from ..values import Carried, Decided, ModelOutput, RunState, ScoredChoice, response_of
from ..window import message_tokens
from .budgets import count_usage
from .carried import ROUTE, step_words
from .draft import Draft
from .limits import ask

CHOICE = "choice"


def can_score(agent: Agent, state: RunState) -> bool:
    """Tell whether the model that is asked now scores tools, and they are few enough for one prompt."""
    return (
        agent.scores(state.model) and agent.carry_level(state.model) == ROUTE and len(agent.tools) <= MAX_SCORED_TOOLS
    )


def is_scoring(agent: Agent, state: RunState) -> bool:
    """Tell whether the model is asked for scores now."""
    if state.skill is not None:
        return False
    return state.carried is not None and bool(state.carried.scoring) and can_score(agent, state)


def choices_of(agent: Agent, state: RunState) -> tuple[ScoredChoice, ...]:
    """Give what the model is asked to score now; () where it is asked for anything else."""
    carried = state.carried
    if carried is None or state.phase != "model" or not is_scoring(agent, state):
        return ()
    return scored_choices(agent.specs(), carried.scoring)


def ask_scores(draft: Draft, carried: Carried, words: Words, tools: tuple[str, ...]) -> bool:
    """Have the model score these tools; tells whether the prompt for it fits.

    carried: what is asked where the model gives no scores after all.
    """
    agent, models = draft.agent, draft.agent.definition.models
    window = models[draft.state.model].window_tokens
    messages = scoring_messages(agent.specs(), words.clause.text) if window else ()
    if window and sum([message_tokens(message) for message in messages]) > window - SCORE_RESERVE_TOKENS:
        return False
    scoring = replace(carried, scoring=tuple(sorted(tools)), scored=carried.step + 1, chosen="")
    draft.state = replace(draft.state, carried=scoring, reason=CHOICE)
    return True


def unspoken_tools(draft: Draft, plan: Plan, carried: Carried) -> tuple[str, ...]:
    """Give the tools whose values stand in a request that no words route.

    None for greetings, for opinions, and where no value such as a quote, a date or a link stands in the request: there
    a small model's scores do not tell a request for a tool from a question.
    """
    router, whole = draft.agent.router, plan.whole
    if router is None or plan.steps or carried.step or not holds_value(whole) or is_musing(whole) or withdraws(whole):
        return ()
    words = words_in(whole, whole)
    barred = router.forbidden(whole).union(draft.state.withheld, plan.denied)
    known = [tool for tool in draft.agent.tools if tool not in barred]
    return tuple([tool for tool in known if router.route_to(tool, words) is not None])


def consume_scores(draft: Draft, output: ModelOutput) -> None:
    """Log the output, count it, and go on with the tool that it chose."""
    draft.fact(response_of(output))
    draft.state = replace(draft.state, turns=draft.state.turns + 1, model_errors=0, wait_ms=0)
    if output.usage is not None:
        count_usage(draft, output.usage)
    chosen = _chosen(draft, output)
    if chosen is not None:
        draft.derived(Decided(reason="scored", tools=(chosen,) if chosen else ()))
    go_by_words(draft, chosen or "")


def go_by_words(draft: Draft, chosen: str = "") -> None:
    """Go on with what the words and, where there is one, the tool that the scores chose allow."""
    carried = draft.state.carried
    assert carried is not None  # only a carried model is asked for scores
    draft.state = replace(draft.state, carried=replace(carried, scoring=(), chosen=chosen))
    ask(draft, "scored")


def _chosen(draft: Draft, output: ModelOutput) -> str | None:
    carried, router = draft.state.carried, draft.agent.router
    assert carried is not None  # the caller has looked
    assert router is not None
    plan = plan_of(carried.task, router)
    if carried.step >= len(plan.steps):
        return chosen_of_all(output.scores, carried.scoring)
    routes = router.routes(step_words(plan, carried), frozenset(draft.state.withheld))
    return chosen_among(output.scores, [(each.tool, each.score) for each in routes if each.tool in carried.scoring])


def chosen_route(draft: Draft, carried: Carried, words: Words) -> Route | None:
    """Give the route to the tool that the scores chose for this step."""
    router = draft.agent.router
    if router is None or carried.chosen == NO_TOOL or carried.scored != carried.step + 1:
        return None
    return router.route_to(carried.chosen, words)
