"""The command `rates`: logs folded into how often models succeed, as a table and as a profile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from purestep import LogLines, PurestepError, decode_as
from purestep_formats import RateProfile, RateRow, close_rates, feed_rates, open_rates, rate_interval
from purestep_hosts import durable_files
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.evaluation import EvalStore
from purestep_hosts.evaluation.store import RESULTS
from purestep_hosts.redriven_text import log_paths
from purestep_hosts.regular_files import open_regular
from purestep_hosts.session_log import SessionError
from purestep_hosts.session_names import named_session
from purestep_hosts.sessions import SessionStore
from purestep_hosts.show.printer import Printer, stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_BLOCK_BYTES: Final = 8 * 1024 * 1024
"""Of a log that is read at once: the largest logs are folded in the memory of a few blocks."""
_STDIN: Final = Path("/dev/stdin")
_MOST_LINE_BYTES: Final = 64 * 1024 * 1024
"""A longer line is no line of a log: one holds what the core takes at once."""
_HEADS: Final = ("model", "dialect", "held to", "tools", "succeeded", "95 % sure")
_SHOWN_DAMAGED: Final = 20
_BINS: Final = ("0", "1-3", "4-8", "9-16", "17+")


class NamedLog(NamedTuple):
    """A log, and whether its answers are right, where an evaluation has found that."""

    path: Path
    right: bool | None = None


class DamagedLog(NamedTuple):
    """A log that was left out, and why."""

    name: str
    error: str


def print_rates(logs: Sequence[str], sessions: Path | None, out: Path | None, *, as_json: bool) -> int:
    """Print success by model, way and number of tools, and write the profile where a file is named."""
    _check_out(out)
    named = list(_named(logs, sessions))
    if not named:
        raise UsageError(
            f"{', '.join(logs) or 'the sessions'}: there is no log (*.jsonl); give logs or folders of logs"
        )
    profile, damaged = _folded(named)
    text = sanitized_json(msgspec.to_builtins(profile), indent=2)
    if out is not None:
        _write(out, f"{text}\n".encode())
    if as_json:
        members = {"profile": msgspec.to_builtins(profile), "damaged": [each._asdict() for each in damaged]}
        print(sanitized_json(members), flush=True)
        return codes.DONE
    notes, printer = stderr_printer(), stdout_printer()
    for each in damaged[:_SHOWN_DAMAGED]:
        notes.row(Row("left out", f"{one_line(each.name)}: {one_line(each.error)}", "warning"))
    if len(damaged) > _SHOWN_DAMAGED:
        notes.row(Row("left out", f"and {len(damaged) - _SHOWN_DAMAGED:,} more", "warning"))
    if profile.rows:
        _print_table(printer, profile)
    notes.row(Row("rates", _counts(profile, len(damaged)), "quiet"))
    if out is not None:
        notes.row(Row("written", one_line(str(out)), "good"))
    return codes.DONE


def _check_out(out: Path | None) -> None:
    """Raise UsageError where the profile cannot be written, or would replace what is none."""
    if out is None:
        return
    try:
        _check_place(out)
    except OSError as error:
        raise _unwritable(out, error) from None


def _check_place(out: Path) -> None:
    if not out.absolute().parent.is_dir():
        raise UsageError(f"--out names {out}, whose folder does not exist; give a file in a folder that does")
    if out.is_dir():
        raise UsageError(f"--out names {out}, a folder; give a file")
    if out.exists() and not _is_profile(out):
        raise UsageError(f"--out names {out}, which holds something else than rates; give another file")


def _write(out: Path, data: bytes) -> None:
    try:
        durable_files.replace(out, data)
    except OSError as error:
        raise _unwritable(out, error) from None


def _unwritable(out: Path, error: OSError) -> UsageError:
    why = error.strerror or type(error).__name__
    return UsageError(f"--out names {out}, which cannot be written ({why}); give a file in a folder that takes files")


def _is_profile(path: Path) -> bool:
    try:
        with open_regular(path) as file:
            decode_as(file.read(), RateProfile)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return True


def _named(logs: Sequence[str], sessions: Path | None) -> Iterator[NamedLog]:
    """Yield each log once; without names those of all sessions."""
    store = SessionStore(sessions)
    seen = set[Path]()
    for place in [_place(name, store) for name in logs] or [store.root]:
        for each in _below(place):
            if (found := each.path.resolve()) not in seen:
                seen.add(found)
                yield each


def _place(name: str, store: SessionStore) -> Path:
    """Return the file or folder that a path, a session's name or `-` for stdin names; raises UsageError."""
    path = _STDIN if name == "-" else Path(name)
    if path.exists():
        return path
    try:
        return store.root / named_session(store, name)
    except SessionError as error:
        if error.code != "session_not_found":
            raise UsageError(error.message) from None
        raise UsageError(f"{name!r} is neither a file, a folder nor a session in {store.root}") from None


