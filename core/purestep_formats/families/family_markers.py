"""The markers of all families: what begins a call, how its block ends and who reads it; results; strays.

Sources: the chat templates of the families.
"""

from functools import partial
from typing import Any, Final

from purestep.bounds import MAX_SHORT_NAME_CHARS
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.scanner import NOTHING, TEXT, TURN_MARKS, Block, BlockResult, BlockStart
from purestep.values import Tools, truncated

from ..call_readers import (
    ANGLED,
    BEGUN_HEADER,
    BY_NAME,
    DEEPSEEK_CALLS,
    INLINE,
    KIMI_CALLS,
    KIMI_ENDS,
    PAIRS,
    PLAMO_CALLS,
    SOLAR_CALLS,
    SOLAR_TAGS,
    STRAY_BY_NAME,
    XTML,
    TagSyntax,
    answers,
    read_any_form,
    read_bare_python,
    read_block,
    read_gemma,
    read_harmony,
    read_mistral,
    read_tags,
    read_thought,
    shows,
    shows_begun,
)
from .family_forms import FAMILIES
from .prompted_calls import OBSERVATION

# --- readers of one family's own --------------------------------------------------------------------------


def read_section(block: Block, tools: Tools | None) -> BlockResult:
    """Read the calls of Kimi K3's section together, since a value in one of them may hold what looks like another."""
    inner = block.inner if block.marker.endswith("<|sep|>") else block.marker + block.inner
    if not inner.strip(BLANK) and block.closed:
        return BlockResult()
    block = block._replace(marker="")
    tags = XTML.tags_in(inner)
    if not any(tag.kind == "open" for tag in tags):
        inner = _XTML_JSON.sub("", inner)
    result = read_tags(block._replace(inner=inner), tools, XTML)
    begun = [tag for tag in tags if tag.kind == "call"]
    ends = [tag.end for tag in tags if tag.kind == "end"]
    if result.calls or len(begun) != 1 or not ends or ends[-1] < begun[0].end:
        return result
    # What stands around a single call has no meaning.
    return read_tags(block._replace(inner=inner[begun[0].start : ends[-1]]), tools, XTML)


_XTML_JSON: Final = lazy_pattern(r"<\|(?:open|close)\|>[ ]?json[^<>\n]{0,40}<\|sep\|>")
"""The tag around all arguments of a call of Kimi K3."""


def _underscored(block: Block, tools: Tools | None) -> BlockResult:
    """Read a section in tokens with underscores: tags are Step's, all else is DeepSeek's."""
    return read_tags(block, tools) if "steptml:" in block.inner else DEEPSEEK_CALLS.read(block, tools)


def thought(block: Block, _tools: Tools | None) -> BlockResult:
    """Read a block of reasoning."""
    return BlockResult(reasoning=block.inner, problems=() if block.closed else (_ENDLESS,))


_ENDLESS: Final = truncated("the reasoning does not end")


def _python_code(block: Block, tools: Tools | None) -> BlockResult:
    inner = block.inner.strip(BLANK)
    lines = [line.strip(BLANK) for line in inner.split("\n") if line.strip(BLANK)]
    if len(lines) > 1 and all(line.startswith("print(") and line.endswith(")") for line in lines):
        inner = f"[{', '.join(map(_printed, lines))}]"
    elif inner.startswith("print(") and inner.endswith(")"):
        inner = _printed(inner)
    return read_bare_python(Block(inner, True, True, block.marker), tools)


def _printed(line: str) -> str:
    return line.removeprefix("print(")[:-1]


# --- markers ----------------------------------------------------------------------------------------------


def tagged(mark: str, closer: str, **members: Any) -> BlockStart:
    """Return the start of a block between two markers, of which the first may begin the next block too."""
    return BlockStart(mark=mark, closers=(closer,), before=(mark,), **members)


def _calls(mark: str, closer: str, *before: str, syntax: TagSyntax = ANGLED, **members: Any) -> BlockStart:
    """Return the start of a block that is read by what stands in it; syntax: how its tags are spelled.

    A mark that is itself the beginning of a tag leads to tags only.
    """
    read = partial(read_any_form if mark.endswith(">") else read_tags, syntax=syntax)
    given = {"read": read, "before": before or (mark,), **members}
    return BlockStart(mark=mark, closers=(closer,), values=syntax.values, **given)


