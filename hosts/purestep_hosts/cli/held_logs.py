"""Logs held against a receipt, one by one, on several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep import LogLines, PurestepError
from purestep_hosts.anchors import run_id_of
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.verifying import jobs_for, with_progress
from purestep_hosts.on_processes import on_processes
from purestep_hosts.receipts import HeldRun, Receipt, ReceiptError, Statement, check_run

_PIECES: Final = 8
"""How many pieces of work each process gets."""


class HeldLog(msgspec.Struct, frozen=True, kw_only=True):
    """A log held against a receipt; `run` where all of it holds, else a code and what is wrong, with the line."""

    name: str
    run_id: str = ""
    run: HeldRun | None = None
    code: str | None = None
    message: str | None = None
    line: int | None = None

    def members(self) -> dict[str, Any]:
        """Return what is printed as JSON."""
        said: dict[str, Any] = {"name": self.name, "run_id": self.run_id, "ok": self.run is not None}
        if self.run is None:
            return {**said, "code": self.code, "message": self.message, "line": self.line}
        after, same = self.run.lines_after, self.run.same_software
        statement = msgspec.to_builtins(self.run.statement)
        return {**said, "lines_after": after, "same_software": same, "statement": statement}


class _Given(msgspec.Struct, frozen=True, kw_only=True):
    """A log by its path, with the run that it begins, and what is said of that; `problem` instead of these."""

    path: str
    run_id: str = ""
    statement: Statement | None = None
    problem: str = ""


def held_logs(paths: Sequence[Path], receipt: Receipt, jobs: int | None) -> Iterator[HeldLog]:
    """Yield what becomes of each log; jobs: processes, None for one on each processor."""
    given = list(_given(paths, {each.run_id: each for each in receipt.statements}))
    count = jobs_for(paths, jobs)
    return with_progress(on_processes(_held, given, count, max(1, len(given) // (count * _PIECES))), len(given))


def _given(paths: Sequence[Path], by_run: dict[str, Statement]) -> Iterator[_Given]:
    first: dict[str, Path] = {}
    for path in paths:
        try:
            run_id = first_run_id(find_log(str(path), None))
        except (PurestepError, UsageError) as error:
            yield _Given(path=str(path), problem=error.message)
            continue
        if not run_id:
            yield _Given(path=str(path), problem="it has no first line that begins a run")
        elif run_id not in by_run:
            yield _Given(path=str(path), run_id=run_id, problem="the receipt says nothing of this run")
        elif run_id in first:
            yield _Given(path=str(path), run_id=run_id, problem=f"it is of the same run as {first[run_id]}; keep one")
        else:
            first[run_id] = path
            yield _Given(path=str(path), run_id=run_id, statement=by_run[run_id])


def first_run_id(log: FoundLog) -> str:
    """Return the id of the run that a log begins; empty for none. Raises PurestepError, UsageError."""
    return next((run_id_of(line) for _, line in LogLines(log)), "")


def _held(given: _Given) -> HeldLog:
    name, run_id = given.path, given.run_id
    if given.statement is None:
        return HeldLog(name=name, run_id=run_id, code="receipt_mismatch", message=given.problem)
    try:
        run = check_run(find_log(name, None), given.statement)
    except (ReceiptError, PurestepError, UsageError) as error:
        line = error.line if isinstance(error, ReceiptError) else None
        return HeldLog(name=name, run_id=run_id, code=error.code, message=error.message, line=line)
    return HeldLog(name=name, run_id=run_id, run=run)
