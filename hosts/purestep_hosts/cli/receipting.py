"""The command `receipt`: a signed statement of what runs did, or that of some out of one of many."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from purestep import PurestepError
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.key_files import read_small, write_new
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.receipts import (
    ReceiptError,
    Signer,
    Statement,
    make_receipt,
    only_runs,
    public_key_of,
    signer_by_command,
    signer_of,
    statement_of,
)
from purestep_hosts.receipts.errors import MAX_RECEIPT_BYTES
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line


class KeyChoice(msgspec.Struct, frozen=True, kw_only=True):
    """What signs; None for what was not given."""

    key: Path | None = None
    sign_with: str | None = None
    signer: Path | None = None

    def chosen(self) -> Signer:
        """Return it; raises UsageError, ReceiptError `bad_key`."""
        if self.key is not None and self.sign_with is None and self.signer is None:
            return signer_of(read_small(self.key))
        if self.sign_with is not None and self.signer is not None and self.key is None:
            return signer_by_command(self.sign_with, public_key_of(read_small(self.signer)))
        raise UsageError(
            "expected a key with --key, or a program with --sign-with and its public key with --signer; "
            "make a key: ssh-keygen -t ed25519 -N '' -f receipt.key"
        )


def write_receipt(logs: Sequence[FoundLog], choice: KeyChoice, issuer: str, output: Path | None) -> int:
    """Write the receipt of logs into a new file; raises UsageError, ReceiptError."""
    signer = choice.chosen()
    place = output or Path(f"{_name_of(logs)}.receipt")
    if place.exists():
        raise UsageError(f"{place} is there already; a receipt is not overwritten, choose another name with -o")
    statements = [_statement(each) for each in logs]
    _check_runs(logs, statements)
    write_new(place, make_receipt(statements, signer, issued_at=int(time.time()), issuer=issuer))
    printer = stderr_printer()
    printer.row(Row("signed", f"{_runs(len(statements))}, {sum(each.lines for each in statements):,} lines", "good"))
    printer.row(Row("kept in", one_line(str(place)), "quiet"))
    return codes.DONE


def _check_runs(logs: Sequence[FoundLog], statements: Sequence[Statement]) -> None:
    """Raise UsageError for two logs of one run: nobody could tell which of them is meant."""
    first: dict[str, str] = {}
    for log, said in zip(logs, statements, strict=True):
        if said.run_id in first:
            text = f"two of the logs are of one run ({said.run_id}): {first[said.run_id]} and {log.name}"
            raise UsageError(f"{text}; give one of them")
        first[said.run_id] = log.name


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count:,} runs"


def _name_of(logs: Sequence[FoundLog]) -> str:
    """Return the name of a new file: of the session or the log where it is one."""
    if len(logs) != 1:
        return "runs"
    return logs[0].folder.name if logs[0].folder else Path(logs[0].name).stem or "run"


def _statement(log: FoundLog) -> Statement:
    try:
        return statement_of(log)
    except ReceiptError as error:
        raise ReceiptError(error.code, f"{log.name}: {error.message}") from None
    except PurestepError as error:
        raise ReceiptError("bad_log", f"{log.name}: {error.message}") from None


def write_part(given: Path, run_ids: Sequence[str], output: Path | None) -> int:
    """Write the receipt of some runs out of that of several; raises UsageError, ReceiptError."""
    part = only_runs(read_small(given, MAX_RECEIPT_BYTES), frozenset(run_ids))
    place = output or Path(f"{one_line(Path(run_ids[0]).name) if len(run_ids) == 1 else 'runs'}.receipt")
    write_new(place, part)
    printer = stderr_printer()
    printer.row(
        Row(
            "taken out",
            f"{_runs(len(set(run_ids)))}, under the same signature",
            "good",
        )
    )
    printer.row(Row("kept in", one_line(str(place)), "quiet"))
    return codes.DONE
