"""Folding a log back into its run, and checking that every derived line is what its facts lead to."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct

from . import compiled
from .bounds import MAX_INPUT_BYTES, SCHEMA_VERSION
from .compiled import Agent
from .errors import PurestepError
from .events import (
    DERIVED, ApprovalEvent, Cancelled, Event, ModelErrorEvent, ModelResponse, RunStarted, ToolResultEvent,
    UserMessageEvent, chain, decode_event,
)  # fmt: skip
from .jsonio import clean_text, decode_foreign, within_bounds
from .state import RunState, new_state
from .step import Draft, advance, decide
from .whole import imported, unreported
from .wire import (
    Approval, Approvals, Cancel, Decision, Message, ModelError, ModelOutput, Observation, ToolResult, ToolResults,
    UserMessage,
)  # fmt: skip


class Replayed(Struct, frozen=True, kw_only=True):
    """A log folded: where the run stands, what it asks for, and its transcript.

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


class _Mismatch(Exception):
    def __init__(self, code: str, message: str, line: int, expected: str | None, got: str | None) -> None:
        super().__init__(message)
        self.found = (code, message, line, expected, got)


def replay(text: str | bytes) -> Replayed:
    """Fold a log into state, decision and messages; every decision is derived again on the way.

    A torn last line, as a crash leaves it, is left out and its length reported. Error codes: `invalid_log`,
    `log_mismatch` (both name the line), `unsupported_version`, and the definition's own.
    """
    lines, torn = split_lines(text)
    try:
        fold = _Fold()
        for number, line in lines:
            fold.take(number, line)
    except _Mismatch as mismatch:
        code, message, number, *_ = mismatch.found
        raise PurestepError(code, f"line {number}: {message}", f"/{number}") from None
    if fold.agent is None or fold.state.messages == 0:
        raise PurestepError("invalid_log", "the log ends before the user's message; begin the run anew")
    return Replayed(
        state=fold.state,
        decision=decide(fold.agent, fold.state),
        messages=tuple(fold.messages),
        lost=b"".join(line + b"\n" for line in fold.due).decode(),
        torn_bytes=torn,
    )


def verify(text: str | bytes, head: str | None = None) -> Verified:
    """Derive every derived line again and compare bytes; `head` also settles the facts of the last lines."""
    fold = _Fold()
    try:
        _fold_all(fold, text, head)
    except _Mismatch as mismatch:
        code, message, line, expected, got = mismatch.found
        return Verified(
            ok=False, lines=fold.count, head=fold.head, code=code, message=message, line=line, expected=expected, got=got
        )
    except PurestepError as error:
        return Verified(
            ok=False, lines=fold.count, head=fold.head, code=error.code, message=error.message, line=fold.count + 1
        )
    return Verified(ok=True, lines=fold.count, head=fold.head)


def _fold_all(fold: _Fold, text: str | bytes, head: str | None) -> None:
    lines, torn = split_lines(text)
    for number, line in lines:
        fold.take(number, line)
    after = fold.count + 1
    if torn:
        raise _Mismatch("invalid_log", f"the last line is torn ({torn} bytes)", after, None, None)
    if fold.due:
        raise _Mismatch("invalid_log", "the log ends within a step", after, _readable(fold.due[0]), None)
    if head is not None and head != fold.head:
        raise _Mismatch("head_mismatch", "the hash chain does not end in the given head", fold.count, head, fold.head)


def split_lines(text: str | bytes) -> tuple[list[tuple[int, bytes]], int]:
    """Give the log's lines with their numbers, blank ones left out, and the length of a torn last one."""
    data = clean_text(text).encode() if isinstance(text, str) else text
    if len(data) > MAX_LOG_BYTES:
        raise PurestepError("input_too_large", f"expected a log of at most {MAX_LOG_BYTES} bytes")
    numbered = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    if not numbered or data.endswith(b"\n"):
        return numbered, 0
    last = numbered[-1][1]
    try:
        decode_event(last)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return numbered[:-1], len(last)
    return numbered, 0


MAX_LOG_BYTES: Final = 16 * MAX_INPUT_BYTES
"""A log read at once: a gigabyte, far past any run, within any machine's memory."""


