"""Workers that are killed all the time, while a service orders runs: what dies is taken over by those that live.

A worker is forked, carries out what it finds in the queue, and is killed with SIGKILL: at a boundary of what it writes
and does, or at a random moment; every twentieth is paused for longer than its lease before. One process orders runs and
answers what a person is asked; it holds each ended run against its log and against the sink, which is outside of all.
"""

import argparse
import ctypes
import json
import multiprocessing
import os
import random
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import psycopg
from msgspec.structs import replace

import purestep
from purestep_hosts import Agent, Invocation, ScriptedModel, approved, tool
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.served_agent import served
from purestep_hosts.durable import launching
from purestep_hosts.durable.launching import QueueLimits
from purestep_hosts.durable.log_table import LogTable
from purestep_hosts.durable.orders import RunOrders, new_order
from purestep_hosts.durable.process import DurableProcess
from purestep_hosts.models.model import ModelRequest
from tests.programs import program_path
from tools.postgresql_server import postgresql_server

LEASE_S: Final = 0.9
_POLL_S: Final = 0.05
_AT_ONCE: Final = 4
"""Exchanges of a worker at once."""
_OPEN: Final = 32
"""Runs that are ordered and have not ended: no worker is ever idle."""
_LIFE_S: Final = (0.05, 1.2)
"""After a worker is ready, when it is killed at a random moment."""
_BOUNDARIES: Final = 60
_PAUSED: Final = 20
_LIMIT_S: Final = 300.0
"""How long runs may take to end once nothing is killed any more: no machine is so slow."""
_TOLD_EVERY: Final = 250

_SINK: Final = """
CREATE TABLE charged (key text PRIMARY KEY, run text NOT NULL, number integer NOT NULL);
CREATE TABLE attempts (key text NOT NULL)
"""


