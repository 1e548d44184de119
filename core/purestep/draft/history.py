"""The rules of history: exchanges, results and reasoning that are not sent any more, each change logged.

The rules only take away: first whole exchanges, then the reasoning of earlier ones, then old results. What they leave
is fitted into the window after that, and above the size of `summary_above` summed up. A change is made once `slack`
more than asked for has gathered, and stays made, so that prompts in between only grow at their end.
"""

from collections.abc import Mapping
from itertools import pairwise

from msgspec.structs import replace

from ..agent import Agent, corrections
from ..bounds import (
    ATTACHMENT_TOKENS,
    MAX_CALLS_PER_TURN,
    MAX_HISTORY_COUNT,
    MAX_HISTORY_CUTS,
    MAX_PINNED,
    PINNED_PLACES,
)
from ..errors import PurestepError
from ..scanner import leading_reasoning
from ..values import ExplainedOmission, HistoryCut, HistoryOptions, HistoryState, RunState, Sent, Switched
from ..window import (
    TextCut,
    less,
    message_tokens,
    sent_cuts,
    texts_cut,
    with_cuts,
    without_cuts,
    without_exchanges_before,
    without_turns_before,
)
from .draft import Draft
from .prompt_window import prompt_size, sent_of

HISTORY = "history"
"""What `switched` says of a change that a rule of history makes; its cause is the member of the rule."""


def first_history(agent: Agent, *exchanges: int) -> HistoryState | None:
    """Return what is counted where exchanges begin at these messages; None without rules of history."""
    return None if agent.history is None else HistoryState(exchanges=tuple(dict.fromkeys(exchanges)))


def check_pinned(draft: Draft, wanted: bool) -> None:
    """Raise `input_too_large` for a user message to be pinned where the state has no room for its places."""
    sent = draft.window.sent
    if not wanted or draft.agent.history is None or sent is None:
        return
    waiting = sum([message.pinned for message in draft.run.queued])
    # The answer of the exchange in progress may be pinned yet.
    if len(sent.pinned) + 1 + PINNED_PLACES * (waiting + 1) > MAX_PINNED:
        raise PurestepError(
            "input_too_large",
            f"expected at most {MAX_PINNED} places of pinned messages, their answers and turns; the run has "
            f"{len(sent.pinned)}, and this message takes up to {PINNED_PLACES}; send it without pinned",
            "/observation/pinned",
        )


def note_exchange(draft: Draft, *, pinned: bool) -> None:
    """Count an exchange whose user message comes next, and pin it, or the answer of a pinned one before.

    pinned: the message itself says so.
    """
    window, rules, begin = draft.window, draft.agent.history, draft.next_index
    if rules is None or window.history is None or window.sent is None:
        return
    sent, earlier = window.sent, window.history.exchanges
    if earlier and earlier[-1] in sent.pinned and begin - 1 > sent.pinned[-1]:
        sent = replace(sent, pinned=(*sent.pinned, begin - 1))
    if pinned or (rules.pin and not earlier):
        sent = replace(sent, pinned=(*sent.pinned, begin))
    exchanges = (*earlier, begin)[-_most_exchanges(rules) :]
    draft.window = replace(window, sent=sent, history=replace(window.history, exchanges=exchanges))


def pin_latest(draft: Draft) -> None:
    """Pin the turn in which the latest message stands, with the user message of its exchange, whose answer follows."""
    window = draft.window
    if draft.agent.history is None or window.sent is None:
        return
    sent, latest = draft.sizes(window.sent), draft.next_index - 1
    turn = [part.begin for part in sent.parts if part.begin <= latest < part.end]
    pinned = tuple(sorted({*sent.pinned, window.user_at, *turn}))
    draft.window = replace(window, sent=replace(sent, pinned=pinned))


def _most_exchanges(rules: HistoryOptions) -> int:
    return (rules.keep_exchanges or 1) + rules.slack + 1


