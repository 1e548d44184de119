"""The prompt kept within the model's window: before every model call, and after its server has refused one."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..agent import Agent, Offer
from ..bounds import (
    ATTACHMENT_TOKENS,
    FRAME_TOKENS,
    MAX_SAFE_INTEGER,
    OVERFLOW_SHARE,
    READ_ON_TOKENS,
    RESULT_TOKENS,
    SHRUNK_SHARE,
)
from ..values import ExplainedWindow, RunState, Sent, Switched, Usage, WindowState
from ..window import counted_prompt, estimated_prompt, largest_prompt, less, longest_start, prompt_room, shrunk
from .attachments import takes_all
from .cut_outputs import may_read_on
from .draft import Draft


class LimitExceeded(Struct, frozen=True):
    """A limit is used up: the failure's code, its words, and the figures."""

    code: str
    message: str
    detail: dict[str, Any]


ONLY_SYSTEM = 3
"""The level of `RunState.window` at which the examples are left out."""


def lead_of(agent: Agent, state: RunState) -> int:
    """Return how many messages of the preamble are sent: all, or only the system text."""
    return state.window.preamble if sends_examples(agent, state) else min(1, state.window.preamble)


def sends_examples(agent: Agent, state: RunState) -> bool:
    """Whether the examples are sent after the system text: to a carried model, where there is room."""
    return state.window.level < ONLY_SYSTEM and agent.carry_level(state.window.model) == "ground"


def with_model(window: WindowState, model: int) -> WindowState:
    """Return the window with another model asked next; what is known of one model's tokens holds for no other."""
    if model == window.model:
        return window
    sent = window.sent
    if sent is not None:
        sent = Sent(parts=sent.parts, summary=sent.summary, known=sent.known, pinned=sent.pinned)
    return replace(window, model=model, sent=sent)


def fit(draft: Draft) -> LimitExceeded | None:
    """Shrink the prompt until it fits into the window, or move to a model with a larger one; say why nothing fits.

    Only for a run that keeps sizes. What changes other than by messages appended is logged.
    """
    agent, sent = draft.agent, draft.window.sent
    assert sent is not None  # the caller has looked
    draft.state = replace(draft.state, window=replace(draft.window, sent=draft.sizes(sent)))
    if agent.history is not None and agent.history.summary_above is not None:
        _shrink_above(draft, agent.history.summary_above)
    state = draft.state
    for model in (state.window.model, *_larger_windows(agent, state)):
        found = _fitting(agent, replace(state, window=with_model(state.window, model)))
        if found is not None:
            if model != state.window.model:
                draft.derived(Switched(what="model", cause="window", to=agent.definition.models[model].name))
            _log_shrunk(draft, state, found)
            draft.state = found
            return None
    return _unfit(agent, state)


def _fitting(agent: Agent, state: RunState) -> RunState | None:
    """Return the state whose prompt fits: as it is, with less of the transcript, or also without examples."""
    sent = sent_of(state)
    room = room_of(agent, state)
    if room is None or largest_prompt(sent, _fixed(agent, state)) <= room:
        return state
    target = room * SHRUNK_SHARE // 1000
    if state.window.attachments:
        state = _without_old_parts(agent, state, target)
        sent = sent_of(state)
        if largest_prompt(sent, _fixed(agent, state)) <= room:
            return state
    plan = state.exchange.plan
    stays = 0 if plan is None else plan.asked
    for level in (state.window.level, ONLY_SYSTEM):
        narrower = replace(state, window=replace(state.window, level=level))
        smaller = shrunk(sent, state.window.user_at, _fixed(agent, narrower), room, target, stays)
        if smaller is not None:
            return replace(narrower, window=replace(narrower.window, sent=smaller))
    return None


def _without_old_parts(agent: Agent, state: RunState, target: int) -> RunState:
    """Return the state without old images and files, the oldest left out first, down to the target.

    Old are those of earlier exchanges, and of results before the latest that has any.
    """
    kept, sent = list(state.window.attachments), sent_of(state)
    for at, part in enumerate(kept):
        if largest_prompt(sent, _fixed(agent, state)) <= target:
            break
        is_old = part.message < state.window.user_at or (part.about and part.message < kept[-1].message)
        if is_old and not part.left_out and not _is_pinned(sent, part.message):
            kept[at] = replace(part, left_out=True)
            sent = less(sent, part.message, part.tokens - ATTACHMENT_TOKENS)
    return replace(state, window=replace(state.window, attachments=tuple(kept), sent=sent))


