"""Scores of choices read from a reply: as llama.cpp and OpenAI tell them, odd ones left out (11.carry)."""

import json
from math import log
from typing import Any

import pytest

import purestep
import purestep_formats
from purestep import Agent, ModelOutput, UserMessage
from tests.core.steps.test_scored import QUESTION, REFUND, STATUS

END = '{"choices":[{"delta":{},"finish_reason":"length"}]}'


def told(first: Any, text: str = "status") -> ModelOutput:
    """Return the observation of a reply to a question for scores, and check that nothing of it was shown."""
    entry = {"name": "m", "carry": "ground", "supports": ["json_schema", "scores"]}
    agent = Agent.load({"tools": [STATUS, REFUND], "models": [entry]})
    state = purestep.start(agent, UserMessage(content=QUESTION), "r").state
    reply = purestep_formats.open_reply(state)
    chunk = {"choices": [{"delta": {"content": text}, "logprobs": first}]}
    for part in (json.dumps(chunk), END):
        reply, events = purestep_formats.feed_reply(reply, part)
        assert events == ()
    observation, events = purestep_formats.close_reply(reply)
    assert events == ()
    assert isinstance(observation, ModelOutput)
    return observation


def probs(**tokens: Any) -> dict[str, Any]:
    """Return what llama.cpp says of the first token."""
    return {"content": [{"token": "x", "top_probs": [{"token": each, "prob": p} for each, p in tokens.items()]}]}


def test_probabilities_are_summed_by_the_text_that_they_begin() -> None:
    """A label may begin with a token or with a part of one; other tokens belong to none."""
    scores = told(probs(stat=0.5, s=0.1, refund=0.25, none=0.125, nothing=0.1)).scores
    assert scores == {"order_status": round(log(0.6), 6), "order_refund": round(log(0.25), 6), "": round(log(0.125), 6)}


def test_logarithms_are_taken_too() -> None:
    """Servers with OpenAI's names give logarithms."""
    top = [{"token": "status", "logprob": -0.5}, {"token": "refund", "logprob": -1.0}, {"token": "no", "logprob": -3}]
    scores = told({"content": [{"token": "status", "logprob": -0.5, "top_logprobs": top}]}).scores
    assert scores == pytest.approx({"order_status": -0.5, "order_refund": -1.0, "": -3.0})


@pytest.mark.parametrize(
    "first",
    [
        None, {}, [], "x", {"content": None}, {"content": []}, {"content": [3]}, {"content": [{"top_probs": {}}]},
        probs(status="high"), probs(status=2), probs(status=-1), probs(status=None), probs(**{"": 0.9}),
        {"content": [{"top_probs": [None, 3, {"token": 3, "prob": 0.1}, {"prob": 0.1}]}]},
        {"content": [{"top_logprobs": [{"token": "status", "logprob": 1}, {"token": "status"}]}]},
    ],
)  # fmt: skip
def test_odd_probabilities_give_no_scores(first: Any) -> None:
    """What a server says in another shape counts as missing."""
    assert told(first).scores == {}


def test_a_reply_to_anything_else_has_no_scores() -> None:
    """Probabilities that nobody asked for are let pass."""
    reply, _ = purestep_formats.feed_reply(
        purestep_formats.open_reply(), json.dumps({"choices": [{"delta": {"content": "a"}, "logprobs": probs(a=1.0)}]})
    )
    observation, _ = purestep_formats.close_reply(purestep_formats.feed_reply(reply, END)[0])
    assert isinstance(observation, ModelOutput)
    assert observation.scores is None


def test_a_reply_with_scores_can_be_kept_as_json() -> None:
    """The reply so far crosses the JSON boundary, with the choices in it."""
    entry = {"name": "m", "carry": "ground", "supports": ["scores"]}
    output = json.loads(
        purestep.run_agent_step(
            json.dumps(
                {
                    "agent": {"tools": [STATUS, REFUND], "models": [entry]},
                    "run_id": "r",
                    "observation": {"type": "user_message", "content": QUESTION},
                }
            )
        )
    )
    reply = json.loads(purestep.receive_model_reply(json.dumps({"state": output["state"], "model": "m"})))["reply"]
    chunk = json.dumps({"choices": [{"delta": {"content": "status"}, "logprobs": probs(status=0.5, refund=0.5)}]})
    fed = json.loads(purestep.receive_model_reply(json.dumps({"reply": reply, "chunks": [chunk, END]})))
    ended = json.loads(
        purestep.receive_model_reply(
            json.dumps({"reply": fed["reply"], "text": "status", "end": {"type": "reply_end"}})
        )
    )
    assert set(ended["observation"]["scores"]) == {"order_status", "order_refund"}
