"""Databases that go away, are full, are of another release, or are copied: nothing is lost, and the user is told."""

from __future__ import annotations

import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy

from purestep_hosts import Agent, ScriptedModel, approved, calls, says, tool
from purestep_hosts.cli.durable_commands import back_up
from purestep_hosts.cli.durable_options import database_of, rate_of
from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.durable import DurableError, DurableRuns
from purestep_hosts.durable.tables import FORMAT
from tests.durable.booking import LIMIT_S, RUN_ID, booking_agent, effects
from tests.programs import program_path
from tools.postgresql_server import postgresql_server

FULL = """
import resource, signal, sys
from pathlib import Path
from purestep_hosts import Agent, ScriptedModel, says
from purestep_hosts.durable import DurableError, DurableRuns
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
agent = Agent(ScriptedModel(lambda _: says("Hello.")))
with DurableRuns(agent, sys.argv[1]) as runs:
    first = runs.start("Hello?")
    print(runs.wait(first, 300).status)
    size = Path(sys.argv[1] + "-wal").stat().st_size
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        runs.start("x" * 200_000)
    except DurableError as error:
        print(error.code)
    print(runs.wait(first, 300).status)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    print(runs.wait(runs.start("Hello again?"), 300).status)
"""


@pytest.mark.needs("postgresql")
def test_a_database_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    """A run waits for it, and its effect is had once; meanwhile requests are told."""
    begun, go = threading.Event(), threading.Event()

    @tool
    def act() -> str:
        """Have an effect."""
        with (tmp_path / "effects").open("a") as file:
            file.write("acted\n")
        begun.set()
        go.wait(LIMIT_S)
        return "acted"

    postgres = program_path("postgresql")
    assert postgres is not None
    agent = Agent(ScriptedModel([calls("act"), says("It is done.")]), tools=[act])
    with postgresql_server(postgres) as server, DurableRuns(agent, server.database()) as runs:
        run_id = runs.start("Act.")
        assert begun.wait(LIMIT_S)
        server.stop()
        go.set()
        with pytest.raises(DurableError) as refusal:
            runs.status(run_id)
        assert "database_unusable" == refusal.value.code
        server.start()
        assert "It is done." == runs.wait(run_id, LIMIT_S).answer
    assert ["acted"] == effects(tmp_path)


def test_a_full_disk(file_database: str) -> None:
    """What cannot be written is refused with a code; what was written stays, and new runs go on once there is room."""
    done = subprocess.run(
        [sys.executable, "-c", FULL, file_database], capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    assert ["done", "database_unusable", "done", "done"] == done.stdout.split(), done.stderr


def test_a_database_of_a_newer_release(file_database: str, tmp_path: Path) -> None:
    """It is refused before anything is changed, and the message says what to install."""
    with DurableRuns(booking_agent(tmp_path), file_database):
        pass
    with closing(sqlalchemy.create_engine(f"sqlite:///{file_database}").connect()) as connection:
        connection.execute(sqlalchemy.text(f"INSERT INTO purestep_format VALUES ({FORMAT + 1})"))
        connection.commit()
    with pytest.raises(DurableError, match="Install the release that made it") as refusal:
        DurableRuns(booking_agent(tmp_path), file_database)
    assert "other_version" == refusal.value.code


def test_a_database_of_the_first_format(file_database: str, tmp_path: Path) -> None:
    """A database that only has the log is read: its runs wait as they did."""
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        runs.start("Pay", run_id=RUN_ID)
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
    with closing(sqlalchemy.create_engine(f"sqlite:///{file_database}").connect()) as connection:
        for table in ("format", "run", "result", "chat", "attachment"):
            connection.execute(sqlalchemy.text(f"DROP TABLE purestep_{table}"))
        connection.commit()
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        assert "waiting" == runs.status(RUN_ID)
        runs.approve(RUN_ID, [approved(call)])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["paid 3"] == effects(tmp_path)


def test_a_copy_that_was_made_meanwhile_goes_on(file_database: str, tmp_path: Path) -> None:
    """`purestep backup` copies a database that is open; the copy has the run that waits."""
    copy = tmp_path / "elsewhere" / "copy.sqlite"
    copy.parent.mkdir()
    with DurableRuns(booking_agent(tmp_path), file_database) as runs:
        runs.start("Pay", run_id=RUN_ID)
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        back_up(copy, file_database)
        with pytest.raises(UsageError, match="is there already"):
            back_up(copy, file_database)
    with DurableRuns(booking_agent(tmp_path), copy) as runs:
        runs.approve(RUN_ID, [approved(call)])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["paid 3"] == effects(tmp_path)


@pytest.mark.needs("postgresql")
def test_a_dump_is_restored_elsewhere(postgresql: str, server_database: str, tmp_path: Path) -> None:
    """The commands of docs/operations.md, over a database in which a run waits."""
    postgres = program_path("postgresql")
    assert postgres is not None
    programs = Path(postgres).resolve().parent
    dump, other = tmp_path / "runs.dump", f"{server_database}_restored"
    with DurableRuns(booking_agent(tmp_path), server_database) as runs:
        runs.start("Pay", run_id=RUN_ID)
        (call,) = runs.wait(RUN_ID, LIMIT_S).approvals
        subprocess.run([programs / "pg_dump", "--format=custom", f"--file={dump}", server_database], check=True)
    name = other.rpartition("/")[2]
    subprocess.run([programs / "createdb", f"--maintenance-db={postgresql}/postgres", name], check=True)
    subprocess.run([programs / "pg_restore", "--no-owner", f"--dbname={other}", dump], check=True)
    with DurableRuns(booking_agent(tmp_path), other) as runs:
        runs.approve(RUN_ID, [approved(call)])
        assert "done" == runs.wait(RUN_ID, LIMIT_S).status
    assert ["paid 3"] == effects(tmp_path)


def test_a_password_is_no_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody on the machine can list the arguments of processes; the variable is its owner's alone."""
    address = "postgresql://ann:moss-and-granite@db.example/runs"
    with pytest.raises(UsageError) as refusal:
        database_of(address)
    assert "moss-and-granite" not in refusal.value.message
    monkeypatch.setenv("PURESTEP_DATABASE", address)
    assert address == database_of(None)


@pytest.mark.parametrize("rate", ["600", "0/60", "600/0", "-1/60", "600/60/2", "many/60"])
def test_rates_that_are_none(rate: str) -> None:
    """The message shows one that is."""
    with pytest.raises(UsageError, match="such as 600/60"):
        rate_of(rate)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """The place is named, and what to do."""
    for place in ("/proc/runs.sqlite", "/dev/null/runs.sqlite"):
        with pytest.raises(DurableError, match="Check its place") as refusal:
            DurableRuns(booking_agent(tmp_path), place)
        assert "database_unusable" == refusal.value.code
