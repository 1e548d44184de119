"""The commands that compare runs: `redrive` and `diff`; and `fork`, which begins a session with a part of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

import purestep
from purestep import PurestepError, Redriven, TextPart, diff, events, read_events, redrive
from purestep_hosts.agent_file import with_built_in, with_profiles
from purestep_hosts.agent_tree import in_parts, read_agent_parts
from purestep_hosts.attachments import Attachment, AttachmentError, AttachmentStore, FolderAttachments, shown_content
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.wiring import known_specs
from purestep_hosts.redriven_text import log_paths, now_text, outlined, steps_of
from purestep_hosts.session_names import resuming
from purestep_hosts.sessions import SessionError, SessionInfo, SessionStore, own_info
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.rows import EventRows, Row
from purestep_hosts.show.sanitize import one_line, sanitized_json


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A log driven again, by its name; `error` where it cannot be read."""

    name: str
    made: Redriven | None = None
    error: str | None = None

    @property
    def same(self) -> bool:
        """Whether every decision is the same."""
        return self.made is not None and self.made.same

    def members(self) -> dict[str, Any]:
        """Return what is printed as JSON: all but the run driven again."""
        made = self.made
        return {
            "name": self.name,
            "same": self.same,
            "steps": made.steps if made else 0,
            "line": made.line if made else None,
            "recorded": made.recorded if made else [],
            "redriven": made.redriven if made else [],
            "message": made.message if made else None,
            "error": self.error,
        }


def logs_of(given: str, sessions: Path | None) -> list[FoundLog]:
    """Return the logs that a path or id names: of a folder that is no session, all below it, by their paths."""
    folder = Path(given)
    if given == "-" or not folder.is_dir() or (folder / "log.jsonl").exists():
        return [find_log(given, sessions)]
    paths = log_paths(folder)
    if not paths:
        raise UsageError(f"{folder} has no *.jsonl below it; give a log, or a folder of logs or sessions")
    return [find_log(str(path), sessions) for path in paths]


def distinct_logs(given: Iterable[str], sessions: Path | None) -> list[FoundLog]:
    """Return the logs that paths or ids name, each file once, also where a link or its folder names it again."""
    found: dict[Path | str, FoundLog] = {}
    for each in dict.fromkeys(given):
        for log in logs_of(each, sessions):
            found.setdefault(log.place or log.name, log)
    return list(found.values())


def definition_in(path: Path) -> bytes:
    """Return the definition of an agent file, with the built-in tools that it names; raises AgentFileError."""
    specs = known_specs()
    definition = read_agent_parts(path).whole(lambda part: with_profiles(with_built_in(part.definition, specs)))
    try:
        purestep.Agent.load(definition)
    except PurestepError as error:
        raise in_parts(error, path) from None
    return msgspec.json.encode(definition)


def print_redrive(found: Sequence[FoundLog], agent: Path | None, *, as_json: bool) -> int:
    """Print the first decision of each log that would be another one now, and how many logs have one."""
    definition = definition_in(agent) if agent is not None else None
    compared = [_compared(each, definition) for each in found]
    if as_json:
        print(sanitized_json([each.members() for each in compared]), flush=True)
    else:
        printer = stdout_printer()
        for each in compared:
            _print_compared(printer, each)
        if len(compared) > 1:
            printer.row(Row("logs", _counted(compared), "strong"))
    return codes.DONE if all(each.same for each in compared) else codes.MISMATCH


def _compared(found: FoundLog, definition: bytes | None) -> Compared:
    try:
        return Compared(name=found.name, made=redrive(found.data, definition))
    except PurestepError as error:
        return Compared(name=found.name, error=f"{error.code}: {error.message}")


def _print_compared(printer: Printer, compared: Compared) -> None:
    name, made = one_line(compared.name), compared.made
    if made is None:
        printer.row(Row("unread", f"{name}: {one_line(compared.error or '')}", "bad"))
    elif made.same:
        printer.row(Row("same", f"{name}, {made.steps} steps", "good"))
    else:
        printer.row(Row("differs", f"{name}, line {made.line}, after {steps_of(made)}", "bad"))
        printer.row(Row("recorded", outlined(made.recorded)))
        printer.row(Row("now", now_text(made)))


def _counted(compared: Sequence[Compared]) -> str:
    differ = sum(not (each.same or each.error) for each in compared)
    unread = sum(each.error is not None for each in compared)
    told = f"{differ} of {len(compared)} differ"
    return f"{told}, {unread} cannot be read" if unread else told


