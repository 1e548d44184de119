"""Projections as the npm packages read them: AG-UI's schemas and order of events, the AI SDK's chunks and messages."""

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep import StreamEvent
from purestep_formats import feed_projection, open_projection, project, stream_projection
from tests.formats.projections.logs import LOGS
from tools.vectors.scenarios.projections.projected import STREAMED

HERE = Path(__file__).parent


def innermost(line: dict[str, Any]) -> dict[str, Any]:
    """Return the line of the run that a line is of."""
    return innermost(line["line"]) if line["kind"] == "child" else line


def approvals(log: str) -> dict[str, dict[str, Any]]:
    """Return the answers of people by the key that they name, those to agents below too."""
    lines = [innermost(json.loads(line)) for line in log.splitlines()]
    answers = [line for line in lines if line["kind"] == "approval"]
    return {each["key"]: {name: each[name] for name in ("approved", "reason") if name in each} for each in answers}


def streamed(run: str, texts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the streams of a run whose first output was shown before its line was there."""
    lines, events = LOGS[run].splitlines(keepends=True), msgspec.convert(texts, list[StreamEvent])
    given: dict[str, Any] = {"messages": [], "approvals": {}}
    for member, form in (("ag_ui", "ag-ui"), ("chunks", "ai-sdk")):
        projection, begun = feed_projection(open_projection(form), "".join(lines[:2]))
        projection, shown = stream_projection(projection, events)
        given[member] = begun + shown + feed_projection(projection, "".join(lines[2:]))[1]
    return given


@pytest.fixture(scope="module")
def found(node: str) -> dict[str, Any]:
    """What the packages say of every log of the vectors."""
    given = {
        name: {
            "ag_ui": project(log, "ag-ui"),
            "chunks": project(log, "ai-sdk"),
            "messages": project(log, "ai-sdk-messages"),
            "approvals": approvals(log),
        }
        for name, log in LOGS.items()
    }
    given |= {f"streamed-{name}": streamed(*scenario) for name, scenario in STREAMED.items()}
    program = [node, str(HERE / "projections.mjs")]
    done = subprocess.run(program, input=json.dumps(given), capture_output=True, text=True, check=True, timeout=300)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


# All logs in one test, which lists those that differ by name: a test for each would cost more than the comparison.


def test_the_packages_refuse_nothing(found: dict[str, Any]) -> None:
    """Schemas, the order of events, the fold of chunks and the messages all hold, for every log."""
    assert [*LOGS, *(f"streamed-{name}" for name in STREAMED)] == [*found]
    assert {} == {name: said["problems"] for name, said in found.items() if said["problems"]}


def test_messages_are_what_the_sdk_makes_of_the_chunks(found: dict[str, Any]) -> None:
    """The stored messages are those that a client had after the streams, for every log."""
    stored = {name: [(message["id"], message["parts"]) for message in found[name]["stored"]] for name in LOGS}
    folded = {
        name: [(message["id"], message["parts"]) for message in found[name]["folded"] if message["parts"]]
        for name in LOGS
    }
    assert stored == folded
