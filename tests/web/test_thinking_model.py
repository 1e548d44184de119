"""The Agent in JavaScript gives a thinking model its reasoning back, as the loop in Python does."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hosts.test_hosts_thinking import added_by
from tests.hosts.thinking import AGENT, ThinkingServer

HERE = Path(__file__).parent


def test_both_loops_send_the_same(node: str, package: Path, web: Callable[[Any], str]) -> None:
    """The same requests, byte for byte the same log, and a server that would answer 400 to less."""
    here, there = ThinkingServer(), ThinkingServer()
    ended, log = added_by(web(here))
    command = [node, HERE / "thinking_model.mjs", package, web(there) + "/v1"]
    done = subprocess.run(command, input=json.dumps(AGENT), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found = json.loads(done.stdout)
    assert ended.answer == found["decision"]["answer"] == "It is 42."
    assert [body["messages"] for body in here.bodies] == [body["messages"] for body in there.bodies]
    assert log == found["log"]
    # Chunks that come together are one event, and which do so is a matter of time.
    assert ["The tool knows: S\u00f8.Done.", "It is 42."] == [
        "".join(text for kind, text in found["shown"] if kind == wanted) for wanted in ("reasoning", "text")
    ]
