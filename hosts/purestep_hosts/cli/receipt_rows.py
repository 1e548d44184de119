"""What a receipt and the logs held against it are shown as."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from purestep_hosts.cli.anchoring import came_since
from purestep_hosts.cli.held_logs import HeldLog
from purestep_hosts.receipts import HeldRun, Receipt, Statement
from purestep_hosts.show.printer import Printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

_SHOWN: Final = 20
"""Runs, acts and problems of one kind that are listed; the others are counted."""

_PHASES: Final = {
    "model": "goes on: the model is asked",
    "approval": "waits for a person",
    "tools": "waits for results",
    "done": "has answered",
    "failed": "has failed",
}
_OPEN: Final = ("newer_core", "unknown_policy", "unsupported_version")
"""The codes by which nothing is shown either way."""


def print_signed(printer: Printer, receipt: Receipt) -> None:
    """Print who has signed, and whether all of that is here."""
    by = "the key expected"
    if receipt.issuer != receipt.signer:
        by += f", which calls itself {one_line(receipt.issuer)}"
    printer.row(Row("signed", f"by {by}, at {_time(receipt.issued_at)} by its clock", "good"))
    if len(receipt.statements) < receipt.runs:
        text = f"the receipt has {len(receipt.statements):,} of the {receipt.runs:,} runs that were signed together"
        printer.row(Row("note", text, "warning"))


def _time(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return f"{seconds} s"


def print_statements(printer: Printer, statements: Sequence[Statement]) -> None:
    """Print what a receipt says of each run, of which nothing was derived."""
    for each in statements[:_SHOWN]:
        printer.row(Row("run", f"{one_line(each.run_id)} {_phase(each)}: {each.lines:,} lines, {_acts_of(each)}"))
    if len(statements) > _SHOWN:
        printer.row(Row("", f"and {len(statements) - _SHOWN:,} more runs; --json has all", "quiet"))
    printer.row(Row("note", "that is what was signed; with its log, every decision is derived again", "warning"))


def print_run(printer: Printer, name: str, run: HeldRun) -> None:
    """Print a log that is what its statement says, and what that is."""
    said = run.statement
    told = f"; {came_since(run.lines_after)}, which nobody has signed" if run.lines_after else ""
    printer.row(
        Row("verified", f"{said.lines:,} lines of {one_line(name)}, every decision derived again{told}", "good")
    )
    printer.row(Row("run", f"{one_line(said.run_id)} {_phase(said)}"))
    for digest in said.definitions:
        printer.row(Row("definition", digest or "the bare form, without one"))
    for use in said.policies:
        printer.row(Row("policy", f"{one_line(use.use)} {use.version}"))
    _print_acts(printer, said)
    if said.hidden or said.hidden_for_good:
        _print_hidden(printer, said)
    if not run.same_software:
        text = f"signed with other sources of purestep {one_line(said.software.version)}; those here derive the same"
        printer.row(Row("note", text, "quiet"))


def _print_acts(printer: Printer, statement: Statement) -> None:
    printer.row(Row("acts", _acts_of(statement)))
    for act in statement.acts[:_SHOWN]:
        at = f"line {act.line}" if isinstance(act.line, int) else "in the exchange that goes on"
        path = "".join(f"{one_line(name)} / " for name in act.path)
        printer.row(Row("", f"{path}{one_line(act.tool)} {one_line(act.status)}, {at}"))
    if len(statement.acts) > _SHOWN:
        printer.row(Row("", f"and {len(statement.acts) - _SHOWN:,} more; --json has them", "quiet"))


def _print_hidden(printer: Printer, statement: Statement) -> None:
    kinds = [f"{count} {one_line(kind)}" for kind, count in statement.hidden.items()]
    if statement.hidden_for_good:
        kinds.append(f"{statement.hidden_for_good} times a secret of the host")
    text = f"{', '.join(kinds)}; the decisions follow without them, and what they said is not shown"
    printer.row(Row("hidden", text, "warning"))


def _phase(statement: Statement) -> str:
    return _PHASES.get(statement.phase, one_line(statement.phase))


def _acts_of(statement: Statement) -> str:
    """Return how many acts there were, by what became of them."""
    count = Counter(act.status for act in statement.acts)
    told = [f"{number} {one_line(status)}" for status, number in sorted(count.items())]
    if statement.acts_left_out:
        told.append(f"{statement.acts_left_out:,} not listed")
    return ", ".join(told) or "no acts"


def print_problem(printer: Printer, held: HeldLog) -> None:
    """Print what is wrong with a log."""
    label = "open" if held.code in _OPEN else "differs"
    printer.row(Row(label, f"{one_line(held.name)}: {one_line(held.message or '')}", "bad"))


def print_counts(printer: Printer, held: Sequence[HeldLog], missing: Sequence[str]) -> None:
    """Print how many logs of a folder hold, and which runs have no log."""
    for run_id in missing[:_SHOWN]:
        printer.row(Row("missing", f"{one_line(run_id)}: the receipt names it, and there is no log of it", "bad"))
    if len(missing) > _SHOWN:
        printer.row(Row("missing", f"and {len(missing) - _SHOWN:,} more", "bad"))
    whole = [each.run for each in held if each.run is not None]
    since = [run.lines_after for run in whole if run.lines_after]
    if since:
        text = f"{came_since(sum(since))} in {len(since):,} of the logs, which nobody has signed"
        printer.row(Row("note", text, "warning"))
    text = f"{len(whole):,} of {len(held):,} verified"
    if len(whole) < len(held) or missing:
        printer.row(Row("logs", "; ".join([text, *_counted_problems(held, missing)]), "bad"))
        return
    lines = sum(run.statement.lines for run in whole)
    acts = sum(len(run.statement.acts) + run.statement.acts_left_out for run in whole)
    printer.row(Row("logs", f"{text}, {lines:,} lines, {acts:,} acts, every decision derived again", "good"))


def _counted_problems(held: Sequence[HeldLog], missing: Sequence[str]) -> list[str]:
    """Return how many logs differ, are of what is not known here, or are missing; those of which there are none not."""
    codes = [each.code for each in held if each.run is None]
    underived = sum(code in _OPEN for code in codes)
    differ = len(codes) - underived
    counts = (
        (differ, f"{'is' if differ == 1 else 'are'} not what was signed"),
        (underived, "cannot be derived here"),
        (len(missing), f"{'is' if len(missing) == 1 else 'are'} missing"),
    )
    return [f"{count:,} {words}" for count, words in counts if count]
