"""One measurement of durable runs as a program: `python -m bench.durable_parts PART DATABASE ...`; prints JSON."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from dbos import DBOS

from purestep_hosts import Agent, ScriptedModel, tool
from purestep_hosts.agents.blocking import run_blocking
from purestep_hosts.agents.served_agent import served
from purestep_hosts.durable import DurableRuns, exchange
from purestep_hosts.durable.launching import QueueLimits
from purestep_hosts.durable.orders import new_order
from purestep_hosts.durable.process import DurableProcess
from purestep_hosts.models.model import ModelRequest

_TURNS = 40
_TIMES = 5
_WAITING = 1_000
_IDLE_S = 20.0
_RUNS = 12
_AT_A_TIME = 2
_MODEL_S = 6.0


def main(part: str, *given: str) -> None:
    """Measure one part."""
    found = {"steps": _steps, "waiting": _waiting, "workers": _workers}[part](*given)
    print(json.dumps(found))


def _call(name: str, **arguments: Any) -> str:
    return json.dumps({"kind": "tool_call", "tool_name": name, "arguments": arguments})


def _final(text: str) -> str:
    return json.dumps({"kind": "final", "content": text})


class _Clock(NamedTuple):
    """What a workflow took from its first line to its last."""

    wall_s: float
    cpu_s: float


_taken_by: dict[str, list[_Clock]] = {"ours": [], "bare": []}


@contextmanager
def _timed(name: str) -> Iterator[None]:
    began, began_cpu = time.perf_counter(), time.process_time()
    yield
    _taken_by[name].append(_Clock(time.perf_counter() - began, time.process_time() - began_cpu))


@DBOS.workflow(name="bare_steps")
async def _bare(count: int) -> None:
    """Take steps that do nothing."""

    async def nothing() -> str:
        return '{"ok": true}'

    with _timed("bare"):
        for _ in range(count):
            await DBOS.run_step_async({"name": "bare"}, nothing)


class _TimedExchange(exchange.Exchange):
    """An exchange that is timed from within, so that nobody who waits for it counts."""

    async def run(self) -> None:
        """Carry the exchange out."""
        with _timed("ours"):
            await super().run()


def _steps(database: str) -> dict[str, float]:
    """Run an agent of many turns, and a workflow of as many bare steps, in turn over one database."""
    place = database or str(Path(tempfile.mkdtemp()) / "runs.sqlite")
    exchange.Exchange = _TimedExchange  # type: ignore[misc]

    @tool(read_only=True)
    async def look(number: int) -> str:
        """Look a number up."""
        return f"{number} is there"

    def answer(request: ModelRequest) -> str:
        turn = sum(message["role"] == "assistant" for message in request.messages)
        return _call("look", number=turn)

    agent = Agent(ScriptedModel(answer), tools=[look], limits={"max_turns": _TURNS})
    steps = 2 * _TURNS
    ids = []
    with DurableRuns(agent, place) as runs:
        for turn in range(_TIMES):
            ids.append(runs.start("Look."))
            _await(lambda turn=turn: len(_taken_by["ours"]) > turn)  # type: ignore[misc]
            DBOS.start_workflow(_bare, steps)
            _await(lambda turn=turn: len(_taken_by["bare"]) > turn)  # type: ignore[misc]
        kilobytes = sum(len(runs.log(each)) for each in ids) / len(ids) / 1000
    ours, bare = _taken_by["ours"], _taken_by["bare"]
    return {
        "ratio": median([one.wall_s for one in ours]) / median([one.wall_s for one in bare]),
        "cpu_ratio": min(one.cpu_s for one in ours) / min(one.cpu_s for one in bare),
        "step_ms": median([one.wall_s for one in ours]) / steps * 1000,
        "cpu_ms": min(one.cpu_s for one in ours) / steps * 1000,
        "run_kb": kilobytes / steps * 5 + 3,  # of five steps, with its order, its workflow and its row
    }


def _await(holds: Callable[[], bool]) -> None:
    while not holds():
        time.sleep(0.5)


def _waiting(database: str, server_pid: str) -> dict[str, float]:
    """Have a thousand runs wait for approval in a process that takes from the queue, and look at it for a while."""

    @tool(approval="ask")
    def pay(amount: int) -> str:
        """Pay."""
        return "paid"

    agent = Agent(ScriptedModel(lambda _: _call("pay", amount=3)), tools=[pay])
    ready = run_blocking(lambda: served(agent))
    process = DurableProcess(
        ready, database, executor="bench", folder=Path(tempfile.mkdtemp()), limits=QueueLimits(per_process=64)
    )
    try:
        _finish(process, 20)
        before, own, servers = _memory(), time.process_time(), _cpu_of(int(server_pid))
        _finish(process, _WAITING)
        exchange_s = (time.process_time() - own + _cpu_of(int(server_pid)) - servers) / _WAITING
        after = _memory()
        time.sleep(3)
        own, servers = time.process_time(), _cpu_of(int(server_pid))
        time.sleep(_IDLE_S)
        own, servers = time.process_time() - own, _cpu_of(int(server_pid)) - servers
    finally:
        process.close()
    return {
        "waiting_mib": (after - before) / 2**20,
        "waiting_core": 100 * (own + servers) / _IDLE_S,
        "exchange_cpu_ms": exchange_s * 1000,
    }


def _finish(process: DurableProcess, count: int) -> None:
    ids = [new_order(None, "Pay.") for _ in range(count)]
    for order in ids:
        process.orders.begin(order.run_id, order)
    for order in ids:
        while process.stand(order.run_id).status == "running":
            time.sleep(0.05)


def _memory() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _cpu_of(pid: int) -> float:
    """Return the CPU seconds of a server and its children, also of those that have ended."""
    ticks = 0
    for place in Path("/proc").iterdir():
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except (OSError, NotADirectoryError):
            continue
        if place.name == str(pid):
            ticks += sum(map(int, fields[11:15]))
        elif fields[1] == str(pid):
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


class _SlowModel(BaseHTTPRequestHandler):
    """Answers as an OpenAI-compatible server, after a while."""

    def do_POST(self) -> None:
        """Wait, and answer."""
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(_MODEL_S)
        delta = {"choices": [{"index": 0, "delta": {"content": _final("Done.")}, "finish_reason": "stop"}]}
        body = f"data: {json.dumps(delta)}\n\ndata: [DONE]\n\n".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def _model_server() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _SlowModel)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()


def _workers(first: str, second: str) -> dict[str, float]:
    """Carry out the same exchanges with one worker and with two."""
    with _model_server() as url:
        one = _taken(first, url, 1)
        two = _taken(second, url, 2)
    return {"two_workers": one / two}


def _taken(database: str, url: str, count: int) -> float:
    """Return the seconds that workers need for the exchanges, which wait in the queue."""
    from purestep_hosts.cli.app import app  # noqa: F401 (the same imports as the workers)

    home = tempfile.mkdtemp()
    environment = {**os.environ, "HOME": home, "PURESTEP_DATABASE": database, "OPENAI_API_KEY": "none"}
    options = ["--base-url", url, "--model", "slow", "--max-runs", str(_AT_A_TIME), "--tools", "echo"]
    command = [sys.executable, "-m", "purestep_hosts.cli", "worker", *options]
    workers = []
    try:
        for number in range(count):
            worker = subprocess.Popen(
                [*command, "--name", f"w{number}"], env=environment, stdout=subprocess.PIPE, text=True
            )
            workers.append(worker)
            assert worker.stdout is not None
            assert worker.stdout.readline()
        return _ordered_and_done(database, environment, options)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.wait()


def _ordered_and_done(database: str, environment: dict[str, str], options: list[str]) -> float:
    """Order the exchanges as a service does that leaves them to workers."""
    os.environ.update(environment)
    from contextlib import closing

    from purestep_hosts.cli.mcp_servers import CommandServers
    from purestep_hosts.cli.options import AgentChoice
    from purestep_hosts.cli.serving_agent import AgentParts
    from purestep_hosts.interrupts import Interrupts
    from purestep_hosts.show.printer import stderr_printer

    choice = AgentChoice(base_url=options[1], model=options[3], tools=options[7])
    with closing(CommandServers()) as servers, Interrupts() as interrupts:
        agent = AgentParts(choice, servers, interrupts, stderr_printer()).served()
    process = DurableProcess(
        agent, database, executor="bench", folder=Path(tempfile.mkdtemp()), limits=QueueLimits(), executes=False
    )
    try:
        began = time.perf_counter()
        _finish(process, _RUNS)
        return time.perf_counter() - began
    finally:
        process.close()


_Part = Callable[..., dict[str, float]]

if __name__ == "__main__":
    asyncio.set_event_loop(None)
    main(*sys.argv[1:])
