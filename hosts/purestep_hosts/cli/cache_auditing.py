"""The command `cache-audit`: what prompt caches could have had of the requests of runs, and what was billed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from purestep import AuditedRequest, LogLines, PurestepError, audit_requests, cache_audit
from purestep_hosts.cli import codes
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.logs import FoundLog
from purestep_hosts.regular_files import read_regular
from purestep_hosts.show.printer import stdout_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line, sanitized_json

_MOST_BYTES: Final = 64 * 1024 * 1024
_HEADS: Final = ("the request", "times", "tokens before", "kept", "sent anew", "kept, yet billed")
_SHOWN_LINES: Final = 3
"""Lines that are no requests, of a file: the first ones show what is wrong with all."""
_GROWS: Final = "grows at its end"


class AuditedLog(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A log or a file of requests by its name; `problem` says why it cannot be read, or what of it."""

    name: str
    requests: tuple[AuditedRequest, ...] = ()
    problem: str | None = None


class _Cause(msgspec.Struct):
    """What requests with one cause have together; `before` and `kept`: estimated tokens of the requests before them."""

    times: int = 0
    before: int = 0
    kept: int = 0
    sent_anew: int = 0
    billed_again: int = 0
    told: int = 0


def print_cache_audit(logs: Sequence[FoundLog], requests: Path | None, *, as_json: bool) -> int:
    """Print how often requests began as those before, and why the others did not; raises UsageError."""
    found = [_of_log(each) for each in logs]
    if requests is not None:
        found.append(_of_file(requests))
    if not found:
        raise UsageError("expected logs, or a file of requests with --requests")
    if as_json:
        print(sanitized_json([msgspec.to_builtins(each) for each in found]), flush=True)
    else:
        _print(found)
    return codes.MISMATCH if any(each.problem for each in found) else codes.DONE


def _of_log(log: FoundLog) -> AuditedLog:
    try:
        data = log.data
        return AuditedLog(name=log.name, requests=cache_audit(data), problem=_problem(data))
    except PurestepError as error:
        return AuditedLog(name=log.name, problem=f"{error.code}: {error.message}")
    except UsageError as error:  # its file was changed meanwhile
        return AuditedLog(name=log.name, problem=str(error))


def _problem(log: bytes) -> str | None:
    """Return what a log lacks that could be read; None for a whole one."""
    lines = LogLines(log)
    if not list(lines):
        return "it has no line; expected a log, which begins with run_started"
    return f"the last line is torn ({lines.torn_bytes} bytes) and was left out" if lines.torn_bytes else None


def _of_file(path: Path) -> AuditedLog:
    try:
        data = read_regular(path, _MOST_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}); expected a file of JSON lines") from None
    if len(data) > _MOST_BYTES:
        raise UsageError(f"{path} has more than {_MOST_BYTES} bytes; give a part of it")
    errors = list[PurestepError]()
    found = audit_requests(data, errors.append)
    return AuditedLog(name=str(path), requests=found, problem=_lines_left_out(errors, bool(found)))


def _lines_left_out(errors: Sequence[PurestepError], has_requests: bool) -> str | None:
    """Return what is wrong with a file of requests; None where nothing is. One bad line is no reason to read none."""
    if not errors:
        return None if has_requests else "it has no requests; expected a line of JSON for each"
    first = "; ".join([f"{each.code}: {each.message}" for each in errors[:_SHOWN_LINES]])
    more = f"; and {len(errors) - _SHOWN_LINES:,} more" if len(errors) > _SHOWN_LINES else ""
    return f"{len(errors):,} {'line is' if len(errors) == 1 else 'lines are'} left out: {first}{more}"


def _print(found: Sequence[AuditedLog]) -> None:
    printer = stdout_printer()
    for each in found:
        if each.problem is not None:
            printer.row(Row("unread", one_line(f"{each.name}: {each.problem}"), "bad"))
    causes = dict(_by_cause(found))
    if causes:
        printer.table(_HEADS, [_cells(name, cause) for name, cause in _ordered(causes)], is_named=True)
    count = sum(len(each.requests) for each in found)
    where = "1 log" if len(found) == 1 else f"{len(found)} logs"
    printer.row(Row("requests", f"{count} in {where}; tokens are estimated, but for what was billed", "quiet"))
    if any(cause.billed_again for cause in causes.values()):
        text = "kept, yet billed: the server had it no longer, as after a while, on another machine, or too short"
        printer.row(Row("note", text, "quiet"))


def _by_cause(found: Iterable[AuditedLog]) -> Iterator[tuple[str, _Cause]]:
    causes: dict[str, _Cause] = {}
    for each in found:
        for request in each.requests:
            cause = causes.setdefault(request.cause, _Cause())
            cause.times += 1
            cause.kept += request.common_tokens
            cause.sent_anew += _sent_anew(request)
            cause.before += request.before_tokens
            cause.billed_again += request.billed_again or 0
            cause.told += request.billed_again is not None
    yield from causes.items()


def _sent_anew(request: AuditedRequest) -> int:
    """Return the tokens after those that both begin with, at most as many as the request before had of them."""
    return max(0, min(request.tokens, request.before_tokens) - request.common_tokens)


def _ordered(causes: dict[str, _Cause]) -> list[tuple[str, _Cause]]:
    """Return the causes, what costs most first; those of first requests and of growing ones before."""
    return sorted(causes.items(), key=lambda each: (each[0] not in ("", "start"), -each[1].sent_anew, each[0]))


def _cells(name: str, cause: _Cause) -> tuple[str, ...]:
    is_first = name == "start"
    return (
        {"": _GROWS, "start": "is the first"}.get(name, name),
        f"{cause.times:,}",
        "" if is_first else f"{cause.before:,}",
        "" if is_first else f"{cause.kept:,}",
        "" if is_first else f"{cause.sent_anew:,}",
        f"{cause.billed_again:,}" if cause.told else "not told",
    )
