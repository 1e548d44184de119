"""Reasoning, split off before anything else is read: a draft in it is never a call and never an answer.

A chat template may have opened the tag already, so a text can also begin inside; then the first closing tag tells.
Source: the chat templates of the families named.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from ..values import Reading, Tools
from .collect import read_segments
from .markers import Table
from .position import START, Position

REASONING: Final = (
    ("<think>", "</think>"),  # Qwen, DeepSeek, GLM, Kimi, SmolLM and most others
    ("[THINK]", "[/THINK]"),  # Mistral
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("<mm:think>", "</mm:think>"),  # MiniMax M3
    ("<thought>", "</thought>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),  # Cohere
    ("<|inner_prefix|>", "<|inner_suffix|>"),  # Apertus
    ("<|channel>", "<channel|>"),  # Gemma 4
    ("<longcat_think>", "</longcat_think>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),  # Kimi K3
    ("<|open|> think <|sep|>", "<|close|> think <|sep|>"),
    ("<|think:start|>", "<|think:end|>"),  # Solar
    *((f"<ifm|{word}>", f"</ifm|{word}>") for word in ("think", "think_fast", "think_faster")),  # K2 Horizon
    ("<|plamo:begin_think:plamo|>", "<|plamo:end_think:plamo|>"),  # PLaMo 3
    ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),  # Apriel
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),  # Kimi-VL
)
"""The tags around reasoning."""

THINKING: Final = Table((), reasoning=REASONING)
"""Tells reasoning from text, and nothing else."""

Reader = Callable[[str, Tools | None], Reading]


def read_with_reasoning(read: Reader, text: str, tools: Tools | None, begin: Position = START) -> Reading:
    """Read a text, whole or from a place on, by a dialect's reader, its reasoning split off first."""
    if text[:1] == "{" or not THINKING.opening.search(text):
        return read(text, tools)
    split = read_segments(THINKING, text, tools, begin)
    if split.reasoning is None:
        return read(text, tools)
    if split.problems:
        return split
    return replace(read(split.content or "", tools), reasoning=split.reasoning)
