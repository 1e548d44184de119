"""Effects of an exchange: a destructive call that has had its effect, or may have, is not made again unasked.

The repeat guard compares results and so lets a call run once more before it corrects; an effect may not be had twice
for that. What the guard bars is not asked about.
"""

from collections.abc import Collection, Sequence

from ..agent import Agent, CompiledTool
from ..bounds import MAX_EFFECTS, SIGNATURE_CHARS
from ..json_text import call_signature
from ..values import Pending, RunState

SAME_EFFECT = "same_effect"
"""Why a person is asked about a destructive call that was made before with the same arguments."""


def doubles_effect(state: RunState, tool: CompiledTool, signature: str, before: Collection[str]) -> bool:
    """Tell whether a call repeats a destructive one of this exchange, or of the same turn before it, by signature.

    An exchange that has had more effects than are remembered may repeat any of them.
    """
    known = signature in before or signature[:SIGNATURE_CHARS] in state.effects or len(state.effects) >= MAX_EFFECTS
    return known and tool.is_destructive


def effects_after(agent: Agent, state: RunState, calls: Sequence[Pending]) -> tuple[str, ...]:
    """Give the signatures of the effects of the exchange, with those that the calls of a turn had or may have had."""
    effects = state.effects
    for call in calls:
        tool = agent.tools.get(call.tool)
        if tool is not None and tool.is_destructive and _may_have_acted(call):
            short = call_signature(call.tool, call.params)[:SIGNATURE_CHARS]
            if short not in effects and len(effects) < MAX_EFFECTS:
                effects = (*effects, short)
    return effects


def _may_have_acted(call: Pending) -> bool:
    """Tell whether a call has run, also if its output was rejected, or may have."""
    return call.ok or call.unknown or call.fault in ("guardrail", "postcondition")