class _Fold:
    """The run so far while a log is read; every line taken must be the next one that the core would write."""

    def __init__(self) -> None:
        self.agent: Agent | None = None
        self.state: RunState = new_state(None, "run")
        self.messages: list[Message] = []
        self.head = ""
        self.count = 0
        self._start: bytes | None = None
        self._lines: list[bytes] = []
        self._next = 0

    @property
    def due(self) -> list[bytes]:
        """Derived lines that the facts so far lead to and that have not come yet."""
        return self._lines[self._next :]

    def take(self, number: int, line: bytes) -> None:
        """Take one line: the next one due, or a fact that makes new ones due."""
        if self._next == len(self._lines):
            self._fact(number, line)
        if self._next < len(self._lines):
            expected = self._lines[self._next]
            if line != expected:
                raise _Mismatch(*_differs(number, expected, line))
            self._next += 1
        self.head = chain(self.head, line)
        self.count += 1

    def _fact(self, number: int, line: bytes) -> None:
        event = _decode(number, line)
        if isinstance(event, DERIVED):
            raise _Mismatch(
                "log_mismatch", "a derived line stands where a fact is due", number, None, _readable(line)
            )
        if isinstance(event, RunStarted):
            self._begin(event, number, line)
        elif self.agent is None:
            raise _Mismatch("invalid_log", "a log begins with run_started", number, None, _readable(line))
        else:
            self._advance(self.agent, number, event)

    def _begin(self, event: RunStarted, number: int, line: bytes) -> None:
        if self.agent is not None:
            raise _Mismatch("invalid_log", "run_started stands only at the beginning", number, None, _readable(line))
        if event.schema_version != SCHEMA_VERSION:
            raise PurestepError(
                "unsupported_version", f"line {number} was written by schema version {event.schema_version}"
            )
        agent = compiled.BARE_AGENT if event.agent is None else compiled.load(bytes(event.agent))
        self.agent = agent
        if event.history is UNSET:
            # Logged together with the user message that follows.
            self.state, self._start = new_state(agent.digest, event.run_id), line
            return
        draft, messages = imported(agent, bytes(event.history), event.run_id, _at(event))
        self._follow(draft, messages)

    def _advance(self, agent: Agent, number: int, event: Event) -> None:
        try:
            draft = _draft(agent, self.state, event)
        except PurestepError as error:
            raise _Mismatch("invalid_log", error.message, number, None, None) from None
        self._follow(draft, draft.messages)
        if self._start is not None:
            if self._lines[0] != self._start:
                raise _Mismatch(*_differs(number - 1, self._lines[0], self._start))
            self._start, self._next = None, 1

    def _follow(self, draft: Draft, messages: list[Message]) -> None:
        self.state = draft.close()
        self.messages += messages
        self._lines, self._next = draft.lines, 0


def _draft(agent: Agent, state: RunState, event: Event) -> Draft:
    if isinstance(event, ToolResultEvent) and event.error_kind == "unreported" and agent.is_open:
        return unreported(agent, state, _at(event))
    return advance(agent, state, observation_of(event))


def _readable(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def _differs(number: int, expected: bytes, got: bytes) -> tuple[str, str, int, str, str]:
    return (
        "log_mismatch", "the line is not what the facts before it lead to", number,
        _readable(expected), _readable(got),
    )  # fmt: skip


def _decode(number: int, line: bytes) -> Event:
    try:
        if not within_bounds(line):
            decode_foreign(line)
        return decode_event(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, PurestepError):
        raise _Mismatch("invalid_log", _why(line), number, None, _readable(line)) from None


def _why(line: bytes) -> str:
    try:
        value = decode_foreign(line)
    except PurestepError as error:
        return error.message
    kind = value.get("kind") if isinstance(value, dict) else None
    return f"expected an event; got kind {kind!r}" if isinstance(kind, str) else 'expected an object with "kind"'


def _at(event: Any) -> int | None:
    return None if event.at is UNSET else event.at


def observation_of(event: Event) -> Observation:
    """Give the observation that a fact records."""
    at = _at(event)
    match event:
        case UserMessageEvent():
            return UserMessage(content=event.content, at=at)
        case ModelResponse():
            content = None if event.content is UNSET else event.content
            return ModelOutput(
                content=content, tool_calls=event.tool_calls, finish_reason=event.finish_reason, usage=event.usage,
                model=event.model, at=at,
            )  # fmt: skip
        case ToolResultEvent():
            return ToolResults(results=(_result(event),), at=at)
        case ApprovalEvent():
            approval = Approval(
                call_id=event.call_id, key=event.key, approved=event.approved, params=event.params,
                reason=event.reason, by=event.by,
            )  # fmt: skip
            return Approvals(approvals=(approval,), at=at)
        case ModelErrorEvent():
            return ModelError(code=event.code, message=event.message, retryable=event.retryable, at=at)
        case Cancelled():
            return Cancel(reason=event.reason, at=at)
        case _:
            raise PurestepError("invalid_log", "expected a fact")


def _result(event: ToolResultEvent) -> ToolResult:
    return ToolResult(
        call_id=event.call_id if event.call_id is not UNSET else "",
        ok=event.ok is not UNSET and event.ok,
        output=None if event.output is UNSET else event.output,
        error=event.error,
        error_kind=event.error_kind,
    )


def read_events(text: str | bytes) -> Iterator[tuple[int, Event]]:
    """Give each line's event with its number, for printing; lines without seq and at are read too.

    Error codes: `invalid_log`, which names the line.
    """
    for number, line in split_lines(text)[0]:
        try:
            yield number, _decode(number, line)
        except _Mismatch as mismatch:
            raise PurestepError("invalid_log", f"line {number}: {mismatch.found[1]}", f"/{number}") from None

