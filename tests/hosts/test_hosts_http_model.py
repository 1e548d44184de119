"""The HTTP model against a real llama.cpp server."""

from __future__ import annotations

import json
from typing import Any

import pytest

from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpModel, completions_url
from tests.hosts.asking import observed


def ask(text: str = "Say hello.", max_tokens: int = 8, **more: object) -> ModelRequest:
    """Return a short request."""
    sampling = {"temperature": 0, "max_tokens": max_tokens, "seed": 1}
    return ModelRequest(messages=[{"role": "user", "content": text}], sampling=sampling, **more)  # type: ignore[arg-type]


@pytest.fixture
def model(llama_url: str) -> HttpModel:
    """A model behind the llama.cpp server."""
    return HttpModel(completions_url(llama_url), model="any", api_key="right-key")


def test_streamed_text_adds_up_to_the_content(model: HttpModel) -> None:
    """What the reader saw, joined, is the content of the observation, and usage is counted."""
    seen: list[str] = []
    output = observed(model, ask(), seen.append)
    assert output["type"] == "model_output"
    assert output["content"] == "".join(seen)
    assert len(seen) > 1
    assert output["finish_reason"] == "length"
    assert output["usage"]["completion_tokens"] == 8


def test_model_name_in_the_reply_is_no_path(model: HttpModel) -> None:
    """The name that reaches the log is the model's, not a place on this machine."""
    assert observed(model, ask())["model"] == "SmolLM2-135M-Instruct.Q4_1"


def test_grammar_is_enforced(model: HttpModel) -> None:
    """A grammar reaches llama.cpp and decides the text."""
    assert observed(model, ask(grammar='root ::= "yes"'))["content"] == "yes"


def test_schema_is_enforced(model: HttpModel) -> None:
    """A JSON schema reaches llama.cpp and decides the shape."""
    schema = {
        "type": "object",
        "properties": {"a": {"const": 1}},
        "required": ["a"],
        "additionalProperties": False,
    }
    wanted = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    output = observed(model, ask(max_tokens=40, response_format=wanted))
    assert json.loads(output["content"]) == {"a": 1}


def test_reader_can_stop_the_generation(model: HttpModel) -> None:
    """A true answer of the reader ends the reply, and the server goes on serving."""
    seen: list[str] = []
    observed(model, ask(max_tokens=200), lambda text: not seen.append(text))
    assert len(seen) == 1
    assert observed(model, ask())["finish_reason"] == "length"


def test_long_prompt_is_an_overflow(model: HttpModel) -> None:
    """A prompt past the window is recognised and both sizes are told."""
    output = observed(model, ask("word " * 2000))
    assert output["code"] == "overflow"
    assert not output["retryable"]
    assert "1024 tokens" in output["message"]


def test_bad_grammar_is_refused(model: HttpModel) -> None:
    """A request that the server cannot use is no reason to try again."""
    output = observed(model, ask(grammar="root ::= ("))
    assert (output["code"], output["retryable"]) == ("refused", False)


@pytest.mark.parametrize("key", ["wrong-secret", None])
def test_wrong_key_is_named_but_not_shown(llama_url: str, key: str | None) -> None:
    """The message says to check the key and never holds it."""
    output = observed(HttpModel(completions_url(llama_url), model="any", api_key=key), ask())
    assert (output["code"], output["retryable"]) == ("unavailable", False)
    assert "OPENAI_API_KEY" in output["message"]
    assert "wrong-secret" not in output["message"]


def test_wrong_path_says_to_check_the_base_url(llama_url: str) -> None:
    """A 404 points at the base URL."""
    output = observed(HttpModel(f"{llama_url}/nowhere", model="any", api_key="right-key"), ask())
    assert (output["code"], output["retryable"]) == ("unavailable", False)
    assert "base URL" in output["message"]


def test_tool_messages_are_accepted(model: HttpModel) -> None:
    """A transcript with a call and its result passes through unchanged."""
    call = {"id": "c1", "type": "function", "function": {"name": "add", "arguments": "{}"}}
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "What is 2 plus 3?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "5"},
    ]
    output = observed(model, ModelRequest(messages=messages, sampling={"max_tokens": 4}))
    assert output["type"] == "model_output"
