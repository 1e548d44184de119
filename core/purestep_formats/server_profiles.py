"""The table of profiles: how kinds of servers, and models by the beginnings of their names, want to be asked.

Each row has its source. What a row does not say is as for any server: it is given the tools, and what it refuses is
learnt from its error.
"""

from typing import Any, Final

from purestep.text import fold

_HOSTED: Final = ("tools", "json_schema", "tools_with_json_schema", "images", "files")

ROWS: Final[dict[str, dict[str, Any]]] = {
    # Any server of chat completions.
    "server": {"wire": "openai", "dialect": "native"},
    # https://platform.openai.com/docs/api-reference/responses, .../guides/structured-outputs
    "openai": {"wire": "responses", "dialect": "native", "supports": _HOSTED, "constraint": "strict"},
    # A server of Responses at another address.
    "openai-responses": {"wire": "responses", "dialect": "native"},
    # https://platform.openai.com/docs/api-reference/chat
    "openai-chat": {"wire": "openai", "dialect": "native", "supports": _HOSTED, "constraint": "strict"},
    # https://docs.claude.com/en/api/messages; the types of anthropic-sdk-python have no sampling
    "anthropic": {"wire": "anthropic", "dialect": "native", "refuses": ("temperature", "top_p", "top_k")},
    # https://ai.google.dev/api/generate-content
    "google": {"wire": "google", "dialect": "native"},
    # https://openrouter.ai/docs/api-reference/overview
    "openrouter": {"wire": "openai", "dialect": "native"},
    # https://console.groq.com/docs/openai
    "groq": {"wire": "openai", "dialect": "native"},
    # https://github.com/ollama/ollama/blob/main/docs/openai.md
    "ollama": {"wire": "openai", "dialect": "native"},
    # https://lmstudio.ai/docs/developer/openai-compat
    "lmstudio": {"wire": "openai", "dialect": "native"},
    # https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md: without it, one call an output
    "llama-server": {"wire": "openai", "dialect": "native", "parallel_calls": True},
    # https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
    "vllm": {"wire": "openai", "dialect": "native"},
}
"""Kinds of servers by name."""

_NO_SAMPLING: Final = (
    *("temperature", "top_p", "presence_penalty", "frequency_penalty"),
    *("top_k", "min_p", "repeat_penalty", "max_tokens"),
)

_OPEN: Final = ("open-mistral", "open-mixtral")
_UNSIGNED: Final = "skip_thought_signature_validator"
"""Google's word in place of a signature."""

MODELS: Final[tuple[tuple[tuple[str, ...], dict[str, Any]], ...]] = (
    # https://platform.openai.com/docs/guides/reasoning: no sampling, and `max_completion_tokens` for the limit
    (("o1", "o3", "o4", "gpt-5"), {"refuses": _NO_SAMPLING}),
    # https://github.com/openai/tiktoken/blob/main/tiktoken/model.py
    (("gpt-4o", "gpt-4.1", "gpt-5", "o1", "o3", "o4", "gpt-oss"), {"tokenizer": "o200k"}),
    (("gpt-4", "gpt-4-turbo", "gpt-3.5-turbo"), {"tokenizer": "cl100k"}),
    # https://www.llama.com/docs/model-cards-and-prompt-formats/llama3_1
    (("llama-3", "llama3", "meta-llama-3"), {"tokenizer": "llama3"}),
    # https://huggingface.co/HuggingFaceTB/SmolLM2-135M-Instruct
    (("smollm2",), {"tokenizer": "smollm2"}),
    # https://docs.x.ai/docs/guides/reasoning: refused with an error
    (("grok-4", "grok-3-mini"), {"refuses": ("presence_penalty", "frequency_penalty", "stop")}),
    # https://ai.google.dev/gemma/docs/core/prompt-structure: the templates of the first two raise an error
    (("gemma-2", "gemma2", "gemma-1", "gemma-7b", "codegemma"), {"system": "user", "roles": "alternate"}),
    # https://huggingface.co/google/gemma-3-27b-it (chat_template.json): "Conversation roles must alternate"
    (("gemma-3", "gemma3"), {"roles": "alternate"}),
    # https://github.com/mistralai/mistral-common (validator.py); the templates of the models raise the same error
    (
        (*("mistral", "mixtral", "ministral", "codestral", "devstral", "magistral", "pixtral", "voxtral"), *_OPEN),
        {"roles": "alternate", "call_id_chars": 9},
    ),
    # https://ai.google.dev/gemini-api/docs/thought-signatures: in place of one for calls of another model
    (("gemini-3",), {"call_extra": {"extra_content": {"google": {"thought_signature": _UNSIGNED}}}}),
    # https://huggingface.co/meta-llama/Llama-2-7b-chat-hf (tokenizer_config.json)
    (("llama-2", "llama2"), {"roles": "alternate"}),
)
"""Models by the beginning of their names, also after a provider's (`openai/o3-mini`)."""

_NAME_ENDS: Final = ("-", ".", ":")
"""What follows a beginning in the names of models."""


def members_of(kind: str | None, model: str) -> tuple[dict[str, Any], ...]:
    """Return the rows of a model and of a kind of server, the one that says more of it first; raises KeyError."""
    own = fold(model.rpartition("/")[2])
    rows = [members for starts, members in MODELS if any(_begins(own, start) for start in starts)]
    return (*rows, *(() if kind is None else (ROWS[kind],)))


def _begins(name: str, start: str) -> bool:
    return name == start or name.startswith(tuple([start + end for end in _NAME_ENDS]))
