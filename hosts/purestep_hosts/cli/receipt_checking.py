"""What `verify --receipt` does: a signature, then each log derived again and held against what the receipt says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec

from purestep_hosts.cli import codes
from purestep_hosts.cli.anchoring import AnchorChoice
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.held_logs import HeldLog, first_run_id, held_logs
from purestep_hosts.cli.key_files import read_small
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.receipt_rows import print_counts, print_problem, print_run, print_signed, print_statements
from purestep_hosts.cli.verifying import is_folder_of_logs, print_verify
from purestep_hosts.receipts import HeldRun, Receipt, ReceiptError, check_run, checked_receipt, public_key_of
from purestep_hosts.receipts.errors import MAX_RECEIPT_BYTES
from purestep_hosts.redriven_text import log_paths
from purestep_hosts.show.printer import stdout_printer
from purestep_hosts.show.sanitize import sanitized_json


def print_with_receipt(
    log: str | None, sessions: Path | None, place: Path, signer: Path | None, jobs: int | None, *, as_json: bool
) -> int:
    """Print what a receipt says and whether logs lead to it; without a log what it says alone.

    Raises ReceiptError where the receipt itself does not hold, UsageError.
    """
    if signer is None:
        raise UsageError("a receipt is checked with the public key of who signs; give it with --signer")
    key = public_key_of(read_small(signer))
    receipt = checked_receipt(read_small(place, MAX_RECEIPT_BYTES), key, now=int(time.time()))
    if not as_json:
        print_signed(stdout_printer(), receipt)
    if log is None:
        return _print_alone(receipt, as_json=as_json)
    if is_folder_of_logs(log):
        return _print_folder(Path(log), receipt, jobs, as_json=as_json)
    return _print_one(find_log(log, sessions), receipt, as_json=as_json)


def _print_json(receipt: Receipt, **members: Any) -> None:
    said = {"issuer": receipt.issuer, "issued_at": receipt.issued_at, "signer": receipt.signer, "runs": receipt.runs}
    print(sanitized_json({**said, **members}), flush=True)


def _print_alone(receipt: Receipt, *, as_json: bool) -> int:
    if as_json:
        _print_json(receipt, statements=[msgspec.to_builtins(each) for each in receipt.statements])
    else:
        print_statements(stdout_printer(), receipt.statements)
    return codes.DONE


def _print_one(log: FoundLog, receipt: Receipt, *, as_json: bool) -> int:
    try:
        run = _run_of(log, receipt)
    except ReceiptError as error:
        if as_json:
            held = HeldLog(name=log.name, code=error.code, message=error.message, line=error.line)
            _print_json(receipt, logs=[held.members()])
            return codes.OF_ERROR.get(error.code, codes.MISMATCH)
        if error.code != "bad_log":
            raise
        code = print_verify(log, None, AnchorChoice(), as_json=False)  # which shows the line that differs
        if code == codes.DONE:
            raise
        return code
    if as_json:
        _print_json(receipt, logs=[HeldLog(name=log.name, run_id=run.statement.run_id, run=run).members()])
    else:
        print_run(stdout_printer(), log.name, run)
    return codes.DONE


def _run_of(log: FoundLog, receipt: Receipt) -> HeldRun:
    run_id = first_run_id(log)
    statement = next((each for each in receipt.statements if each.run_id == run_id), None)
    if statement is None:
        raise ReceiptError("receipt_mismatch", "the receipt says nothing of the run of this log")
    return check_run(log, statement)


def _print_folder(folder: Path, receipt: Receipt, jobs: int | None, *, as_json: bool) -> int:
    paths = log_paths(folder)
    if not paths:
        raise UsageError(f"{folder} has no *.jsonl below it; give a log, or a folder of logs or sessions")
    held = []
    for each in held_logs(paths, receipt, jobs):
        held.append(each)
        if each.run is None and not as_json:
            print_problem(stdout_printer(), each)
    missing = sorted({each.run_id for each in receipt.statements} - {each.run_id for each in held})
    if as_json:
        _print_json(receipt, logs=[each.members() for each in held], without_log=missing)
    else:
        print_counts(stdout_printer(), held, missing)
    return codes.DONE if not missing and all(each.run for each in held) else codes.MISMATCH
