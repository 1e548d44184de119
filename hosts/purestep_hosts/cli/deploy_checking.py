"""The command `deploy-check`, and what `serve` asks of it before it starts: what becomes of the runs under way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from purestep import Agent
from purestep_hosts.cli import codes
from purestep_hosts.cli.durable_options import existing_database
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.serving_agent import AgentParts, service_folder
from purestep_hosts.deploy_check import CheckedRun, StoredLog, checked_runs, logs_in
from purestep_hosts.extras import DURABLE
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.show.printer import Printer, stderr_printer, stdout_printer
from purestep_hosts.show.rows import Row, Tone
from purestep_hosts.show.sanitize import one_line, sanitized_json

_MOST_SHOWN: Final = 20
"""Runs that `serve` names: the command names all."""

_LABELS: Final[dict[str, tuple[str, Tone]]] = {
    "goes_on": ("goes on", "good"),
    "asked_again": ("asked anew", "warning"),
    "answered": ("answered", "warning"),
    "ends": ("ends", "bad"),
    "refused": ("cannot", "bad"),
}


def deploy_check(choice: AgentChoice, sessions: Path | None, database: str | None, *, as_json: bool) -> int:
    """Print what becomes of each run under way under the agent of the options; raises UsageError, DurableError."""
    if sessions is not None and not sessions.is_dir():
        raise UsageError(f"{sessions} is no folder of sessions; give the one that the service has with --sessions")
    servers, printer = CommandServers(), stderr_printer()
    with closing(servers), Interrupts() as interrupts:
        agent = AgentParts(choice, servers, interrupts, printer).definition()
    logs, place = _logs(sessions, database)
    found = list(checked_runs(logs, agent))
    if as_json:
        print(sanitized_json([msgspec.to_builtins(each) for each in found]), flush=True)
    else:
        print_checked(stdout_printer(), found, place)
    return codes.FAILED if any(each.is_stranded for each in found) else codes.DONE


def _logs(sessions: Path | None, database: str | None) -> tuple[Iterable[StoredLog], str]:
    """Return the logs of the options, and the place where they are."""
    if database is None:
        folder = service_folder(sessions)
        return logs_in(folder), str(folder)
    if sessions is not None:
        raise UsageError("--database and --sessions are two places of runs; leave one out")
    DURABLE.require()
    from purestep_hosts.durable.in_flight import keeps_runs, logs_under_way

    place = existing_database(database)
    if not keeps_runs(place):
        raise UsageError(f"{place} has no tables of runs; check the name, or give the database that the service has")
    return logs_under_way(place), place


def print_checked(printer: Printer, found: Sequence[CheckedRun], place: str) -> None:
    """Print a row for each run, what is told of its calls, and how many there are of each verdict; place: of all."""
    for each in found:
        for row in _rows(each):
            printer.row(row)
    if not found:
        printer.row(Row("runs", one_line(f"none under way in {place} has another definition"), "good"))
        return
    counts = Counter("cannot be read" if each.change is None else _LABELS[each.change.verdict][0] for each in found)
    told = ", ".join([f"{count} {label}" for label, count in counts.items()])
    printer.row(Row("runs", f"{len(found)} under way: {told}", "strong"))


def _rows(checked: CheckedRun) -> Iterable[Row]:
    change = checked.change
    if change is None:
        yield Row("unread", one_line(f"{checked.run}: {checked.problem}"), "bad")
        return
    label, style = _LABELS[change.verdict]
    ahead = "" if change.verdict in ("ends", "refused") else "but fails after its calls: "
    told = f"{checked.run}: {ahead}{change.message}" if change.message else checked.run
    yield Row(label, one_line(told), "bad" if change.message else style)
    for call in change.calls:
        told = f"{' > '.join([*(call.path or ()), call.tool])} {_LABELS[call.becomes][0]}"
        yield Row("", one_line(f"{told}: {call.said}" if call.said else told), "quiet")


def check_start(agent: Agent, sessions: Path | None) -> None:
    """Raise UsageError where a service would leave runs under way that nobody goes on with."""
    _check_left(checked_runs(logs_in(service_folder(sessions)), agent))


def check_durable_start(agent: Agent, database: str, name: str) -> None:
    """Raise UsageError where one would leave runs of a database; name: the one that its process is to have there."""
    DURABLE.require()
    from purestep_hosts.durable.in_flight import logs_under_way, other_living_agents

    living = other_living_agents(database, name)
    _check_left(checked_runs(logs_under_way(database), agent, living))


def _check_left(found: Iterable[CheckedRun]) -> None:
    left = [each for each in found if each.change is not None]  # no definition mends what cannot be read
    if left:
        names = ", ".join([each.run for each in left[:_MOST_SHOWN]])
        more = f" and {len(left) - _MOST_SHOWN} more" if len(left) > _MOST_SHOWN else ""
        runs = "1 run under way was" if len(left) == 1 else f"{len(left)} runs under way were"
        raise UsageError(
            f"{runs} begun with another definition, and would be left: {names}{more}. "
            "See with purestep deploy-check, and the same options, what would become of it; then give "
            "--in-flight take-over, by which runs go on under this definition, or --in-flight leave"
        )