def note_reasoning(draft: Draft, text: str) -> None:
    """Note what of the output that was said last is reasoning that may be left out later; text: what it says."""
    history, rules = draft.window.history, draft.agent.history
    if history is None or rules is None or rules.reasoning is None:
        return
    if len(history.cuts) + len(draft.cuts) >= MAX_HISTORY_CUTS:
        return
    message, opened = draft.messages[-1], draft.window.model in draft.agent.opening_models
    end, counter = leading_reasoning(text, opened=opened), draft.agent.counter
    saved = counter.text(text[:end]) if end else 0
    if message.extra is not None and message.tool_calls:
        saved += message_tokens(message, counter) - message_tokens(replace(message, extra=None), counter)
    elif not end:
        return
    draft.cuts.append(HistoryCut(message=draft.next_index - 1, begin=0, end=end, saved=max(0, saved)))


def leave_out_history(draft: Draft) -> None:
    """Leave out what the rules of history say, and log each rule that left anything out."""
    window, rules = draft.window, draft.agent.history
    if rules is None or window.history is None or window.sent is None:
        return
    cuts = (*window.history.cuts, *draft.cuts)
    draft.cuts.clear()
    sent = draft.sizes(window.sent)
    history = replace(window.history, cuts=sent_cuts(cuts, sent))
    draft.window = replace(window, sent=sent, history=history)
    if rules.keep_exchanges is not None:
        _keep_exchanges(draft, history, rules.keep_exchanges, rules.slack)
    if rules.reasoning is not None:
        _leave_reasoning(draft, rules.slack)
    for number in range(len(rules.results)):
        _leave_results(draft, rules, number)
    _bound_cuts(draft)


def _keep_exchanges(draft: Draft, history: HistoryState, keep: int, slack: int) -> None:
    if len(history.exchanges) <= keep + slack:
        return
    boundary = history.exchanges[-keep]
    before = sent_of(draft.state)
    after = without_exchanges_before(before, boundary, draft.window.user_at)
    history = replace(history, exchanges=history.exchanges[-keep:], kept_from=boundary)
    draft.window = replace(draft.window, sent=after, history=history)
    if after is not before:
        _log(draft, "keep_exchanges", dropped=_messages(before) - _messages(after))


def _leave_reasoning(draft: Draft, slack: int) -> None:
    history, user_at = _history(draft), draft.window.user_at
    earlier = [begin for begin in history.exchanges if history.reasoning_from <= begin < user_at]
    due = [cut for cut in history.cuts if not cut.tool and not cut.done and cut.message < user_at]
    if len(earlier) > slack and due:
        draft.window = replace(draft.window, history=replace(history, reasoning_from=user_at))
        _make(draft, due, "reasoning")


def _leave_results(draft: Draft, rules: HistoryOptions, number: int) -> None:
    """Leave out old results by one rule, never one of the latest turn."""
    rule, window = rules.results[number], draft.window
    held = [cut for cut in _history(draft).cuts if cut.tool and not cut.done and rules.rule_of(cut.tool) == number]
    if len(held) <= rule.keep + rules.slack:
        return
    latest = window.turn_at or window.user_at
    due = [cut for cut in held[: len(held) - rule.keep] if cut.message < latest]
    if due:
        _make(draft, due, "results")


def _make(draft: Draft, due: list[HistoryCut], cause: str) -> None:
    """Make these cuts: what is sent gets smaller, and what else stands in the messages stays."""
    history, sent = _history(draft), with_cuts(sent_of(draft.state), due)
    attachments = list(draft.attachments())
    for at, part in enumerate(attachments):
        cut = next((each for each in due if each.message == part.message and part.part in range(*each.parts)), None)
        if cut is not None and not part.left_out:
            attachments[at] = replace(part, left_out=True)
            sent = less(sent, part.message, part.tokens - ATTACHMENT_TOKENS)
    made = tuple([replace(cut, done=True) if cut in due else cut for cut in history.cuts])
    draft.window = replace(draft.window, sent=sent, attachments=tuple(attachments), history=replace(history, cuts=made))
    _log(draft, cause, shortened=len(due))


