"""Replaying a log into its run, and checking that every derived line follows from its facts."""

from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec
from msgspec import UNSET, Struct, UnsetType

from ..bounds import MAX_DEPTH, MAX_NUMBER_DIGITS
from ..errors import PurestepError
from ..json_text import clean_text, within_bounds
from ..steps import open_decisions
from ..values import Decision, Event, Message, RunState, decode_events, own_decision, own_message
from .lines import LogLines, LogText
from .replayer import LogReplayer, Mismatch, read_line, readable


class Replayed(Struct, frozen=True, kw_only=True):
    """A log replayed: where the run stands, what it asks for, and its transcript.

    `also` and `children`: what else is asked for, and the transcripts of the agents that go on, by the ids of their
    runs. `lost` are derived lines that a crash cut off: append them before going on. `torn_bytes` is the length of a
    torn last line: cut it off before appending anything.
    """

    state: RunState
    decision: Decision
    messages: tuple[Message, ...]
    lost: str = ""
    torn_bytes: int = 0
    also: tuple[Decision, ...] | UnsetType = UNSET
    children: dict[str, tuple[Message, ...]] | UnsetType = UNSET


class Verified(Struct, frozen=True, kw_only=True):
    """What checking a log found; `line` (from 1), `expected` and `got` name the first line that differs."""

    ok: bool
    lines: int
    head: str
    code: str | None = None
    message: str | None = None
    line: int | None = None
    expected: str | None = None
    got: str | None = None


def replay(log: LogText, *, keeps_messages: bool = True) -> Replayed:
    """Replay a log into state, decision and messages; every step is made again.

    log: text, bytes, or pieces of bytes, cut anywhere, such as the lines of a file. keeps_messages: off where the
    transcript, which is most of the memory that a long log takes, is not wanted: it is empty then. A torn last line, as
    a crash leaves it, is left out and its length reported. Error codes: `invalid_log`, `log_mismatch`,
    `input_too_large` (each names the line), `unsupported_version`, and the definition's own.
    """
    lines, replayer = LogLines(log), LogReplayer(keeps_messages=keeps_messages)
    for number, line in lines:
        replayer.take(number, line)
    if replayer.agent is None or replayer.state.messages == 0:
        raise PurestepError("invalid_log", "the log ends before the user's message; begin the run anew")
    decision, *also = map(own_decision, open_decisions(replayer.agent, replayer.state))
    children = {run_id: tuple(map(own_message, said)) for run_id, said in replayer.children.items()}
    return Replayed(
        state=replayer.state,
        decision=decision,
        also=tuple(also) or UNSET,
        children=children or UNSET,
        messages=tuple(map(own_message, replayer.messages)),
        lost=b"".join(line + b"\n" for line in replayer.due).decode(),
        torn_bytes=lines.torn_bytes,
    )


def verify(log: LogText, head: str | None = None) -> Verified:
    """Derive every derived line again and compare bytes; `head` also settles the facts of the last lines.

    log: text, bytes, or pieces of bytes, cut anywhere, such as the lines of a file: no more than a line and the run's
    state are kept. With `head` every byte is settled: a blank line, or a last line without its line break, is a
    difference too.
    """
    return verify_on(LogReplayer(keeps_messages=False), log, head)


def verify_on(replayer: LogReplayer, log: LogText, head: str | None) -> Verified:
    """Verify a log of which a replayer has taken the first lines; it takes the others."""
    try:
        _take_all(replayer, log, head)
    except Mismatch as mismatch:
        found = mismatch.found
    except PurestepError as error:
        found = (error.code, error.message, replayer.count + 1, None, None)
    else:
        return Verified(ok=True, lines=replayer.count, head=replayer.head)
    code, message, line, expected, got = found
    return Verified(
        ok=False,
        lines=replayer.count,
        head=replayer.head,
        code=code,
        message=message,
        line=line,
        expected=expected,
        got=got,
    )


def _take_all(replayer: LogReplayer, log: LogText, head: str | None) -> None:
    lines = LogLines(log)
    for number, line in islice(lines, replayer.count, None):
        replayer.take(number, line)
    after = replayer.count + 1
    if replayer.agent is None:
        raise Mismatch("invalid_log", "the log holds no line; a log begins with run_started", 1, None, None)
    if lines.torn_bytes:
        raise Mismatch("invalid_log", f"the last line is torn ({lines.torn_bytes} bytes)", after, None, None)
    if replayer.due:
        raise Mismatch("invalid_log", "the log ends within a step", after, readable(replayer.due[0]), None)
    if head is None:
        return
    if not lines.is_ended:
        raise Mismatch("invalid_log", "the last line has no line break", replayer.count, None, None)
    if lines.blank is not None:
        raise Mismatch("invalid_log", "a blank line; a log as it was written has none", lines.blank, None, None)
    if head != replayer.head:
        given = clean_text(head)
        raise Mismatch(
            "head_mismatch", "the hash chain does not end in the given head", replayer.count, given, replayer.head
        )


def read_events(log: LogText) -> Iterator[tuple[int, Event]]:
    """Yield each line's event with its number, for printing; lines without seq and at are read too.

    log: text, bytes, or pieces of bytes, cut anywhere. Error codes: `invalid_log`, `input_too_large`; both name the
    line.
    """
    for number, line in LogLines(log):
        yield number, read_line(number, line)


def read_together(lines: Sequence[bytes]) -> list[Event] | None:
    """Return the events of lines at the cost of one call; None where one of them has to be looked at by itself."""
    text = b"\n".join(lines)
    # Each line has a bracket of its own, or is no event; what is left bounds the nesting of every one.
    brackets = text.count(b"{") + text.count(b"[") - len(lines) + 1
    is_small = brackets <= MAX_DEPTH and max(map(len, lines)) <= MAX_NUMBER_DIGITS
    if not is_small and not all(map(within_bounds, lines)):
        return None
    try:
        events = decode_events(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return events if len(events) == len(lines) else None  # else a value goes on in the next line
