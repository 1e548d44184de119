"""What the rules of history leave out of a prompt: exchanges, old results, reasoning; on places and sizes alone."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from ..bounds import KEPT_OUTPUT_CHARS, MIN_DROPPED_CHARS, MIN_SAVED_TOKENS
from ..values import HistoryCut, Sent, SentPart
from .sent import apart, with_summary
from .sizes import OutputPlace
from .token_counters import TokenCounter

Cuts = tuple[HistoryCut, ...]

_NOTICE_TOKENS: Final = MIN_SAVED_TOKENS // 2


def result_cut(
    place: OutputPlace, output: str, tool: str, parts: tuple[int, int], counter: TokenCounter, *, drops: bool
) -> HistoryCut | None:
    """Return what of a result can be left out later; None where that would save nothing.

    place: where the output stands. parts: its images and files [from, to). drops: all of it goes, else what follows its
    first characters.
    """
    begin = place.begin if drops else place.begin + KEPT_OUTPUT_CHARS
    saved = counter.text(output[begin - place.begin :]) - _NOTICE_TOKENS if begin < place.end else 0
    saves = len(output) >= MIN_DROPPED_CHARS if drops else saved >= MIN_SAVED_TOKENS - _NOTICE_TOKENS
    if not saves:
        begin, saved = place.end, 0
    if not saves and parts[0] == parts[1]:
        return None
    return HistoryCut(message=place.message, begin=begin, end=place.end, saved=max(0, saved), tool=tool, parts=parts)


def with_cuts(sent: Sent, made: Iterable[HistoryCut]) -> Sent:
    """Return the sizes once these cuts are made; of what the window has shortened already, only the rest is saved."""
    for cut in made:
        at = _part_at(sent, cut.message)
        if at is None:
            continue
        part = sent.parts[at]
        same = [each for each in part.cuts if each.message == cut.message and cut.begin <= each.begin < cut.end]
        saved = cut.saved - (sum([each.saved for each in same]) if part.shortened else 0)
        others = tuple([each for each in part.cuts if each not in same])
        sent = _with_part(sent, at, replace(part, tokens=max(0, part.tokens - max(0, saved)), cuts=others))
    return sent


def without_cuts(sent: Sent, cuts: Cuts) -> Sent:
    """Return the sizes where what was left out is sent again."""
    for cut in cuts:
        at = _part_at(sent, cut.message) if cut.done else None
        if at is not None:
            sent = _with_part(sent, at, replace(sent.parts[at], tokens=sent.parts[at].tokens + cut.saved))
    return sent


def _part_at(sent: Sent, message: int) -> int | None:
    return next((at for at, part in enumerate(sent.parts) if part.begin <= message < part.end), None)


def _with_part(sent: Sent, at: int, part: SentPart) -> Sent:
    return replace(sent, parts=(*sent.parts[:at], part, *sent.parts[at + 1 :]), counted=0, since=0)


def without_exchanges_before(sent: Sent, boundary: int, user_at: int) -> Sent:
    """Return the sizes without the exchanges before a message that begins one; what is pinned and a summary stay."""
    others, summary = apart(sent)
    kept = tuple([part for part in others if part.end > boundary or part.begin in sent.pinned])
    if kept == others:
        return sent
    return with_summary(replace(sent, parts=kept, counted=0, since=0), summary, user_at)


def without_turns_before(sent: Sent, message: int, user_at: int) -> Sent:
    """Return the sizes without the exchanges and turns that begin before a message; the latest turn stays."""
    others, summary = apart(sent)
    last = len(others) - 1
    opened = [part.begin for part in others if part.opens and message <= part.begin <= user_at]
    boundary = min([*opened, user_at])  # an earlier exchange goes whole: its messages would follow each other
    kept = tuple(
        [
            part
            for at, part in enumerate(others)
            if part.begin in sent.pinned
            or at == last
            or (boundary <= part.begin if part.begin <= user_at else part.begin >= message)
        ]
    )
    if kept == others:
        return sent
    return with_summary(replace(sent, parts=kept, counted=0, since=0), summary, user_at)


def sent_cuts(cuts: Cuts, sent: Sent) -> Cuts:
    """Return the cuts whose messages are sent."""
    return tuple([cut for cut in cuts if _part_at(sent, cut.message) is not None])


def texts_cut(cuts: Cuts, notice: Callable[[int], str]) -> Mapping[int, tuple[tuple[int, int, str], ...]]:
    """Return what stands in the place of what is left out, by message; reasoning has nothing there."""
    found: dict[int, tuple[tuple[int, int, str], ...]] = {}
    for cut in cuts:
        if cut.done and cut.begin < cut.end:
            text = notice(cut.end - cut.begin) if cut.tool else ""
            found[cut.message] = (*found.get(cut.message, ()), (cut.begin, cut.end, text))
    return found
