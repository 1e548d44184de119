"""Every conformance vector gives the same bytes where the edge service runs."""

import json
from pathlib import Path

import pytest

from tests.edge.drivers import VECTOR_RUNS


@pytest.mark.parametrize("host", VECTOR_RUNS)
def test_vectors_give_the_same_bytes_at_the_edge(
    host: str, hosts: tuple[str, ...], vector_files: list[Path], tmp_path: Path
) -> None:
    """Every vector's output, made natively, comes out of the core as the host's service loads it."""
    assert hosts
    text = "".join(path.read_text() for path in vector_files)
    names = [json.loads(line)["name"] for line in text.splitlines()]

    report = VECTOR_RUNS[host](text, tmp_path)

    assert [] == report["failed"]
    assert names == report["passed"]


@pytest.mark.parametrize("host", VECTOR_RUNS)
def test_a_wrong_vector_is_told(host: str, hosts: tuple[str, ...], tmp_path: Path) -> None:
    """The comparison can fail: an output that no step gives is reported with what came instead."""
    assert hosts
    vector = {"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}

    report = VECTOR_RUNS[host](json.dumps(vector), tmp_path)

    assert [] == report["passed"]
    assert ["wrong"] == [failure["name"] for failure in report["failed"]]
    assert report["failed"][0]["got"].startswith('{"error":')