TAGGED: Final = (
    _calls("<tool_call>", "</tool_call>", scan="tagged"),
    _calls("<seed:tool_call>", "</seed:tool_call>", read=partial(read_tags, syntax=INLINE)),
    _calls("<function=", "</function>", "<function=", "</tool_call>"),
    _calls("<function name=", "</function>"),
    _calls("<invoke name=", "</invoke>"),
    _calls("<minimax:tool_call>", "</minimax:tool_call>", scan="tagged"),
    _calls("]<]minimax[>[<tool_call>", "]<]minimax[>[</tool_call>", syntax=BY_NAME),
    _calls("<function_calls>", "</function_calls>"),
    _calls("<atem:function_calls>", "</atem:function_calls>"),
    _calls("<dots_function_call>", "</dots_function_call>", scan="tagged"),
)


def _barred(*kinds: tuple[str, str]) -> tuple[BlockStart, ...]:
    """Return the starts of tags with a name between bars before their own: DeepSeek from V3.2 on, GigaChat 3.5."""
    return tuple(
        _calls(f"<{bar}{name}{bar}{kind}", f"</{bar}{name}{bar}{end}>", before=(), read=read_tags)
        for bar in ("｜", "|")
        for name in ("DSML", "GCML")
        for kind, end in kinds
    )


BARRED: Final = _barred(
    *(("function_calls>", "function_calls"), ("tool_calls>", "tool_calls"), ("invoke name=", "invoke")),
    *((" calls>", " calls"), (" invoke name=", " invoke")),
)


def _open(mark: str, **members: Any) -> BlockStart:
    """Return the start of a block that ends where its brackets are closed."""
    return BlockStart(mark=mark, before=(mark,), scan="balanced", **members)


