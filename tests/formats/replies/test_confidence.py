"""How sure a model was, summed up from the log-probabilities of a reply's tokens; odd ones say nothing."""

import json
from typing import Any

import pytest

import purestep
import purestep_formats
from purestep import Agent, Confidence, ModelOutput, UserMessage

END = '{"choices":[{"delta":{},"finish_reason":"stop"}]}'

CALLED = [
    ('{"', -1e-7), ("tool", -0.098), ('":', 0.0), (' "', -0.002), ("stock", -0.25), ("_", 0.0), ("get", -0.01),
    ('",', -1e-7), (' "', 0.0), ("args", 0.0), ('":', 0.0), (' {"', 0.0), ("sk", -0.5), ("u", 0.0), ('":', 0.0),
    (' "', 0.0), ("TX", -0.75), ('"', 0.0), ("}}", -0.01),
]  # fmt: skip
"""As llama.cpp streams a call in the dialect `compact`."""


def entry(token: str, logprob: Any) -> dict[str, Any]:
    """Return what llama.cpp tells of one token."""
    told = {"id": 7, "token": token, "bytes": list(token.encode()), "logprob": logprob}
    return {**told, "top_logprobs": [told]}


def chunk(token: str, logprob: Any) -> dict[str, Any]:
    """Return the chunk of one token."""
    return {"delta": {"content": token}, "logprobs": {"content": [entry(token, logprob)]}}


def told(*choices: dict[str, Any], dialect: str = "compact", supports: tuple[str, ...] = ("logprobs",)) -> Any:
    """Return how sure the model was by a reply of these choices."""
    models = [{"name": "m", "supports": list(supports)}]
    agent = Agent.load({"dialect": dialect, "models": models, "policies": [{"use": "confidence"}]})
    state = purestep.start(agent, UserMessage(content="How many TX?"), "r").state
    reply = purestep_formats.open_reply(state)
    for part in [*[json.dumps({"choices": [each]}) for each in choices], END]:
        reply, _ = purestep_formats.feed_reply(reply, part)
    observation, _ = purestep_formats.close_reply(reply)
    assert isinstance(observation, ModelOutput)
    return observation.confidence


def streamed(tokens: list[tuple[str, Any]], **given: Any) -> Any:
    """Return how sure the model was by a reply of these tokens, one in a chunk."""
    return told(*[chunk(*each) for each in tokens], **given)


def test_a_call_is_summed_in_three_parts() -> None:
    """The branch up to the key, the name with its quotes, and the rest; to two decimals."""
    assert Confidence(branch=-0.1, name=-0.26, args=-1.26) == streamed(CALLED)


@pytest.mark.parametrize("size", [1, 2, 5, 19])
def test_tokens_may_come_together(size: int) -> None:
    """A chunk may have several tokens, and a whole reply has all of them."""
    parts = [CALLED[at : at + size] for at in range(0, len(CALLED), size)]
    choices = [
        {"delta": {"content": "".join(token for token, _ in part)}, "logprobs": {"content": [entry(*t) for t in part]}}
        for part in parts
    ]
    assert streamed(CALLED) == told(*choices)


@pytest.mark.parametrize("key", ["ask", "answer"])
def test_a_question_and_an_answer_have_no_name(key: str) -> None:
    """What is said counts as the rest."""
    tokens = [('{"', 0.0), (key, -0.2), ('":', 0.0), (' "', 0.0), ("To", -0.5), (' whom?"', -0.5), ("}", 0.0)]
    assert Confidence(branch=-0.2, name=0, args=-1.0) == streamed(tokens)


def test_the_envelope_is_summed_too() -> None:
    """Its kind is the branch."""
    tokens = [
        ('{"kind"', -0.1),
        (':"tool', -0.2),
        ('_call"', -0.1),
        (',"tool_name"', 0),
        (':"add"', -0.5),
        (',"arguments":{}}', -1),
    ]
    assert Confidence(branch=-0.4, name=-0.5, args=-1) == streamed(tokens, dialect="envelope")
    tokens = [('{"kind":"', -0.1), ('final"', -0.2), (',"content":"ok"}', -3)]
    assert Confidence(branch=-0.3, name=0, args=-3) == streamed(tokens, dialect="envelope")


