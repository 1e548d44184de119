"""Known tokenizers: what their weights estimate, beside their own counts of texts that they were not fitted to."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.agent import compile_agent
from purestep.values import Message
from purestep.window import ANY_TOKENIZER, counter_by, longest_start, weighted_tokens
from purestep.window.sizes import message_tokens
from purestep_formats.token_weights import TOKENIZERS
from tests.core.agents import ADD
from tools.window.estimates import kinds

COUNTED = {
    "smollm2": {"English": 256, "German": 472, "French": 384, "Spanish": 384, "Russian": 696, "Chinese": 452},
    "o200k": {"English": 252, "German": 248, "French": 272, "Spanish": 256, "Russian": 280, "Chinese": 211},
    "cl100k": {"English": 252, "German": 348, "French": 308, "Spanish": 316, "Russian": 476, "Chinese": 324},
    "llama3": {"English": 252, "German": 348, "French": 308, "Spanish": 316, "Russian": 329, "Chinese": 215},
}
JSON = {"smollm2": 1652, "o200k": 1362, "cl100k": 1362, "llama3": 1362}


@pytest.mark.parametrize("tokenizer", COUNTED)
def test_weights_estimate_what_the_tokenizer_counts(tokenizer: str) -> None:
    """Within 15 % for the small model's own, and 17 % for the three that servers have."""
    texts, most = kinds(), 15 if tokenizer == "smollm2" else 17
    for kind, tokens in {**COUNTED[tokenizer], "JSON": JSON[tokenizer]}.items():
        estimated = weighted_tokens(texts[kind], TOKENIZERS[tokenizer])
        assert abs(estimated - tokens) * 100 <= most * tokens, kind


@given(st.text(st.characters(codec="utf-8")), st.integers(0, 60), st.sampled_from([ANY_TOKENIZER, *TOKENIZERS]))
def test_start_of_a_text_keeps_to_its_tokens(text: str, tokens: int, known: Any) -> None:
    """Cut by an estimate, a text has at most the tokens asked for."""
    counter = known if known is ANY_TOKENIZER else counter_by(TOKENIZERS[known])
    assert counter.text(text[: longest_start(text, tokens, counter)]) <= tokens


def _models(*models: dict[str, Any]) -> dict[str, Any]:
    return {"tools": [ADD], "models": [{"window_tokens": 4096, **model} for model in models]}


@pytest.mark.parametrize(
    ("models", "tokenizer"),
    [
        ([{"name": "a", "profile": {"tokenizer": "llama3"}}], "llama3"),
        ([{"name": "gpt-5-mini", "profile": "server"}], "o200k"),
        ([{"name": "openai/gpt-4.1", "profile": "openrouter"}], "o200k"),
        ([{"name": "gpt-4-turbo", "profile": "server"}], "cl100k"),
        ([{"name": "llama3.2:1b", "profile": "ollama"}], "llama3"),
        ([{"name": "SmolLM2-360M-Instruct", "profile": {}}], "smollm2"),
        ([{"name": "gpt-5"}], None),
        ([{"name": "qwen3", "profile": "server"}], None),
        ([{"name": "gpt-5", "profile": "server"}, {"name": "gpt-4-turbo", "profile": "server"}], None),
        ([{"name": "gpt-5-mini", "profile": "server"}, {"name": "gpt-5", "profile": "server"}], "o200k"),
    ],
)
def test_tokenizer_is_that_of_all_models(models: list[dict[str, Any]], tokenizer: str | None) -> None:
    """By a profile, or the beginning of a name; sizes of a run hold for each of its models."""
    counter = compile_agent(json.dumps(_models(*models))).counter
    expected = ANY_TOKENIZER if tokenizer is None else counter_by(TOKENIZERS[tokenizer])
    message = Message(role="user", content='Wie wird das Wetter in Z\u00fcrich? {"a": 17}')
    assert message_tokens(message, expected) == message_tokens(message, counter)
    assert expected.prompt == counter.prompt


def test_unknown_tokenizer_is_refused_with_its_place() -> None:
    """What is meant is named."""
    with pytest.raises(purestep.PurestepError) as caught:
        compile_agent(json.dumps(_models({"name": "a", "profile": {"tokenizer": "lama3"}})))
    assert ("invalid_agent", "/models/0/profile/tokenizer") == (caught.value.code, caught.value.path)
    assert 'did you mean "llama3"?' in caught.value.message
