"""The first steps of a process may be taken by several threads at once."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
TREES: Final = ("core", "hosts/purestep_hosts")
TRIES: Final = 6
"""Without the lock every second process ends by a segmentation fault, or more of them."""

PROGRAM: Final = """
import json, sys, threading
sys.setswitchinterval(1e-6)
import purestep

begun = json.dumps({"agent": {"tools": [{"name": "a", "parameters": {"type": "object"}}]}, "run_id": "r",
    "observation": {"type": "user_message", "content": "Hi"}})
answer = {"type": "model_output", "content": '{"kind": "final", "content": "Well."}'}
together, seen = threading.Barrier(6), []

def work():
    together.wait()
    first = json.loads(purestep.run_agent_step(begun))
    second = purestep.run_agent_step(json.dumps({"state": first["state"], "observation": answer}))
    seen.append((second, purestep.replay_log(first["log"])))

threads = [threading.Thread(target=work) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(seen), len(set(seen)))
"""


def test_first_steps_of_a_process_are_taken_in_several_threads() -> None:
    """Nobody meets a type of which msgspec knows half, which would end the process."""
    for _ in range(TRIES):
        done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
        assert (0, "6 1\n") == (done.returncode, done.stdout), done.stderr[-2000:]


def test_types_are_learnt_under_the_lock() -> None:
    """Nothing but `purestep.lazy` hands msgspec a type."""
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for tree in TREES
        for path in sorted((ROOT / tree).rglob("*.py"))
        if path.name != "lazy.py"
        for line in _with_a_type(path)
    ]
    assert [] == found


def _with_a_type(path: Path) -> Iterator[int]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if (
            called == "msgspec.convert"
            or (called == "msgspec.json.Decoder" and _gives_a_type(node))
            or (called == "msgspec.json.decode" and _gives_a_type(node, after=1))
        ):
            yield node.lineno


def _gives_a_type(call: ast.Call, after: int = 0) -> bool:
    return len(call.args) > after or any(each.arg == "type" for each in call.keywords)
