"""Values that hold markers, of their family and of others: read as they were written, or sent back, never cut."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from purestep.bounds import MAX_BLOCK_START_CHARS
from purestep.dialects import dialect_named, read_output
from purestep.entry.standalone import specs_of
from purestep.entry.stream import feed, stream_of
from purestep.values import Reading, fatal_problem
from tools.breaking.attack import Attack
from tools.breaking.attacks.markers import ATTACKS, SPECS, marked_arguments, marked_call
from tools.growth import is_linear

from .drifts import DRIFTS
from .forms import DIALECTS, form_of, save, written
from .forms import SPECS as SAVES
from .readings import codes, read_both

GW: dict[str, Any] = {
    "name": "gw",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
}
NOTHING: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = specs_of([GW, {"name": "list", "parameters": NOTHING}, {"name": "list_all", "parameters": NOTHING}])
TRIALS = 400
M3 = "]<]minimax[>["


def read(text: str) -> Reading:
    """Read a text whole and streamed, with the tools of this module."""
    return read_both(text, "auto", specs=TOOLS)


def given(reading: Reading) -> list[dict[str, Any]]:
    """Return the arguments of the calls, all of which are of one tool."""
    assert {"gw"} >= {call.tool for call in reading.calls}
    return [call.params for call in reading.calls]


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.name for attack in ATTACKS])
def test_generated_markers_in_values_never_give_another_value(attack: Attack) -> None:
    """Values made of markers, of all families: the same value or a problem, whole and streamed at random."""
    found = [attack.trial(random.Random(seed)) for seed in range(TRIALS)]
    assert [] == [broken for broken in found if broken is not None]


CHANGES_VALUES = ("no_newline_after_tags", "no_newline_before_tags", "more_newlines", "carriage_returns")
"""Drifts of the line breaks beside markers, also of those that a value holds."""


@pytest.mark.parametrize("family", list(DIALECTS))
def test_drifted_call_with_markers_in_its_values_never_gives_another_value(family: str) -> None:
    """Whatever became of the call's form, it is the call or a problem."""
    for seed in range(3):
        call = save(marked_arguments(form_of(family), random.Random(seed)))
        for name, drift in DRIFTS.items():
            text = None if name in CHANGES_VALUES else drift.make(family, written(family, call), call.params)
            for dialect in (family, "auto") if text is not None else ():
                reading = read_output(dialect_named(dialect), text or "", SAVES)
                assert fatal_problem(reading) is not None or (call,) == reading.calls, text


# --- one value --------------------------

AROUND: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "qwen": (
        "<tool_call>\n<function=gw>\n<parameter=city>\n",
        "\n</parameter>\n</function>\n</tool_call>",
        "",
        ("</tool_call>", "</function>", "</parameter>", "<tool_call>", "<function=gw>", "<parameter=x>"),
    ),
    "minimax": (
        '<minimax:tool_call>\n<invoke name="gw">\n<parameter name="city">',
        "</parameter>\n</invoke>\n</minimax:tool_call>",
        "",
        ("</minimax:tool_call>", "</invoke>", "</parameter>", "<minimax:tool_call>", '<invoke name="gw">'),
    ),
    "seed": (
        "<seed:tool_call>\n<function=gw>\n<parameter=city>",
        "</parameter>\n</function>\n</seed:tool_call>",
        "",
        ("</seed:tool_call>", "</function>", "</parameter>", "<seed:tool_call>", "<function=gw>", "<parameter=x>"),
    ),
    "glm": (
        "<tool_call>gw\n<arg_key>city</arg_key>\n<arg_value>",
        "</arg_value>\n</tool_call>",
        "",
        ("</tool_call>", "</arg_value>", "<tool_call>", "<arg_key>x</arg_key>", "<arg_value>", "</arg_key>"),
    ),
    "dsml": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="gw">\n<｜DSML｜parameter name="city" string="true">',
        "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        "",
        ("</｜DSML｜function_calls>", "</｜DSML｜invoke>", "</｜DSML｜parameter>", "</parameter>", "</invoke>"),
    ),
    "minicpm": (
        '<function name="gw"><param name="city">',
        "</param></function>",
        "",
        ("</function>", "</param>", '<function name="gw">', "</tool_call>"),
    ),
    "gemma": (
        '<|tool_call>call:gw{city:<|"|>',
        '<|"|>}<tool_call|>',
        "",
        ("<tool_call|>", '<|"|>', "<|tool_call>", "<|channel>", "<channel|>", "call:gw{", "}"),
    ),
    "kimi_k3": (
        '<|open|>tools<|sep|><|open|>call tool="gw" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>',
        "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
        "",
        ("<|close|>call<|sep|>", "<|close|>argument<|sep|>", "<|close|>tools<|sep|>", "<|open|>call ", "</parameter>"),
    ),
    "minimax_m3": (
        f'{M3}<tool_call>{M3}<invoke name="gw">{M3}<city>',
        f"{M3}</city>{M3}</invoke>{M3}</tool_call>",
        "",
        (f"{M3}</tool_call>", f"{M3}</invoke>", M3, "</city>"),
    ),
    "cohere": (
        '<|START_ACTION|>[{"tool_name": "gw", "parameters": {"city": "',
        '"}}]<|END_ACTION|>',
        "",
        ("<|END_ACTION|>", "<|START_ACTION|>"),
    ),
    "harmony": (
        '<|channel|>commentary to=functions.gw <|constrain|>json<|message|>{"city": "',
        '"}<|call|>',
        "",
        ("<|call|>", "<|end|>", "<|start|>", "<|channel|>", "<|message|>"),
    ),
}
"""Of each form: what is before and after the value of `city`, and markers that such a value may hold."""

