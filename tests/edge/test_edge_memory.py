"""What the service takes in memory where that is short."""

import subprocess
from pathlib import Path

from tests.edge.drivers import serve

MOST_MB = 200
"""After a first step it takes 161 MB, an empty worker 44; from a text that embeds files 219."""


def _resident_mb(parent: int) -> dict[str, int]:
    """Return the resident memory of what a process has started, by name."""
    shown = subprocess.run(["ps", "-A", "-o", "ppid=,rss=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in shown.splitlines()]
    return {Path(name).name: int(kilobytes) // 1000 for ppid, kilobytes, name in rows if int(ppid) == parent}


def test_workerd_keeps_no_copies_of_the_files_of_the_core(tmp_path: Path) -> None:
    """Its configuration is compiled before it is served: one that embeds files as it is read keeps them twice."""
    with serve("workerd", {"unsigned": True}, tmp_path) as service:
        step = {"agent": {}, "observation": {"type": "user_message", "content": "Hello"}, "run_id": "run-1"}
        assert 200 == service.post("/step", step).status
        taken = _resident_mb(service.process.pid)
    assert ["workerd"] == list(taken)
    assert 0 < taken["workerd"] <= MOST_MB, taken
