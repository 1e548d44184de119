"""Reasoning, split off before anything else is read: a draft in it is never a call and never an answer.

A chat template may have opened the reasoning block, so a text can start inside it; the first closing tag shows that.
Source: the chat templates of the families named.
"""

from typing import Final

from .markers import Table

REASONING: Final = (
    ("<think>", "</think>"),  # Qwen, DeepSeek, GLM, Kimi, SmolLM and most others
    ("[THINK]", "[/THINK]"),  # Mistral
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("<mm:think>", "</mm:think>"),  # MiniMax M3
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),  # Reka
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Cohere
    ("<|inner_prefix|>", "<|inner_suffix|>"),  # Apertus
    ("<|channel>", "<channel|>"),  # Gemma 4
    ("<longcat_think>", "</longcat_think>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),  # Kimi K3
    ("<|open|> think <|sep|>", "<|close|> think <|sep|>"),
    ("<|think:start|>", "<|think:end|>"),  # Solar
    *((f"<think:{suffix}>", f"</think:{suffix}>") for suffix in ("opensource", "6124c78e")),  # Hunyuan 3 and 4
    *((f"<ifm|{word}>", f"</ifm|{word}>") for word in ("think", "think_fast", "think_faster")),  # K2 Horizon
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),  # PLaMo 3
    ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),  # Apriel
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),  # Kimi-VL
)
"""The tags around reasoning."""

_TITLES: Final = {"<|channel>": "thought\n"}
"""What follows a tag and is no part of the reasoning: Gemma names its channel."""

THINKING: Final = Table((), reasoning=REASONING)
"""The markers of reasoning alone."""


def reasoning_text(tag: str, inner: str) -> str:
    """Give the reasoning between a tag and its end without the tag's title."""
    return inner.removeprefix(_TITLES.get(tag, ""))