def _is_pinned(sent: Sent, message: int) -> bool:
    parts = sent.parts if sent.pinned else ()
    return any(part.begin in sent.pinned and part.begin <= message < part.end for part in parts)


def _shrink_above(draft: Draft, most: int) -> None:
    """Shrink a prompt that has more than so many tokens as far as what always stays allows; it may stay larger."""
    state, plan = draft.state, draft.exchange.plan
    sent, fixed = sent_of(state), _fixed(draft.agent, state)
    if largest_prompt(sent, fixed) <= most:
        return
    target, stays = most * SHRUNK_SHARE // 1000, 0 if plan is None else plan.asked
    smaller = shrunk(sent, state.window.user_at, fixed, MAX_SAFE_INTEGER, target, stays)
    if smaller is None or smaller.parts == sent.parts:
        return
    after = replace(state, window=replace(state.window, sent=smaller))
    _log_shrunk(draft, state, after, "summary_above")
    draft.state = after


def _log_shrunk(draft: Draft, before: RunState, after: RunState, cause: str = "window") -> None:
    old, new = sent_of(before).parts, sent_of(after).parts
    if old == new and before.window.level == after.window.level:
        return
    dropped = sum([part.end - part.begin for part in old]) - sum([part.end - part.begin for part in new])
    shortened = sum([len(part.cuts) for part in new if part.shortened])
    shortened -= sum([len(part.cuts) for part in old if part.shortened and part.begin >= new[0].begin])
    shortened += sum([part.left_out for part in after.window.attachments]) - sum(
        [part.left_out for part in before.window.attachments]
    )
    draft.derived(
        Switched(
            what="prompt",
            cause=cause,
            shortened=max(0, shortened),
            dropped=dropped + lead_of(draft.agent, before) - lead_of(draft.agent, after),
            tokens=largest_prompt(sent_of(after), _fixed(draft.agent, after)),
        )
    )


def _unfit(agent: Agent, state: RunState) -> LimitExceeded:
    sent = sent_of(state)
    pinned = sum(
        [part.tokens for part in sent.parts if part.begin in sent.pinned and part.begin != state.window.user_at]
    )
    return unfit(largest_prompt(sent, _fixed(agent, state)), room_of(agent, state), pinned)


def unfit(tokens: int, room: int | None, pinned: int = 0) -> LimitExceeded:
    """Return the failure of a prompt of which nothing more can be left out; pinned: tokens of what is pinned."""
    stays = f"; what is pinned has {pinned} of them: pin less, or" if pinned else ";"
    return LimitExceeded(
        "window",
        f"the prompt has up to {tokens} tokens and the model's window leaves {room} for it, also without earlier "
        f"messages{stays} shorten the message, the instructions or the tools, lower sampling.max_tokens, or name a "
        "model with a larger window",
        {"tokens": tokens, "room": room},
    )


def _larger_windows(agent: Agent, state: RunState) -> list[int]:
    models, current = agent.definition.models, state.window.model
    have = window_of(agent, current) or 0
    windows = [(index, models[index].window_tokens) for index in range(current + 1, len(models))]
    larger = [index for index, window in windows if window is None or window > have]
    return [index for index in larger if takes_all(agent, state, index)]


def room_of(agent: Agent, state: RunState) -> int | None:
    """Return how many tokens a prompt may have for the model asked next; None where nothing is known of its window."""
    max_tokens = agent.definition.sampling.get("max_tokens")
    return prompt_room(window_of(agent, state.window.model), max_tokens, sent_of(state).room)


def window_of(agent: Agent, model: int) -> int | None:
    """Return the window that the model with that index declares; None where it declares none."""
    models = agent.definition.models
    return models[model].window_tokens if models else None


def _fixed(agent: Agent, state: RunState) -> int:
    """Return the tokens of a prompt beside the parts of the transcript: preamble, tools, and what a template adds."""
    agent = agent.asked(state) if agent.varies else agent
    tokens = agent.counter.prompt + _offer(agent, state).tokens
    if state.window.preamble or agent.has_own_head or state.run.changed:
        tokens += agent.system_tokens + (agent.example_tokens if sends_examples(agent, state) else 0)
    return tokens


