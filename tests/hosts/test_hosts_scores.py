"""Scores of choices from a real model: in this process and behind llama.cpp's server, in whole runs."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

import purestep
import purestep_formats
from purestep_hosts.effects import model_request
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.models.model import Model, ModelRequest, chat_body
from purestep_hosts.models.openai_http import HttpModel, completions_url
from purestep_hosts.output_gate import OutputGate
from purestep_hosts.show.rows import EventRows

TEXT = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}
AGENT: dict[str, Any] = {
    "tools": [
        {"name": "note_add", "description": "Save a note", "parameters": TEXT},
        {"name": "note_search", "description": "Search for a note", "parameters": TEXT},
    ],
    "models": [{"name": "m", "carry": "ground", "supports": ["json_schema", "scores"]}],
    "sampling": {"temperature": 0, "seed": 1},
}


@pytest.fixture(params=["in process", "over HTTP"])
def model(request: pytest.FixtureRequest) -> Model:
    """The default model, on either way."""
    if request.param == "in process":
        local: LlamaCppModel = request.getfixturevalue("local_model")
        return local
    return HttpModel(completions_url(request.getfixturevalue("llama_url")), model="any", api_key="right-key")


def test_a_tie_is_decided_by_the_scores_of_the_model(model: Model) -> None:
    """Each choice gets its log-probability, nothing is shown, and the log names the tool that was chosen."""
    agent = purestep.Agent.load(AGENT)
    first = purestep.start(agent, purestep.UserMessage(content="a note please: I am late"), "r")
    assert isinstance(first.decision, purestep.CallModel)
    shown: list[str] = []

    class Watcher:
        def on_text(self, text: str) -> None:
            shown.append(text)

        def on_retract(self) -> None:
            shown.clear()

    gate = OutputGate(purestep_formats.open_reply(first.state, model.name), Watcher())
    request = model_request(first.decision, list(first.messages))
    observation = gate.close(model.complete(request, gate))
    assert isinstance(observation, purestep.ModelOutput)
    assert observation.scores is not None
    assert set(observation.scores) == {"", "note_add", "note_search"}
    assert all(score < 0 for score in observation.scores.values())
    assert shown == []
    then = purestep.step(first.state, observation)
    decided = [json.loads(line) for line in then.log.splitlines()][1]
    assert (decided["kind"], decided["reason"]) == ("decided", "scored")


def test_the_terminal_shows_scores_and_what_they_chose() -> None:
    """The token that came with them is no output."""
    agent = purestep.Agent.load(AGENT)
    first = purestep.start(agent, purestep.UserMessage(content="a note please: I am late"), "r")
    scores = {"": -4.5, "note_add": -0.25, "note_search": -2.0}
    then = purestep.step(first.state, purestep.ModelOutput(content="add", scores=scores))
    rows = EventRows()
    shown = [(row.label, row.text) for _, event in purestep.read_events(then.log) for row in rows.rows(event)]
    assert shown[:2] == [("scores", json.dumps(scores)), ("chosen", "note_add, note_search, by how sure the model was")]


def test_a_request_for_log_probabilities_asks_for_those_of_its_tokens() -> None:
    """Beside its sampling, and of no other tokens."""
    request = ModelRequest(messages=[], sampling={"temperature": 0}, logprobs=True)
    body = chat_body(request, "m")
    assert (0, True, 1) == (body["temperature"], body["logprobs"], body["top_logprobs"])


def test_only_a_request_with_choices_asks_for_probabilities() -> None:
    """Choices take the place of the sampling, whose temperature would change what is scored."""
    plain = ModelRequest(messages=[], sampling={"temperature": 0})
    body = chat_body(msgspec.structs.replace(plain, choices=("note", "none")), "m")
    assert chat_body(plain, "m").keys().isdisjoint({"logprobs", "logit_bias"})
    assert (body["temperature"], body["max_tokens"], body["logit_bias"]) == (1, 1, [["note", 100], ["none", 100]])