ANY = ("<think>", "</think>", "```", "`", '\\"', "'", "{", "}", "<", "</")


@pytest.mark.parametrize(
    ("form", "mark"), [(form, mark) for form, (*_, marks) in AROUND.items() for mark in (*marks, *ANY)]
)
def test_marker_amid_words_of_a_value_belongs_to_it(form: str, mark: str) -> None:
    """One marker in a sentence is part of the value, whichever it is, and nothing of it is shown."""
    before, after, _, _ = AROUND[form]
    is_json = form in ("cohere", "harmony")
    shown = mark if is_json else mark.replace("\\", "")
    reading = read(f"I look.\n{before}see {shown} here{after}")
    assert [{"city": f"see {mark.replace(chr(92), '')} here"}] == given(reading)
    assert ("I look.", []) == (reading.content, codes(reading))


EXAMPLE = "<tool_call>\n<function=other>\n<parameter=q>\nx\n</parameter>\n</function>\n</tool_call>"


def test_whole_example_of_a_call_in_a_value_belongs_to_it() -> None:
    """A call of a tool that is not there, in a value, is what a page about tools holds."""
    before, after, _, _ = AROUND["qwen"]
    text = f"{before}Like so:\n{EXAMPLE}\nSee?{after}"
    assert [{"city": f"Like so:\n{EXAMPLE}\nSee?"}] == given(read(text))


AMBIGUOUS = {
    "an argument begins, or is named": "<tool_call>\n<function=gw>\n<parameter=city>\nsee\n<parameter=days>\n3\n"
    "</parameter>\n</function>\n</tool_call>",
    "a value ends twice": "<tool_call>gw<arg_key>city</arg_key><arg_value>a</arg_value></arg_value></tool_call>",
    "two calls, or one": "<tool_call>gw<arg_key>city</arg_key><arg_value>A</tool_call>"
    "<tool_call>gw<arg_key>city</arg_key><arg_value>B</arg_value></tool_call>",
    "the end of a call in a value": "<tool_call>\n<function=gw>\n<parameter=city>\na\n</parameter>\n</function>\n"
    "</tool_call> b\n</parameter>\n</function>\n</tool_call>",
    "the end of a call in a value, in a list": "<tool_calls><tool_call>gw<tool_sep><arg_key>city</arg_key>\n"
    "<arg_value>a</arg_value>\n</tool_call></arg_value>\n</tool_call></tool_calls>\nThat is it.",
    "the end of a string in a value": '<|tool_call>call:gw{city:<|"|>a<|"|>}<tool_call|> b<|"|>}<tool_call|>',
    "words after a value": "<tool_call>\n<function=gw>\n<parameter=city>\na\n</parameter> and so on\n"
    "</function>\n</tool_call>",
    "a key twice": "<tool_call>gw<arg_key>city</arg_key><arg_value>A</arg_value><arg_key>city</arg_key>"
    "<arg_value>B</arg_value></tool_call>",
    "siblings of one name": f'{M3}<tool_call>{M3}<invoke name="gw">{M3}<city>A{M3}</city>{M3}<city>B{M3}</city>'
    f"{M3}</invoke>{M3}</tool_call>",
}


