"""Effects: a call that acts, and has had its effect or may have had it, is not made again unasked.

Within an exchange that holds for every destructive call; a call whose outcome nobody knows is remembered over the whole
run, until a result of it comes. The repeat guard compares results and so lets a call run once more before it corrects;
an effect may not be had twice for that. What the guard bars is not asked about.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from ..agent import Agent, CompiledTool
from ..bounds import MAX_EFFECTS, SIGNATURE_CHARS
from ..json_text import call_signature, encode_sorted
from ..values import Pending, RunState
from .draft import Draft

SAME_EFFECT = "same_effect"
"""Why a person is asked about a call that acts and was made before with the same arguments."""


def effect_signature(tool: CompiledTool, params: dict[str, Any]) -> str:
    """Return what calls share that ask for the same effect; one that is null or has its default counts as absent."""
    defaults = tool.defaults
    said = {
        name: value
        for name, value in params.items()
        if value is not None and not (name in defaults and defaults[name] == encode_sorted(value))
    }
    return call_signature(tool.spec.name, said)


def doubles_effect(state: RunState, tool: CompiledTool, effect: str, before: Collection[str]) -> bool:
    """Whether a call repeats a destructive one of this exchange.

    before: the effects of the same turn's calls before it. An exchange that has had more effects than are remembered
    may repeat any of them.
    """
    effects = state.exchange.effects
    known = effect in before or effect[:SIGNATURE_CHARS] in effects or len(effects) >= MAX_EFFECTS
    return known and tool.is_destructive


def is_unsettled(state: RunState, tool: CompiledTool, effect: str) -> bool:
    """Whether a call repeats one of the run that acts and whose outcome nobody knows."""
    return tool.acts_once and effect[:SIGNATURE_CHARS] in state.run.unsettled


def effects_after(agent: Agent, state: RunState, calls: Sequence[Pending]) -> tuple[str, ...]:
    """Return the signatures of the effects of the exchange, with those that the calls of a turn had or may have had."""
    effects = state.exchange.effects
    for call in calls:
        tool = agent.tools.get(call.tool)
        if tool is not None and tool.is_destructive and _may_have_acted(call):
            short = effect_signature(tool, call.params)[:SIGNATURE_CHARS]
            if short not in effects and len(effects) < MAX_EFFECTS:
                effects = (*effects, short)
    return effects


def hand_up_effects(above: Draft, effects: Collection[str]) -> None:
    """Keep in the run above the effects of an agent that it called, so that the next one does not have them again."""
    known = above.exchange.effects
    more = tuple([each for each in effects if each not in known])
    above.exchange = replace(above.exchange, effects=(*known, *more)[:MAX_EFFECTS])


def _may_have_acted(call: Pending) -> bool:
    """Whether a call has run, also if its output was rejected, or may have."""
    return call.ok or call.unknown or call.fault in ("guardrail", "postcondition")


def note_unsettled(draft: Draft, agent: Agent, calls: Iterable[Pending]) -> None:
    """Remember over the run the effects of calls whose outcome nobody knows, the latest ones.

    agent: whose tools the calls are of.
    """
    unsettled = draft.state.run.unsettled
    for call in calls:
        tool = agent.tools.get(call.tool)
        if tool is not None and tool.acts_once:
            short = effect_signature(tool, call.params)[:SIGNATURE_CHARS]
            unsettled = (*[each for each in unsettled if each != short], short)
    draft.run = replace(draft.state.run, unsettled=unsettled[-MAX_EFFECTS:])


def settle(draft: Draft, call: Pending) -> None:
    """Forget that nobody knows the outcome of a call, now that it has run to its end."""
    tool = draft.agent.tools.get(call.tool)
    if tool is not None and tool.acts_once:
        short = effect_signature(tool, call.params)[:SIGNATURE_CHARS]
        draft.run = replace(
            draft.state.run, unsettled=tuple([each for each in draft.state.run.unsettled if each != short])
        )
