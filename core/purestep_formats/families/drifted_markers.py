"""Markers that drifted from their family's own spelling, and those of forms that prompts teach.

Sources: what llama.cpp reads of DeepSeek, vLLM and SGLang of Hunyuan, MiniCPM, Muse and response templates; the chat
templates of Kimi K3, Inkling and InternLM; Qwen-Agent's and Functionary's prompts.
"""

import re
from typing import Final

from purestep.bounds import MAX_SHORT_NAME_CHARS
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.names import DOTTED, name_up_to
from purestep.scanner import FENCE_BEGUN, Block, BlockResult, BlockStart, any_prefix
from purestep.values import Tools

from ..call_readers import (
    ACTION_CALLS,
    ANGLED,
    DEEPSEEK_CALLS,
    FLOWERS_CALLS,
    LOW_BAR,
    NAMELESS,
    XTML,
    answers,
    read_any_form,
    read_bare_python,
    read_block,
    read_harmony,
    shows,
)
from .family_markers import HARMONY, read_section, tagged, thought
from .prompted_calls import ACTION_LABEL, LABELLED, NAKED, REACT, TOOLS
from .unmarked_calls import BARE_PYTHON, OBJECT, OBJECT_BEGUN, read_object

INKLING_TEXT: Final = BlockStart(
    mark="<|content_invoke_tool_text|>", closers=("<|end_message|>",), scan="tagged", read=read_block
)
TO_USER: Final = BlockStart(mark="to=user<|message|>", scan="none", answers=lambda _head: True)
_RECIPIENT: Final = name_up_to(MAX_SHORT_NAME_CHARS, DOTTED)
ROLE: Final = BlockStart(
    # The recipient in a header whose beginning the chat template wrote.
    pattern=rf"(?P<inner>)to=(?!self<|user<|functions\.){_RECIPIENT}[ ]?"
    r"(?=<\|(?:channel|constrain|message)\|>)",
    partial=rf"{any_prefix('to=')}|to={_RECIPIENT}[ ]?"
    rf"(?:{any_prefix('<|channel|>')}|{any_prefix('<|constrain|>')}|{any_prefix('<|message|>')})?",
    first_chars="t",
    scan="message",
    closers=HARMONY[0].closers,
    before=("<|start|>",),
    read=read_harmony,
    shows=shows,
    answers=answers,
)
KIMI_SECTION: Final = BlockStart(
    pattern=r"<\|open\|>[ ]?tools[ ]?<\|sep\|>(?P<inner>)",
    partial="(?!)",  # that of the other tags has it
    first_chars="<",
    closers=("<|close|>tools<|sep|>", "<|close|> tools <|sep|>"),
    before=("<|close|>message<|sep|>",),
    read=read_section,
    values=XTML.values,
)

DEEPSEEK_DRIFT: Final = BlockStart(
    # The tokens with blanks, underscores or ASCII bars, and Markdown's escapes, for what their own spelling is not.
    pattern=rf"<[｜|]tool(?!▁)(?!(?<=<｜tool)_calls?_begin){LOW_BAR}calls?{LOW_BAR}begin[｜|]>(?P<inner>)",
    partial=rf"<[｜|]?|<[｜|]{any_prefix('tool')}|<[｜|]tool{LOW_BAR}(?:{any_prefix('calls')})?|<[｜|]tool\\?|"
    rf"<[｜|]tool{LOW_BAR}calls?(?:\\|{LOW_BAR}(?:{any_prefix('begin')})?|{LOW_BAR}begin[｜|])",
    first_chars="<",
    closers=tuple(f"<{bar}tool{low}calls{low}end{bar}>" for bar in ("｜", "|") for low in ("_", " ", "\\_")),
    scan="json",
    read=DEEPSEEK_CALLS.read,
)
DEEPSEEK_ENDS: Final = BlockStart(
    pattern=rf"<[｜|]tool(?:{LOW_BAR}(?:calls?|outputs?){LOW_BAR}end|[▁ ]calls)[｜|]>(?P<inner>)",
    partial=rf"<[｜|]tool{LOW_BAR}(?:{any_prefix('calls')}|{any_prefix('outputs')})|"
    rf"<[｜|]tool{LOW_BAR}(?:calls?|outputs?)(?:\\|{LOW_BAR}(?:{any_prefix('end')})?|{LOW_BAR}end[｜|]|[｜|])",
    first_chars="<",
    scan="none",
)
_SUFFIX: Final = "[A-Za-z0-9_-]{1,24}"
"""What each of Hunyuan's tokens ends in from version 3 on."""

_SUFFIXED: Final = lazy_pattern(rf"<(/?)(arg_key|arg_value|tool_sep|parameter|tool_call):{_SUFFIX}>", re.ASCII)


def _read_suffixed(block: Block, tools: Tools | None) -> BlockResult:
    return read_any_form(block._replace(inner=_SUFFIXED.sub(r"<\1\2>", block.inner)), tools)