def test_a_character_of_several_tokens_leaves_its_number_out() -> None:
    """llama.cpp sends the whole character with its last token alone."""
    tokens = [('{"', 0.0), ("answer", -0.2), ('":', 0.0), (' "', 0.0)]
    last = {"delta": {"content": "😀"}, "logprobs": {"content": [entry("\ufffd", -0.5)]}}
    assert Confidence(branch=-0.2, name=0, args=-0.5) == told(*[chunk(*each) for each in tokens], last, chunk('"}', 0))


@pytest.mark.parametrize("logprob", [None, "0", 1, 0.01, True, [], {}])
@pytest.mark.parametrize("at", [0, 4, 16])
def test_a_token_without_a_log_probability_leaves_all_unsaid(logprob: Any, at: int) -> None:
    """A sum without one of its parts says too much."""
    tokens: list[tuple[str, Any]] = [*CALLED]
    tokens[at] = (tokens[at][0], logprob)
    assert streamed(tokens) is None


@pytest.mark.parametrize("logprobs", [None, {}, [], "x", {"content": None}, {"content": []}, {"content": [3]}])
@pytest.mark.parametrize("at", [0, 4, 16])
def test_text_without_tokens_leaves_all_unsaid(logprobs: Any, at: int) -> None:
    """Fewer tokens than text are not all that was decided."""
    choices = [chunk(*each) for each in CALLED]
    choices[at] = {**choices[at], "logprobs": logprobs}
    assert told(*choices) is None


@pytest.mark.parametrize(
    "tokens",
    [
        [("It is 42.", -0.1)],
        [('{"name":', -0.1), ('"add"', -0.1), (',"arguments":{}}', -0.1)],
        [("<tool_call>", 0), ('{"tool": "add"', 0), (', "args": {}}', 0)],
        [*CALLED, *CALLED],
        CALLED[:-1],
        CALLED[:6],
        [('{"tool": "', 0), ("x" * 600, 0), ('", "args": {}}', 0)],
        [],
    ],
)
def test_what_is_no_single_object_of_a_decision_says_nothing(tokens: list[tuple[str, Any]]) -> None:
    """Other forms, two objects, and one that is cut have no branch and name to weigh."""
    assert streamed(tokens) is None


def test_tokens_of_another_text_say_nothing() -> None:
    """What was decided has to stand in the text as it came."""
    choices = [chunk(*each) for each in CALLED]
    choices[4]["delta"]["content"] = "mail"
    assert told(*choices) is None


def test_a_probability_of_zero_is_the_lowest_number() -> None:
    """llama.cpp writes the lowest 32-bit number for its logarithm."""
    tokens: list[tuple[str, Any]] = [*CALLED]
    tokens[4] = ("stock", -3.4028234663852886e38)
    assert -1_000_000 == streamed(tokens).name


@pytest.mark.parametrize("supports", [(), ("scores",)])
def test_a_model_that_was_not_asked_is_not_weighed(supports: tuple[str, ...]) -> None:
    """Numbers that a server gives unasked stay out of the log."""
    assert streamed(CALLED, supports=supports) is None


def test_what_a_model_adapter_says_itself_stands() -> None:
    """A model that makes its own observation knows how sure it was."""
    agent = Agent.load({"models": [{"name": "m", "supports": ["logprobs"]}], "policies": [{"use": "confidence"}]})
    reply = purestep_formats.open_reply(purestep.start(agent, UserMessage(content="hi"), "r").state)
    own = ModelOutput(content="ok", confidence=Confidence(branch=-1, name=0, args=0))
    observation, _ = purestep_formats.close_reply(reply, own)
    assert own.confidence == observation.confidence