def print_diff(one: FoundLog, other: FoundLog, *, as_json: bool) -> int:
    """Print where two runs part: the first line whose event differs in more than times, hashes, keys and usage."""
    found = diff(one, other)
    if as_json:
        shown = {"one": found.one[:1], "other": found.other[:1]}
        print(sanitized_json({"same": found.same, "lines": found.lines, **shown}), flush=True)
        return codes.DONE if found.same else codes.MISMATCH
    printer = stdout_printer()
    if found.same:
        printer.row(Row("same", f"{found.events} lines say the same in both", "good"))
        return codes.DONE
    printer.row(Row("same", f"the first {found.events} lines" if found.events else "no line", "quiet"))
    sides = ((one, found.lines[0], len(found.one)), (other, found.lines[1], len(found.other)))
    for log, line, count in sides:
        _print_side(printer, log, line, found.events, count)
    return codes.MISMATCH


def _print_side(printer: Printer, found: FoundLog, line: int | None, at: int, count: int) -> None:
    """Print the events of one run from where it parts: `count` of them, after the first `at`."""
    where = "ends there" if line is None else f"line {line}"
    printer.row(Row("run", f"{one_line(found.name)}, {where}", "strong"))
    rows = EventRows()
    for number, (_, event) in enumerate(islice(read_events(found), at + count)):
        shown = list(rows.rows(event))  # rows of results name the tools of calls before them
        for row in shown if number >= at else ():
            printer.row(row)


def print_fork(found: FoundLog, at: int | None, agent: Path | None, sessions: Path | None) -> int:
    """Make a session that begins as a run did up to a line, under the same definition or another; print its id.

    The new run has an id of its own, so the keys of its calls are others. It is the user's own only if the run is,
    since calls and approvals come along. Where the other definition decides differently before that line, nothing is
    made.
    """
    part = found if at is None else found.up_to(at)
    definition = definition_in(agent) if agent is not None else None
    made = redrive(part.data, definition)  # before anything is written
    if not made.same:
        _print_compared(stdout_printer(), Compared(name=found.name, made=made))
        return codes.MISMATCH
    if made.steps == 0:
        raise UsageError("expected --at to be the line of the user's message or a later one")
    store = SessionStore(sessions)
    session_id = _forked(part, made, definition, store)
    printer = stdout_printer()
    printer.row(Row("forked", f"{one_line(found.name)} after {steps_of(made)}", "good"))
    printer.row(Row("session", f"{session_id}; continue with {resuming(store, session_id)}"))
    return codes.DONE


def _forked(part: FoundLog, made: Redriven, definition: bytes | None, store: SessionStore) -> str:
    """Write the session of a fork, whole or not at all; returns its id."""
    first = next(event for _, event in read_events(part.data) if isinstance(event, events.UserMessageEvent))
    own = _own_source(part, made if definition is None else redrive(part.data))
    with store.create(
        query=shown_content(first.content),
        agent_digest=made.state.agent or "",
        model=own.model if own else "",
        definition=_definition_of(made.log),
        root=Path(own.root) if own and own.root else None,
        skills=[Path(place) for place in own.skills] if own else (),
        is_own=own is not None,
    ) as session:
        forked = redrive(part.data, definition, run_id=session.run_id)
        try:
            if part.folder is not None:
                _copy_attachments(forked.log, FolderAttachments(part.folder), session.attachments)
            session.append(forked.log, forked.state.head)
        except (SessionError, AttachmentError):
            session.remove()
            raise
        return session.run_id


def _copy_attachments(log: str, source: AttachmentStore, target: AttachmentStore) -> None:
    """Copy the images and files that a log names; one that is gone, or is another by now, is missing there too."""
    for _, event in read_events(log.encode()):
        content = event.content if isinstance(event, events.UserMessageEvent) else ""
        for each in content if isinstance(content, tuple) else ():
            data = None if isinstance(each, TextPart) else source.get(each.digest)
            if data is None:
                continue
            found = Attachment(data=data, media_type="", name=None)
            if not isinstance(each, TextPart) and found.digest == each.digest:
                target.put(found)


def _own_source(part: FoundLog, recorded: Redriven) -> SessionInfo | None:
    """Return the metadata of the session that a log is of, if this user made it, under the definition of the log."""
    own = own_info(part.folder) if part.folder is not None else None
    return own if own is not None and own.agent_digest == (recorded.state.agent or "") else None


def _definition_of(log: str) -> bytes:
    """Return the definition that a run began with."""
    first = next((event for _, event in read_events(log)), None)
    return bytes(first.agent) if isinstance(first, events.RunStarted) else b"null"
