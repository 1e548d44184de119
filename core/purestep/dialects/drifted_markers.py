"""Markers that drifted from their family's own spelling, and those of forms that prompts teach.

Sources: what llama.cpp reads of DeepSeek, vLLM and SGLang of Hunyuan, MiniCPM, Muse and response templates; the chat
templates of Kimi K3, Inkling and InternLM; Qwen-Agent's and Functionary's prompts.
"""

from typing import Any, Final

from ..bounds import MAX_SHORT_NAME_CHARS
from ..names import DOTTED, name_up_to
from ..scanner import BlockResult, BlockStart
from .begun import begun
from .element_calls import read_elements
from .family_markers import HARMONY
from .harmony_calls import answers, read_harmony, shows
from .json_calls import NAMELESS, read_block
from .marked_calls import LOW_BAR, read_action, read_deepseek, read_flowers
from .prompted_calls import LABELLED, NAKED, REACT, TOOLS
from .respelled_tags import TOKEN_SUFFIX, read_collapsed, read_section, read_suffixed, unwrapping
from .tag_syntax import ANGLED, XTML


def _between(mark: str, closer: str, **members: Any) -> BlockStart:
    return BlockStart(mark=mark, closers=(closer,), before=(mark,), **members)


INKLING_TEXT: Final = BlockStart(
    mark="<|content_invoke_tool_text|>", closers=("<|end_message|>",), scan="tagged", read=read_block
)
TO_USER: Final = BlockStart(mark="to=user<|message|>", scan="none", answers=lambda _head: True)
_RECIPIENT: Final = name_up_to(MAX_SHORT_NAME_CHARS, DOTTED)
ROLE: Final = BlockStart(
    # The recipient in a header whose beginning the chat template wrote.
    pattern=rf"(?P<inner>)to=(?!self<|user<|functions\.){_RECIPIENT}[ ]?"
    r"(?=<\|(?:channel|constrain|message)\|>)",
    partial=rf"{begun('to=')}|to={_RECIPIENT}[ ]?"
    rf"(?:{begun('<|channel|>')}|{begun('<|constrain|>')}|{begun('<|message|>')})?",
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
    partial=rf"<[｜|]?|<[｜|]{begun('tool')}|<[｜|]tool{LOW_BAR}(?:{begun('calls')})?|<[｜|]tool\\?|"
    rf"<[｜|]tool{LOW_BAR}calls?(?:\\|{LOW_BAR}(?:{begun('begin')})?|{LOW_BAR}begin[｜|])",
    first_chars="<",
    closers=tuple(f"<{bar}tool{low}calls{low}end{bar}>" for bar in ("｜", "|") for low in ("_", " ", "\\_")),
    scan="json",
    read=read_deepseek,
)
DEEPSEEK_ENDS: Final = BlockStart(
    pattern=rf"<[｜|]tool(?:{LOW_BAR}(?:calls?|outputs?){LOW_BAR}end|[▁ ]calls)[｜|]>(?P<inner>)",
    partial=rf"<[｜|]tool{LOW_BAR}(?:{begun('calls')}|{begun('outputs')})|"
    rf"<[｜|]tool{LOW_BAR}(?:calls?|outputs?)(?:\\|{LOW_BAR}(?:{begun('end')})?|{LOW_BAR}end[｜|]|[｜|])",
    first_chars="<",
    scan="none",
)
SUFFIXED: Final = (
    BlockStart(
        pattern=rf"<tool_call:{TOKEN_SUFFIX}>(?P<inner>)",
        partial=rf"{begun('<tool_call:')}|<tool_call:{TOKEN_SUFFIX}",
        first_chars="<",
        before=("</tool_call:", "<tool_call:", "</tool_calls:"),
        read=read_suffixed,
        values=ANGLED.values,
    ),
    BlockStart(
        pattern=rf"<think:(?!opensource>|6124c78e>){TOKEN_SUFFIX}>(?P<inner>)",
        partial=rf"{begun('<think:')}|<think:{TOKEN_SUFFIX}",
        first_chars="<",
        before=("</think:",),
        read=lambda block, _: BlockResult(reasoning=block.inner),
    ),
    BlockStart(
        pattern=rf"(?:(?:</?tool_calls|</tool_call|</think(?!:opensource>|:6124c78e>)):{TOKEN_SUFFIX}>|"
        rf"<｜hy_[A-Za-z]{{1,16}}(?::{TOKEN_SUFFIX})?｜>)(?P<inner>)",
        partial=rf"{begun('<tool_calls:')}|{begun('</tool_calls:')}|{begun('</tool_call:')}|{begun('</think:')}|"
        rf"(?:</?tool_calls|</tool_call|</think):{TOKEN_SUFFIX}|{begun('<｜hy_')}|"
        rf"<｜hy_[A-Za-z]{{1,16}}(?::(?:{TOKEN_SUFFIX})?)?｜?",
        first_chars="<",
        scan="none",
    ),
)
"""Hunyuan's tokens from version 3 on, with what they end in."""

COLLAPSED: Final = BlockStart(
    # MiniCPM's tag without its blank, or with the tokenizer's characters for blanks and line breaks.
    pattern="(?:[\u0120\u010a]{1,8}<function[\u0120 ]?|<function\u0120?)name=(?P<inner>)",
    partial=rf"[\u0120\u010a]{{1,8}}(?:{begun('<function')})?|"
    rf"[\u0120\u010a]{{0,8}}<function[\u0120 ]?(?:{begun('name=')})?",
    first_chars="\u0120\u010a<",
    closers=("</function>",),
    before=("<function name=", "<functionname=", "<function\u0120name="),
    read=unwrapping(read_collapsed),
)
FLOWERS: Final = (
    BlockStart(
        mark="\u273fFUNCTION\u273f",
        scan="balanced",
        before=("\u273fFUNCTION\u273f", "\u273fRESULT\u273f", "\u273fRETURN\u273f"),
        read=read_flowers,
    ),
    BlockStart(
        pattern="\u273fRETURN\u273f[:\uff1a](?P<inner>)",
        partial=begun("\u273fRETURN\u273f"),
        first_chars="\u273f",
        scan="none",
    ),
)
ACTIONS: Final = (
    _between("<|action_start|><|action_name|>", "<|action_end|>", scan="json", read=read_action),
    _between(
        "<|action_start|><|interpreter|>", "<|action_end|>", read=lambda _block, _: BlockResult(problems=(NAMELESS,))
    ),
)
FUNCTIONARY_ALL: Final = BlockStart(
    pattern=r">>>all\n(?P<inner>)", partial=begun(">>>all"), first_chars=">", scan="none"
)
PROMPTED: Final = (
    _between("<tool_use>", "</tool_use>", scan="tagged", read=read_elements),
    _between("<tool_request>", "</tool_request>", scan="tagged", read=read_elements),
    _between("[TOOL_REQUEST]", "[END_TOOL_REQUEST]", scan="json", read=read_block),
    BlockStart(mark="<functioncall>", scan="balanced", before=("<functioncall>",), read=read_block),
    TOOLS,
    LABELLED,
    REACT,
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
)
