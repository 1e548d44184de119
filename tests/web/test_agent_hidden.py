"""The loop in JavaScript gives hidden texts to the named tool only, and writes and shows them nowhere."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import purestep

HERE = Path(__file__).parent
KEY = "sk-proj-0123456789abcdefGHIJ"
MAIL = "bob.miller@mail.example.org"
CARD = "4111111111111111"
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
DEFINITION: dict[str, Any] = {
    "tools": [{"name": name, "parameters": TEXT} for name in ("log_in", "post")],
    "policies": [{"use": "redaction", "kinds": ["secrets", "emails", "card_numbers"], "reveal": ["log_in"]}],
}


@pytest.fixture(scope="module")
def played(node: str, package: Path) -> dict[str, Any]:
    """What came of the run, and of the same one taken up by another agent."""
    case = {"definition": DEFINITION, "query": f"Log in with {KEY} and tell me who I am.", "mail": MAIL}
    command = [node, HERE / "agent_hidden.mjs", package, json.dumps(case)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_nothing_written_or_shown_has_the_texts(played: dict[str, Any]) -> None:
    """The log, the checkpoint, what the model is asked, and results as they are shown."""
    texts = {name: json.dumps(played[name]) for name in ("log", "checkpoint", "asked", "shown", "ended")}
    leaked = [(name, each) for name, text in texts.items() for each in (KEY, MAIL, CARD) if each in text]

    assert [] == leaked
    assert ("done", "[hidden email ") == (played["ended"]["type"], played["ended"]["answer"][8:22])
    assert purestep.verify(played["log"]).ok


def test_digits_of_other_numbers_stay(played: dict[str, Any]) -> None:
    """A number past what JavaScript counts to passes through exactly."""
    assert '"number":12345678901234567890' in played["log"]


def test_the_named_tool_has_the_text_and_a_host_without_it_runs_nothing(played: dict[str, Any]) -> None:
    """The same run in another agent: the call comes back with a result of the core."""
    results = [json.loads(line) for line in played["log"].splitlines() if '"kind":"tool_result"' in line]
    called = [
        json.loads(line)["arguments"]["text"] for line in played["log"].splitlines() if '"kind":"tool_call"' in line
    ]

    assert called[0] == called[1] == results[0]["output"]["text"] == results[1]["output"]["text"]
    assert [["log_in", KEY], ["post", called[0]]] == played["given"]
    assert (False, True) == (played["lost"][0]["ok"], "not known here any more" in played["lost"][0]["error"])
