"""Starts the edge service on each of its hosts, and runs the conformance vectors there.

`VECTOR_RUNS` gives for each host the names of the vectors that it passes and fails; `serve` runs a service on one.
"""

import json
import os
import shlex
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
WEB = ROOT / "web"
HOSTS_FOLDER = WEB / "dist" / "edge" / "hosts"
COMMANDS = {"node": "node.js", "deno": "deno_command.js", "workerd": "workerd_command.js"}
PATIENCE_S = 600  # for what takes seconds on an idle machine: how busy this one is says nothing of a host
POLITE_S = 2  # for workerd when it is asked to end: it waits 15 s for connections that browsers keep open


class Report(TypedDict):
    """What a host made of the vectors: names, and for a failed one what was expected and what came."""

    passed: list[str]
    failed: list[dict[str, str]]


class Answer(NamedTuple):
    """A service's answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        """Return the body's value."""
        return json.loads(self.body)


class Service(NamedTuple):
    """A running service: where it listens, its process, and the lines it has written."""

    host: str
    port: int
    process: subprocess.Popen[str]
    lines: list[str]

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        """Send a request; a body is JSON unless `content_type` says otherwise ("" for no type at all)."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            named.setdefault("content-type", "application/json")
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, named, method=method)
        if named.get("content-type") == "":
            request.add_unredirected_header("Content-type", "")
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
                return Answer(response.status, _lower(response.headers), response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, _lower(error.headers), error.read())

    def post(self, path: str, value: Any) -> Answer:
        """Post a value as JSON."""
        return self.send("POST", path, json.dumps(value).encode())


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def environment() -> dict[str, str]:
    """Return the environment in which Deno and workerd are found."""
    return {**os.environ, "PATH": f"{WEB / 'node_modules' / '.bin'}{os.pathsep}{os.environ['PATH']}"}


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def serve(host: str, config: dict[str, Any], folder: Path, *options: str) -> Iterator[Service]:
    """Run the service on a host (a key of COMMANDS) with its own start command; `folder` gets the configuration."""
    port = free_port()
    file = folder / f"{host}.json"
    file.write_text(json.dumps({"port": port, **config}))
    command = ["node", str(HOSTS_FOLDER / COMMANDS[host]), str(file), *options]
    with started(command, drains=host == "workerd") as (process, lines):
        yield Service(host, port, process, lines)


@contextmanager
def started(command: Sequence[str], *, drains: bool = False) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """Run a command that says `listening on`, and end it afterwards; one that drains need not end when asked to."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(), start_new_session=True
    )
    lines: list[str] = []
    reader = threading.Thread(target=_keep, args=(process, lines), daemon=True)
    reader.start()
    try:
        _wait_for("listening on", process, lines)
        yield process, lines
    finally:
        _end(process, drains=drains)
        reader.join(10)
        assert process.stdout is not None
        process.stdout.close()


def _end(process: subprocess.Popen[str], *, drains: bool) -> None:
    """Ask a command to end, and kill it with what it started if it does not; unless it drains, that is a fault."""
    process.terminate()
    try:
        process.wait(POLITE_S if drains else PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if not drains:
            raise


def _keep(process: subprocess.Popen[str], lines: list[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line.rstrip("\n"))


def _wait_for(mark: str, process: subprocess.Popen[str], lines: list[str]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not any(mark in line for line in lines):
        if process.poll() is not None or time.monotonic() > end:
            shown = "\n".join(line[:500] for line in lines)
            raise AssertionError(f"{shlex.join(map(str, process.args))[:500]} did not start:\n{shown}")  # type: ignore[arg-type]
        time.sleep(0.02)


def deno_command(config: dict[str, Any], folder: Path, script: Path) -> list[str]:
    """Return the command that starts the Deno host, with another script in the place of its own."""
    file = folder / "rights.json"
    file.write_text(json.dumps(config))
    asked = ["node", HOSTS_FOLDER / COMMANDS["deno"], file, "--print"]
    command = shlex.split(_output(asked))
    assert command[-2] == str(HOSTS_FOLDER / "deno.js")
    return [*command[:-2], str(script), command[-1]]


def _output(command: Sequence[str | Path], text: str = "") -> str:
    done = subprocess.run(
        command, input=text, check=False, capture_output=True, text=True, timeout=PATIENCE_S, env=environment()
    )
    assert done.returncode == 0, f"{done.stdout[-1000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def vectors_in_node(text: str, folder: Path) -> Report:
    """Run vectors in Node, with the core as the Node host loads it."""
    del folder
    report: Report = json.loads(_output(["node", HERE / "vectors_node.js"], text))
    return report


def vectors_in_deno(text: str, folder: Path) -> Report:
    """Run vectors in Deno, under exactly the rights of the Deno host."""
    report: Report = json.loads(_output(deno_command({"unsigned": True}, folder, HERE / "vectors_deno.js"), text))
    return report


def built_worker(entry: Path, folder: Path, tier: str = "snapshot") -> Path:
    """Build a worker of another entry in a folder, and give where it lies."""
    worker = folder / "worker"
    build = WEB / "bundle_workerd" / "build.mjs"
    _output(["node", build, "--entry", entry, "--output", worker, "--tier", tier])
    return worker


def vectors_in_workerd(text: str, folder: Path, tier: str = "snapshot") -> Report:
    """Run vectors in workerd: a worker like the service's, with another entry; `tier` is the bundle's form."""
    worker = built_worker(HERE / "vectors_worker.js", folder, tier)
    with serve("workerd", {"unsigned": True}, folder, "--worker", str(worker)) as service:
        report: Report = service.send("POST", "/", text.encode()).json()
        return report


VECTOR_RUNS: dict[str, Callable[[str, Path], Report]] = {
    "node": vectors_in_node,
    "deno": vectors_in_deno,
    "workerd": vectors_in_workerd,
}
"""For each host what runs the text of files of vectors there; the folder is for files on the way."""
