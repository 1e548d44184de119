"""Statements: what is said of one run, all of it derived from its log by the core that is installed here."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from purestep import Act, LogLines, PurestepError, Replayed, decode_as, decode_json, events, replay
from purestep_hosts.receipts.errors import MAX_STATEMENT_BYTES, MAX_TOLD_ACTS, ReceiptError
from purestep_hosts.receipts.software import Digest, Software, installed_software

FORMAT: Final = "purestep-statement-1"
_HIDDEN: Final = re.compile(rb"\[hidden ([a-z_]{1,16}) ([0-9a-f]{16})\]")
_HIDDEN_FOR_GOOD: Final = b"[hidden]"
_MAX_HIDDEN: Final = 100_000
"""Hidden texts that are told apart; more are told as that many."""


class ToldAct(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call that may have changed something; `line` is that of the ending that tells it, none while the run goes on.

    Its arguments are in the log and not here: a receipt is shown to more people than a log.
    """

    call_id: str
    tool: str
    status: str
    line: int | UnsetType = UNSET
    path: tuple[str, ...] = ()


class ToldPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, order=True):
    """A policy that the run was held to, by its name and version."""

    use: str
    version: int


class Statement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is said of a run: what its log was, what derived it, the acts, and what was hidden.

    head: that after the first `lines` lines. definitions: the digests of those that the run had, in order; None for the
    bare form. phase: where the run stands. hidden: how many texts were hidden, by their kind. hidden_for_good: how
    often a host has hidden a secret of its own.
    """

    format: str
    run_id: Annotated[str, Meta(min_length=1)]
    lines: Annotated[int, Meta(ge=1)]
    head: Digest
    software: Software
    definitions: tuple[Digest | None, ...]
    policies: tuple[ToldPolicy, ...]
    phase: str
    acts: tuple[ToldAct, ...]
    acts_left_out: Annotated[int, Meta(ge=0)]
    hidden: dict[str, int]
    hidden_for_good: Annotated[int, Meta(ge=0)]

    def encoded(self) -> bytes:
        """Return the JSON that is signed: members in order, no white space."""
        return msgspec.json.encode(self)


def statement_of(log: bytes | Iterable[bytes], *, software: Software | None = None) -> Statement:
    """Return what is said of a log, of all its lines; every decision in it is derived again.

    log: its bytes, or pieces of them, read once. Raises ReceiptError `bad_log`, which names the first line that is
    blank, torn, or does not follow from the facts before it, and PurestepError for a log whose policies are not
    installed or whose version this core does not know.
    """
    notes = _Notes()
    try:
        found = replay(notes.seen(log), keeps_messages=False)
    except PurestepError as error:
        raise notes.blamed(error) from None
    if notes.blank is not None:
        raise _blank(notes.blank)
    line = notes.lines + 1
    if notes.torn_bytes:
        raise _torn(line, notes.torn_bytes)
    if found.lost:
        raise ReceiptError("bad_log", f"line {line}: the log ends within a step, so nothing vouches for it", line)
    return notes.statement(found, software or installed_software())


def read_statement(data: bytes) -> Statement:
    """Return the statement that JSON holds; raises ReceiptError `bad_receipt`, `unsupported_receipt`."""
    if len(data) > MAX_STATEMENT_BYTES:
        raise ReceiptError("bad_receipt", f"expected a statement of at most {MAX_STATEMENT_BYTES} bytes")
    try:
        if decode_as(data, _AnyStatement).format != FORMAT:
            raise ReceiptError("unsupported_receipt", f"expected a statement of the format {FORMAT}; got another one")
        found = decode_as(data, Statement)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise ReceiptError("bad_receipt", "its statement is not the JSON that purestep receipt writes") from None
    if found.encoded() != data:
        raise ReceiptError("bad_receipt", "its statement is written in another way than purestep receipt writes it")
    return found


def _blank(line: int) -> ReceiptError:
    text = f"line {line} is blank, and a log as it was written has none, so nothing vouches for it"
    return ReceiptError("bad_log", text, line)


def _torn(line: int, size: int) -> ReceiptError:
    text = f"line {line}: the last line is torn ({size} bytes); go on with the run (--resume), or cut the line off"
    return ReceiptError("bad_log", text, line)


def _line_in(error: PurestepError) -> int | None:
    """Return the line that an error of a log is about."""
    number = error.path.removeprefix("/").partition("/")[0]
    return int(number) if number.isascii() and number.isdigit() else None


class _AnyStatement(msgspec.Struct, frozen=True):
    format: str


class _Notes:
    """What a statement needs of the lines, noted while they are replayed."""

    def __init__(self) -> None:
        self.lines = 0
        self.blank: int | None = None
        self.torn_bytes = 0
        self._run_id = ""
        self._definitions: list[str | None] = []
        self._sources: list[bytes] = []
        self._acts: list[ToldAct] = []
        self._acts_left_out = 0
        self._hidden: set[tuple[bytes, bytes]] = set()
        self._hidden_for_good = 0

    def seen(self, log: bytes | Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines of a log, and note each; what is noted counts once all of them were replayed."""
        lines = LogLines(log)
        for number, line in lines:
            if lines.blank is not None and lines.blank < number:
                break  # the numbers of lines would be others from here on
            yield line + b"\n"
            self.lines = number
            self._hidden_for_good += line.count(_HIDDEN_FOR_GOOD)
            if len(self._hidden) < _MAX_HIDDEN:
                self._hidden.update(_HIDDEN.findall(line))
            self._note(line)
        self.blank, self.torn_bytes = lines.blank, lines.torn_bytes

    def blamed(self, error: PurestepError) -> ReceiptError | PurestepError:
        """Return the error for a log that is not replayed: what is missing here is no fault of it."""
        if error.code in ("unknown_policy", "unsupported_version"):
            return error
        line = _line_in(error)
        if self.blank is not None and not (line and line < self.blank):
            return _blank(self.blank)
        text = f"the log does not verify, so nothing vouches for it: {error.message}"
        return ReceiptError("bad_log", text, line)

    def _note(self, line: bytes) -> None:
        try:
            event = events.decode_event(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return  # what replays it says what is wrong
        match event:
            case events.RunStarted(run_id=run_id, agent=agent):
                self._run_id = run_id
                self._sources.append(bytes(agent))
            case events.AgentChangedEvent(agent=agent, from_digest=before):
                self._definitions.append(before)
                self._sources.append(bytes(agent))
            case events.FinalAnswer() | events.RunFailed() as ending:
                self._note_acts(ending.acts, ending.acts_left_out, ending.seq)
            case _:
                pass

    def _note_acts(self, acts: tuple[Act, ...] | UnsetType | None, left_out: int, seq: int | UnsetType) -> None:
        told = () if acts is UNSET or acts is None else acts
        room = MAX_TOLD_ACTS - len(self._acts)
        line = UNSET if seq is UNSET else seq + 1
        self._acts += [
            ToldAct(call_id=act.call_id, tool=act.tool, status=act.status, line=line, path=act.path)
            for act in told[:room]
        ]
        self._acts_left_out += left_out + len(told[room:])

    def statement(self, found: Replayed, software: Software) -> Statement:
        """Return the statement, once the log is read to its end."""
        state = found.state
        if state.phase not in ("done", "failed"):  # no ending has told the acts of this exchange yet
            self._note_acts(state.exchange.acts, state.exchange.acts_left_out, UNSET)
        return Statement(
            format=FORMAT,
            run_id=self._run_id,
            lines=self.lines,
            head=state.head,
            software=software,
            definitions=(*self._definitions, state.agent),
            policies=tuple(sorted({each for source in self._sources for each in _policies_in(decode_json(source))})),
            phase=state.phase,
            acts=tuple(self._acts),
            acts_left_out=self._acts_left_out,
            hidden={kind.decode(): count for kind, count in sorted(Counter(kind for kind, _ in self._hidden).items())},
            hidden_for_good=self._hidden_for_good,
        )


def _policies_in(definition: Any) -> Iterator[ToldPolicy]:
    """Yield the policies of a definition and of the agents below it, as the log's line has them."""
    if not isinstance(definition, dict):
        return  # the bare form
    for each in definition.get("policies") or ():
        yield ToldPolicy(use=each["use"], version=each["version"])
    for below in (definition.get("agents") or {}).values():
        yield from _policies_in(below["agent"])
