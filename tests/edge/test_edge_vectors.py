"""The core gives its bytes as the edge service loads it: by Node's and Deno's own ways of reading, in a worker.

That every vector gives the same bytes in each engine is proved in tests/report.
"""

import json
from pathlib import Path

import pytest

from tests.bundle.engines import sampled_vectors
from tests.edge.drivers import VECTOR_RUNS


@pytest.mark.parametrize("host", VECTOR_RUNS)
def test_core_gives_its_bytes_as_the_service_loads_it(host: str, hosts: tuple[str, ...], tmp_path: Path) -> None:
    """What vectors say natively comes out under exactly the host's rights; a vector that says otherwise is told."""
    assert hosts
    wrong = {"name": "wrong", "function": "run_agent_step", "args": ["{}"], "output": "?"}
    vectors = sampled_vectors()
    text = "".join(f"{json.dumps(vector)}\n" for vector in [*vectors, wrong])

    report = VECTOR_RUNS[host](text, tmp_path)

    assert [vector["name"] for vector in vectors] == report["passed"]
    assert ["wrong"] == [failure["name"] for failure in report["failed"]]
    assert report["failed"][0]["got"].startswith('{"error":')
