"""The programs of the pages on agents in Python: as short as promised, and the service survives being killed."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from purestep import verify

ROOT = Path(__file__).resolve().parents[2]


def program(page: str) -> str:
    """Return the first program of a page."""
    found = re.search(r"^```py(?:thon)?\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_two_tools_and_an_approval_take_22_lines() -> None:
    """Blank lines count; test_docs runs it as it is printed."""
    text = program("python.md")
    assert ("@tool" in text, "approval=" in text) == (True, True)
    assert 22 >= len(text.splitlines())


def test_the_service_takes_60_lines() -> None:
    """Blank lines count."""
    assert 60 >= len(program("python-service.md").splitlines())


@contextmanager
def service(folder: Path, port: int, module: str = "service") -> Iterator[subprocess.Popen[bytes]]:
    """Run the page's service, as printed, or a changed one, until the block ends."""
    (folder / "service.py").write_text(program("python-service.md"))
    command = [sys.executable, "-m", "uvicorn", f"{module}:app", "--port", str(port), "--log-level", "warning"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "LLM_"))}
    with (
        (folder / "errors.txt").open("ab") as errors,
        subprocess.Popen(command, cwd=folder, env=environment, stderr=errors) as process,
    ):
        try:
            for _ in range(600):
                with socket.socket() as client:
                    if client.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.1)
            yield process
        finally:
            process.kill()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def post(port: int, path: str, body: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    """Send a request; gives the run's id and the events."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=300) as response:
        events = response.read().decode().strip().split("\n\n")
        return response.headers["Run"], [json.loads(event.removeprefix("data: ")) for event in events]


def test_the_service_streams_and_survives_kill_9(tmp_path: Path) -> None:
    """A run waits for approval, the process is killed, and another one goes on; its log holds to the last byte."""
    port = free_port()
    with service(tmp_path, port) as process:
        run, events = post(port, "/runs", {"query": "Refund order 8, please."})
        assert ["approval", "done"] == [event["type"] for event in events]
        assert "waiting" == events[-1]["status"]
        process.send_signal(signal.SIGKILL)
        process.wait()
    with service(tmp_path, port):
        approve = {"approve": {call["call_id"]: True for call in events[0]["calls"]}}
        again, events = post(port, f"/runs/{run}", approve)
        assert (run, ["call", "result", "done"]) == (again, [each["type"] for each in events if each["type"] != "text"])
        assert "Done." == events[-1]["answer"]
        _, events = post(port, f"/runs/{run}", {"query": "What is the status of order 7?"})
        assert ("done", "on its way") == (events[-1]["status"], events[-1]["answer"])
        with pytest.raises(urllib.error.HTTPError) as raised:
            post(port, "/runs/20260101-000000-000-abcdef", {})
        with raised.value as refusal:
            assert (404, "session_not_found") == (refusal.code, json.loads(refusal.read())["error"])
        with pytest.raises(urllib.error.HTTPError) as raised:
            post(port, "/runs", {"question": "Where is my order?"})
        with raised.value as refusal:
            assert (400, "invalid_body") == (refusal.code, json.loads(refusal.read())["error"])
    assert verify((tmp_path / "sessions" / run / "log.jsonl").read_text()).ok


def test_the_service_cancels_the_run_of_a_client_that_leaves(tmp_path: Path) -> None:
    """Its call counts as interrupted, its log is whole, and nothing is written to the server's error output."""
    slow = program("python-service.md").replace('    return "on its way"', '    __import__("time").sleep(3600)')
    (tmp_path / "slow.py").write_text(slow)
    port = free_port()
    with service(tmp_path, port, "slow") as process:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/runs", b'{"query": "What is the status of order 7?"}'
        )
        with urllib.request.urlopen(request, timeout=300) as response:
            run = response.headers["Run"]
            assert b'data: {"type":"call"' == response.readline()[:20]
        log = tmp_path / "sessions" / run / "log.jsonl"
        while json.loads(log.read_text().splitlines()[-1])["kind"] != "run_failed":
            assert process.poll() is None
            time.sleep(0.1)
        process.terminate()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    results = [line for line in lines if line["kind"] == "tool_result"]
    assert "cancelled" == lines[-1]["code"]
    assert ["interrupted"] == [result["error_kind"] for result in results]
    assert verify(log.read_text()).ok
    assert "Traceback" not in (tmp_path / "errors.txt").read_text()
