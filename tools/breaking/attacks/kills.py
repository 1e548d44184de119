"""Real runs of the command, killed and interrupted at random moments, and resumed where nobody can be asked.

The model is a server of this process that plays a plan; every call appends its idempotency key to a file, so an effect
that happens twice, without its log line, or after the run was cancelled, shows.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import accumulate
from pathlib import Path
from threading import Thread
from typing import Any, Final

import purestep

from ..attack import Attack

QUERY: Final = "Please go on with the plan."
BOUND_S: Final = 40.0
"""How long a process may take to end after a signal or a resumption, on a machine on which it starts in START_S."""

START_S: Final = 0.3

_SETTLED_S: Final = 0.5
"""After so long nothing of a killed process runs any more."""

_DEFECTS: Final = ("Traceback", "defect", "internal_error")


class _Model(ThreadingHTTPServer):
    """A model server that plays a plan: a turn for each assistant message that follows the query."""

    daemon_threads = True

    def __init__(self, plan: list[dict[str, Any]], delay_s: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.plan = plan
        self.delay_s = delay_s
        self.asked = 0

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is killed leaves early."""


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, _Model)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked = max(server.asked, _turn(body["messages"]) + 1)
        time.sleep(server.delay_s)
        said = server.plan[min(_turn(body["messages"]), len(server.plan) - 1)]
        choice = {"message": {"role": "assistant", "content": None, **said}, "finish_reason": "stop"}
        reply = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        """Keep the report free of access logs."""


def _turn(messages: list[dict[str, Any]]) -> int:
    """Return the number of answers after the query; the turns before it are examples."""
    asked = max(number for number, message in enumerate(messages) if message["content"] == QUERY)
    return sum(message["role"] == "assistant" for message in messages[asked:])


@dataclass
class Trial:
    """One run with its folder, its model and what was seen of it."""

    folder: Path
    model: _Model
    broken: list[str] = field(default_factory=list)
    said: str = ""
    """The end of what the latest process said on stderr."""

    @property
    def effects(self) -> list[str]:
        """The keys of the calls that took effect, in order."""
        path = self.folder / "effects"
        return path.read_text().split() if path.exists() else []

    @property
    def session(self) -> Path | None:
        """The session's folder, None before it was made."""
        found = [path for path in (self.folder / "sessions").glob("2*") if path.is_dir()]
        return found[0] if found else None

    @property
    def head(self) -> str:
        """The recorded head, empty where there is none; after a kill it may be late."""
        path = self.session / "head" if self.session else None
        return path.read_text() if path and path.exists() else ""

    def log(self) -> bytes:
        """The log's bytes, without a torn last line."""
        data = (self.session / "log.jsonl").read_bytes() if self.session else b""
        return data[: data.rfind(b"\n") + 1]

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """Start the command, without a terminal."""
        url = f"http://127.0.0.1:{self.model.server_port}/v1"
        command = [sys.executable, "-m", "purestep_hosts.cli", "run", *arguments, "--base-url", url]
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return subprocess.Popen(
            [*command, "--sessions", str(self.folder / "sessions")], cwd=self.folder, text=True,
            env={**kept, "HOME": str(self.folder)}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def ends(self, process: "subprocess.Popen[str]", what: str) -> int:
        """Wait for the end of a process and look at what it said; gives its exit code."""
        said = self._last_words(process)
        if said is None:
            process.kill()
            _, said = process.communicate()
            self.broken.append(f"{what} did not end")
        self.said = said[-300:]
        if _had_not_begun(said):
            return -signal.SIGINT
        self.broken += [f"{what} said {word}: {self.said}" for word in _DEFECTS if word in said]
        return process.returncode

    def _last_words(self, process: "subprocess.Popen[str]") -> str | None:
        """Return what a process said once it has ended; None if it takes longer than this busy machine explains."""
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=BOUND_S)[1]
        began = time.monotonic()
        subprocess.run([sys.executable, "-m", "purestep_hosts.cli", "--version"], capture_output=True, check=True)
        slowness = (time.monotonic() - began) / START_S
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=BOUND_S * max(0.0, slowness - 1))[1]
        return None


