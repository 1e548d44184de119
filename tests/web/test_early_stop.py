"""A model that goes on behind a certain decision is cut off: by every loop, at the same place, with the same log."""

import json
import select
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import Agent
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import as_served
from purestep_hosts.models.openai_http import HttpModel, completions_url

HERE = Path(__file__).parent
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
SHOUT = {"name": "shout", "parameters": TEXT}
OUTCOME = {"ok": True, "output": "HELLO"}
USAGE = {"prompt_tokens": 9, "completion_tokens": 99}
PAUSE_S = 0.03
# Minutes of it; a loop leaves after the first piece, and a busy machine takes some more to say so.
BABBLE = [" and more \U0001f600"] * 7000

FINAL = ['{"kind":"final","con', 'tent":"Sm\u00f8rrebr\u00f8d \U0001f600."', "}"]
CALL = ['{"kind":"tool_call","tool_name":"shout",', '"arguments":{"text":"hi"}}']
# The stop comes where the model begins to make the result up.
TAGS = [
    "<think>Well.</think>Let me. [TOOL_CALL]",
    '{"name":"shout","args":{"text":"hi"}}[/TOOL',
    "_CALL]\nResult ",
    "of shout: ",
]
CASES: dict[str, dict[str, Any]] = {
    "final": {"definition": {"tools": [SHOUT], "dialect": "envelope"}, "says": [FINAL]},
    "call, then final": {"definition": {"tools": [SHOUT], "dialect": "envelope"}, "says": [CALL, FINAL]},
    "tags amid text": {"definition": {"tools": [SHOUT], "dialect": "tool_tags"}, "says": [TAGS, ["It is HELLO."]]},
}


class _Server(ThreadingHTTPServer):
    """Says the texts of a case, each followed by babble; keeps how many pieces of each were sent to whom."""

    daemon_threads = False  # so that closing waits until every reply is over

    def __init__(self, case: dict[str, Any], *, whole: bool) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies = [says if case_ends(says) else [*says, *BABBLE] for says in case["says"]]
        self.whole = whole
        self.sent: list[int] = []
        self.left: list[bool] = []
        self.url = f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves early is what is tested."""


def case_ends(says: list[str]) -> bool:
    """Whether nothing follows: text without a marker is an answer only when it ends."""
    return says[-1].endswith("HELLO.")


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Server)
        self.rfile.read(int(self.headers["Content-Length"]))
        number = len(self.server.sent)
        pieces = self.server.replies[number]
        self.server.sent.append(0)
        self.server.left.append(False)
        if self.server.whole:
            message = {"choices": [{"message": {"content": "".join(pieces)}, "finish_reason": "stop"}], "usage": USAGE}
            body = json.dumps({**message, "model": "m"}).encode()
            self._head("application/json", body)
            return
        self._head("text/event-stream")
        for piece in pieces:
            self._event({"choices": [{"delta": {"content": piece}, "finish_reason": None}], "model": "m"})
            self.server.sent[number] += 1
            if self._client_left():
                self.server.left[number] = True
                return
        self._event({"choices": [{"delta": {}, "finish_reason": "stop"}], "model": "m"})
        self._event({"choices": [], "usage": USAGE, "model": "m"})
        self.wfile.write(b"data: [DONE]\n\n")

    def _head(self, kind: str, body: bytes = b"") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body)

    def _event(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")

    def _client_left(self) -> bool:
        """Wait a moment, as a slow model does; tell whether the client closed the connection in it."""
        end = time.monotonic() + PAUSE_S
        readable, _, _ = select.select([self.connection], [], [], PAUSE_S)
        if not readable:
            return False
        try:
            gone = self.connection.recv(1, socket.MSG_PEEK) == b""
        except ConnectionError:
            gone = True
        time.sleep(max(0.0, end - time.monotonic()))
        return gone

    def log_message(self, format: str, *args: object) -> None:
        """Keep the test output free of access logs."""


@contextmanager
def serving(*, whole: bool) -> Iterator[dict[str, _Server]]:
    """Serve every case, each on a port of its own."""
    servers = {name: _Server(case, whole=whole) for name, case in CASES.items()}
    for server in servers.values():
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield servers
    for server in servers.values():
        server.shutdown()
        server.server_close()


class Played(msgspec.Struct):
    """What one loop made of every case, and what the servers saw of it."""

    results: dict[str, dict[str, Any]]
    servers: dict[str, _Server]


class Host:
    """The adapters of a run in Python that are not the model."""

    def __init__(self) -> None:
        self.log, self.shown, self.now = "", "", 1000

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the outcome."""
        return OUTCOME

    def append(self, log: str, head: str) -> None:
        """Keep the lines; a second passes."""
        self.log += log
        self.now += 1000

    def clock(self) -> int:
        """Return the time, which stands still while something runs: calls may end in any order."""
        return self.now

    def on_text(self, text: str) -> None:
        """Keep what is shown."""
        self.shown += text

    def on_retract(self) -> None:
        """Nothing is taken back here."""

    def on_step(self, step: Any) -> None:
        """Nothing is shown of a step."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is shown of a result."""