TOKENS: Final = (
    *(
        BlockStart(
            mark=f"<{bar}{part}▁begin{bar}>",
            closers=(f"<{bar}{part}▁end{bar}>",),
            scan="json",
            read=DEEPSEEK_CALLS.read,
        )
        for bar in ("｜", "|")
        for part in ("tool▁calls", "tool▁call")
    ),
    *(
        BlockStart(mark=mark, closers=closers, before=before, scan="json", read=KIMI_CALLS.read)
        for mark, closers, before in (
            ("<|tool_calls_section_begin|>", KIMI_ENDS, ()),
            ("<|tool_call_section_begin|>", KIMI_ENDS, ()),
            ("<|tool_call_begin|>", ("<|tool_call_end|>",), KIMI_ENDS),
        )
    ),
    _open("[TOOL_CALLS]", skips=("[ARGS]", "[CALL_ID]"), read=read_mistral),
    BlockStart(
        mark="<|python_tag|>", closers=("<|eom_id|>", "<|eot_id|>"), before=("<|python_tag|>",), read=read_any_form
    ),
    BlockStart(mark="<|python_start|>", closers=("<|python_end|>",), scan="tagged", read=read_any_form, stops=True),
    tagged("<|tool_call_start|>", "<|tool_call_end|>", scan="tagged", read=read_any_form),
    tagged("<|tool_call>", "<tool_call|>", read=read_gemma, values=PAIRS),
    tagged("<start_function_call>", "<end_function_call>", read=read_gemma, values=PAIRS),
    BlockStart(mark="```tool_code\n", closers=("```",), read=_python_code),
    _open("<|tool_call|>", read=read_block),
    _open("<function_call>", read=read_block),
)
CODE: Final = BlockStart(
    mark="<code>",
    closers=("</code>",),
    read=lambda block, tools: _python_code(block, tools) if tools is not None else TEXT,
)
STEP: Final = (
    *(_calls(f"<｜tool_{part}_begin｜>", f"<｜tool_{part}_end｜>", read=_underscored) for part in ("calls", "call")),
    _calls("<steptml:invoke ", "</steptml:invoke>"),
)
_XTML_ENDS: Final = ("<|close|>tools<|sep|>", "<|close|> tools <|sep|>")
KIMI_XTML: Final = (
    BlockStart(
        pattern=r"<\|open\|>(?P<inner>)[ ]?call ",
        partial=r"<\|open\|>[ ]?(?:c(?:a(?:ll?)?)?)?",
        first_chars="<",
        closers=("<|close|>call<|sep|>", "<|close|> call <|sep|>"),
        before=("<|open|>call ", "<|open|> call ", *_XTML_ENDS),
        read=read_section,
        values=XTML.values,
    ),
    BlockStart(
        pattern=r'<\|(?:open|close)\|>[ ]?(?:message(?:[ ]role="[a-z]{0,12}")?|response|(?<=close\|>)tools|'
        r"(?<=close\|> )tools)[ ]?<\|sep\|>(?P<inner>)",
        partial=r'<\|(?:open|close)\|>[ ]?(?:[a-z]{1,8}(?:[ ](?:[a-z]{1,4}(?:="?[a-z]{0,12}"?)?)?)?'
        r"(?:<(?:\|(?:s(?:ep?)?)?)?|<\|sep\|)?)?",
        first_chars="<",
        scan="none",
    ),
)
SOLAR: Final = (
    _calls("<|tool_call:start|>", "<|tool_call:end|>", syntax=SOLAR_TAGS),
    BlockStart(
        mark="<|tool_call:begin|>",
        closers=("<|tool_call:end|>",),
        before=("<|tool_call:begin|>", "<|calls|>"),
        scan="json",
        read=SOLAR_CALLS.read,
    ),
)
_PLAMO: Final = "tool_request:plamo|>"
PLAMO: Final = tagged(f"<|plamo:begin_{_PLAMO}", f"<|plamo:end_{_PLAMO}", scan="json", read=PLAMO_CALLS.read)
_KINDS: Final = ("thinking", "text", "invoke_tool_json", "invoke_tool_text", "tool_error")
_INKLING: Final = tuple(f"<|content_{kind}|>" for kind in _KINDS)
INKLING: Final = (
    # A header, which may hold a name that the call repeats.
    BlockStart(mark="<|message_model|>", before=_INKLING, read=lambda block, _: NOTHING if block.closed else TEXT),
    tagged("<|content_thinking|>", "<|end_message|>", read=thought),
    BlockStart(mark="<|content_invoke_tool_json|>", closers=("<|end_message|>",), scan="json", read=read_block),
)
_TURN_ENDS: Final = ("<|eom|>", "<|eot|>")
TO_SELF: Final = BlockStart(mark="to=self<|message|>", closers=_TURN_ENDS, before=("<|start|>",), read=read_thought)
ENDS: Final = ("<|end|>", "<|call|>", "<|return|>")
HARMONY: Final = tuple(
    BlockStart(
        mark=mark,
        scan="message",
        closers=(*ENDS, *_TURN_ENDS),
        before=("<|start|>", "<|channel|>"),
        read=read_harmony,
        shows=shows_begun if mark == BEGUN_HEADER else shows,
        answers=answers,
    )
    for mark in ("<|start|>", "<|channel|>", BEGUN_HEADER)
)
JSON_LISTS: Final = (
    tagged("<TOOLCALL>", "</TOOLCALL>", scan="json", read=read_block),
    _calls("<tool_calls>", "</tool_calls>", scan="tagged"),
    tagged("<|START_ACTION|>", "<|END_ACTION|>", scan="json", read=read_block, stops=True),
    tagged("<|tools_prefix|>", "<|tools_suffix|>", scan="json", read=read_block, stops=True),
    tagged("<|action_start|><|plugin|>", "<|action_end|>", scan="json", read=read_block),
    tagged("<|action_start|> <|plugin|>", "<|action_end|>", scan="json", read=read_block),
    BlockStart(mark="function call<|role_sep|>", scan="balanced", read=read_block),
    _open("<|function_call|>", read=read_block),
)
KEYED: Final = tuple(
    _calls(f"<{name}>", f"</{name}>", scan="tagged")
    for name in ("longcat_tool_call", "iquest_tool_call", "iquestcoder_tool_call", "ifm|tool_call")
)


PREFIXED: Final = (
    _calls("<antml:function_calls>", "</antml:function_calls>"),
    _calls("<antml:invoke name=", "</antml:invoke>"),
    *_barred((" function_calls>", " function_calls"), (" tool_calls>", " tool_calls")),
)
"""Tags with a name before their own that other tags are known without, or with a blank between the two."""


# --- results that a model makes up ------------------------------------------------------------------------

