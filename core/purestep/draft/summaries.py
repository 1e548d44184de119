"""A summary asked for: before the model goes on without what no longer fits, it is asked to sum that up.

The prompt has been shrunk already, so a summary that fails changes nothing. It is asked with what was left out and the
task, in messages that no later prompt has.
"""

from msgspec import UNSET, Raw
from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import MIN_SUMMARISED_TOKENS, SUMMARY_SHARE
from ..dialects import Sample
from ..json_text import encode_sorted
from ..values import CallModel, Message, RunState, Sent, SentPart, Summing, Switched
from ..window import apart, prompt_entries, prompt_tokens, summed_up
from .draft import Draft
from .history import cuts_sent
from .prompt_window import room_of, sent_of, window_of

SUMMARY = "summary"


def begin_summary(draft: Draft, before: Sent, reason: str, cause: str) -> bool:
    """Ask for a summary of what a shrunk prompt leaves out of the one before, where that is worth it; tells if it does.

    reason, cause: why the model is asked afterwards.
    """
    state, agent = draft.state, draft.agent
    if state.exchange.final or state.exchange.warned or state.exchange.used.turns + 2 >= agent.max_turns:
        return False
    left = _left_out(before, state)
    if sum([part.tokens for part in left]) < MIN_SUMMARISED_TOKENS:
        return False
    # Where nothing is known of the window, it has room for what was sent before.
    room = room_of(agent, state) or sum([part.tokens for part in before.parts])
    summing = _summing(draft, left, room)
    if summing is None:
        return False
    draft.say("assistant", agent.dialect.write(Sample(answer=corrections.before_summary())))
    draft.say("user", corrections.ask_summary(summing.max_tokens))
    tokens = _request_tokens(draft, summing.max_tokens) + sum([part.tokens for part in summing.parts])
    dropped = sum([part.end - part.begin for part in left])
    cause_of_all = "window" if agent.history is None else "history"
    draft.derived(Switched(what=SUMMARY, cause=cause_of_all, dropped=dropped, tokens=tokens))
    draft.state = replace(
        draft.state,
        phase="model",
        exchange=replace(
            draft.exchange, reason=SUMMARY, cause="", wait_ms=0, summing=replace(summing, reason=reason, cause=cause)
        ),
        window=replace(draft.window, sent=replace(sent_of(draft.state), known=draft.next_index)),
    )
    return True


def _left_out(before: Sent, state: RunState) -> tuple[SentPart, ...]:
    kept = {part.begin for part in sent_of(state).parts}
    _, earlier = apart(before)
    return tuple([part for part in before.parts if part.begin not in kept and part is not earlier])


def _summing(draft: Draft, left: tuple[SentPart, ...], room: int) -> Summing | None:
    """Return what a summary is asked with: earlier exchanges, the task, an earlier summary, earlier turns."""
    state, agent = draft.state, draft.agent
    sent = sent_of(state)
    others, earlier = apart(sent)
    task = [part for part in others if part.begin <= state.window.user_at < part.end]
    old = [part for part in left if part.begin < state.window.user_at]
    if old:
        pinned = [part for part in others if part.begin in sent.pinned and part.begin < state.window.user_at]
        old = sorted([*old, *pinned], key=lambda part: part.begin)  # what leaves may answer what stays
    turns = [part for part in left if part.begin > state.window.user_at]
    tokens = _summary_tokens(agent, state, room)
    most = room * 1000 // sent.ratio - _request_tokens(draft, tokens) - (earlier.tokens if earlier else 0)
    parts = summed_up((*old, *task, *turns), state.window.user_at, most)
    if parts is None:
        return None
    at = next(at for at, part in enumerate(parts) if part.begin <= state.window.user_at < part.end) + 1
    shown = parts if earlier is None else (*parts[:at], earlier, *parts[at:])
    return Summing(reason="", parts=shown, asked=draft.next_index, max_tokens=tokens)


def _summary_tokens(agent: Agent, state: RunState, room: int) -> int:
    """Return how long the summary may be: within what every prompt leaves to the answer, and a share of its room."""
    allowed = agent.definition.sampling.get("max_tokens")
    tokens = max(1, min(agent.summary_tokens, room // SUMMARY_SHARE))
    window = window_of(agent, state.window.model)
    if window is not None:
        tokens = min(tokens, window - room)
    return min(tokens, allowed) if allowed else tokens


def _request_tokens(draft: Draft, max_tokens: int) -> int:
    asked = Message(role="user", content=corrections.ask_summary(max_tokens))
    return prompt_tokens((_assistant(draft, corrections.before_summary()), asked), draft.agent.counter)


def _assistant(draft: Draft, text: str) -> Message:
    return Message(role="assistant", content=draft.agent.dialect.write(Sample(answer=text)))


def summary_call(agent: Agent, state: RunState, summing: Summing) -> CallModel:
    """Return the decision that asks for a summary: no tools, no constraint, and no more tokens than it may have."""
    models = agent.definition.models
    sampling = {**agent.definition.sampling, "max_tokens": summing.max_tokens}
    entries = prompt_entries(0, summing.parts, corrections.left_out, cuts_sent(state))
    return CallModel(
        prompt=(*entries, (summing.asked, summing.asked + 2)),
        reason=SUMMARY,
        model=models[state.window.model].name if models else UNSET,
        sampling=Raw(encode_sorted(sampling)),
    )
