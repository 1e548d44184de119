"""Negotiation: what fails is counted by its cause, and by the definition's rules the model is asked in another way.

Each rule makes its move once in an exchange, so their number bounds the moves. A move that changes the head of the
prompt has the model begin anew: its latest failed outputs are not sent again. Every move is logged as `switched`, and
gives its cause fresh corrections, since what is asked is no longer the same.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..agent import Agent, leads_to, next_dialect, sample_words
from ..bounds import MAX_SAFE_INTEGER
from ..values import FAULT_OF, CallModel, Message, Negotiated, NegotiationRule, RunState, Switched, with_text
from ..window import Entry
from .attachments import next_model
from .draft import Draft
from .plans import PLAN, begin_plan, can_plan, unsent_requests
from .prompt_window import lead_of, sends_examples, with_model

_STAY = ("rejected_result", "repeated_call")
"""Causes whose outputs stay in the prompt: their calls have run."""


class WayChange(Struct, frozen=True):
    """A move that is due: the rule, what is asked after it, and what it leads to."""

    rule: NegotiationRule
    after: Negotiated
    to: str


def note_fault(draft: Draft, cause: str) -> None:
    """Count an output that led to nothing."""
    fault, state = FAULT_OF[cause], draft.state
    kept = state.exchange.negotiated or Negotiated()
    faults = {**kept.faults, fault: kept.faults.get(fault, 0) + 1}
    failed_at = kept.failed_at if fault in _STAY else kept.failed_at or state.window.turn_at
    draft.exchange = replace(state.exchange, negotiated=replace(kept, faults=faults, failed_at=failed_at))


def note_success(draft: Draft, *, results: bool = False) -> None:
    """Note that the latest output led to calls, or with `results` that calls led to results: it counts against faults.

    Later moves leave such an output in the prompt.
    """
    kept = draft.exchange.negotiated
    if kept is None:
        return
    faults = {
        fault: count - 1 if (fault in _STAY) == results else count
        for fault, count in kept.faults.items()
        if count > 1 or (fault in _STAY) != results
    }
    draft.exchange = replace(draft.exchange, negotiated=replace(kept, faults=faults, failed_at=0))


def due_change(draft: Draft, cause: str, named: Sequence[str] = (), *, last: bool = False) -> WayChange | None:
    """Return the first move that the rules have for a cause and that changes anything.

    named: the tools of the output that failed. last: without a move the run fails, so that no count is waited for.
    """
    kept = draft.exchange.negotiated
    if kept is None:
        return None
    fault = FAULT_OF[cause]
    count = MAX_SAFE_INTEGER if last else kept.faults.get(fault, 0)
    for number, rule in enumerate(draft.agent.options.rules):
        if rule.cause != fault or count < rule.count or number in kept.moved:
            continue
        change = _change(draft, rule, replace(kept, moved=tuple(sorted((*kept.moved, number)))), named)
        if change is not None:
            return change
    return None


def _change(draft: Draft, rule: NegotiationRule, kept: Negotiated, named: Sequence[str]) -> WayChange | None:
    """Return what a rule changes; None where it would change nothing."""
    match rule.move:
        case "examples":
            return None if kept.examples else WayChange(rule, replace(kept, examples=True), "")
        case "dialect":
            return _other_dialect(draft, rule, kept)
        case "plan":
            larger = next_model(draft.agent, draft.state)
            if larger is None or not can_plan(draft):
                return None
            return WayChange(rule, kept, draft.agent.definition.models[larger].name)
        case "carry":
            is_carried = draft.agent.carry_level(draft.window.model) == "ground"
            return None if is_carried else WayChange(rule, replace(kept, carry="ground"), "ground")
        case _:
            return _next_model(draft, rule, kept)


def _other_dialect(draft: Draft, rule: NegotiationRule, kept: Negotiated) -> WayChange | None:
    current, state = draft.agent.dialect, draft.state
    to = next_dialect(current) if rule.to is None else rule.to
    if to == current.name:
        return None
    if current.native_tools and (
        state.window.user_at != state.window.preamble or kept.failed_at != state.window.user_at + 1
    ):
        # Servers take calls apart from the text, and their results, only beside tools that they are given.
        return None
    return WayChange(rule, replace(kept, dialect=to), to)


def _next_model(draft: Draft, rule: NegotiationRule, kept: Negotiated) -> WayChange | None:
    """Return the next model, asked as the definition says: what suited the one before may not suit it."""
    larger = next_model(draft.agent, draft.state)
    if larger is None:
        return None
    name = draft.agent.definition.models[larger].name
    return WayChange(rule, replace(kept, dialect="", carry=""), name)


def make_change(draft: Draft, change: WayChange, cause: str) -> str:
    """Change how the model is asked, and log it; gives the reason with which it is asked."""
    state, after, move = draft.state, change.after, change.rule.move
    if move in ("dialect", PLAN) and after.failed_at:
        after = replace(after, skipped=(*after.skipped, (after.failed_at, draft.next_index)), failed_at=0)
    found = () if move == "dialect" else state.exchange.found  # what was said of them is not in its prompt
    corrections = {known: count for known, count in state.exchange.corrections.items() if known != cause}
    draft.state = state = replace(
        state, exchange=replace(state.exchange, negotiated=after, corrections=corrections, found=found)
    )
    draft.agent = draft.agent.asked(draft.state)
    larger = next_model(draft.agent, state)
    if move == "model" and larger is not None:
        draft.window = with_model(state.window, larger)
    elif move == PLAN and larger is not None:
        begin_plan(draft, larger)
    elif move != "examples":
        draft.state = without_count(state)
        if move == "carry" and state.exchange.withheld:
            # A call that was barred stays so; its tool may have another with values that were said.
            draft.exchange = replace(draft.exchange, withheld=())
    draft.derived(Switched(what=move, cause=change.rule.cause, to=change.to))
    return {"examples": "correction", "model": "escalate", PLAN: PLAN}.get(move, "switch")


def without_count(state: RunState) -> RunState:
    """Return the state without what the server has counted of the prompt before."""
    return (
        state
        if state.window.sent is None
        else replace(state, window=replace(state.window, sent=replace(state.window.sent, counted=0, since=0)))
    )


def sample_for(draft: Draft, cause: str, change: WayChange | None, named: Sequence[str]) -> str:
    """Return an example for feedback, where corrections show one: of the tool that failed, else of the first."""
    kept = draft.exchange.negotiated if change is None else change.after
    if kept is None or not kept.examples:
        return ""
    known = [name for name in named if name in draft.agent.tools] or list(draft.agent.shown_tools(draft.window.model))
    shown = [name for name in known if name in draft.agent.tools and draft.agent.tools[name].reads]
    return sample_words(draft.agent, shown[:1], answers=FAULT_OF[cause] in ("unread", "no_answer"))


def add_words(draft: Draft, text: str) -> None:
    """Add words to what the model reads next."""
    last = draft.joinable()
    if last is not None and last.content:
        draft.messages[-1] = replace(last, content=with_text(last.content, text))
    else:
        draft.say_apart(text)


def negotiated_fits(agent: Agent, kept: Negotiated) -> bool:
    """Whether the definition has rules, one of which leads to the dialect in which the model is asked."""
    dialects = [name for rule in agent.options.rules if rule.move == "dialect" for name in leads_to(rule)]
    return bool(agent.options.rules) and (not kept.dialect or kept.dialect in dialects)


def negotiated_prompt(
    agent: Agent, state: RunState, prompt: Sequence[Entry]
) -> tuple[tuple[Message, ...], tuple[Entry, ...]]:
    """Return the messages that come first, and the entries after them.

    agent: as the model is asked now. prompt: what would be sent without a negotiation or a change.
    """
    negotiated = state.exchange.negotiated
    skipped = (*unsent_requests(state), *(negotiated.skipped if negotiated is not None else ()))
    if not (agent.has_own_head or state.run.changed):
        return (), _without(prompt, skipped)
    head = agent.preamble if sends_examples(agent, state) else agent.preamble[:1]
    return head, _without(prompt, ((0, lead_of(agent, state)), *skipped))


def without_plan_requests(state: RunState, call: CallModel) -> CallModel:
    """Return a model call that is made aside without the messages that ask for plans."""
    asked = unsent_requests(state)
    return replace(call, prompt=_without(call.prompt, asked)) if asked else call


def _without(entries: Sequence[Entry], skipped: Sequence[tuple[int, int]]) -> tuple[Entry, ...]:
    """Return the entries without the messages of the skipped ranges."""
    kept = list(entries)
    for begin, end in skipped:
        parts: list[Entry] = []
        for entry in kept:
            if isinstance(entry, tuple):
                cut = ((entry[0], min(entry[1], begin)), (max(entry[0], end), entry[1]))
                parts += [part for part in cut if part[0] < part[1]]
            elif not begin <= entry.index < end:
                parts.append(entry)
        kept = parts
    return tuple(kept)
