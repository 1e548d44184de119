"""Logs held against a receipt, one by one, on several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep import LogLines, PurestepError, verify
from purestep_hosts.anchors import run_id_of
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.verifying import jobs_for, with_progress
from purestep_hosts.on_processes import on_processes
from purestep_hosts.receipts import HeldRun, Receipt, ReceiptError, Statement, check_run

_PIECES: Final = 8
"""How many pieces of work each process gets."""
_PASSED_ON: Final = ("unsupported_version", "input_too_large")
"""What `verify` says of a first line that this core cannot judge."""


class HeldLog(msgspec.Struct, frozen=True, kw_only=True):
    """A log held against a receipt; `run` where all of it holds, else a code and what is wrong, with the line."""

    name: str
    run_id: str = ""
    run: HeldRun | None = None
    code: str | None = None
    message: str | None = None
    line: int | None = None

    def members(self) -> dict[str, Any]:
        """Return what is printed as JSON: always the same members, null for what does not apply."""
        return {
            "name": self.name,
            "run_id": self.run_id,
            "ok": self.run is not None,
            "code": self.code,
            "message": self.message,
            "line": self.line,
            "lines_after": self.run and self.run.lines_after,
            "same_software": self.run and self.run.same_software,
            "statement": self.run and msgspec.to_builtins(self.run.statement),
        }


class _Given(msgspec.Struct, frozen=True, kw_only=True):
    """A log by its path, and what is said of the run that it begins; else `problem` is what there is to tell of it."""

    path: str
    statement: Statement | None = None
    problem: HeldLog | None = None


def held_logs(paths: Sequence[Path], receipt: Receipt, jobs: int | None) -> Iterator[HeldLog]:
    """Yield what becomes of each log; jobs: processes, None for one on each processor."""
    given = list(_given(paths, {each.run_id: each for each in receipt.statements}))
    count = jobs_for(paths, jobs)
    return with_progress(on_processes(_held_path, given, count, max(1, len(given) // (count * _PIECES))), len(given))


def _given(paths: Sequence[Path], by_run: dict[str, Statement]) -> Iterator[_Given]:
    first: dict[str, Path] = {}
    for path in paths:
        found = _stated(path, by_run)
        run_id = "" if found.statement is None else found.statement.run_id
        if run_id in first:
            text = f"it is of the same run as {first[run_id]}; keep one"
            yield _Given(path=str(path), problem=_differing(str(path), run_id, text))
            continue
        if run_id:
            first[run_id] = path
        yield found


def _stated(path: Path, by_run: dict[str, Statement]) -> _Given:
    name = str(path)
    try:
        found = _statement_for(find_log(name, None), by_run)
    except UsageError as error:
        found = HeldLog(name=name, code=error.code, message=error.message)
    if isinstance(found, HeldLog):
        return _Given(path=name, problem=found)
    return _Given(path=name, statement=found)


def _held_path(given: _Given) -> HeldLog:
    if given.statement is None:
        assert given.problem is not None
        return given.problem
    try:
        return _held(find_log(given.path, None), given.statement)
    except UsageError as error:
        run_id = given.statement.run_id
        return HeldLog(name=given.path, run_id=run_id, code=error.code, message=error.message)


def held_log(log: FoundLog, receipt: Receipt) -> HeldLog:
    """Return what becomes of one log; raises UsageError for one that cannot be read."""
    found = _statement_for(log, {each.run_id: each for each in receipt.statements})
    return found if isinstance(found, HeldLog) else _held(log, found)


def _statement_for(log: FoundLog, by_run: dict[str, Statement]) -> Statement | HeldLog:
    """Return what is said of the run that a log begins, or why nothing is."""
    run_id = _first_run_id(log)
    if not run_id:
        return _without_run(log)
    return by_run.get(run_id) or _differing(log.name, run_id, "the receipt says nothing of the run of this log")


def _first_run_id(log: FoundLog) -> str:
    """Return the id of the run that a log begins; empty for none."""
    try:
        return next((run_id_of(line) for _, line in LogLines(log)), "")
    except PurestepError:
        return ""


def _without_run(log: FoundLog) -> HeldLog:
    """Say of a log that begins no run what `verify` says of it, such as that it is empty or has a byte order mark."""
    found = verify(log)
    code = found.code if found.code in _PASSED_ON else "bad_log"
    return HeldLog(name=log.name, code=code, message=f"line {found.line}: {found.message}", line=found.line)


def _differing(name: str, run_id: str, message: str) -> HeldLog:
    return HeldLog(name=name, run_id=run_id, code="receipt_mismatch", message=message)


def _held(log: FoundLog, statement: Statement) -> HeldLog:
    name, run_id = log.name, statement.run_id
    try:
        run = check_run(log, statement)
    except (ReceiptError, PurestepError) as error:
        line = error.line if isinstance(error, ReceiptError) else None
        return HeldLog(name=name, run_id=run_id, code=error.code, message=error.message, line=line)
    return HeldLog(name=name, run_id=run_id, run=run)