def _below(path: Path) -> Iterator[NamedLog]:
    """Yield a log, those below a folder, or those of an evaluation with what it found of each."""
    if not path.is_dir():
        if path.exists():
            yield NamedLog(path)
    elif (path / RESULTS).is_file():
        with EvalStore(path, writes=False) as store:
            yield from [NamedLog(path / record.log(), record.right) for record in store.latest()]
    else:
        yield from map(NamedLog, log_paths(path))


def _folded(logs: Sequence[NamedLog]) -> tuple[RateProfile, list[DamagedLog]]:
    profile, damaged = RateProfile(), list[DamagedLog]()
    with stderr_printer().progress("logs", len(logs)) as done:
        for path, right in logs:
            try:
                fold = open_rates()
                for lines in _blocks(path):
                    fold = feed_rates(fold, lines)
                if not fold.line:
                    raise PurestepError("invalid_log", "the log holds no line")
                profile = close_rates(fold, profile, right=right)
            except PurestepError as error:
                damaged.append(DamagedLog(str(path), error.message))
            except OSError as error:
                damaged.append(DamagedLog(str(path), f"it cannot be read ({error.strerror})"))
            done()
    return profile, damaged


def _blocks(path: Path) -> Iterator[bytes]:
    """Yield a log in blocks of whole lines; a torn last line, as after a crash, is left out."""
    rest = b""
    with path.open("rb") if path == _STDIN else open_regular(path) as file:
        while block := file.read(_BLOCK_BYTES):
            rest += block
            end = rest.rfind(b"\n") + 1
            if end:
                yield rest[:end]
                rest = rest[end:]
            elif len(rest) > _MOST_LINE_BYTES:
                raise PurestepError("invalid_log", f"expected lines of at most {_MOST_LINE_BYTES} bytes")
    for _, line in LogLines(rest):
        yield line + b"\n"


def _print_table(printer: Printer, profile: RateProfile) -> None:
    sums: dict[tuple[str, str, str, str], tuple[int, int]] = {}
    for row in profile.rows:
        key = (row.model, row.dialect, row.constraint, row.kind.tools)
        runs, succeeded = sums.get(key, (0, 0))
        sums[key] = (runs + row.runs, succeeded + row.succeeded)
    ordered = sorted(sums, key=lambda key: (*key[:3], _BINS.index(key[3])))
    printer.table(_HEADS, [(key[0] or "-", *key[1:], *_shares(*sums[key])) for key in ordered])
    for model, rows in _by_model(profile.rows):
        for label, counted in (
            ("corrected", _sums(row.corrected for row in rows)),
            ("failed", _sums(r.failed for r in rows)),
        ):
            if counted:
                causes = ", ".join(f"{one_line(cause)} {count:,}" for cause, count in counted.most_common())
                printer.row(Row(label, f"{one_line(model) or '-'}: {causes}", "warning"))


def _shares(runs: int, succeeded: int) -> tuple[str, str]:
    """Return the counts and their interval in per cent; no share alone, since 3 of 3 are not 100 %."""
    low, high = rate_interval(succeeded, runs)
    return f"{succeeded:,} of {runs:,}", f"{low // 10}-{-(-high // 10)} %"


def _by_model(rows: Sequence[RateRow]) -> Iterator[tuple[str, list[RateRow]]]:
    for model in dict.fromkeys(row.model for row in rows):
        yield model, [row for row in rows if row.model == model]


def _sums(counts: Iterable[dict[str, int]]) -> Counter[str]:
    total = Counter[str]()
    for each in counts:
        total.update(each)
    return total


def _counts(profile: RateProfile, damaged: int) -> str:
    parts = [f"{profile.logs:,} logs, {profile.exchanges:,} questions"]
    if profile.first_at and profile.last_at:
        first, last = (datetime.fromtimestamp(at / 1000, UTC).date() for at in (profile.first_at, profile.last_at))
        parts.append(f"from {first} to {last}")
    if profile.undecided:
        parts.append(f"{profile.undecided:,} say nothing of a model (open, stopped, refused, asked back)")
    if profile.left_out:
        parts.append(f"{profile.left_out:,} of further kinds left out")
    if damaged:
        parts.append(f"{damaged:,} logs left out")
    return "; ".join(parts)
