"""Grounding in a run: the values of a form that were said, offered for arguments that are copied, and asked for again.

Nothing is made up here: a value that stands nowhere is no candidate, and where the state does not hold all that was
said, arguments are not held to what it holds.
"""

from typing import Any

from msgspec.structs import replace

from ..agent import Agent, Offer, corrections, fitting_values, grounded_spec, make_offer
from ..bounds import (
    MAX_CANDIDATES,
    MAX_CARRIED_VALUE_CHARS,
    MAX_CARRIED_VALUES,
    MAX_GROUNDED_CHARS,
)
from ..text import Kind, fold, spans_of
from ..values import Carried, KnownValue, RunState, ToolSpec
from .cut_outputs import may_read_on
from .draft import Draft
from .tool_choice import choice_now

GROUND = "ground"


def is_carried(agent: Agent, state: RunState) -> bool:
    """Whether the model that is asked now is carried."""
    return state.run.carried is not None and agent.carry_level(state.window.model) == GROUND


def begin_carrying(draft: Draft, content: str, data: str) -> None:
    """Keep what carries the model through a new exchange: the values of before, and those that are said now."""
    if not draft.agent.carries:
        return
    kept = draft.run.carried
    if kept is None:
        draft.run = replace(draft.run, carried=Carried())
        note_values(draft, draft.agent.definition.instructions)
    else:
        draft.run = replace(draft.run, carried=Carried(values=kept.values, lost=kept.lost))
    note_values(draft, content)
    note_values(draft, data)


def note_values(draft: Draft, text: str) -> None:
    """Keep the values of a text that arguments may be copied from; the oldest give way."""
    kept, kinds = draft.run.carried, draft.agent.grounded_kinds
    if kept is None or not kinds or not text:
        return
    found = [KnownValue(each.kind, each.value) for each in spans_of(text[:MAX_GROUNDED_CHARS]) if each.kind in kinds]
    short = [each for each in found if not isinstance(each.value, str) or len(each.value) <= MAX_CARRIED_VALUE_CHARS]
    lost = set[Kind](kinds) if len(text) > MAX_GROUNDED_CHARS else {each.kind for each in found if each not in short}
    new = dict.fromkeys(short)
    values = [*(each for each in kept.values if each not in new), *new]
    lost.update(each.kind for each in values[:-MAX_CARRIED_VALUES])
    carried = replace(kept, values=tuple(values[-MAX_CARRIED_VALUES:]), lost=tuple(sorted({*kept.lost, *lost})))
    draft.run = replace(draft.run, carried=carried)


def _candidates(agent: Agent, carried: Carried, tool: str) -> dict[str, tuple[str | int | float, ...]]:
    """Return the values that arguments of a tool may be, for those that are copied and of whose form any was said."""
    found = {}
    for name, kinds in agent.grounds.get(tool, {}).items():
        if set(kinds).isdisjoint(carried.lost):
            said = [each.value for each in reversed(carried.values) if each.kind in kinds]
            values = fitting_values(agent.tools[tool].parameters, name, said)
            if values:
                found[name] = values
    return found


def grounded_offer(agent: Agent, state: RunState, carried: Carried) -> Offer:
    """Return what a carried model is offered: the tools that it chose, their arguments held to what was said."""
    everything, model, found = agent.every_tool, state.window.model, state.exchange.found
    withheld = everything if state.exchange.final else _withheld(agent, state, carried)
    choice, reads = choice_now(agent, state), may_read_on(agent, state)
    plain = agent.sends_plain(state)
    # Tools that a server is given stay as they are: values that come later would change the head of each prompt.
    specs = {} if agent.dialect.native_tools else _held(agent, carried, agent.specs(withheld, model=model, found=found))
    if not specs:
        return agent.offer(
            model,
            withheld,
            choice,
            reads=reads,
            answers_again=state.exchange.cause == "answer_schema",
            plain=plain,
            found=found,
        )
    if reads:
        specs |= agent.specs(everything, reads=True)
    return make_offer(agent.definition, agent.dialect, model, specs, choice, agent.sent_names, plain=plain)


def _withheld(agent: Agent, state: RunState, carried: Carried) -> tuple[str, ...]:
    if carried.chosen is None or not is_carried(agent, state):
        return state.exchange.withheld
    return tuple(sorted({*state.exchange.withheld, *(name for name in agent.tools if name not in carried.chosen)}))


def _held(agent: Agent, carried: Carried, specs: dict[str, ToolSpec]) -> dict[str, ToolSpec]:
    """Return the tools with arguments held to candidates; none where no argument of any is."""
    held, is_changed = dict[str, ToolSpec](), False
    for name, spec in specs.items():
        known = _candidates(agent, carried, name)
        candidates = {key: values for key, values in known.items() if len(values) <= MAX_CANDIDATES}
        is_changed = is_changed or bool(candidates)
        held[name] = grounded_spec(spec, candidates) if candidates else spec
    return held if is_changed else {}


def unsaid_argument(draft: Draft, tool: str, params: dict[str, Any]) -> str | None:
    """Return what is wrong with a call one of whose copied arguments stands nowhere, though others of its form do.

    A model that insists is believed: the value may have been said in another form.
    """
    agent, state, carried = draft.agent, draft.state, draft.run.carried
    if carried is None or not is_carried(agent, state) or "invalid_arguments" in state.exchange.corrections:
        return None
    if not agent.grounds.get(tool) or not agent.max_corrections:
        return None
    for name, values in _candidates(agent, carried, tool).items():
        value = params.get(name)
        is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        if is_plain and value not in values and _bare(value) not in [_bare(each) for each in values]:
            return corrections.unsaid_argument(tool, name, str(value), [str(each) for each in values])
    return None


def _bare(value: Any) -> Any:
    """Return an address without its scheme, which is often left out."""
    return fold(value).rpartition("://")[2].rstrip("/") if isinstance(value, str) else value


def carried_under(after: Agent, state: RunState) -> Carried | None:
    """Return what is known once another definition holds, whose arguments may be copied from other forms."""
    if state.run.carried is None or not after.carries:
        return None
    kinds = after.grounded_kinds
    values = tuple([each for each in state.run.carried.values if each.kind in kinds])
    return Carried(values=values, lost=tuple(sorted(kinds)))


def carried_fits(agent: Agent, carried: Carried) -> bool:
    """Whether a carried exchange names tools that there are."""
    return agent.carries and {*carried.scoring, *(carried.chosen or ())} <= agent.tools.keys()