def _had_not_begun(said: str) -> bool:
    """Whether Ctrl-C met the interpreter's own start, before the first statement of the command."""
    return "KeyboardInterrupt" in said and "purestep_hosts/cli/entry.py" not in said and "Exception ignored" not in said


@contextmanager
def _trial(rng: random.Random) -> Iterator[Trial]:
    with tempfile.TemporaryDirectory() as folder, _Model(_plan(rng), rng.choice([0, 0, 0.05])) as model:
        Thread(target=model.serve_forever, args=(0.01,), daemon=True).start()
        yield Trial(Path(folder), model)
        model.shutdown()


def _plan(rng: random.Random) -> list[dict[str, Any]]:
    turns = [_calls(rng, turn) for turn in range(rng.randint(1, 3))]
    return [*turns, {"content": "Done."}]


def _calls(rng: random.Random, turn: int) -> dict[str, Any]:
    """Return an output with calls that take effect at their beginning or at their end, in groups or out of them."""
    calls = []
    for number in range(rng.choice([1, 1, 2, 3])):
        effect, wait = "echo $PURESTEP_KEY >>effects", f"sleep {rng.choice([0, 0.05, 0.3, 300])}"
        left_behind = f"(setsid sh -c '{wait}; {effect}' &); {wait}"
        command = rng.choice([f"{effect}; {wait}", f"{wait}; {effect}", left_behind])
        arguments = json.dumps({"command": f"{command}; echo {turn}.{number}"})
        function = {"name": "shell", "arguments": arguments}
        calls.append({"id": f"call-{turn}-{number}", "type": "function", "function": function})
    return {"tool_calls": calls}


def _begun(trial: Trial, rng: random.Random) -> "subprocess.Popen[str]":
    """Start a run whose calls need no question, and give it at a random moment."""
    process = trial.start(QUERY, "--tools", "shell", "--yes", "--quiet")
    if rng.random() < 0.1:  # noqa: PLR2004 (some strike while the process starts)
        time.sleep(rng.uniform(0, 1.5))
        return process
    lines = rng.randint(1, 12)
    while process.poll() is None and trial.log().count(b"\n") < lines and not _waits(trial):
        time.sleep(0.005)
    time.sleep(rng.choice([0, rng.uniform(0, 0.05), rng.uniform(0, 0.5)]))
    return process


def _waits(trial: Trial) -> bool:
    """Whether a command has been waiting: one that takes 300 seconds would hold the trial."""
    path = trial.session / "log.jsonl" if trial.session else None
    return path is not None and path.exists() and time.time() - path.stat().st_mtime > 1


def killed(rng: random.Random) -> str | None:
    """Kill a run, tear its log's end, and resume it without a terminal until it ends."""
    with _trial(rng) as trial:
        process = _begun(trial, rng)
        process.kill()
        process.communicate()
        time.sleep(_SETTLED_S)
        before, effects = trial.log(), trial.effects
        asked = trial.model.asked
        _tear(trial, rng)
        _resume(trial, rng)
        if trial.effects != effects:
            trial.broken.append(f"{len(trial.effects) - len(effects)} effects came after the kill, unasked")
        if not trial.log().startswith(before):
            trial.broken.append("lines of the log were lost")
        if before.count(b'"model_response"') < asked - 1:
            trial.broken.append("the model was asked on before its answer was logged")
        _check(trial)
        return "; ".join(trial.broken) or None


def _tear(trial: Trial, rng: random.Random) -> None:
    """Leave an incomplete line, as a crash in the middle of an append does, and perhaps no head."""
    if trial.session is None:
        return
    with (trial.session / "log.jsonl").open("ab") as file:
        file.write(rng.choice([b"", b"", b'{"seq":99,"kind":"tool_re', b"\0\0\0"]))
    if rng.random() < 0.2:  # noqa: PLR2004
        (trial.session / "head").unlink(missing_ok=True)


