"""Replaying a log into its run, and checking that every derived line follows from its facts."""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec import Struct

from ..bounds import MAX_DEPTH, MAX_LOG_BYTES, MAX_NUMBER_DIGITS
from ..errors import PurestepError
from ..json_text import checked_bytes, clean_text, utf8, within_bounds
from ..steps import decide
from ..values import Decision, Event, Message, RunState, decode_event, decode_events, own_decision, own_message
from .replayer import LogReplayer, Mismatch, read_line, readable


class Replayed(Struct, frozen=True, kw_only=True):
    """A log replayed: where the run stands, what it asks for, and its transcript.

    `lost` are derived lines that a crash cut off: append them before going on. `torn_bytes` is the length of a
    torn last line: cut it off before appending anything.
    """

    state: RunState
    decision: Decision
    messages: tuple[Message, ...]
    lost: str = ""
    torn_bytes: int = 0


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


def replay(text: str | bytes) -> Replayed:
    """Replay a log into state, decision and messages; every step is made again.

    A torn last line, as a crash leaves it, is left out and its length reported. Error codes: `invalid_log`,
    `log_mismatch` (both name the line), `unsupported_version`, and the definition's own.
    """
    lines, torn = split_log(text)
    try:
        replayer = LogReplayer()
        for number, line in lines:
            replayer.take(number, line)
    except Mismatch as mismatch:
        code, message, number, *_ = mismatch.found
        raise PurestepError(code, f"line {number}: {message}", f"/{number}") from None
    if replayer.agent is None or replayer.state.messages == 0:
        raise PurestepError("invalid_log", "the log ends before the user's message; begin the run anew")
    return Replayed(
        state=replayer.state,
        decision=own_decision(decide(replayer.agent, replayer.state)),
        messages=tuple(map(own_message, replayer.messages)),
        lost=b"".join(line + b"\n" for line in replayer.due).decode(),
        torn_bytes=torn,
    )


def verify(text: str | bytes, head: str | None = None) -> Verified:
    """Derive every derived line again and compare bytes; `head` also settles the facts of the last lines.

    With it every byte is settled: a blank line, or a last line without its line break, is a difference too.
    """
    return verify_on(LogReplayer(keeps_messages=False), text, head)


def verify_on(replayer: LogReplayer, text: str | bytes, head: str | None) -> Verified:
    """Verify a log of which a replayer has taken the first lines; it takes the others."""
    try:
        _take_all(replayer, text, head)
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


def _take_all(replayer: LogReplayer, text: str | bytes, head: str | None) -> None:
    lines, torn = split_log(text)
    for number, line in lines[replayer.count :]:
        replayer.take(number, line)
    after = replayer.count + 1
    if replayer.agent is None:
        raise Mismatch("invalid_log", "the log holds no line; a log begins with run_started", 1, None, None)
    if torn:
        raise Mismatch("invalid_log", f"the last line is torn ({torn} bytes)", after, None, None)
    if replayer.due:
        raise Mismatch("invalid_log", "the log ends within a step", after, readable(replayer.due[0]), None)
    if head is None:
        return
    _check_breaks(text, len(lines))
    if head != replayer.head:
        given = clean_text(head)
        raise Mismatch(
            "head_mismatch", "the hash chain does not end in the given head", replayer.count, given, replayer.head
        )


def _check_breaks(text: str | bytes, lines: int) -> None:
    """Raise Mismatch unless the log is its lines, each with its line break, and nothing else."""
    data = clean_text(text).encode() if isinstance(text, str) else bytes(text)
    if not data.endswith(b"\n"):
        raise Mismatch("invalid_log", "the last line has no line break", lines, None, None)
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        if not line.strip():  # ascii: bytes
            raise Mismatch("invalid_log", "a blank line; a log as it was written has none", number, None, None)


def split_log(text: str | bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Return the log's lines with their numbers, blank ones left out, and the length of a torn last one."""
    lines, torn = whole_lines(text)
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()], torn  # ascii: bytes


def whole_lines(text: str | bytes) -> tuple[list[bytes], int]:
    """Return the log's lines, blank ones among them, without a torn last one, and the length of that."""
    data = utf8(text) if isinstance(text, str) else checked_bytes(text)
    if len(data) > MAX_LOG_BYTES:
        raise PurestepError("input_too_large", f"expected a log of at most {MAX_LOG_BYTES} bytes")
    lines = data.split(b"\n")
    if data.endswith(b"\n"):
        return lines, 0
    last = next((at for at in range(len(lines) - 1, -1, -1) if lines[at].strip()), 0)  # ascii: bytes
    if not lines[last].strip() or _is_whole(lines[last]):  # ascii: bytes
        return lines, 0
    return lines[:last], len(lines[last])


def _is_whole(line: bytes) -> bool:
    """Whether a line is an event, which a torn one is not; one nested too deep is refused later."""
    try:
        return not within_bounds(line) or bool(decode_event(line))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def read_events(text: str | bytes) -> Iterator[tuple[int, Event]]:
    """Return each line's event with its number, for printing; lines without seq and at are read too.

    Error codes: `invalid_log`, which names the line.
    """
    for number, line in split_log(text)[0]:
        yield number, read_event(number, line)


def read_event(number: int, line: bytes) -> Event:
    """Return the event of one line. Error codes: `invalid_log`, which names the line by its number, from 1."""
    try:
        return read_line(number, line)
    except Mismatch as mismatch:
        raise PurestepError("invalid_log", f"line {number}: {mismatch.found[1]}", f"/{number}") from None


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
