"""Reasoning in every family's form is split off as the family means it, whole and in pieces of every size."""

from typing import Any

import pytest

from purestep.entry.standalone import read_text, specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.scanner import REASONING
from purestep.scanner.reasoning import is_token
from purestep.values import StreamCall, StreamRetract

TOOLS: list[dict[str, Any]] = [
    {
        "name": "gw",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
CALL = '<tool_call>{"name": "gw", "arguments": {"city": "Bern"}}</tool_call>'
KIMI = (
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.gw:0<|tool_call_argument_begin|>{"city": "Bern"}'
    "<|tool_call_end|><|tool_calls_section_end|>"
)
ONE = [("gw", {"city": "Bern"})]
PAIRS = [pair for pair in REASONING if not pair[1].startswith("Here")]
"""Tags that are more than words."""

Split = tuple[str | None, str | None, list[tuple[str, Any]]]
"""Content, reasoning, calls."""


def _split(text: str) -> Split:
    """Return how a text is split; its stream shows and calls the same, in pieces of every size up to 24."""
    reading = read_text(text, "auto", TOOLS)
    calls = [(call["tool"], call["params"]) for call in reading.calls]
    for size in (*range(1, 25), len(text) or 1):
        stream, events = stream_of("auto", specs_of(TOOLS)), list[Any]()
        for at in range(0, len(text), size):
            stream, more = feed(stream, text[at : at + size])
            events += more
        events += close_stream(stream)
        retracts = [number for number, event in enumerate(events) if isinstance(event, StreamRetract)]
        events = events[retracts[-1] + 1 :] if retracts else events
        shown = "".join(event.text for event in events).strip(" \t\r\n") or None
        assert (reading.content, calls) == (shown, [(e.tool, e.params) for e in events if isinstance(e, StreamCall)])
    return reading.content, reading.reasoning, calls


def _forms(begin: str, end: str) -> list[tuple[str, Split]]:
    """Return what a family writes around its reasoning, and how it is meant."""
    return [
        (f"{begin}I add them.{end}It is 4.", ("It is 4.", "I add them.", [])),
        (f"{begin}\nI add.\n\nThen I check.\n{end}\n\nIt is 4.\n", ("It is 4.", "I add.\n\nThen I check.", [])),
        (f"I add them.\n{end}\nIt is 4.", ("It is 4.", "I add them.", [])),
        (f"{begin}Only thoughts.{end}", (None, "Only thoughts.", [])),
        (f"{begin}{end}It is 4.", ("It is 4.", "", [])),
        (f"{begin}I add them, and", (None, "I add them, and", [])),
        (f"{begin}I look.{end}\n{CALL}", (None, "I look.", ONE)),
        (f"{begin}Perhaps {CALL}? No.{end}It is 4.", ("It is 4.", f"Perhaps {CALL}? No.", [])),
        (f"{begin}One.{end}{begin}Two.{end}It is 4.", ("It is 4.", "One.\nTwo.", [])),
        (f"{begin}I have to call it.\n{CALL}", (None, "I have to call it.", ONE)),
        (f"{begin}I call it: {CALL}\n{end}\n", (None, f"I call it: {CALL}", ONE)),
        (f"First.\n{begin}Hm.{end}Last.", _after_text(begin, end)),
    ]


def _after_text(begin: str, end: str) -> Split:
    """Return how reasoning after text is meant: tags of characters are text then, those that are tokens are none."""
    return ("First.\nLast.", "Hm.", []) if is_token(begin) else (f"First.\n{begin}Hm.{end}Last.", None, [])


@pytest.mark.parametrize(("begin", "end"), PAIRS)
def test_reasoning_of_every_family_is_split_off(begin: str, end: str) -> None:
    """Twelve texts for each pair of tags: with and without the tags, with calls in and after them, cut, in several."""
    forms = [form for form in _forms(begin, end) if begin[0] in "<[◁" or not form[0].startswith("First.")]
    assert [(text, split) for text, split in forms] == [(text, _split(text)) for text, _ in forms]


GRANITE: list[tuple[str, Split]] = [
    ("Here is my thought process: I add. Here is my response: It is 4.", ("It is 4.", "I add.", [])),
    ("Here's my thought process:\nI add.\n\nHere's my response:\nIt is 4.", ("It is 4.", "I add.", [])),
    ("Here is my thought process: I add. Here's my response: It is 4.", ("It is 4.", "I add.", [])),
    ("Here's my thought process: I add. Here is my response: It is 4.", ("It is 4.", "I add.", [])),
    ("\n\nHere is my thought process:\n\n1. Add.\n2. Check.\n\nHere is my response:\n\nIt is 4.", (
        "It is 4.", "1. Add.\n2. Check.", [])),
    (f"Here is my thought process: I look. Here is my response: {CALL}", (None, "I look.", ONE)),
    ("Here is my thought process: I add. Here is my response:", (None, "I add.", [])),
    ("Here is my thought process: Here it is. Here is my response: It is 4.", ("It is 4.", "Here it is.", [])),
    # Words that reasoning may begin with, in answers.
    ("Here is my thought process: I add the numbers.", ("Here is my thought process: I add the numbers.", None, [])),
    ("Sure. Here is my response: It is 4.", ("Sure. Here is my response: It is 4.", None, [])),
    ("Here is my list.", ("Here is my list.", None, [])),
    ("Sum.\nHere is my thought process: add. Here is my response: 4.", (
        "Sum.\nHere is my thought process: add. Here is my response: 4.", None, [])),
]  # fmt: skip

WRAPPED: list[tuple[str, Split]] = [
    split
    for tag in ("response", "answer")
    for split in (
        (f"<think>\nI add.\n</think>\n<{tag}>\nIt is 4.\n</{tag}>", ("It is 4.", "I add.", [])),
        (f"<think>\nI add.\n</think>\n\n<{tag}>\nIt is 4.\n</{tag}>\n", ("It is 4.", "I add.", [])),
        (f"I add.\n</think>\n<{tag}>It is 4.</{tag}>", ("It is 4.", "I add.", [])),
        (f"<think>\n\n</think>\n\n<{tag}>\nIt is 4.\n</{tag}>", ("It is 4.", "", [])),
        (f"<think>I add.</think><{tag}>It is 4.", ("It is 4.", "I add.", [])),
        (f"<think>I look.</think><{tag}>\n{CALL}\n</{tag}>", (None, "I look.", ONE)),
        (f"<think>I add.</think>\nThe tag <{tag}> and </{tag}>.", (f"The tag <{tag}> and </{tag}>.", "I add.", [])),
        (f"<{tag}>It is 4.</{tag}>", (f"<{tag}>It is 4.</{tag}>", None, [])),
    )
]

GEMMA: list[tuple[str, Split]] = [
    ("<|channel>thought\nI add.<channel|>It is 4.", ("It is 4.", "I add.", [])),
    ("<|channel>thought\n<channel|>It is 4.", ("It is 4.", "", [])),
    ("<|channel>thought<channel|>It is 4.", ("It is 4.", "", [])),
    ("It is 4.<|channel>thought\n<channel|>", ("It is 4.", "", [])),
    ("It is 4.<|channel>thought\n", ("It is 4.", "", [])),
    ("It is 4.<|channel>thought\nOr does it", ("It is 4.", "Or does it", [])),
    ("It <|channel>thought\nHm.<channel|>is 4.", ("It is 4.", "Hm.", [])),
    ("<|channel>thought\nI add.<channel|>It is 4.<channel|>", ("It is 4.", "I add.", [])),
    ("<|channel>thought\nI add.<channel|><channel|>It is 4.", ("It is 4.", "I add.", [])),
    ("<|channel>thousands of words<channel|>It is 4.", ("It is 4.", "thousands of words", [])),
    ("The `<|channel>` marker opens thoughts.", ("The `<|channel>` marker opens thoughts.", None, [])),
    ('<|channel>thought\nI look.<channel|><|tool_call>call:gw{city:<|"|>Bern<|"|>}<tool_call|>', (
        None, "I look.", ONE)),
]  # fmt: skip

KIMI_K2: list[tuple[str, Split]] = [
    (f"<think>I look.{KIMI}", (None, "I look.", ONE)),
    (f"<think>I look.</think>{KIMI}", (None, "I look.", ONE)),
    (f"<think>{KIMI}", (None, "", ONE)),
    (f"<think>I look.\n\n{KIMI} Done.", ("Done.", "I look.", ONE)),
    (f"<think>Perhaps {KIMI}? No.</think>It is 4.", ("It is 4.", f"Perhaps {KIMI}? No.", [])),
    (f"◁think▷I look.{KIMI}", (None, "I look.", ONE)),
    (f"<think>I look.</think>Let me see. {KIMI}", ("Let me see.", "I look.", ONE)),
    ("<think>I look.<|tool_calls_section_begin|>", (None, "I look.", [])),
]

HARMONY_CALL = (
    '<|start|>assistant<|channel|>commentary to=functions.gw <|constrain|>json<|message|>{"city": "Bern"}<|call|>'
)
HARMONY: list[tuple[str, Split]] = [
    ("<|channel|>analysis<|message|>I add.<|end|><|start|>assistant<|channel|>final<|message|>4.", (
        "4.", "I add.", [])),
    ("<|channel|>analysis<|message|>A call ends with <|call|>, I think.<|end|>"
     "<|start|>assistant<|channel|>final<|message|>4.", ("4.", "A call ends with <|call|>, I think.", [])),
    ("<|channel|>analysis<|message|>A <|start|> begins, a <|channel|> names.<|end|>"
     "<|start|>assistant<|channel|>final<|message|>4.", ("4.", "A <|start|> begins, a <|channel|> names.", [])),
    (f"<|channel|>analysis<|message|>I look.<|end|>{HARMONY_CALL}", (None, "I look.", ONE)),
    (f"<|channel|>analysis<|message|>I look.{HARMONY_CALL}", (None, "I look.", ONE)),
    (f"<|channel|>analysis<|message|>It ends with <|call|>.<|end|>{HARMONY_CALL}", (
        None, "It ends with <|call|>.", ONE)),
    ("<|channel|>analysis<|message|>One.<|end|><|start|>assistant<|channel|>analysis<|message|>Two.<|end|>"
     "<|start|>assistant<|channel|>final<|message|>4.<|return|>", ("4.", "One.\nTwo.", [])),
    ("<|channel|>analysis<|message|>I add, and", (None, "I add, and", [])),
    ('<|channel|>analysis<|message|>{"city": "Bern"} would do.<|end|><|start|>assistant<|channel|>final<|message|>4.', (
        "4.", '{"city": "Bern"} would do.', [])),
]  # fmt: skip

SPECIAL = [*GRANITE, *WRAPPED, *GEMMA, *KIMI_K2, *HARMONY]


@pytest.mark.parametrize(("text", "split"), SPECIAL)
def test_reasoning_in_a_form_of_its_own_is_split_off(text: str, split: Split) -> None:
    """Sentences, wrappers, channels, sections and messages: each as its family means it."""
    assert split == _split(text)


def test_unclosed_reasoning_says_so_unless_calls_end_it() -> None:
    """Thoughts that nothing ends are `truncated`; calls that end them are noted, a family's own way is not."""
    codes = {
        text: [problem.code for problem in read_text(text, "auto", TOOLS).problems]
        for text in ("<think>I add, and", f"<think>I look.\n{CALL}", f"<think>I look.{KIMI}", "4.<|channel>thought\n")
    }
    assert [["truncated"], ["repaired"], [], []] == list(codes.values())


@pytest.mark.parametrize(
    "draft", [CALL + " no.", CALL[:-12], CALL.replace("gw", "other"), "<tool_call>maybe</tool_call>"]
)
def test_draft_that_is_not_the_end_of_the_thoughts_is_no_call(draft: str) -> None:
    """In thoughts that are not closed, only whole calls of known tools with nothing after them count."""
    reading = read_text(f"<think>Perhaps\n{draft}", "auto", TOOLS)
    assert (None, (), ["truncated"]) == (reading.content, reading.calls, [problem.code for problem in reading.problems])