def _bound_cuts(draft: Draft) -> None:
    """Drop the turns with the older half of the cuts once there are too many: the state would grow with the run."""
    history = _history(draft)
    if len(history.cuts) <= MAX_HISTORY_CUTS:
        return
    before, user_at = sent_of(draft.state), draft.window.user_at
    after = without_turns_before(before, history.cuts[len(history.cuts) // 2].message, user_at)
    cuts = sent_cuts(history.cuts, after)[:MAX_HISTORY_CUTS]
    draft.window = replace(draft.window, sent=after, history=replace(history, cuts=cuts))
    if after is not before:
        _log(draft, "results", dropped=_messages(before) - _messages(after))


def _log(draft: Draft, cause: str, *, shortened: int = 0, dropped: int = 0) -> None:
    tokens = prompt_size(draft.agent, draft.state)
    draft.derived(Switched(what=HISTORY, cause=cause, shortened=shortened, dropped=dropped, tokens=tokens))


def _history(draft: Draft) -> HistoryState:
    history = draft.window.history
    assert history is not None  # kept for every run of an agent with rules of history
    return history


def _messages(sent: Sent) -> int:
    return sum([part.end - part.begin for part in sent.parts])


def cuts_sent(state: RunState) -> Mapping[int, tuple[TextCut, ...]]:
    """Return what stands in the place of what the rules have left out of messages, by their index."""
    history = state.window.history
    return {} if history is None else texts_cut(history.cuts, corrections.old_result)


def omissions(state: RunState) -> tuple[ExplainedOmission, ...]:
    """Return what the prompt of a state leaves out of its transcript, and why; none without rules of history."""
    history, sent = state.window.history, state.window.sent
    if history is None or sent is None:
        return ()
    found = [
        ExplainedOmission(
            begin=cut.message, end=cut.message + 1, why="results" if cut.tool else "reasoning", shortened=True
        )
        for cut in sent_cuts(history.cuts, sent)
        if cut.done
    ]
    at = state.window.preamble
    for part in sorted(sent.parts, key=lambda each: each.begin):
        found += _gap(at, part.begin, history.kept_from)
        at = max(at, part.end)
        found += [
            ExplainedOmission(begin=cut.message, end=cut.message + 1, why="size", shortened=True)
            for cut in part.cuts
            if part.shortened
        ]
    return tuple(sorted([*found, *_gap(at, state.messages, 0)], key=lambda each: each.begin))


def _gap(begin: int, end: int, kept_from: int) -> list[ExplainedOmission]:
    """Return messages that no part has, up to where the exchanges begin that are kept, and after that."""
    old = min(end, max(begin, kept_from))
    found = [(begin, old, "keep_exchanges"), (old, end, "size")]
    return [ExplainedOmission(begin=one, end=other, why=why) for one, other, why in found if one < other]


def history_under(after: Agent, state: RunState) -> RunState:
    """Return the state with what another definition's rules count: what was left out stays so where it has rules."""
    window, rules = state.window, after.history
    sent, history = window.sent, window.history
    if sent is None:
        return replace(state, window=replace(window, history=None))
    if rules is None:
        sent = replace(sent if history is None else without_cuts(sent, history.cuts), pinned=())
        return replace(state, window=replace(window, sent=sent, history=None))
    if history is None:
        history = HistoryState(exchanges=tuple([part.begin for part in sent.parts if part.opens]))
    history = replace(history, exchanges=history.exchanges[-_most_exchanges(rules) :])
    return replace(state, window=replace(window, sent=sent, history=history))


def history_fits(agent: Agent, state: RunState) -> bool:
    """Whether what the rules of history count can be of this run."""
    window, history = state.window, state.window.history
    pinned = () if window.sent is None else window.sent.pinned
    if agent.history is None or window.sent is None or history is None:
        return history is None and not pinned and (agent.history is None or window.sent is None)
    places = [(cut.message, cut.begin) for cut in history.cuts]
    last = max([0, *[message for message, _ in places], *pinned])
    return (
        len(history.exchanges) <= _most_exchanges(agent.history) <= 2 * MAX_HISTORY_COUNT + 1
        and len(history.cuts) <= MAX_HISTORY_CUTS + MAX_CALLS_PER_TURN
        and len(pinned) <= MAX_PINNED
        and all(one < other for one, other in pairwise(history.exchanges))
        and all(one < other for one, other in pairwise(pinned))
        and all(one <= other for one, other in pairwise(places))
        and all(cut.begin <= cut.end and cut.parts[0] <= cut.parts[1] for cut in history.cuts)
        and max([history.kept_from, history.reasoning_from, *history.exchanges]) <= window.user_at
        and (last < state.messages or not state.messages)
    )
