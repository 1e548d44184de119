"""How large a prompt may be, and is at most, what the model's own count says of it, what a smaller one leaves out."""

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from ..bounds import (
    MAX_RESERVE_TOKENS,
    MAX_TOKEN_RATIO,
    MESSAGE_TOKENS,
    MIN_COUNTED_SHARE,
    RESERVE_SHARE,
)
from ..values import Message, Sent, SentPart, ShortenedMessage
from .sizes import OutputPlace, Parts, message_tokens, with_messages
from .token_counters import TokenCounter

Entry = tuple[int, int] | ShortenedMessage
TextCut = tuple[int, int, str]


def prompt_room(window_tokens: int | None, max_tokens: int | None, learned: int = 0) -> int | None:
    """Return how many tokens a prompt may have; None where nothing is known of the window.

    max_tokens: of the definition's sampling; at most half of the window is left to the answer. learned: the room that a
    server's refusal left, 0 for none.
    """
    if window_tokens is None:
        return learned or None
    reserve = min(MAX_RESERVE_TOKENS, window_tokens // RESERVE_SHARE)
    if max_tokens is not None:
        reserve = min(max_tokens, window_tokens // 2)
    room = window_tokens - reserve
    return min(room, learned) if learned else room


def appended(
    sent: Sent,
    messages: Sequence[Message],
    outputs: Sequence[OutputPlace],
    start: int,
    places: tuple[int, ...],
    counter: TokenCounter,
) -> Sent:
    """Return the sizes with those of `messages`, which begin at the index `start`, as far as not counted yet.

    places: where the preamble ends, where the user's message is, and where exchanges begin that are counted.
    """
    preamble, user_at, *exchanges = places
    alone = (user_at, sent.summary, *sent.pinned, *exchanges)
    # The last part may be a summary, which stands after newer messages than its own.
    known = max(sent.known, preamble, *[part.end for part in sent.parts[-2:]])
    new = messages[max(0, known - start) :]
    if not new:
        return sent
    parts = with_messages(sent.parts, new, outputs, max(known, start), alone, counter)
    since = sent.since + _total(parts) - _total(sent.parts) if sent.counted else 0
    return replace(sent, parts=parts, since=since)


def recounted(messages: Sequence[Message], preamble: int, user_at: int, counter: TokenCounter) -> Sent:
    """Return the sizes of messages that came all at once: what is before the user's message is one part."""
    parts = []
    for begin, end in ((preamble, user_at), (user_at, len(messages))):
        if begin < end:
            each = with_messages((), messages[begin:end], (), begin, (user_at, 0), counter)
            parts.append(SentPart(begin=begin, end=end, tokens=_total(each), opens=True))
    return Sent(parts=tuple(parts))


def estimated_prompt(sent: Sent, fixed: int) -> int:
    """Return the estimated tokens of a prompt, before any ratio.

    fixed: those of preamble, tools, and what a template adds.
    """
    return fixed + _total(sent.parts)


def prompt_tokens(messages: Sequence[Message], counter: TokenCounter) -> int:
    """Return the estimated tokens of a prompt of these messages."""
    return counter.prompt + sum([message_tokens(message, counter) for message in messages])


def largest_prompt(sent: Sent, fixed: int) -> int:
    """Return how many tokens the prompt has at most."""
    if sent.counted:
        return sent.counted + MESSAGE_TOKENS + _scaled(sent.since, sent.ratio)
    return _scaled(estimated_prompt(sent, fixed), sent.ratio)


def counted_prompt(sent: Sent, fixed: int, tokens: int | None, unsent: int) -> Sent:
    """Return the sizes after the model's server has counted the tokens of the prompt.

    unsent: tokens of tools that this prompt did not have and a later one may.
    """
    estimated = estimated_prompt(sent, fixed)
    if not tokens or tokens < estimated // MIN_COUNTED_SHARE:
        return replace(sent, counted=0, since=0)
    ratio = min(MAX_TOKEN_RATIO, -(-tokens * 1000 // estimated))
    ratio = max(sent.ratio, ratio)
    # After an overflow the room is one of estimated tokens.
    return replace(sent, ratio=ratio) if sent.room else replace(sent, ratio=ratio, counted=tokens, since=unsent)


def shrunk(sent: Sent, user_at: int, fixed: int, room: int, target: int, stays: int = 0) -> Sent | None:
    """Return the sizes of a prompt that fits, shrunk to `target` tokens where possible; None if nothing fits.

    Old outputs are shortened first, then the oldest exchanges dropped, then the oldest turns of this exchange, then the
    latest outputs shortened, then an earlier summary dropped. stays: a message whose turn goes last.
    """
    others, summary = apart(sent)
    taken = fixed + (summary.tokens if summary else 0)
    most, wanted = (limit * 1000 // sent.ratio - taken for limit in (room, target))
    parts = _shortened(others, wanted, keep_last=True)
    parts = _without_exchanges(parts, wanted, user_at, sent.pinned)
    parts = _without_turns(parts, wanted, user_at, stays, sent.pinned)
    if _total(parts) > most:
        parts = _without_turns(_shortened(parts, most, keep_last=False), most, user_at, pinned=sent.pinned)
    if _total(parts) <= most:
        return with_summary(replace(sent, parts=parts, counted=0, since=0), summary, user_at)
    least = None if summary is None else most + summary.tokens
    return replace(sent, parts=parts, counted=0, since=0, summary=0) if least and _total(parts) <= least else None


def less(sent: Sent, message: int, tokens: int) -> Sent:
    """Return the sizes where a message has so many tokens less than before; as they are where it is not sent."""
    for at, part in enumerate(sent.parts):
        if part.begin <= message < part.end:
            smaller = replace(part, tokens=max(0, part.tokens - tokens))
            return replace(sent, parts=(*sent.parts[:at], smaller, *sent.parts[at + 1 :]), counted=0, since=0)
    return sent


def _shortened(parts: Parts, wanted: int, keep_last: bool) -> Parts:
    total, shorter = _total(parts), list(parts)
    for at, part in enumerate(parts[: len(parts) - keep_last]):
        if total <= wanted:
            break
        if part.cuts and not part.shortened:
            saved = min(part.tokens, sum([cut.saved for cut in part.cuts]))
            shorter[at] = replace(part, tokens=part.tokens - saved, shortened=True)
            total -= saved
    return tuple(shorter)


def _without_exchanges(parts: Parts, wanted: int, user_at: int, pinned: Sequence[int] = ()) -> Parts:
    while _total(parts) > wanted:
        old = (at for at, part in enumerate(parts) if part.begin < user_at and part.begin not in pinned)
        first = next(old, None)
        if first is None:
            break
        after = next((at for at, part in enumerate(parts) if at > first and part.opens), len(parts))
        stays = tuple([part for part in parts[first:after] if part.begin in pinned])
        parts = parts[:first] + stays + parts[after:]
    return parts


def _without_turns(parts: Parts, wanted: int, user_at: int, stays: int = 0, pinned: Sequence[int] = ()) -> Parts:
    while _total(parts) > wanted:
        turns = (
            at
            for at, part in enumerate(parts[:-1])
            if part.begin > user_at and part.begin not in pinned and not part.begin <= stays < part.end
        )
        first = next(turns, None)
        if first is None:
            break
        parts = parts[:first] + parts[first + 1 :]
    return parts


def prompt_entries(
    lead: int, parts: Parts, notice: Callable[[int], str], also: Mapping[int, tuple[TextCut, ...]] | None = None
) -> tuple[Entry, ...]:
    """Return the entries of a prompt: the first `lead` messages, then the parts.

    notice: the text that stands where so many characters of an output are left out. also: more cuts, by message.
    """
    entries: list[Entry] = []
    _extend(entries, 0, lead)
    for part in parts:
        at = part.begin
        for message, cuts in _by_message(part, notice, also or {}):
            _extend(entries, at, message)
            entries.append(ShortenedMessage(index=message, cuts=cuts))
            at = message + 1
        _extend(entries, at, part.end)
    return tuple(entries)


def _by_message(
    part: SentPart, notice: Callable[[int], str], also: Mapping[int, tuple[TextCut, ...]]
) -> list[tuple[int, tuple[TextCut, ...]]]:
    """Return the cuts of a part by message, all in their order."""
    found: dict[int, tuple[TextCut, ...]] = {}
    for cut in part.cuts if part.shortened else ():
        shown = cut.begin, cut.end, notice(cut.end - cut.begin)
        found[cut.message] = (*found.get(cut.message, ()), shown)
    if not also:
        return list(found.items())
    for message, cuts in also.items():
        if part.begin <= message < part.end:
            found[message] = tuple(sorted((*found.get(message, ()), *cuts)))
    return sorted(found.items())


def _extend(entries: list[Entry], begin: int, end: int) -> None:
    if begin == end:
        return
    last = entries[-1] if entries else None
    if isinstance(last, tuple) and last[1] == begin:
        entries[-1] = (last[0], end)
    else:
        entries.append((begin, end))


def apart(sent: Sent) -> tuple[Parts, SentPart | None]:
    """Return the parts without the summary, and the summary."""
    if not sent.summary:
        return sent.parts, None
    found = [part for part in sent.parts if part.begin == sent.summary]
    return tuple([part for part in sent.parts if part.begin != sent.summary]), found[0] if found else None


def with_summary(sent: Sent, summary: SentPart | None, user_at: int) -> Sent:
    """Return the sizes with a summary after the task; there it stays until the prompt is shrunk again."""
    if summary is None:
        return sent
    task = next((at for at, part in enumerate(sent.parts) if part.begin <= user_at < part.end), -1) + 1
    return replace(sent, parts=(*sent.parts[:task], summary, *sent.parts[task:]), summary=summary.begin)


def summed_up(parts: Parts, user_at: int, most: int) -> Parts | None:
    """Return the parts that a summary is asked with: those to be summed up, with the task, within `most` tokens.

    Their outputs are shortened first, then the oldest left out; None if none but the task would remain.
    """
    parts = _without_exchanges(_shortened(parts, most, keep_last=False), most, user_at)
    parts = _without_turns(parts, most, user_at)
    return parts if len(parts) > 1 and _total(parts) <= most else None


def _total(parts: Parts) -> int:
    return sum([part.tokens for part in parts])


def _scaled(tokens: int, ratio: int) -> int:
    return -(-tokens * ratio // 1000)
