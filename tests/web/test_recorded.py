"""What the loop in JavaScript tells for the log: the request, the id and use of a stopped output, the ends of calls."""

import json
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import purestep_formats
from purestep_hosts import calls, says
from tests.hosts.conftest import web  # noqa: F401
from tests.hosts.test_agent_loops import both
from tests.hosts.test_hosts_http_faults import Answer
from tests.hosts.test_hosts_recorded import lines, piece, streaming, verified

HERE = Path(__file__).parent
CALLS = f"<think>Both.</think>{both(calls('slow'), calls('quick'))}"


@pytest.fixture
def found(node: str, package: Path, web: Callable[[Answer], str]) -> dict[str, Any]:  # noqa: F811
    """What came of both runs."""
    hold = threading.Event()
    definition = {"tools": [{"name": "slow"}, {"name": "quick"}]}
    url = web(streaming(piece("I think", 3), piece(" so", 4), hold=hold)) + "/v1"
    given = json.dumps({"url": url, "definition": definition, "outputs": [CALLS, says("Both ended.")]})
    program = [node, str(HERE / "recorded.mjs"), str(package)]
    try:
        done = subprocess.run(program, input=given, capture_output=True, text=True, check=True, timeout=300)
    finally:
        hold.set()
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_facts_are_told_as_native_hosts_tell_them(found: dict[str, Any]) -> None:
    """A stopped output has the tokens counted until then, and calls end at their own ends."""
    stopped, beside = found["stopped"], found["beside"]
    assert "cancelled" == stopped["ended"]["code"]
    [cancelled] = lines(stopped["log"], "cancelled")
    assert {"model": "small", "temperature": 0.5, "max_tokens": 32} == cancelled["request"]
    assert ({"prompt_tokens": 20, "completion_tokens": 4}, "chatcmpl-7") == (
        cancelled["usage"],
        cancelled["response_id"],
    )
    assert cancelled["asked_at"] <= cancelled["first_token_at"] <= cancelled["at"]
    assert "enough" == cancelled["reason"]
    assert verified(stopped["log"])
    ends = {line["tool_name"]: (line["ended_at"], line["at"]) for line in lines(beside["log"], "tool_result")}
    assert {"slow": (5000, 5000), "quick": (1000, 5000)} == ends
    outputs = lines(beside["log"], "model_response")
    assert [{"model": "scripted", "temperature": 1}] * 2 == [output["request"] for output in outputs]
    assert [(1000, 1000), (5000, 5000)] == [(output["asked_at"], output["first_token_at"]) for output in outputs]
    assert verified(beside["log"])


def test_a_stream_in_javascript_shows_reasoning_as_the_log_has_it(found: dict[str, Any]) -> None:
    """Live and folded, the same parts with the same ids."""
    beside = found["beside"]
    live = [chunk for chunk in beside["chunks"] if chunk["type"].startswith("reasoning")]
    folded = [
        chunk for chunk in purestep_formats.project(beside["log"], "ai-sdk") if chunk["type"].startswith("reasoning")
    ]
    assert ["reasoning-start", "reasoning-delta", "reasoning-end"] == [chunk["type"] for chunk in live]
    assert folded == live
