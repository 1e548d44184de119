"""Drifts: what fine-tunes, small models, servers and cut outputs make of a call as its family writes it."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from purestep.scanner.reasoning import REASONING
from purestep_formats.written_forms import python_literal

from .forms import DIALECTS, ESCAPED, JSON, OBJECTS, head_of, json_of, last_of, tail_of

Make = Callable[[str, str, dict[str, Any]], str | None]
"""Family, its text and the arguments in it to the text as it drifted; None where the drift cannot be."""


class Drift(NamedTuple):
    """A drift: how it is made, and the content and reasoning beside the call, which stays the call it is."""

    make: Make
    content: str | None = None
    reasoning: str | None = None


def _beside(before: str, after: str, content: str | None = None) -> Drift:
    return Drift(lambda _family, text, _params: f"{before}{text}{after}", content)


def _of(families: list[str], make: Make) -> Make:
    return lambda family, text, params: make(family, text, params) if family in families else None


def _arguments(change: Callable[[str, dict[str, Any]], str]) -> Make:
    """Return the drift that writes the arguments' JSON otherwise."""

    def make(_family: str, text: str, params: dict[str, Any]) -> str | None:
        before = json_of(params)
        return text.replace(before, change(before, params)) if before in text else None

    return _of(JSON, make)


def _without(part: Callable[[str], str], where: str) -> Make:
    def make(family: str, text: str, _params: dict[str, Any]) -> str | None:
        gone = part(family)
        if not gone.strip():
            return None
        return text.removesuffix(gone) if where == "end" else text.removeprefix(gone)

    return make


def _thought_before(begin: str, end: str) -> Make:
    """Return the drift that thinks first and drafts the call there."""

    def make(_family: str, text: str, _params: dict[str, Any]) -> str | None:
        return None if end in text else f"{begin}Perhaps {text}?{end}\n\n{text}"

    return make


def _named(name: str) -> Make:
    """Return the drift of the tool's name; ids that hold one already are left as they are."""

    def make(_family: str, text: str, _params: dict[str, Any]) -> str | None:
        return None if "functions.save" in text else text.replace("save", name, 1)

    return make


def _inside(before: str, after: str) -> Make:
    """Return the drift that puts something between the outer markers and what is in them."""

    def make(family: str, text: str, _params: dict[str, Any]) -> str | None:
        head, tail = head_of(family), last_of(family)
        if not head or not tail or not text.startswith(head) or "{" not in text[len(head) : len(head) + 2]:
            return None
        return f"{head}{before}{text[len(head) : len(text) - len(tail)]}{after}{tail}"

    return make


def _is_nested(params: dict[str, Any]) -> bool:
    """Whether an object has objects in it whose members no schema names: a bracket more could belong anywhere."""
    return "where" in params


def _spaced(old: str, new: str) -> Make:
    def make(_family: str, text: str, params: dict[str, Any]) -> str | None:
        return text.replace(old, new) if old in text and old not in _strings(params) else None

    return make


def _strings(value: Any) -> str:
    """Return all strings of a value as one: a drift of markup must leave what they hold."""
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return " ".join(map(_strings, inner))


def _quoted_as_text(family: str, text: str, params: dict[str, Any]) -> str | None:
    before = json_of(params)
    return (
        text.replace(before, json.dumps(before, ensure_ascii=False)) if family in OBJECTS and before in text else None
    )


def _indented(before: str, params: dict[str, Any]) -> str:
    return json.dumps(params, ensure_ascii=False, indent=2, sort_keys=True)


NO_HEAD = ["gemma3", "apertus", "minicpm5", "deepseek_v3", "harmony"]
"""A fence is no marker; an object keyed by its tool needs its marker; one tag alone; a section whose calls have their
own; a header that says nothing without its beginning."""

NO_END = ["glm", "longcat"]
"""Only the end of the block ends a call with keys: without it, more of them may have been meant."""