def _offer(agent: Agent, state: RunState) -> Offer:
    exchange = state.exchange
    return agent.offer(state.window.model, exchange.withheld, reads=may_read_on(agent, state), found=exchange.found)


def prompt_size(agent: Agent, state: RunState) -> int:
    """Return how many tokens the prompt of a state has at most, where sizes are kept."""
    return largest_prompt(sent_of(state), _fixed(agent, state))


def window_use(agent: Agent, state: RunState) -> ExplainedWindow | None:
    """Return how full the window is with a prompt of the run as it stands; None where its size is not known.

    The parts are estimates, scaled to what the prompt has at most; the exchange takes what rounding leaves.
    """
    sent = state.window.sent
    if sent is None:
        return None
    window, room = window_of(agent, state.window.model), room_of(agent, state)
    if window is None or room is None:
        return None
    fixed, tokens = _fixed(agent, state), largest_prompt(sent, _fixed(agent, state))
    tools = _offer(agent, state).tokens
    # A summary begins after the task, and stands for what was before.
    before = [part.tokens for part in sent.parts if part.begin < state.window.user_at or part.begin == sent.summary > 0]
    parts = [part * tokens // max(1, estimated_prompt(sent, fixed)) for part in (fixed - tools, tools, sum(before))]
    return ExplainedWindow(
        window=window,
        room=room,
        tokens=tokens,
        instructions=parts[0],
        tools=parts[1],
        earlier=parts[2],
        exchange=tokens - sum(parts),
        counted=sent.counted > 0,
    )


def sent_of(state: RunState) -> Sent:
    """Return what is known of the sizes of a run's prompt, which is kept where a model declares its window."""
    assert state.window.sent is not None  # kept for every run of an agent with a window
    return state.window.sent


def count_prompt(draft: Draft, usage: Usage | None) -> None:
    """Take the model's own count of the prompt that it was sent."""
    agent, state = draft.agent, draft.state
    if state.window.sent is None:
        return
    found = state.exchange.found
    most = agent.offer(state.window.model, (), reads=agent.reader is not None, found=found).tokens
    unsent = most - _offer(agent, state).tokens
    tokens = usage.prompt_tokens if usage else None
    draft.window = replace(
        state.window, sent=counted_prompt(state.window.sent, _fixed(agent, state), tokens, max(0, unsent))
    )


def refuse_prompt(draft: Draft) -> None:
    """Take an overflow: the server's window is smaller, or the prompt larger, than was known.

    From then on only estimates count, so that the next prompt is smaller by the same measure.
    """
    agent, sent = draft.agent, replace(sent_of(draft.state), counted=0, since=0)
    tokens = largest_prompt(sent, _fixed(agent, draft.state))
    narrowest = _fixed(agent, replace(draft.state, window=replace(draft.window, level=ONLY_SYSTEM)))
    least = shrunk(sent, draft.window.user_at, narrowest, tokens, 0)
    smallest = tokens if least is None else largest_prompt(least, narrowest)
    learned = max(min(tokens, room_of(agent, draft.state) or tokens) * OVERFLOW_SHARE // 1000, smallest)
    draft.window = replace(draft.window, sent=replace(sent, room=min(learned, tokens - 1)))


def output_chars(draft: Draft, text: str, limit: int) -> int:
    """Return how many characters of an output the model is shown.

    All outputs of a turn together take half of what remains of the room beside what is never left out of a prompt.
    """
    state = draft.state
    room = room_of(draft.agent, state)
    if room is None:
        return limit
    sent = sent_of(state)
    kept = {state.window.user_at, sent.summary}
    stays = [part for part in sent.parts if part.begin in kept or part.end == state.messages]
    results = sum([1 for call in state.pending if not call.checks])
    taken = estimated_prompt(replace(sent, parts=tuple(stays)), _fixed(draft.agent, state))
    notice = RESULT_TOKENS if draft.agent.reader is None else RESULT_TOKENS + READ_ON_TOKENS
    notice += FRAME_TOKENS if any(tool.is_open for tool in draft.agent.tools.values()) else 0
    left = room * 1000 // sent.ratio - taken - results * notice
    return min(limit, longest_start(text[:limit], max(0, left) // 2 // results, draft.agent.counter))
