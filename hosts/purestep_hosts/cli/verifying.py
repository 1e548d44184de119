"""The command `verify`: one log, or all logs below a folder, in several processes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from rich.progress import track

from purestep import LogLines, Verified, verify
from purestep_hosts.cli import codes
from purestep_hosts.cli.anchoring import AnchorChoice, held, held_data, print_held
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog, find_log
from purestep_hosts.on_processes import on_processes
from purestep_hosts.redriven_text import log_paths
from purestep_hosts.sessions import chain
from purestep_hosts.show.printer import Printer, stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_ALONE_BYTES: Final = 2_000_000
"""Logs that are read in the time in which other processes would only start."""
_PIECES: Final = 8
"""How many pieces of work each process gets: one long log at the end is waited for."""


_SHOWN_CHARS: Final = 1200
"""Of a line that differs, which may have any length: some fifteen rows of a terminal."""


Checked = TypeVar("Checked")


class VerifiedLog(msgspec.Struct, frozen=True, kw_only=True):
    """What checking a log found; lines_after: how many lines follow the one that its head file knows."""

    name: str
    result: Verified | None = None
    lines_after: int = 0
    head: str | None = None
    """The head that it was held against."""
    error: str | None = None
    """Why it cannot be read."""

    @property
    def ok(self) -> bool:
        """Whether the log is what its facts derive."""
        return self.result is not None and self.result.ok

    def members(self) -> dict[str, Any]:
        """Return what is printed as JSON of a log of a folder."""
        found = {} if self.result is None else msgspec.to_builtins(self.result)
        against = "beside the log" if self.head and not self.lines_after else None
        return {"name": self.name, "ok": self.ok, **found, "checked_head": against, "error": self.error}


def print_verify(found: FoundLog, head: str | None, choice: AnchorChoice, *, as_json: bool) -> int:
    """Print whether a log equals what its facts derive; `head` overrides the one recorded next to the log.

    choice: an anchor that the log has to meet besides. Raises AnchorError where it does not.
    """
    checked = checked_log(found, head)
    assert checked.result is not None
    result, lines_after = checked.result, checked.lines_after
    anchored = held(found, choice) if result.ok else None
    if as_json:
        against = "given" if head else "beside the log" if found.head and not lines_after else None
        data = {**msgspec.to_builtins(result), "checked_head": against}
        if anchored is not None:
            data["anchor"] = held_data(anchored)
        print(sanitized_json(data), flush=True)
    else:
        printer = stdout_printer()
        _print_verdict(
            printer, found, result, lines_after, head or found.head or ("" if anchored is None else "anchor")
        )
        if anchored is not None:
            print_held(printer, choice, anchored)
    return codes.DONE if result.ok else codes.MISMATCH


def checked_log(found: FoundLog, head: str | None = None) -> VerifiedLog:
    """Check a log; the head beside it may be older than the log, as after a crash, but not the one that is given."""
    result, lines_after = verify(found, head or found.head), 0
    if head is None and result.code == "head_mismatch" and found.head:  # which is looked at last
        lines_after = _lines_after(found, found.head)
        result = Verified(ok=True, lines=result.lines, head=result.head) if lines_after else result
    return VerifiedLog(name=found.name, result=result, lines_after=lines_after, head=head or found.head)


def _lines_after(log: FoundLog, head: str) -> int:
    """Return how many lines follow the one that hashes to `head`; 0 if none does."""
    found, lines, at = "", 0, 0
    for _, line in LogLines(log):
        found, lines = chain([line], found), lines + 1
        if found == head:
            at = lines
    return lines - at if at else 0


def _print_verdict(printer: Printer, found: FoundLog, result: Verified, lines_after: int, head: str | None) -> None:
    if not result.ok:
        printer.row(
            Row("differs", f"{one_line(found.name)}, line {result.line}: {one_line(result.message or '')}", "bad")
        )
        at = _first_difference(result.expected or "", result.got or "")
        for label, text in (("expected", result.expected), ("got", result.got)):
            if text is not None:
                printer.row(Row(label, one_line(_excerpt(text, at))))
        return
    printer.row(Row("verified", f"{result.lines} lines of {one_line(found.name)}", "good"))
    printer.row(Row("head", result.head, "quiet"))
    if found.bytes_after:
        printer.row(Row("note", f"{found.bytes_after} bytes came while it was read; verify it again", "warning"))
    if lines_after:
        printer.row(
            Row("note", f"the head file is {lines_after} lines older than the log, as after a crash", "warning")
        )
    elif not head:
        printer.row(Row("note", "without a head, changes after the last derived line do not show", "quiet"))


def _first_difference(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _excerpt(text: str, at: int) -> str:
    """Return a line, of a long one the part around what differs."""
    if len(text) <= _SHOWN_CHARS:
        return text
    begin = max(0, min(at - _SHOWN_CHARS // 4, len(text) - _SHOWN_CHARS))
    end = begin + _SHOWN_CHARS
    return f"{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}"


def is_folder_of_logs(given: str) -> bool:
    """Whether a path names a folder that is no session."""
    folder = Path(given)
    return given != "-" and folder.is_dir() and not (folder / "log.jsonl").exists()


def print_verify_all(folder: Path, jobs: int | None, *, as_json: bool) -> int:
    """Print which logs below a folder differ from what their facts derive, and how many there are.

    jobs: processes; None for one on each processor, where the logs are long enough for that. Raises UsageError for a
    folder without logs.
    """
    paths = log_paths(folder)
    if not paths:
        raise UsageError(f"{folder} has no *.jsonl below it; give a log, or a folder of logs or sessions")
    printer, checked = stdout_printer(), []
    for each in with_progress(all_checked(paths, jobs_for(paths, jobs)), len(paths)):
        checked.append(each)
        if not (as_json or each.ok):
            _print_differing(printer, each)
    if as_json:
        print(sanitized_json([each.members() for each in checked]), flush=True)
    else:
        printer.row(Row("logs", _counted(checked), "good" if all(each.ok for each in checked) else "bad"))
    return codes.DONE if all(each.ok for each in checked) else codes.MISMATCH


def jobs_for(paths: Sequence[Path], jobs: int | None) -> int:
    """Return how many processes share the logs."""
    if jobs is None:
        jobs = (os.cpu_count() or 1) if sum(map(_size, paths)) > _ALONE_BYTES else 1
    return min(jobs, len(paths))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # it is told when it is read


def all_checked(paths: Sequence[Path], jobs: int) -> Iterator[VerifiedLog]:
    """Check logs and give what was found of each, in their order."""
    return on_processes(_checked_path, paths, jobs, max(1, len(paths) // (jobs * _PIECES)))


def _checked_path(path: Path) -> VerifiedLog:
    try:
        return checked_log(find_log(str(path), None))
    except UsageError as error:
        return VerifiedLog(name=str(path), error=str(error))


def with_progress(checked: Iterator[Checked], total: int) -> Iterator[Checked]:
    """Show a progress bar on a terminal."""
    console = stderr_printer().console
    return iter(
        track(checked, "verifying", total=total, console=console, transient=True, disable=not console.is_terminal)
    )


def _print_differing(printer: Printer, checked: VerifiedLog) -> None:
    name, result = one_line(checked.name), checked.result
    if result is None:
        printer.row(Row("unread", f"{name}: {one_line(checked.error or '')}", "bad"))
    else:
        printer.row(Row("differs", f"{name}, line {result.line}: {one_line(result.message or '')}", "bad"))


def _counted(checked: Sequence[VerifiedLog]) -> str:
    lines = sum(each.result.lines for each in checked if each.result is not None and each.ok)
    verified, unread = sum(each.ok for each in checked), sum(each.result is None for each in checked)
    told = [f"{verified} of {len(checked)} verified, {lines:,} lines"]
    if differ := len(checked) - verified - unread:
        told.append(f"{differ} differ")
    if unread:
        told.append(f"{unread} cannot be read")
    without = sum(each.ok and not each.head for each in checked)
    if without:
        told.append(f"{without} without a head, so that changes after the last derived line do not show")
    return "; ".join(told)
