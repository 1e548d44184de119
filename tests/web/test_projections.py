"""Projections as the npm packages read them: AG-UI's schemas and order of events, the AI SDK's chunks and messages."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from purestep import project
from tests.core.projections.logs import LOGS

HERE = Path(__file__).parent


def approvals(log: str) -> dict[str, dict[str, Any]]:
    """Give the answers of people by the key that they name."""
    lines = [json.loads(line) for line in log.splitlines()]
    answers = [line for line in lines if line["kind"] == "approval"]
    return {each["key"]: {name: each[name] for name in ("approved", "reason") if name in each} for each in answers}


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
    program = [node, str(HERE / "projections.mjs")]
    done = subprocess.run(program, input=json.dumps(given), capture_output=True, text=True, check=True, timeout=120)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("name", LOGS)
def test_the_packages_refuse_nothing(name: str, found: dict[str, Any]) -> None:
    """Schemas, the order of events, the fold of chunks and the messages all hold."""
    assert [] == found[name]["problems"]


@pytest.mark.parametrize("name", LOGS)
def test_messages_are_what_the_sdk_makes_of_the_chunks(name: str, found: dict[str, Any]) -> None:
    """The stored messages are those that a client had after the streams."""
    stored, folded = found[name]["stored"], [message for message in found[name]["folded"] if message["parts"]]
    assert [message["id"] for message in stored] == [message["id"] for message in folded]
    assert [message["parts"] for message in stored] == [message["parts"] for message in folded]
