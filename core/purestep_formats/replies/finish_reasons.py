"""Why a reply ended: what servers call it, in the words of chat completions.

A reason that is not known is no good end: it may say that the reply was withheld or broken off.
Sources: API references of OpenAI, Anthropic, Google, Mistral, Cohere, DeepSeek, Zhipu, Amazon Bedrock; the servers
vLLM, SGLang, llama.cpp, Ollama, LM Studio, text-generation-inference.
"""

from typing import Final

GOOD_ENDS: Final = ("stop", "tool_calls")
"""Reasons of a reply that is whole."""

_CALLED: Final[dict[str, tuple[str, ...]]] = {
    "stop": (
        *("stop", "eos", "eos_token", "end_of_sequence", "end_turn", "stop_sequence", "stop_str", "stop_token"),
        *("stop_criteria_met", "complete", "completed", "finished", "end", "done"),
    ),
    "tool_calls": ("tool_calls", "tool_call", "tool_use", "function_call"),
    "length": (
        *("length", "max_tokens", "max_length", "model_length", "max_output_tokens", "max_tokens_reached"),
        *("model_context_window_exceeded", "context_length_exceeded", "token_limit", "error_limit"),
    ),
    "content_filter": (
        *("content_filter", "content_filtered", "safety", "refusal", "recitation", "blocklist", "prohibited_content"),
        *("spii", "model_armor", "language", "image_safety", "sensitive", "guardrail_intervened", "error_toxic"),
    ),
}
_KNOWN: Final = {name: reason for reason, names in _CALLED.items() for name in names}


def reason_of(given: str) -> str | None:
    """Return a reason in the words of chat completions; one that is not known as it is, and None for an empty one."""
    return _KNOWN.get(given.lower(), given) or None  # ascii: names in an API


def is_whole(reason: str) -> bool:
    """Whether a reply with this reason is one that the model gave: whole, or said to be cut off or withheld."""
    return reason in _CALLED
