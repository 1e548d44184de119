"""The options of what runs in a database: `serve --durable`, `worker` and `backup`."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final
from urllib.parse import urlsplit

import msgspec
import typer

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.cli.serving_agent import data_folder
from purestep_hosts.extras import DURABLE

if TYPE_CHECKING:
    from purestep_hosts.agents.served_agent import ServedAgent
    from purestep_hosts.durable.process import DurableProcess

DATABASE: Final = "PURESTEP_DATABASE"
"""The variable with the address: an option would show its password to everybody who lists the processes."""

_RATE: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,5})", re.ASCII)

DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="PLACE",
        help=f"SQLite file, or postgresql://...; with a password in the variable {DATABASE}.",
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--name", metavar="NAME", help="Name of this process, which no other one has there.")
]
CreateOption = Annotated[
    bool, typer.Option("--create", help="Make the SQLite file of --database if it is missing; without it, that fails.")
]
LeaseOption = Annotated[
    float,
    typer.Option(
        "--lease",
        min=1,
        max=3600,
        metavar="SECONDS",
        help="After so long without a sign of this process, others take its runs over.",
    ),
]
AtOnceOption = Annotated[
    int | None,
    typer.Option(
        "--at-once", min=1, max=100_000, metavar="N", help="Most exchanges at the same time in all processes together."
    ),
]
RateOption = Annotated[
    str | None,
    typer.Option("--rate", metavar="N/SECONDS", help="Most exchanges that begin in so many seconds, as in 600/60."),
]


class DurableOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Where runs are kept, and how many go on."""

    database: str | None
    name: str
    max_runs: int
    at_once: int | None
    rate: str | None
    time_limit: float
    executes: bool = True
    creates: bool = False
    lease_s: float = 15.0


def database_of(given: str | None, *, creates: bool = True) -> str:
    """Return the place of the database: as given, of the variable, or a file of the user's data.

    creates: whether a named file may be missing. Raises UsageError for one that may not, and a password in an argument.
    """
    _check_shown(given)
    named = os.environ.get(DATABASE, "").strip()
    place = given or named or str(data_folder("durable") / "runs.sqlite")
    if "://" not in place and (given or named) and not creates and not Path(place).exists():
        raise UsageError(f"there is no database {place}; check the name, or have it made with --create")
    if "://" not in place:
        folder = Path(place).absolute().parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"the folder {folder} cannot be made ({error.strerror}); give another --database"
            ) from None
    return place


def existing_database(given: str) -> str:
    """Return the place of a database that is only read; raises UsageError for a file that is not there."""
    _check_shown(given)
    if "://" not in given and not Path(given).is_file():
        raise UsageError(f"there is no database {given}; check the name, or give the one that the service has")
    return given


def _check_shown(given: str | None) -> None:
    if given is not None and "://" in given and _password_of(given):
        raise UsageError(
            f"a password in an argument is shown to every user of this machine; give the address in {DATABASE}, "
            "or leave the password to ~/.pgpass"
        )


def _password_of(address: str) -> bool:
    try:
        return urlsplit(address).password is not None or "password=" in address
    except ValueError:
        return True


def open_process(agent: ServedAgent, options: DurableOptions) -> DurableProcess:
    """Open the database; raises DurableError and UsageError."""
    DURABLE.require()
    from purestep_hosts.durable.launching import QueueLimits
    from purestep_hosts.durable.process import DurableProcess

    starts, period_s = rate_of(options.rate)
    limits = QueueLimits(
        at_once=options.at_once, per_process=options.max_runs, starts=starts, period_s=period_s or 60.0
    )
    return DurableProcess(
        agent,
        database_of(options.database, creates=options.creates),
        executor=options.name,
        folder=data_folder("durable") / "files",
        limits=limits,
        executes=options.executes,
        exchange_s=options.time_limit,
        lease_s=options.lease_s,
    )


def rate_of(text: str | None) -> tuple[int | None, float | None]:
    """Return the starts and the seconds of a rate; raises UsageError."""
    if text is None:
        return None, None
    found = _RATE.fullmatch(text)
    if found is None or not int(found[1]) or not int(found[2]):
        raise UsageError(f"--rate is {text!r:.40}; expected N/SECONDS, such as 600/60")
    return int(found[1]), float(found[2])
