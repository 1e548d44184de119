"""What `verify --receipt` does: a signature, then each log derived again and held against what the receipt says."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec

from purestep import LogLines, PurestepError
from purestep_hosts.anchors import run_id_of
from purestep_hosts.cli import codes
from purestep_hosts.cli.anchoring import AnchorChoice
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.key_files import read_small
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.redriving import logs_of
from purestep_hosts.cli.verifying import is_folder_of_logs, jobs_for, print_verify, with_progress
from purestep_hosts.on_processes import on_processes
from purestep_hosts.receipts import (
    HeldRun,
    Receipt,
    ReceiptError,
    Statement,
    check_run,
    checked_receipt,
    public_key_of,
)
from purestep_hosts.receipts.errors import MAX_RECEIPT_BYTES
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_PIECES: Final = 8
"""How many pieces of work each process gets."""

_SHOWN_ACTS: Final = 20


class HeldLog(msgspec.Struct, frozen=True, kw_only=True):
    """A log held against a receipt; `run` where all of it holds, else a code and what is wrong."""

    name: str
    run_id: str
    run: HeldRun | None = None
    code: str | None = None
    message: str | None = None
    line: int | None = None

    def members(self) -> dict[str, Any]:
        """Return what is printed as JSON."""
        said = {"name": self.name, "run_id": self.run_id, "ok": self.run is not None}
        if self.run is None:
            return {**said, "code": self.code, "message": self.message, "line": self.line}
        after, same = self.run.lines_after, self.run.same_software
        return {**said, "lines": self.run.statement.lines, "lines_after": after, "same_software": same}


def print_with_receipt(
    log: str | None, sessions: Path | None, place: Path, signer: Path | None, jobs: int | None, *, as_json: bool
) -> int:
    """Print what a receipt says and whether logs lead to it; without a log what it says alone.

    Raises ReceiptError where the receipt itself does not hold, UsageError.
    """
    if signer is None:
        raise UsageError("a receipt is checked with the public key of who signs; give it with --signer")
    receipt = checked_receipt(
        read_small(place, MAX_RECEIPT_BYTES), public_key_of(read_small(signer)), now=int(time.time())
    )
    printer = None if as_json else stdout_printer()
    if printer is not None:
        _print_signed(printer, receipt)
    if log is None:
        return _print_alone(printer, receipt)
    if is_folder_of_logs(log):
        return _print_all(printer, logs_of(log, sessions), receipt, jobs)
    found = find_log(log, sessions)
    statement = _of_run(receipt, _first_run_id(found))
    if printer is not None:
        return _print_one(printer, found, statement)
    return _print_all(None, [found], msgspec.structs.replace(receipt, statements=(statement,)), 1)


def _of_run(receipt: Receipt, run_id: str) -> Statement:
    found = next((each for each in receipt.statements if each.run_id == run_id), None)
    if found is None:
        raise ReceiptError("receipt_mismatch", "the receipt says nothing of the run of this log")
    return found


def _print_signed(printer: Printer, receipt: Receipt) -> None:
    at = _time(receipt.issued_at)
    by = "the key expected" if receipt.issuer == receipt.signer else f"{one_line(receipt.issuer)}, the key expected"
    printer.row(Row("signed", f"by {by}, at {at} by its clock", "good"))


def _time(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s"


def _print_alone(printer: Printer | None, receipt: Receipt) -> int:
    """Print what a receipt says, of which nothing was derived."""
    if printer is None:
        print(sanitized_json({**_signed_members(receipt), "statements": _plain(receipt.statements)}), flush=True)
        return codes.DONE
    for each in receipt.statements[:_SHOWN_ACTS]:
        printer.row(Row("run", f"{one_line(each.run_id)}: {each.lines} lines, {_acts_of(each)}"))
    if len(receipt.statements) > _SHOWN_ACTS:
        printer.row(Row("run", f"and {len(receipt.statements) - _SHOWN_ACTS} more", "quiet"))
    printer.row(Row("note", "that is what was signed; with its log, every decision is derived again", "warning"))
    return codes.DONE


def _plain(statements: Sequence[Statement]) -> Any:
    return [msgspec.to_builtins(each) for each in statements]


def _signed_members(receipt: Receipt) -> dict[str, Any]:
    return {"issuer": receipt.issuer, "issued_at": receipt.issued_at, "signer": receipt.signer}


def _print_one(printer: Printer, log: FoundLog, statement: Statement) -> int:
    try:
        run = check_run(log, statement)
    except ReceiptError as error:
        if error.code != "bad_log":
            raise
        code = print_verify(log, None, AnchorChoice(), as_json=False)  # which shows the line that differs
        if code == codes.DONE:
            raise
        return code
    told = f"; {run.lines_after} lines came since" if run.lines_after else ""
    name = one_line(log.name)
    printer.row(Row("verified", f"{statement.lines} lines of {name}, every decision derived again{told}", "good"))
    _print_statement(printer, statement)
    if not run.same_software:
        version = one_line(statement.software.version)
        printer.row(
            Row("note", f"signed with other sources of purestep {version}; those here derive the same", "quiet")
        )
    return codes.DONE


def _print_statement(printer: Printer, statement: Statement) -> None:
    printer.row(Row("acts", _acts_of(statement)))
    for act in statement.acts[:_SHOWN_ACTS]:
        at = f"line {act.line}" if isinstance(act.line, int) else "not ended"
        path = "".join(f"{one_line(name)} / " for name in act.path)
        printer.row(Row("", f"{path}{one_line(act.tool)} {one_line(act.status)}, {at}"))
    if len(statement.acts) > _SHOWN_ACTS:
        printer.row(Row("", f"and {len(statement.acts) - _SHOWN_ACTS} more", "quiet"))
    for use in statement.policies:
        printer.row(Row("policy", f"{one_line(use.use)} {use.version}"))
    if statement.hidden or statement.hidden_for_good:
        kinds = [f"{count} {kind}" for kind, count in statement.hidden.items()]
        if statement.hidden_for_good:
            kinds.append(f"{statement.hidden_for_good} times a secret of the host")
        text = f"{', '.join(kinds)}; the decisions follow without them, and what they said is not shown"
        printer.row(Row("hidden", text, "warning"))


def _acts_of(statement: Statement) -> str:
    """Return how many acts there were, by what became of them."""
    count = Counter(act.status for act in statement.acts)
    told = [f"{number} {one_line(status)}" for status, number in sorted(count.items())]
    if statement.acts_left_out:
        told.append(f"{statement.acts_left_out} not listed")
    return ", ".join(told) or "none"


def _print_all(printer: Printer | None, logs: Sequence[FoundLog], receipt: Receipt, jobs: int | None) -> int:
    by_run = {each.run_id: each for each in receipt.statements}
    given = [(each.name, by_run.get(_first_run_id(each))) for each in logs]
    count = jobs_for([Path(name) for name, _ in given], jobs)
    held = []
    for each in with_progress(on_processes(_held, given, count, max(1, len(given) // (count * _PIECES))), len(given)):
        held.append(each)
        if printer is not None and each.run is None:
            printer.row(Row("differs", f"{one_line(each.name)}: {one_line(each.message or '')}", "bad"))
    missing = sorted(set(by_run) - {each.run_id for each in held})
    if printer is None:
        data = {**_signed_members(receipt), "logs": [each.members() for each in held], "without_log": missing}
        print(sanitized_json(data), flush=True)
    else:
        _print_counts(printer, held, missing)
    return codes.DONE if not missing and all(each.run for each in held) else codes.MISMATCH


def _first_run_id(log: FoundLog) -> str:
    try:
        return next((run_id_of(line) for _, line in LogLines(log)), "")
    except (PurestepError, UsageError):
        return ""


def _held(given: tuple[str, Statement | None]) -> HeldLog:
    name, statement = given
    if statement is None:
        return HeldLog(name=name, run_id="", code="receipt_mismatch", message="the receipt says nothing of this run")
    try:
        run = check_run(find_log(name, None), statement)
    except (ReceiptError, PurestepError, UsageError) as error:
        return HeldLog(name=name, run_id=statement.run_id, code=error.code, message=error.message, line=_line_of(error))
    return HeldLog(name=name, run_id=statement.run_id, run=run)


def _line_of(error: Exception) -> int | None:
    return error.line if isinstance(error, ReceiptError) else None


def _print_counts(printer: Printer, held: Sequence[HeldLog], missing: Sequence[str]) -> None:
    for run_id in missing[:_SHOWN_ACTS]:
        printer.row(Row("missing", f"{one_line(run_id)}: the receipt names it, and there is no log of it", "bad"))
    if len(missing) > _SHOWN_ACTS:
        printer.row(Row("missing", f"and {len(missing) - _SHOWN_ACTS} more", "bad"))
    whole = [each.run.statement for each in held if each.run is not None]
    lines, acts = sum(each.lines for each in whole), sum(len(each.acts) + each.acts_left_out for each in whole)
    text = f"{len(whole)} of {len(held)} verified, {lines:,} lines, {acts:,} acts, every decision derived again"
    printer.row(Row("logs", text, "good" if len(whole) == len(held) and not missing else "bad"))
