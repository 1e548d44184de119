"""The command `policy-diff`: what another definition would have decided otherwise in recorded runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.cli.redriving import definition_in
from purestep_hosts.policy_diffs import ComparedLog, DiffTable, Kind, compared_logs
from purestep_hosts.show.printer import Printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json


class _ReadLog(NamedTuple):
    """A log of the command; what becomes of its file meanwhile is a problem of that log alone."""

    log: FoundLog

    @property
    def name(self) -> str:
        """What it is called."""
        return self.log.name

    @property
    def data(self) -> bytes:
        """Its bytes; raises OSError where it cannot be read."""
        try:
            return self.log.data
        except UsageError as error:
            raise OSError(0, str(error)) from None


def print_policy_diff(
    logs: Sequence[FoundLog],
    agent: Path,
    *,
    as_json: bool,
    comment: Path | None,
    html: Path | None,
    processes: int | None,
) -> int:
    """Print how often which decision would have been another one; the exit code is 6 if one would."""
    definition, table = definition_in(agent), DiffTable()
    found: list[ComparedLog] = []
    for each in compared_logs(list(map(_ReadLog, logs)), definition, processes):
        table.add(each)
        if each.changes or each.diff is None or each.unverified:
            found.append(each)
    if as_json:
        print(sanitized_json([msgspec.to_builtins(each) for each in found]), flush=True)
    else:
        _print(stdout_printer(), table, found)
    if html is not None:
        from purestep_hosts.evaluation.report import write_policy_diff  # raises MissingExtraError

        unread = [(each.name, each.problem) for each in found if each.problem is not None]
        write_policy_diff(html, f"Policy diff: {agent.name}", counted(table), table.rows(), unread)
    if comment is not None:
        _write(comment, as_comment(table, agent.name))
    return codes.MISMATCH if table.counts or table.unread or table.unverified else codes.DONE


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written ({error.strerror}); give --comment another file") from None


def _print(printer: Printer, table: DiffTable, found: Sequence[ComparedLog]) -> None:
    for each in found:
        if each.problem is not None:
            printer.row(Row("unread", one_line(f"{each.name}: {each.problem}"), "bad"))
        if each.unverified is not None:
            printer.row(Row("unverified", one_line(f"{each.name}, {each.unverified}"), "warning"))
    for kind, count, examples in table.rows():
        printer.row(Row("once" if count == 1 else f"{count} times", one_line(_words(kind)), "warning"))
        for name, line in examples:
            printer.row(Row("", one_line(f"{name}, line {line}"), "quiet"))
    printer.row(Row("logs", counted(table), "strong"))


def counted(table: DiffTable) -> str:
    """Return how many logs were compared, and how many of them differ."""
    told = f"{table.decisions:,} of {table.points:,} decisions differ, in {table.changed:,} of {table.logs:,} logs"
    if table.left_out:
        told += f"; {table.left_out:,} more were not compared: they follow a call that would stand otherwise"
    if table.unverified:
        told += f"; {table.unverified:,} of the logs {'does' if table.unverified == 1 else 'do'} not verify"
    return f"{told}; {table.unread:,} cannot be read" if table.unread else told


def _words(kind: Kind) -> str:
    subject = f"{kind.tool}: " if kind.tool else ""
    return f"{subject}{kind.was} -> {kind.becomes}" + (f" ({kind.why})" if kind.why else "")


def as_comment(table: DiffTable, name: str) -> str:
    """Return the table as Markdown, for a comment on a pull request."""
    lines = [f"### Policy diff: {_cell(name)}", "", f"{counted(table)}.", ""]
    if table.counts:
        lines += ["| times | tool | was | becomes | why | for example |", "| ---: | --- | --- | --- | --- | --- |"]
    for kind, count, examples in table.rows():
        where = ", ".join([f"{each.name}:{each.line}" for each in examples[:1]])
        cells = (str(count), kind.tool, kind.was, kind.becomes, kind.why, where)
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return a text as it stands in a cell: what a model or a log says there is no Markdown."""
    plain = one_line(text).replace("\\", "\\\\")
    for sign in "|`*_[]<>&#~!@":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