# A value that Qwen's form begins on the tag's own line keeps the line break at its end: it may be the value's.
DRIFTS: dict[str, Drift] = {
    "as_written": Drift(lambda _family, text, _params: text),
    # Text around.
    "text_before": _beside("I look it up.\n", "", "I look it up."),
    "text_before_on_the_line": _beside("I look it up: ", "", "I look it up:"),
    "text_after": _beside("", "\nThat is it.", "That is it."),
    "brackets_after": _beside("", "\nSee {this}, [that] and (those).", "See {this}, [that] and (those)."),
    "brackets_before": _beside("Given {x}, [y] and 1 < 2:\n", "", "Given {x}, [y] and 1 < 2:"),
    "odd_quote_before": _beside("It's 5\" wide.\n", "", "It's 5\" wide."),
    "bold_before": _beside("**Action:** ", "", "**Action:**"),
    "json_before": _beside('{"a": 1}\n', "", '{"a": 1}'),
    "code_before": _beside("```\nx = {1: [2]}\n```\n", "", "```\nx = {1: [2]}\n```"),
    "code_after": _beside("", "\n```python\nprint({1: [2]})\n```", "```python\nprint({1: [2]})\n```"),
    "result_after": _beside("", "\n<tool_response>\nnoon\n</tool_response>\nIt is noon."),
    "blanks_around": Drift(lambda _f, text, _p: f"\n\n {text} \n\n"),
    # Reasoning before.
    **{f"reasoning_{begin}": Drift(_thought_before(begin, end), reasoning="Perhaps") for begin, end in REASONING},
    "analysis_before": Drift(
        _of(["harmony"], lambda _f, text, _p: f"<|channel|>analysis<|message|>Perhaps.<|end|><|start|>assistant{text}"),
        reasoning="Perhaps",
    ),
    "begun_in_reasoning": Drift(lambda _f, text, _p: f"Perhaps so.\n</think>\n\n{text}", None, "Perhaps so."),
    "thought_between": _beside("I look.\n<think>Which?</think>\n", "", "I look.\n<think>Which?</think>"),
    "empty_reasoning": Drift(lambda _f, text, _p: f"<think>\n\n</think>\n\n{text}", None, ""),
    # Markers missing, doubled, or spaced otherwise.
    "no_last_marker": Drift(_of([name for name in DIALECTS if name not in NO_END], _without(last_of, "end"))),
    "no_end_markers": Drift(_of([name for name in DIALECTS if name not in NO_END], _without(tail_of, "end"))),
    "no_opening_marker": Drift(_of([name for name in DIALECTS if name not in NO_HEAD], _without(head_of, "begin"))),
    "last_marker_twice": Drift(
        _of([n for n in DIALECTS if n != "gemma3"], lambda f, text, _p: text + last_of(f) if last_of(f) else None)
    ),
    "end_of_turn": Drift(lambda _f, text, _p: f"{text}<|im_end|>"),
    "no_newline_after_tags": Drift(_of([name for name in DIALECTS if name != "qwen_xml"], _spaced(">\n", ">"))),
    "no_newline_before_tags": Drift(_spaced("\n<", "<")),
    "more_newlines": Drift(_of(ESCAPED, _spaced("\n", "\n\n"))),
    "carriage_returns": Drift(_spaced("\n", "\r\n")),
    # The arguments' JSON.
    "indented": Drift(_arguments(_indented)),
    "single_quotes": Drift(_arguments(lambda _before, params: repr(params))),
    "python_words": Drift(_arguments(lambda _before, params: python_literal(params))),
    "trailing_comma": Drift(_arguments(lambda before, _params: f"{before[:-1]},}}")),
    "comments": Drift(_arguments(lambda before, _params: f"{{ // why\n/* how */ {before[1:]}")),
    "names_without_quotes": Drift(
        _arguments(lambda before, params: before.replace('"text":', "text:") if "text" in params else before)
    ),
    "no_closing_brace": Drift(_arguments(lambda before, _params: before[:-1])),
    "as_json_text": Drift(_quoted_as_text),
    "brace_too_many": Drift(
        _of(
            ["hermes_json", "mistral", "deepseek_v31", "kimi_k2", "internlm", "gemma3", "generic_json"],
            lambda _f, text, params: None if _is_nested(params) else re.sub(r"\}(?=[^}]*$)", "}}", text),
        )
    ),
    "garbage_after": Drift(
        _of(
            ["hermes_json", "internlm"],
            lambda _f, text, params: None if _is_nested(params) else re.sub(r"\}(?=[^}]*$)", "}}}.0000", text),
        )
    ),
    # Names.
    "functions_prefix": Drift(_named("functions.save")),
    # Fences.
    "fence_around": Drift(lambda f, text, _p: None if "```" in text else f"```\n{text}\n```"),
    "json_fence_around": Drift(_of(JSON, lambda f, text, _p: None if "```" in text else f"```json\n{text}\n```")),
    "fence_inside": Drift(_of([n for n in OBJECTS if tail_of(n) and n != "gemma3"], _inside("```json\n", "\n```"))),
    "space_inside": Drift(_inside(" \n ", " \n ")),
}
"""Each by its name; the call is the same in all of them."""