def _resume(trial: Trial, rng: random.Random) -> None:
    """Resume until the run has ended, killing some of the resumptions as well."""
    for last in (False, False, True):
        if trial.session is None:
            return
        process = trial.start("--resume", trial.session.name)
        if not last and rng.random() < 0.4:  # noqa: PLR2004
            time.sleep(rng.uniform(0.2, 1.5))
            process.kill()
            process.communicate()
            continue
        code = trial.ends(process, "a resumption")
        if code not in (0, 3, 4):
            trial.broken.append(f"a resumption ended with {code}: {trial.said}")
        return


def undisturbed(rng: random.Random) -> list[str]:
    """Return the effects of a run that ends by itself: where there are none, the attacks would break nothing."""
    with _trial(rng) as trial:
        code = trial.ends(trial.start(QUERY, "--tools", "shell", "--yes", "--quiet"), "a run")
        if code or trial.broken:
            raise RuntimeError(f"expected a run that ends with 0; it ended with {code}: {trial.broken} {trial.said}")
        return trial.effects


def interrupted(rng: random.Random) -> str | None:
    """Interrupt a run with Ctrl-C, once or more often."""
    with _trial(rng) as trial:
        process = _begun(trial, rng)
        for _ in range(rng.choice([1, 1, 1, 2, 6])):
            process.send_signal(signal.SIGINT)
            time.sleep(rng.choice([0, 0.01, 0.1]))
        code = trial.ends(process, "an interrupted run")
        effects = trial.effects
        if code not in (0, 3, 130, -signal.SIGINT):
            trial.broken.append(f"an interrupted run ended with {code}: {trial.said}")
        time.sleep(_SETTLED_S)
        if trial.effects != effects:
            trial.broken.append("a command took effect after the run had ended")
        _check(trial)
        return "; ".join(trial.broken) or None


def _check(trial: Trial) -> None:
    """Hold what took effect against the log, and the log against itself."""
    log = trial.log()
    if not log:
        trial.broken += [f"effect {key} without a log" for key in trial.effects]
        return
    lines = [json.loads(line) for line in log.splitlines()]
    called = {line["key"]: line["call_id"] for line in lines if line["kind"] == "tool_call"}
    for key in set(trial.effects):
        if trial.effects.count(key) > 1 or key not in called:
            trial.broken.append(f"effect {key} came {trial.effects.count(key)} times, logged: {key in called}")
    kinds = [line["kind"] for line in lines]
    if "tool_result" in kinds[kinds.index("cancelled") :] if "cancelled" in kinds else False:
        trial.broken.append("a result stands after the cancellation")
    verdict = purestep.verify(log)
    if not verdict.ok and verdict.message != "the log ends within a step":
        trial.broken.append(f"the log does not verify: {verdict.message}")
    elif (head := trial.head) and head not in accumulate(log.splitlines(), chain, initial=""):
        trial.broken.append("the head is that of no line of the log")
    if len(kinds) > 1:
        _check_words(trial, log)


def chain(head: str, line: bytes) -> str:
    """Return the head after a line, as docs/log.md has it."""
    return sha256(head.encode() + line).hexdigest()


def _check_words(trial: Trial, log: bytes) -> None:
    """The model never reads that a call was not run which took effect."""
    events = [json.loads(line) for line in log.splitlines()]
    told = {event["call_id"] for event in events if event["kind"] == "tool_result"}
    keys = {event["key"] for event in events if event["kind"] == "tool_call" and event["call_id"] not in told}
    if not keys.intersection(trial.effects):
        return
    for message in purestep.replay(log).messages:
        text = message.content if isinstance(message.content, str) else ""
        if "was not run: the run was cancelled" in text and "it may have run" not in text:
            trial.broken.append(f"the model reads {text[:200]}")


ATTACKS: Final = (
    Attack(
        name="kills",
        promise="A killed run loses no acknowledged event, and a resumption repeats no effect unasked.",
        trial=killed,
        weight=2,
    ),
    Attack(
        name="interrupts",
        promise="After Ctrl-C nothing takes effect, every call is told as what is known of it, and the process ends.",
        trial=interrupted,
        weight=2,
    ),
)
