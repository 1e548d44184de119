"""The commands `worker`, which carries out runs of a database, `backup`, which copies one, and `prune`."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

from purestep_hosts.cli import codes
from purestep_hosts.cli.durable_options import DurableOptions, database_of, open_process
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.mcp_servers import CommandServers
from purestep_hosts.cli.options import AgentChoice
from purestep_hosts.cli.serving_agent import AgentParts
from purestep_hosts.cli.watch_options import WatchOptions, watched_agent
from purestep_hosts.extras import DURABLE
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.show.printer import stderr_printer
from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line
from purestep_hosts.stop_signals import StopSignals

_PAGES: Final = 256
"""Of a database between two looks at the clock of others: writers wait for no more than a megabyte."""
_DAY_S: Final = 86_400


def work(choice: AgentChoice, options: DurableOptions, take_over: tuple[str, ...], watch: WatchOptions) -> int:
    """Carry out runs until a signal comes; the name is printed on stdout once that has begun."""
    DURABLE.require()
    watch.require()
    servers, printer = CommandServers(), stderr_printer()
    with closing(servers):
        with Interrupts() as interrupts:
            agent = AgentParts(choice, servers, interrupts, printer).served()
        with watched_agent(agent, watch) as agent, closing(open_process(agent, options)) as process:
            stopping = StopSignals()
            for name in take_over:
                count = process.take_over(name)
                printer.row(Row("taken over", f"{count} exchanges of {name}", "good"))
            what = agent.definition.definition.name or "an agent"
            printer.row(Row("working", one_line(f"{what}, {agent.model.name}"), "good"))
            printer.row(Row("stop", "Ctrl-C", "quiet"))
            print(options.name, flush=True)
            stopping.wait()
    return codes.DONE


def own_name() -> str:
    """Return a name for this process: the machine's and the number of the process."""
    host = "".join([letter if letter.isascii() and letter.isalnum() else "-" for letter in socket.gethostname()])
    return f"{host[:48]}-{os.getpid()}"


def back_up(target: Path, database: str | None) -> int:
    """Copy an SQLite database, also while runs go on in it; raises UsageError."""
    place = database_of(database)
    if "://" in place:
        raise UsageError("PostgreSQL brings its own: pg_dump --format=custom --file=FILE DATABASE, and pg_restore")
    if not Path(place).is_file():
        raise UsageError(f"there is no database {place}; give --database")
    if target.exists():
        raise UsageError(f"{target} is there already; give the name of a new file")
    try:
        os.close(os.open(target, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        source = sqlite3.connect(f"file:{Path(place).resolve()}?mode=ro", uri=True)
        with closing(source), closing(sqlite3.connect(target)) as copy:
            source.backup(copy, pages=_PAGES)
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
    except (OSError, sqlite3.Error) as error:
        target.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{target} could not be written ({reason}); nothing is left of it") from None
    if found != "ok":
        raise UsageError(f"the copy {target} is damaged ({found}), so the database is as well; restore an earlier one")
    stderr_printer().row(Row("copied", one_line(f"{target}, {target.stat().st_size:,} bytes"), "good"))
    return codes.DONE


def prune_runs(days: int, database: str | None, *, deletes: bool) -> int:
    """Delete old runs of a database, or say how many they are; raises UsageError and DurableError."""
    DURABLE.require()
    from purestep_hosts.durable.pruning import prune

    place = database_of(database)
    if "://" not in place and not Path(place).is_file():
        raise UsageError(f"there is no database {place}; give --database")
    found = prune(place, int((time.time() - days * _DAY_S) * 1000), deletes=deletes)
    printer = stderr_printer()
    runs = "1 run" if found.runs == 1 else f"{found.runs:,} runs"
    what = f"{runs}, with {found.log_chars:,} characters of logs"
    printer.row(Row("deleted" if deletes else "old", what, "good"))
    if found.runs and not deletes:
        printer.row(Row("next", "nothing was deleted; --delete does", "quiet"))
    return codes.DONE
