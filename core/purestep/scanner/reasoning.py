"""Reasoning, split off before anything else is read: a draft in it is never a call and never an answer.

A chat template may have opened the reasoning block, so a text can start inside it; the first closing tag shows that,
or the host says so (`OPENED`).
Source: the chat templates of the families named.
"""

from typing import Final

from ..bounds import MAX_BLOCK_START_CHARS
from ..json_text import BLANK, WHITE_SPACE
from .markers import Table, is_words
from .position import Position

REASONING: Final = (
    ("<think>", "</think>"),  # Qwen, DeepSeek, GLM, Kimi, SmolLM and most others
    ("[THINK]", "[/THINK]"),  # Mistral
    ("<seed:think>", "</seed:think>"),  # Seed-OSS
    ("<mm:think>", "</mm:think>"),  # MiniMax M3
    ("<thought>", "</thought>"),
    ("<thinking>", "</thinking>"),  # prompts of many models
    ("<|begin_of_thought|>", "<|end_of_thought|>"),  # OpenThinker, Sky
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
    *(
        (f"{begin} my thought process:", f"{end} my response:")  # Granite 3
        for begin in ("Here is", "Here's")
        for end in ("Here is", "Here's")
    ),
)
"""The tags around reasoning."""

_TITLE: Final = {"<|channel>": "thought"}
"""What follows a tag on its line and is no part of the reasoning: Gemma names its channel."""

SECTIONS: Final = ("<|tool_calls_section_begin|>", "<|tool_call_section_begin|>")
"""What ends reasoning that is not closed: Kimi K2 begins its calls without a closing tag."""

_ENDED_BY_SECTIONS: Final = ("", "<think>", "\u25c1think\u25b7")

OPENED: Final = Position(mode="reasoning", maybe_reasoning=False)
"""The beginning of a text whose reasoning the chat template opened: the tag is not in the text."""

THINKING: Final = Table((), reasoning=REASONING)
"""The markers of reasoning alone."""


def is_token(tag: str) -> bool:
    """Tell a tag that is one token, which no text holds by chance, from one of characters."""
    return "|" in tag or "\u25b7" in tag


def ends_of(table: Table, tag: str) -> tuple[str, ...]:
    """Return what ends the reasoning that a tag began; without a tag, which the template wrote, any family's end."""
    return table.reasoning[tag] if tag else (*table.reasoning_ends, _MESSAGE_END)


_MESSAGE_END: Final = "<|end|>"
"""What ends a harmony message whose header is in the prompt."""


def section_in(table: Table, tag: str, inner: str) -> int | None:
    """Return where the section of calls begins that ends reasoning without a closing tag; None without any."""
    if tag not in _ENDED_BY_SECTIONS or SECTIONS[0] not in table.by_mark:
        return None
    return min((place for mark in SECTIONS if (place := inner.find(mark)) >= 0), default=None)


def reasoning_text(tag: str, inner: str) -> str:
    """Return the reasoning between a tag and its end without the tag's title."""
    title = _TITLE.get(tag)
    if title is None or inner.rstrip(BLANK) == title:
        return inner if title is None else ""
    return inner.removeprefix(title + "\n")


def leading_reasoning(text: str, *, opened: bool) -> int:
    """Return how many characters of a text are reasoning that it begins with, and the white space around it.

    None are where nothing follows. opened: the chat template opened the reasoning.
    """
    begin = len(text) - len(text.lstrip(WHITE_SPACE))
    found = THINKING.patterns.reasoning.match(text, begin)
    if found is None and not opened:
        return 0
    begin, tag = (begin, "") if found is None else (found.end(), found[0])
    ends = [place + len(end) for end in ends_of(THINKING, tag) if (place := text.find(end, begin)) >= 0]
    rest = text[min(ends, default=len(text)) :].lstrip(WHITE_SPACE)
    return len(text) - len(rest) if rest else 0


def open_reasoning(table: Table, position: Position, after: int, calls: Table) -> str:
    """Return what the reasoning that a text is in holds after this many characters; "" where it may be text.

    calls: the markers of the text after it: reasoning that nothing closes may end in calls, and ends before them.
    """
    tag = position.start_marker
    if position.mode != "reasoning" or not _is_certain(table, position):
        return ""
    title = _TITLE.get(tag)
    if title is None:
        return _before_calls(calls, position.parts, after)
    begin, *_ = (*position.parts, "")
    head = begin if len(begin) > len(title) + 1 else "".join(position.parts)
    if title.startswith(head.rstrip(BLANK)):
        return ""  # the title, or its beginning
    return _before_calls(calls, position.parts, after + len(head) - len(head.removeprefix(title + "\n")))


def _is_certain(table: Table, position: Position) -> bool:
    """Tell reasoning that stays reasoning also where nothing closes it."""
    tag = position.start_marker
    if not tag or is_token(tag):
        return True
    return not (position.shown or position.blocks or is_words(table.reasoning[tag][0]))


def _before_calls(calls: Table, parts: tuple[str, ...], after: int) -> str:
    """Return a text after so many characters, up to the first marker of a call or what may become one."""
    if calls.begins_call(_behind(parts, after, MAX_BLOCK_START_CHARS)):
        return ""  # as at every chunk since: nothing of what follows needs to be looked at
    text = _behind(parts, after)
    return text[: calls.call_begin(text)]


def _behind(parts: tuple[str, ...], after: int, most: int | None = None) -> str:
    """Return a text after so many characters, or the first of it, without putting all of it together."""
    pieces: list[str] = []
    begin = sum(map(len, parts))
    last = begin if most is None else after + most
    for part in reversed(parts):
        if begin <= after:
            break
        begin -= len(part)
        if begin < last:
            pieces.append(part[max(0, after - begin) : last - begin])
    return "".join(reversed(pieces))