def main(given: list[str]) -> int:
    """Kill so many workers, and print what was lost or doubled; the exit code is 1 if anything was."""
    parser = argparse.ArgumentParser(prog="./build.sh crash workers", description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=100, help="how many workers are killed (default: 100)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=6, help="at once (default: 6)")
    asked = parser.parse_args(given)
    postgres = program_path("postgresql")
    assert postgres is not None
    with TemporaryDirectory() as folder, postgresql_server(postgres) as server:
        database, sink = server.database(), server.database()
        with psycopg.connect(sink, autocommit=True) as connection:
            connection.execute(_SINK)
        return Killing(asked.kills, asked.seed, asked.workers, Path(folder), database, sink).run()


class Killing:
    """One go: this process only forks and kills, so it has no thread that a fork would lose."""

    def __init__(self, kills: int, seed: int, workers: int, folder: Path, database: str, sink: str) -> None:
        self._kills = kills
        self._chance = random.Random(seed)
        self._workers = workers
        self._folder = folder
        self._database = database
        self._sink = sink
        context = multiprocessing.get_context("fork")
        self._killed: Any = context.Value(ctypes.c_int, 0)
        self._is_over: Any = context.Value(ctypes.c_int, 0)
        self._by_kind = Counter[str]()

    def run(self) -> int:
        """Keep so many workers alive until enough were killed and every run has ended."""
        front = _forked(self._order)
        going: dict[int, str] = {}
        paused: dict[int, list[tuple[float, int]]] = {}
        number = 0
        while True:
            while len(going) < self._workers:
                number += 1
                kind = self._kind(number)
                target, life_s = self._chance.randint(1, _BOUNDARIES), self._chance.uniform(*_LIFE_S)
                pid = _forked(lambda t=target, s=life_s, k=kind, n=number: self._work(f"w{n}", k, t, s))
                going[pid] = kind
                if kind == "paused":
                    at = time.monotonic() + life_s + 0.4
                    paused[pid] = [(at, signal.SIGSTOP), (at + 3 * LEASE_S, signal.SIGCONT), (at + 4 * LEASE_S, 9)]
            self._signal(paused)
            ended, status = os.waitpid(-1, os.WNOHANG)
            if not ended:
                time.sleep(0.01)
                continue
            code = os.waitstatus_to_exitcode(status)
            if ended == front:
                break
            kind = going.pop(ended)
            paused.pop(ended, None)
            if code == -signal.SIGKILL:
                self._by_kind[kind] += 1
                self._killed.value += 1
            else:
                print(f"  a worker ended with {code}", flush=True)
            if self._killed.value >= self._kills:
                self._is_over.value = 1
        for pid in going:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        print(", ".join(f"{count} {kind}" for kind, count in sorted(self._by_kind.items())))
        return code

    def _kind(self, number: int) -> str:
        if self._is_over.value:
            return "spared"
        if number % _PAUSED == 0:
            return "paused"
        return self._chance.choice(["boundary", "moment"])

    def _signal(self, paused: dict[int, list[tuple[float, int]]]) -> None:
        now = time.monotonic()
        for pid, due in paused.items():
            while due and due[0][0] <= now:
                os.kill(pid, due.pop(0)[1])

    def _agent(self, boundary: Any) -> Agent[str]:
        sink = _Sink(self._sink)

        @tool(idempotent=True)
        def charge(run: str, number: int, pause_ms: int, invocation: Invocation[None]) -> str:
            """Charge a card, once for each key."""
            boundary()
            time.sleep(pause_ms / 1000)
            sink.charge(invocation.key, run, number)
            boundary()
            return f"charged {number}"

        def answer(request: ModelRequest) -> str:
            boundary()
            asked = [each for each in request.messages if str(each.get("content")).startswith("Charge ")][-1]
            run = str(asked["content"]).split()[1].rstrip(".")
            turn = sum(each["role"] == "assistant" for each in request.messages[request.messages.index(asked) :])
            turns = _plan(run)
            if turn >= len(turns):
                return json.dumps({"kind": "final", "content": "All is charged."})
            return json.dumps(
                [
                    {
                        "kind": "tool_call",
                        "tool_name": "charge",
                        "arguments": {"run": run, "number": number, "pause_ms": pause},
                    }
                    for number, pause in turns[turn]
                ]
            )

        return Agent(ScriptedModel(answer), tools=[charge])

    def _process(self, name: str, boundary: Any, *, executes: bool) -> DurableProcess:
        launching._POLL_S = _POLL_S  # type: ignore[misc]
        agent = self._agent(boundary)
        return DurableProcess(
            run_blocking(lambda: served(agent, None)),
            self._database,
            executor=name,
            folder=self._folder,
            limits=QueueLimits(per_process=_AT_ONCE),
            executes=executes,
            lease_s=LEASE_S,
        )

    def _work(self, name: str, kind: str, target: int, life_s: float) -> None:
        passed = 0
        lock = threading.Lock()

        def boundary() -> None:
            nonlocal passed
            with lock:
                passed += 1
                if kind == "boundary" and passed == target:
                    os.kill(os.getpid(), signal.SIGKILL)

        _watch(boundary)
        self._process(name, boundary, executes=True)
        if kind == "boundary":
            life_s = 4.0  # one that never comes to its boundary
        if kind in ("boundary", "moment"):
            time.sleep(life_s)
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(3600)

    def _order(self) -> None:
        process = self._process("front", lambda: None, executes=False)
        Orders(process, self._killed, self._is_over, self._sink).run()


class Orders:
    """Orders runs, answers them, and checks those that have ended."""

    def __init__(self, process: DurableProcess, killed: Any, is_over: Any, sink: str) -> None:
        self._process = process
        self._killed = killed
        self._is_over = is_over
        self._sink = psycopg.connect(sink, autocommit=True)
        self._open = set[str]()
        self._over_since: float | None = None
        self._count = Counter[str]()
        self._told = 0

    def run(self) -> None:
        """Order until enough were killed, and go on until all have ended."""
        orders, number = self._process.orders, 0
        while not self._is_over.value or self._open:
            while len(self._open) < _OPEN and not self._is_over.value:
                number += 1
                run_id = f"run-{number}"
                orders.begin(run_id, new_order(run_id, f"Charge {run_id}."))
                self._open.add(run_id)
            if self._is_over.value and self._over_since is None:
                self._over_since = time.monotonic()
            for run_id in list(self._open):
                self._look(run_id)
            if self._killed.value >= self._told + _TOLD_EVERY:
                self._told = self._killed.value
                print(f"{self._told} kills, {self._said()}", flush=True)
            time.sleep(0.05)
        print(f"{self._killed.value} kills, {self._said()}", flush=True)
        os._exit(1 if self._count["lost"] or self._count["doubled"] else 0)

    def _said(self) -> str:
        names = ("ended", "lost", "doubled", "taken up", "asked", "attempts more")
        return ", ".join(f"{self._count[name]} {name}" for name in names)

    def _look(self, run_id: str) -> None:
        if self._over_since is not None and time.monotonic() - self._over_since > _LIMIT_S:
            self._lost(run_id, "it does not end")
            return
        row = self._process.orders.table.get(run_id)
        if row is None or row.status == "running" or row.ordered != row.exchange:
            return
        stand = self._process.stand(run_id)
        if stand.status == "waiting":
            self._answer(run_id, stand)
        elif stand.status in ("done", "failed", "broken"):
            self._check(run_id, stand.status)

    def _answer(self, run_id: str, stand: Any) -> None:
        log = self._process.orders.logs.text(run_id)
        decision = purestep.replay(log).decision
        assert isinstance(decision, purestep.RequestApproval)
        self._count["asked"] += 1
        given = tuple([approved(call) for call in decision.calls])
        self._process.orders.go_on(stand, replace(new_order(run_id), approvals=given))

    def _check(self, run_id: str, status: str) -> None:
        log = self._process.orders.logs.text(run_id)
        events = [json.loads(line) for line in log.splitlines()]
        wanted = sorted(number for turn in _plan(run_id) for number, _ in turn)
        rows = self._sink.execute("SELECT number, key FROM charged WHERE run = %s", (run_id,)).fetchall()
        found = Counter(number for number, _ in rows)
        attempts = self._sink.execute(
            "SELECT count(*) FROM attempts WHERE key = ANY(%s)", ([key for _, key in rows],)
        ).fetchone()
        self._count["attempts more"] += (attempts[0] if attempts else 0) - len(rows)
        self._count["taken up"] += sum(event["kind"] == "resumed" for event in events)
        if any(times > 1 for times in found.values()):
            self._count["doubled"] += 1
            print(f"  {run_id}: doubled {found}", flush=True)
        verdict = purestep.verify(log)
        if status != "done" or not verdict.ok or sorted(found) != wanted:
            self._lost(run_id, f"{status}, {verdict}, {found}\n{log}")
            return
        self._count["ended"] += 1
        self._open.remove(run_id)

    def _lost(self, run_id: str, why: str) -> None:
        self._count["lost"] += 1
        self._open.discard(run_id)
        print(f"  {run_id}: lost, {ascii(why)[:2000]}", flush=True)


class _Sink:
    """A service that honours keys, with a connection for each thread."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._own = threading.local()

    def charge(self, key: str, run: str, number: int) -> None:
        connection = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._own.connection = self._connected()
        connection.execute("INSERT INTO attempts VALUES (%s)", (key,))
        connection.execute("INSERT INTO charged VALUES (%s, %s, %s) ON CONFLICT DO NOTHING", (key, run, number))

    def _connected(self) -> psycopg.Connection[Any]:
        """Return a connection; the server may not have noticed yet that those of killed workers are free."""
        while True:
            try:
                return psycopg.connect(self._address, autocommit=True)
            except psycopg.OperationalError:
                time.sleep(_POLL_S)


def _plan(run_id: str) -> list[list[tuple[int, int]]]:
    """Return the turns of a run: what each charges, and how many milliseconds that takes."""
    chance = random.Random(run_id)
    numbers = iter(range(1, 100))
    return [
        [(next(numbers), chance.choice([0, 1, 5, 30])) for _ in range(chance.choice([1, 1, 2]))]
        for _ in range(chance.randint(1, 3))
    ]


def _watch(boundary: Any) -> None:
    """Have what is written pass boundaries, for as long as this process lives."""

    def around(function: Any) -> Any:
        def passed(*given: Any, **named: Any) -> Any:
            boundary()
            came = function(*given, **named)
            boundary()
            return came

        return passed

    for owner, name in ((LogTable, "claim"), (LogTable, "append"), (LogTable, "keep_result"), (RunOrders, "_place")):
        setattr(owner, name, around(getattr(owner, name)))


def _forked(act: Any) -> int:
    child = os.fork()
    if child:
        return child
    try:
        act()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)
