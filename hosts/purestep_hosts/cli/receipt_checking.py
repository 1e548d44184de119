"""What `verify --receipt` does: a signature, then each log derived again and held against what the receipt says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import msgspec

from purestep_hosts.cli import codes
from purestep_hosts.cli.anchoring import AnchorChoice
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.held_logs import held_log, held_logs
from purestep_hosts.cli.key_files import read_small
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.cli.receipt_rows import print_counts, print_problem, print_run, print_signed, print_statements
from purestep_hosts.cli.verifying import checked_log, is_folder_of_logs, print_verify
from purestep_hosts.receipts import Receipt, ReceiptError, checked_receipt, public_key_of
from purestep_hosts.receipts.errors import MAX_RECEIPT_BYTES
from purestep_hosts.redriven_text import log_paths
from purestep_hosts.show.printer import stdout_printer
from purestep_hosts.show.sanitize import sanitized_json


def print_with_receipt(
    log: str | None, sessions: Path | None, place: Path, signer: Path | None, jobs: int | None, *, as_json: bool
) -> int:
    """Print what a receipt says and whether logs lead to it; without a log what it says alone.

    Raises ReceiptError where the receipt itself does not hold and no JSON is asked for, UsageError.
    """
    if signer is None:
        raise UsageError("a receipt is checked with the public key of who signs; give it with --signer")
    key = public_key_of(read_small(signer))
    try:
        receipt = checked_receipt(read_small(place, MAX_RECEIPT_BYTES), key, now=int(time.time()))
    except ReceiptError as error:
        if not as_json:
            raise
        _print_json(None, ok=False, failure={"code": error.code, "message": error.message})
        return codes.MISMATCH
    if not as_json:
        print_signed(stdout_printer(), receipt)
    if log is None:
        return _print_alone(receipt, as_json=as_json)
    if is_folder_of_logs(log):
        return _print_folder(Path(log), receipt, jobs, as_json=as_json)
    return _print_one(find_log(log, sessions), receipt, as_json=as_json)


def _print_json(receipt: Receipt | None, *, ok: bool, **members: Any) -> None:
    """Print one object that always has the same members; `statements` are told where no log is held against them."""
    said = {name: getattr(receipt, name, None) for name in ("issuer", "issued_at", "signer", "runs")}
    empty: dict[str, Any] = {"failure": None, **said, "statements": [], "logs": [], "without_log": []}
    print(sanitized_json({"ok": ok, **empty, **members}), flush=True)


def _print_alone(receipt: Receipt, *, as_json: bool) -> int:
    if as_json:
        _print_json(receipt, ok=True, statements=[msgspec.to_builtins(each) for each in receipt.statements])
    else:
        print_statements(stdout_printer(), receipt.statements)
    return codes.DONE


def _print_one(log: FoundLog, receipt: Receipt, *, as_json: bool) -> int:
    held = held_log(log, receipt)
    if as_json:
        _print_json(receipt, ok=held.run is not None, logs=[held.members()])
    elif held.run is not None:
        print_run(stdout_printer(), log.name, held.run)
    elif held.code == "bad_log" and not checked_log(log).ok:
        print_verify(log, None, AnchorChoice(), as_json=False)  # which shows the line that differs
    else:
        print_problem(stdout_printer(), held)
    return codes.DONE if held.run is not None else codes.MISMATCH


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
    ok = not missing and all(each.run for each in held)
    if as_json:
        _print_json(receipt, ok=ok, logs=[each.members() for each in held], without_log=missing)
    else:
        print_counts(stdout_printer(), held, missing)
    return codes.DONE if ok else codes.MISMATCH