@pytest.mark.parametrize("text", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_value_that_may_end_at_two_places_is_sent_back(text: str) -> None:
    """Where two readings are possible, none of them runs."""
    problem = fatal_problem(read(text))
    assert problem is not None
    assert "parse_error" == problem.code


def test_siblings_of_one_name_are_a_list_where_the_schema_says_so() -> None:
    """MiniMax M3 may write the items of a list one after the other."""
    tags = {"type": "array", "items": {"type": "string"}}
    spec = specs_of([{"name": "tag", "parameters": {"type": "object", "properties": {"tags": tags}}}])
    inner = f"{M3}<tags>a{M3}</tags>{M3}<tags>1{M3}</tags>"
    text = f'{M3}<tool_call>{M3}<invoke name="tag">{inner}{M3}</invoke>{M3}</tool_call>'
    assert [{"tags": ["a", "1"]}] == [call.params for call in read_both(text, "auto", specs=spec).calls]


# --- line breaks --------------------------


@pytest.mark.parametrize("form", ["minimax", "seed", "glm", "dsml", "minicpm", "kimi_k3", "gemma", "minimax_m3"])
@pytest.mark.parametrize("value", ["a\n", "\n", "a\r\n", "\n\na"])
def test_value_in_line_keeps_its_line_breaks(form: str, value: str) -> None:
    """A template that writes a value in line adds no line break, so all are the value's."""
    before, after, _, _ = AROUND[form]
    assert [{"city": value}] == given(read(before + value + after))


@pytest.mark.parametrize("form", ["dsml", "kimi_k3", "gemma", "minimax_m3"])
def test_text_that_is_said_to_be_a_string_keeps_its_line_breaks(form: str) -> None:
    """An attribute, a quote or a token around each tag says that the text is what it is."""
    before, after, _, _ = AROUND[form]
    assert [{"city": "\na\n"}] == given(read(before + "\na\n" + after))


@pytest.mark.parametrize("form", ["minimax", "seed", "glm", "minicpm"])
def test_values_that_all_stand_on_lines_lose_one_line_break_at_each_end(form: str) -> None:
    """A model that writes each value on lines of its own writes as another family's template does."""
    before, after, _, _ = AROUND[form]
    assert [{"city": "a"}] == given(read(before + "\na\n" + after))


@pytest.mark.parametrize(
    ("written", "value"), [("\na\n", "a"), ("\na\n\n", "a\n"), ("\n\n", ""), ("a\n", "a\n"), ("a", "a")]
)
def test_value_on_lines_of_its_own_loses_one_line_break_at_each_end(written: str, value: str) -> None:
    """Qwen's template writes one before and one after; without the first, the last is the value's."""
    text = f"<tool_call>\n<function=gw>\n<parameter=city>{written}</parameter>\n</function>\n</tool_call>"
    assert [{"city": value}] == given(read(text))


# --- texts that begin with a tool's name, ends that are missing --------------------------

NAME_FIRST = {
    'call:gw{city:<|"|>A<|"|>}<tool_call|><|tool_call>call:gw{city:<|"|>B<|"|>}<tool_call|>': (["A", "B"], None),
    'gw[ARGS]{"city":"A"}[TOOL_CALLS]gw[ARGS]{"city":"B"}': (["A", "B"], None),
    'gw[ARGS]{"city":"A"} and then words': (["A"], "and then words"),
    "gw<arg_key>city</arg_key><arg_value>A</arg_value></tool_call><tool_call>gw<arg_key>city</arg_key>"
    "<arg_value>B</arg_value></tool_call>": (["A", "B"], None),
    "gw<arg_key>city</arg_key><arg_value>A</arg_value></tool_call>\nDone.": (["A"], "Done."),
    'gw {"city":"A"} and then words': (["A"], "and then words"),
    'functions.gw:0<|tool_call_argument_begin|>{"city":"A"}<|tool_call_end|><|tool_calls_section_end|>': (["A"], None),
    'functions.gw:0<|tool_call_argument_begin|>{"city":"A"}<|tool_call_end|><|tool_call_begin|>functions.gw:1'
    '<|tool_call_argument_begin|>{"city":"B"}<|tool_call_end|><|tool_calls_section_end|> Done.': (["A", "B"], "Done."),
}


@pytest.mark.parametrize("text", NAME_FIRST)
def test_what_comes_after_a_call_that_begins_with_its_name_is_read(text: str) -> None:
    """The opening marker was taken away: later calls are calls, words are words, and nothing is lost."""
    cities, content = NAME_FIRST[text]
    reading = read(text)
    assert ([{"city": city} for city in cities], content, []) == (given(reading), reading.content, codes(reading))


def test_value_that_the_end_of_its_block_ends_is_read() -> None:
    """Only the end of the value is missing, and nothing else may be meant."""
    text = "<tool_call>gw<arg_key>city</arg_key><arg_value>A</tool_call>"
    assert ([{"city": "A"}], ["repaired"]) == (given(read(text)), codes(read(text)))


@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>list",
        "<tool_call>list\n",
        "<function=list",
        '<invoke name="list">',
        "<|tool_call:start|>list",
        "<tool_call>gw<arg_key>city</arg_key><arg_value>A</arg_value><arg_key>days</arg_key><arg_value>3",
        "<tool_call>\n<function=gw>\n<parameter=city>\nA\n</parameter>\n<parameter=days>\n3",
        "<tool_call>\n<function=gw>\n<parameter=city>\nsee </tool_call> he",
    ],
)
def test_call_that_the_text_cuts_does_not_run(text: str) -> None:
    """A name may go on, and so may a value: neither is taken for whole."""
    assert ([], ["truncated"]) == (given(read(text)), codes(read(text)))