_OTHERS: Final = (
    "</tool_response>", "<function_response", "<|START_TOOL_RESULT|>", "function result<|role_sep|>",
    *(f"<{bar}tool▁outputs▁begin{bar}>" for bar in ("｜", "|")), "<|tool▁output▁begin|>",
    *TURN_MARKS, "<|observation|>", "\u273fRESULT\u273f", OBSERVATION,
)  # fmt: skip
_MARKS: Final = sorted(
    {*_OTHERS, *(family.result[0].partition("\n")[0] for family in FAMILIES if family.result is not None)}
)
_RESULT_NAME: Final = f"[A-Za-z_][A-Za-z0-9_.-]{{0,{MAX_SHORT_NAME_CHARS - 1}}}"

RESULTS: Final = (
    *(BlockStart(mark=mark, scan="result") for mark in _MARKS),
    BlockStart(
        pattern=rf"(?:Result|Error) of {_RESULT_NAME}: (?P<inner>)",
        partial=r"R(?:e(?:s(?:u(?:lt?)?)?)?)?|E(?:r(?:r(?:or?)?)?)?|"
        rf"(?:Result|Error) (?:of?)?|(?:Result|Error) of (?:{_RESULT_NAME}:?)?",
        first_chars="RE",
        scan="result",
    ),
)
"""What begins a result, in the families' forms and in the words of dialects without a form of their own."""


# --- markers that a server or a template should have taken away -------------------------------------------

DROPPED: Final = (
    "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|endoftext|>", "<|role_end|>", "<end_of_turn>", "<turn|>",
    "<|end▁of▁sentence|>", "<｜end▁of▁sentence｜>", "<|message_sep|>", "<|end_message|>",
    "</tool_call>", "</tool_calls>", "</TOOLCALL>", "</minimax:tool_call>", "</seed:tool_call>", "<tool_call|>",
    "<end_function_call>", "<|tool_call_end|>", *KIMI_ENDS, "[/TOOL_CALLS]", "<|python_end|>",
    "<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|END_ACTION|>", "<|tools_suffix|>",
    *(f"<{bar}tool▁{part}{bar}>" for bar in ("｜", "|") for part in (
        "calls▁end", "call▁end", "outputs▁end", "output▁end")),
    "<｜tool_calls_end｜>", "<｜tool_call_end｜>",
    "<|content|>", "<|tool_calls|>", "<|calls|>", "<|flush|>",
    "<ifm|tool_calls>", "</ifm|tool_calls>", "<|END_OF_TURN_TOKEN|>",
    "<|plamo:begin_tool_requests:plamo|>", "<|plamo:end_tool_requests:plamo|>", "<|plamo:tag|>", "<|end_of_msg|>",
    "<|content_text|>", "<|content_model_end_sampling|>", "<|tool_call:end|>",
    "[|endofturn|]", "<|endofturn|>", "-> tool/function_call", "[END FINAL RESPONSE]", "<|action_end|>",
    *(closer for start in (*BARRED, *PREFIXED) for closer in start.closers),
    *ENDS, "<|message|>", "<|constrain|>", *_TURN_ENDS, "<|content_tool_error|>",
    "<|end_of_text|>", "<|end_of_turn|>", "<|assistant_end|>", "<|/tool_call|>", "<|im_sep|>", "<seed:eos>", "<_end>",
    "<eos>", "<sep>", "</longcat_s>", "[e~[", "<end_of_sentence>", "<beginning_of_sentence>",
    "</assistant>", "<|begin_of_box|>", "<|end_of_box|>", "<|begin_of_solution|>", "<|end_of_solution|>",
)  # fmt: skip

CLOSING: Final = (
    "</s>", "</function_call>", "</functioncall>", "</tool_use>",
    "</function>", "</function_calls>", "</invoke>", *(closer for start in KEYED for closer in start.closers),
)  # fmt: skip
"""Closing tags without a meaning after a call; elsewhere they are text."""

STRAY_PATTERNS: Final = (STRAY_BY_NAME,)
STRAYS: Final = (
    "</parameter>", "</param>", "</arg_value>", "</longcat_arg_value>", "</iquest_arg_value>", "</ifm|arg_value>",
    *(f"</{bar}{name}{bar}{b}parameter>" for bar in ("｜", "|") for name in ("DSML", "GCML") for b in ("", " ")),
    "</steptml:parameter>", "<|close|>argument<|sep|>", "<|close|> argument <|sep|>", "<|tool_arg:end|>",
    '<|"|>', "<escape>",
)  # fmt: skip
"""The ends of raw values: outside of a block, after a call, the sign that the call was cut inside of a value."""
