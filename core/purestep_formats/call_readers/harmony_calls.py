"""Harmony messages: a header with a channel and a recipient, then a body that is a call, reasoning or an answer.

Sources: the chat template of gpt-oss; what vLLM documents of Muse (recipients `self` and `user`, calls in tags) and of
response templates whose arguments are tags alone (`to=NAME`, `<rfl:parameter name="k">`).
"""

import re
from typing import Final

from purestep.dialects import plain_name
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, LETTER, NAME
from purestep.scanner import CUT, MESSAGE, NOTHING, Block, BlockResult
from purestep.values import ReadCall, Tools

from .json_calls import NAMELESS, named_call
from .tagged_calls import read_tags

BEGUN_HEADER: Final = "to=functions."
"""A header whose beginning the chat template or a server took away."""

_RECIPIENT: Final = lazy_pattern(rf"to=[ \t]*(?:functions[.: ]?[ \t]*)?({NAME}+)", re.ASCII)
_BARE_HEADER: Final = lazy_pattern(rf"to=({LETTER}{DOTTED}*+)<\|message\|>", re.ASCII)
_CALL_TAG: Final = lazy_pattern(r"<(?:[a-z]+:)?(?:invoke|function|function_calls|tool_call)\b", re.ASCII)
_CHANNEL: Final = "<|channel|>"
_KINDS: Final = ("json", "code")
_TEMPLATE: Final = ("", "assistant")


def shows(head: str) -> bool:
    """Whether the body of a message with this header is meant for the reader."""
    return _recipient(head) in ("", "user") and "analysis" not in head and not _is_nameless(head)


def shows_begun(head: str) -> bool:
    """Whether the same holds of a header without its beginning."""
    return shows(BEGUN_HEADER + head)


def answers(head: str) -> bool:
    """Whether the body of a message with this header is the answer, in which nothing is a call."""
    return _recipient(head) == "user" or head.rpartition(_CHANNEL)[2].lstrip(BLANK).startswith("final")


def has_answer_message(text: str) -> bool:
    """Whether a text has a message whose header says that it is the answer, which is meant as it stands."""
    return _ANSWER_HEADER.search(text) is not None


_ANSWER_HEADER: Final = lazy_pattern(r"<\|channel\|>[ \t]{0,8}final|to=user[ \t]{0,8}<\|message\|>")


def _is_nameless(head: str) -> bool:
    """Whether the header of a call names no tool: JSON on the channel that calls are made on."""
    return "commentary" in head and "<|constrain|>" in head and not _recipient(head)


def read_harmony(block: Block, tools: Tools | None) -> BlockResult:
    """Read one harmony message that is not visible text: a call, or the analysis."""
    head, separator, body = block.inner.partition(MESSAGE)
    if block.marker == BEGUN_HEADER:
        head = BEGUN_HEADER + head
    if not separator:
        return _read_without_tokens(head, tools)
    recipient = _recipient(head)
    if _is_nameless(head):
        return BlockResult(problems=(NAMELESS,))
    if recipient in ("", "self", "user"):
        return read_thought(block._replace(inner=body), tools)
    name = plain_name(recipient, tools)
    if not block.closed and not body.strip(BLANK):
        return BlockResult(problems=(CUT,))
    if body.lstrip(BLANK)[:1] == "<":
        tagged = body if _CALL_TAG.match(body.lstrip(BLANK)) else f'<invoke name="{name}">{body}'
        return read_tags(block._replace(inner=tagged), tools)
    result = named_call(name, body, tools, closed=block.closed)
    if result.calls or "analysis" not in head:
        return result
    if tools is not None and name not in tools:
        return BlockResult(calls=(ReadCall(tool=name, params={}),), reasoning=body)  # no such tool
    return BlockResult(reasoning=body)


def read_thought(block: Block, tools: Tools | None) -> BlockResult:
    """Read reasoning, which a header of a call or of the answer may end without a marker of its own."""
    found = _BARE_HEADER.search(block.inner)
    if found is None:
        return BlockResult(reasoning=block.inner)
    thought, body = block.inner[: found.start()], block.inner[found.end() :]
    if found[1] == "user":
        return BlockResult(reasoning=thought, content=body)
    result = read_harmony(block._replace(inner=block.inner[found.start() :], marker=""), tools)
    return BlockResult(calls=result.calls, problems=result.problems, reasoning=thought)


def _read_without_tokens(head: str, tools: Tools | None) -> BlockResult:
    """Read a header that no body follows: cut, or a call of a known tool without the special tokens."""
    begin = head.find("{")
    name = _recipient(head[: max(begin, 0)])
    for kind in _KINDS:
        if tools is not None and name not in tools:
            name = name.removesuffix(kind)
    if tools is not None and name in tools and "<|" not in head[:begin]:
        result = named_call(name, head[begin:], tools, closed=False)
        if result.calls:
            return result
    return NOTHING if head.strip(BLANK) in _TEMPLATE else BlockResult(problems=(CUT,))


def _recipient(head: str) -> str:
    found = _RECIPIENT.search(head)
    if found is None or found[1] in ("assistant", "all"):
        return ""
    return found[1].removeprefix("functions.")