def in_python(servers: dict[str, _Server]) -> dict[str, Any]:
    """Play every case with the loop and the HTTP model of the native hosts."""
    results = {}
    for name, case in CASES.items():
        host = Host()
        model = HttpModel(completions_url(servers[name].url), model="m")
        ports = Ports(model=model, tools=host, approve=lambda calls: (), log=host, watch=host, clock=host.clock)
        run = Run(Agent.load(as_served(case["definition"], "m")), ports, "run-1")
        ended = json.loads(msgspec.json.encode(run.ask("Go").decision))
        model.close()
        state = msgspec.json.encode(run.state).decode()
        results[name] = {"ended": ended, "log": host.log, "state": state, "shown": host.shown}
    return results


def in_javascript(command: list[str], package: Path, servers: dict[str, _Server]) -> dict[str, Any]:
    """Play every case with Agent and the OpenAI model of the npm package."""
    cases = {
        name: {"url": servers[name].url, "definition": case["definition"], "outcome": OUTCOME}
        for name, case in CASES.items()
    }
    asked = [*command, str(HERE / "early_stop.mjs"), str(package)]
    done = subprocess.run(asked, input=json.dumps(cases), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results


@pytest.fixture(scope="module")
def played(node: str, deno: list[str], package: Path) -> dict[str, Played]:
    """What each loop made of the cases, streamed and as whole replies."""
    loops: dict[str, Callable[[dict[str, _Server]], dict[str, Any]]] = {
        "python": in_python,
        "node": lambda servers: in_javascript([node], package, servers),
        "deno": lambda servers: in_javascript(deno, package, servers),
    }
    found = {}
    for name, play in loops.items():
        for kind in ("streamed", "whole"):
            with serving(whole=kind == "whole") as servers:
                found[f"{name}, {kind}"] = Played(play(servers), servers)
    return found


LOOPS = ["python", "node", "deno"]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("loop", LOOPS)
def test_client_leaves_the_model_that_goes_on(played: dict[str, Played], loop: str, case: str) -> None:
    """The connection is closed long before the babble ends, and a reply that ends by itself is read to its end."""
    server = played[f"{loop}, streamed"].servers[case]
    says = CASES[case]["says"]
    assert [not case_ends(pieces) for pieces in says] == server.left
    most = [len(pieces) + len(BABBLE) // 2 for pieces in says]
    assert [] == [(sent, limit) for sent, limit in zip(server.sent, most, strict=True) if sent > limit]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("loop", LOOPS)
def test_every_loop_has_the_same_log_however_the_text_came(played: dict[str, Played], loop: str, case: str) -> None:
    """Log, state, ending and text shown are those of the native loop, also where the reply came in one piece."""
    expected = played["python, streamed"].results[case]
    assert expected == played[f"{loop}, streamed"].results[case]
    whole = played[f"{loop}, whole"].results[case]
    assert (expected["ended"], expected["shown"]) == (whole["ended"], whole["shown"])
    assert purestep.verify_log(expected["log"]).startswith('{"ok":true')


@pytest.mark.parametrize("case", CASES)
def test_what_is_behind_the_stop_is_no_part_of_the_output(played: dict[str, Played], case: str) -> None:
    """The log has the text up to the stop, as an output that ended, and no fault and no cancel."""
    events = [json.loads(line) for line in played["node, streamed"].results[case]["log"].splitlines()]
    said = [event for event in events if event["kind"] == "model_response"]
    cut = {"finish_reason": "stop", "model": "m"}
    ended = {**cut, "usage": USAGE}
    assert [
        {"content": "".join(pieces), **(ended if case_ends(pieces) else cut)} for pieces in CASES[case]["says"]
    ] == [
        {name: event[name] for name in ("content", "finish_reason", "model", "usage") if name in event}
        for event in said
    ]
    assert not {"model_error", "cancelled", "correction"} & {event["kind"] for event in events}


@pytest.mark.parametrize("case", CASES)
def test_outputs_that_were_not_cut_lead_to_the_same_decision(played: dict[str, Played], case: str) -> None:
    """The core, given the whole texts, ends as the run did that was cut short; it notes what it left out."""
    agent = Agent.load(CASES[case]["definition"])
    step = purestep.start(agent, purestep.UserMessage(content="Go"), "run-1")
    for pieces in CASES[case]["says"]:
        text = "".join(pieces if case_ends(pieces) else [*pieces, *BABBLE])
        step = purestep.step(step.state, purestep.ModelOutput(content=text))
        if isinstance(step.decision, purestep.InvokeTool):
            result = purestep.ToolResult(call_id=step.decision.call_id, **OUTCOME)
            step = purestep.step(step.state, purestep.ToolResults(results=(result,)))
    ended = json.loads(msgspec.json.encode(step.decision))
    assert {"ignored_text"} >= {problem["code"] for problem in ended.pop("problems", [])}
    assert played["python, streamed"].results[case]["ended"] == ended