# --- thoughts --------------------------


@pytest.mark.parametrize("mark", ["<|call|>", "<|return|>", "<|end|>", "<|start|>", "<|channel|>", "<|message|>"])
def test_marker_that_a_harmony_thought_names_does_not_end_it(mark: str) -> None:
    """A thought ends where a message follows, or nothing."""
    text = f"<|channel|>analysis<|message|>I use {mark} there.<|end|><|start|>assistant<|channel|>final<|message|>Hi"
    reading = read(text)
    assert (f"I use {mark} there.", "Hi", ()) == (reading.reasoning, reading.content, reading.calls)


def test_end_of_a_block_alone_is_told_alike_in_a_stream() -> None:
    """MiniMax M3's end of a block is no end of an argument, however much of it is there."""
    assert M3 == read(f"{M3}</tool_call>").content


def test_thought_whose_end_alone_is_there_ends_at_it() -> None:
    """A server took the next header away."""
    reading = read("<|channel|>analysis<|message|>Hm.<|end|>Hello")
    assert ("Hm.", "Hello", []) == (reading.reasoning, reading.content, codes(reading))


# --- cost --------------------------

HOSTILE = (
    "<tool_call><function=f><parameter=a>",
    "<tool_call><function=f><parameter=a>x</parameter>",
    "<parameter=a></parameter></function>x",
    "<ab:parameter=x></ab:parameter>",
    "<arg_key>a</arg_key><arg_value>",
    "</arg_value>",
    '<|tool_call>call:f{a:<|"|>x<|"|>,',
    "<|channel|>analysis<|message|>x<|call|> ",
    f'{M3}<tool_call>{M3}<invoke name="f">{M3}<a>',
    "<seed:think><tool_call>x",
)


@pytest.mark.parametrize("lead", ["", "I look.\n<seed:think>", "<tool_call><function=gw><parameter=city>"])
def test_repeated_markers_are_read_in_linear_time(lead: str) -> None:
    """Property: neither a whole text nor a stream takes longer than its length."""
    dialect = dialect_named("auto")

    def stream(text: str) -> None:
        state = stream_of("auto", TOOLS)
        for at in range(0, len(text), 500):
            state, _ = feed(state, text[at : at + 500])

    ways: list[Callable[[str], object]] = [lambda text: read_output(dialect, text, TOOLS), stream]
    assert [] == [unit for unit in HOSTILE for way in ways if not is_linear(way, unit, lead=lead)]


def test_what_a_stream_holds_back_is_bounded() -> None:
    """However many markers a value holds, only what may become one is held."""
    rng = random.Random(7)
    for _ in range(60):
        stream = stream_of("auto", SPECS)
        for char in marked_call(rng)[0]:
            stream, _ = feed(stream, char)
            assert len(stream.held) <= MAX_BLOCK_START_CHARS