SUFFIXED: Final = (
    BlockStart(
        pattern=rf"<tool_call:{_SUFFIX}>(?P<inner>)",
        partial=rf"{any_prefix('<tool_call:')}|<tool_call:{_SUFFIX}",
        first_chars="<",
        before=("</tool_call:", "<tool_call:", "</tool_calls:"),
        read=_read_suffixed,
        values=ANGLED.values,
    ),
    BlockStart(
        pattern=rf"<think:(?!opensource>|6124c78e>){_SUFFIX}>(?P<inner>)",
        partial=rf"{any_prefix('<think:')}|<think:{_SUFFIX}",
        first_chars="<",
        before=("</think:",),
        read=lambda block, _: BlockResult(reasoning=block.inner),
    ),
    BlockStart(
        pattern=rf"(?:(?:</?tool_calls|</tool_call|</think(?!:opensource>|:6124c78e>)):{_SUFFIX}>|"
        rf"<｜hy_[A-Za-z]{{1,16}}(?::{_SUFFIX})?｜>)(?P<inner>)",
        partial=rf"{any_prefix('<tool_calls:')}|{any_prefix('</tool_calls:')}|{any_prefix('</tool_call:')}|{any_prefix('</think:')}|"
        rf"(?:</?tool_calls|</tool_call|</think):{_SUFFIX}|{any_prefix('<｜hy_')}|"
        rf"<｜hy_[A-Za-z]{{1,16}}(?::(?:{_SUFFIX})?)?｜?",
        first_chars="<",
        scan="none",
    ),
)
"""Hunyuan's tokens from version 3 on, with what they end in."""


def _read_collapsed(block: Block, tools: Tools | None) -> BlockResult:
    marker, inner = (text.replace("\u0120", " ").replace("\u010a", "\n") for text in (block.marker, block.inner))
    return read_any_form(block._replace(marker=marker.lstrip(BLANK), inner=inner), tools)


COLLAPSED: Final = BlockStart(
    # MiniCPM's tag without its blank, or with the tokenizer's characters for blanks and line breaks.
    pattern="(?:[\u0120\u010a]{1,8}<function[\u0120 ]?|<function\u0120?)name=(?P<inner>)",
    partial=rf"[\u0120\u010a]{{1,8}}(?:{any_prefix('<function')})?|"
    rf"[\u0120\u010a]{{0,8}}<function[\u0120 ]?(?:{any_prefix('name=')})?",
    first_chars="\u0120\u010a<",
    closers=("</function>",),
    before=("<function name=", "<functionname=", "<function\u0120name="),
    read=_read_collapsed,
)
FLOWERS: Final = (
    BlockStart(
        mark="\u273fFUNCTION\u273f",
        scan="balanced",
        before=("\u273fFUNCTION\u273f", "\u273fRESULT\u273f", "\u273fRETURN\u273f"),
        read=FLOWERS_CALLS.read_one,
    ),
    BlockStart(
        pattern="\u273fRETURN\u273f[:\uff1a](?P<inner>)",
        partial=any_prefix("\u273fRETURN\u273f"),
        first_chars="\u273f",
        scan="none",
    ),
)
ACTIONS: Final = (
    tagged("<|action_start|><|action_name|>", "<|action_end|>", scan="json", read=ACTION_CALLS.read),
    tagged(
        "<|action_start|><|interpreter|>", "<|action_end|>", read=lambda _block, _: BlockResult(problems=(NAMELESS,))
    ),
)
SOLAR_OPEN: Final = (
    tagged("<|think|>", "<|end|>", read=thought),
    BlockStart(
        mark="<|begin|>assistant",  # the header of the model's own messages
        scan="none",
    ),
)
FUNCTIONARY_ALL: Final = BlockStart(
    pattern=r">>>all\n(?P<inner>)", partial=any_prefix(">>>all"), first_chars=">", scan="none"
)
PROMPTED: Final = (
    tagged("<tool_use>", "</tool_use>", scan="tagged", read=read_any_form),
    tagged("<tool_request>", "</tool_request>", scan="tagged", read=read_any_form),
    tagged("[TOOL_REQUEST]", "[END_TOOL_REQUEST]", scan="json", read=read_block),
    BlockStart(mark="<functioncall>", scan="balanced", before=("<functioncall>",), read=read_block),
    TOOLS,
    LABELLED,
    REACT,
)

ACTION: Final = BlockStart(
    pattern=rf"{ACTION_LABEL}(?P<inner>){OBJECT.pattern}",
    partial=rf"{any_prefix('Action:')}|{ACTION_LABEL}(?:{FENCE_BEGUN})?(?:{OBJECT_BEGUN})?",
    first_chars="A",
    scan="balanced",
    read=read_object,
)
ACTION_PYTHON: Final = BlockStart(
    pattern=ACTION_LABEL + BARE_PYTHON.pattern,
    partial=f"{ACTION_LABEL}{BARE_PYTHON.partial}",
    first_chars="A",
    scan="python",
    read=read_bare_python,
    stops=True,
)
ALL: Final = (
    TO_USER,
    ROLE,
    INKLING_TEXT,
    KIMI_SECTION,
    DEEPSEEK_DRIFT,
    DEEPSEEK_ENDS,
    *SUFFIXED,
    COLLAPSED,
    *FLOWERS,
    *ACTIONS,
    *PROMPTED,
    FUNCTIONARY_ALL,
    *NAKED,
    *SOLAR_OPEN,
    ACTION,
    ACTION_PYTHON,
)
