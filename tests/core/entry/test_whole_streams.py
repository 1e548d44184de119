"""The joined stream is what the whole text reads as, in every dialect and however the text is cut."""

import json
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.dialects import Sample, dialect_named, dialect_names, may_be_undone, read_output, unsure
from purestep.entry.standalone import specs_of
from purestep.entry.stream import close_stream, feed, stream_of
from purestep.values import ReadCall
from tools.vectors.scenarios.dialects.forms import ADD, FORMS

SPECS = specs_of([ADD])
DIALECTS = tuple(name for name in dialect_names() if dialect_named(name).form is not None)
QWEN = (
    "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n<parameter=b>\nx\n</parameter>\n</function>\n"
    "</tool_call>"
)
HERMES = '<tool_call>\n{"name": "add", "arguments": {"a": 1, "b": "x"}}\n</tool_call>'
LEADS = (
    *("", "Look.\n\n", " \n", "<think>\n\n</think>\n\n"),
    *("<think>\n hm \n</think>\n\n Well.\n", "<think> a </think><think>b </think>"),
)

Told = tuple[str, str, list[dict[str, Any]]]


def _joined(dialect: str, chunks: list[str], opened: bool) -> Told:
    """Return the text, the reasoning and the calls' arguments of a stream, as a host puts them together."""
    stream = stream_of(dialect, SPECS, reasoning="opened" if opened else None)
    events: list[purestep.StreamEvent] = []
    for chunk in chunks:
        stream, happened = feed(stream, chunk)
        events += happened
    text, thought, calls = "", "", list[dict[str, Any]]()
    for event in [*events, *close_stream(stream)]:
        match event:
            case purestep.StreamText():
                text += event.text
            case purestep.StreamReasoning():
                thought += event.reasoning
            case purestep.StreamCall():
                calls.append(event.params)
            case purestep.StreamRetract():
                text, thought, calls = "", text, []
            case _:
                pass
    return text, thought, calls


def _whole(dialect: str, text: str, opened: bool) -> Told:
    reading = read_output(dialect_named(dialect), text, SPECS, opened=opened)
    calls = [call.params for call in reading.calls if call.tool == "add"]
    return reading.content or "", reading.reasoning or "", calls


@lru_cache
def _written(dialect: str) -> str:
    """Return one call as a dialect writes it."""
    return dialect_named(dialect).write(Sample(calls=(ReadCall(tool="add", params={"a": 1, "b": "x y"}),)))


@pytest.mark.parametrize("opened", [False, True], ids=["", "opened"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_stream_of_each_dialect_equals_the_whole(dialect: str, opened: bool) -> None:
    """Text, reasoning and calls are the same whole, in single characters and cut once at any character."""
    call = _written(dialect)
    for lead in LEADS:
        for text in (f"{lead}{call}\n", f"{lead}{call}\n\n{call}", f"{lead}{call}\nDone. \n", f"{lead}It is 3. \n"):
            whole = _whole(dialect, text, opened)
            assert whole == _joined(dialect, list(text), opened), text
            for cut in range(0, len(text), 7):
                assert whole == _joined(dialect, [text[:cut], text[cut:]], opened), (text, cut)


@pytest.mark.parametrize("opened", [False, True], ids=["", "opened"])
@pytest.mark.parametrize("form", list(FORMS))
def test_stream_of_each_form_equals_the_whole(form: str, opened: bool) -> None:
    """The same for the forms of families without a dialect of their own."""
    for lead in LEADS:
        text = f"{lead}{FORMS[form]}\n"
        assert _whole("auto", text, opened) == _joined("auto", list(text), opened) == _joined("auto", [text], opened)


@pytest.mark.parametrize("opened", [False, True], ids=["", "opened"])
@pytest.mark.parametrize(
    "text",
    [
        "[|assistant|]</think>",
        "[|assistant|]hm</think>It is 3.",
        f'{{"a": 1, "b": "x"}}{{|>{HERMES}',
        f'{{"a": {{"b": 1}}}} and }}}} {HERMES}',
        f'{{"kin": "final", "content": "{HERMES}"}}',
        f"Look:\n \t > {HERMES}",
        f"Look:\n \t {HERMES} > {HERMES}",
        f"```tool_code\n\n {HERMES}\n```",
        "Look: ```tool_code\n to=add<|channel|>",
        f"{QWEN} '</parameter>' and \"</parameter>",
        '<functionname="add"><param name="a">1</param></function>',
    ],
)
def test_stream_of_single_characters_equals_the_whole(text: str, opened: bool) -> None:
    """What decides about a marker came in pieces: a header, an object, a quoted line, a fence that is a marker too."""
    whole = _whole("auto", text, opened)
    assert whole == _joined("auto", list(text), opened) == _joined("auto", [text], opened)


PIECES = st.sampled_from(
    [
        *("Look.", " ", "\n", "\n\n", "\t", "\r\n", "\u00a0", "\u3000", "e\u0301", "東京"),
        *("hm", "{", "}", "```\n", "`"),
        *("<think>", "</think>", "<think>\n\n</think>", "[THINK]", "[/THINK]", "<tool_call>", "</tool_call>"),
        *(HERMES, QWEN),
    ]
)


@given(
    text=st.lists(PIECES, max_size=9).map("".join),
    opened=st.booleans(),
    dialect=st.sampled_from(["auto", "qwen_xml", "hermes_json"]),
)
def test_stream_of_any_pieces_equals_the_whole(text: str, opened: bool, dialect: str) -> None:
    """Text with white space of any kind around calls and reasoning."""
    whole = _whole(dialect, text, opened)
    assert whole == _joined(dialect, [text], opened) == _joined(dialect, list(text), opened)


# --- what readers see ----------------------------------------------------------------------------------------


def test_white_space_is_held_back_until_text_follows() -> None:
    """White space before a call, between calls and at the end is not shown; between two pieces of text it is."""
    assert "I look." == _joined("auto", list(f"I look.\n\n{HERMES}\n{HERMES}\n"), False)[0]
    assert "" == _joined("auto", list(f"{HERMES}\n{HERMES}\n"), False)[0]
    assert "I look.\n\n\nAnd wait." == _joined("auto", list(f"I look.\n\n{HERMES}\nAnd wait.\n"), False)[0]
    stream, events = feed(stream_of("auto"), "I look.\n\n")
    assert (purestep.StreamText(text="I look."),) == events
    assert (purestep.StreamText(text="\n\nSo."),) == feed(stream, "So.")[1]


def test_empty_reasoning_gives_no_event() -> None:
    """An empty block of reasoning is nothing to show, and white space around reasoning is not part of it."""
    assert ("It is 3.", "", []) == _joined("auto", list("<think>\n\n</think>\n\nIt is 3."), False)
    assert ("It is 3.", "hm", []) == _joined("auto", list("<think>\nhm\n</think>\n\nIt is 3."), False)


@pytest.mark.parametrize("call", [QWEN, HERMES])
@pytest.mark.parametrize("lead", ["", "Need to look.\n"])
def test_a_call_in_open_reasoning_is_not_shown(call: str, lead: str) -> None:
    """Reasoning that the template opened is held back from a marker on: a call in it was never shown."""
    for dialect in ("auto", "qwen_xml"):
        text, thought, calls = _joined(dialect, list(lead + call), True)
        assert ("", lead.strip(), 1) == (text, thought, len(calls))


def test_a_marker_in_reasoning_is_shown_once_it_proves_to_be_words() -> None:
    """Reasoning that names a marker is reasoning: all of it comes when its block ends."""
    text = "I could write <tool_call> here.</think>It is 3."
    assert ("It is 3.", "I could write <tool_call> here.", []) == _joined("auto", list(text), True)


def test_a_filter_with_white_space_goes_through_json() -> None:
    """A host that keeps the filter as JSON between two chunks shows the same."""
    given = json.loads(purestep.stream_model_output('{"dialect":"auto"}'))
    shown = ""
    for char in f"<think>\n a \n</think>\nI look. \n{HERMES}\nSo. \n":
        given = json.loads(purestep.stream_model_output(json.dumps({"stream": given["stream"], "chunk": char})))
        shown += "".join(event.get("text") or event.get("reasoning", "") for event in given["events"])
    assert "aI look. \n\nSo." == shown


MEMBERS_FIRST = ('{"x": "", "tool_name": "add"}', '{"thought": "I add.", "tool": "add", "args": {"a": 1, "b": "x"}}')
"""Calls whose members might be another object's, were there a closing bracket more."""


@pytest.mark.parametrize("text", MEMBERS_FIRST)
@pytest.mark.parametrize("behind", ["", "}", " }", "\n```", "}]"])
def test_a_call_that_a_bracket_would_undo_is_told_at_the_end(text: str, behind: str) -> None:
    """Else a host that streams ran a call that one that does not sends back."""
    read = [call.params for call in read_output(dialect_named("envelope"), text + behind, SPECS).calls]
    for chunks in ([text + behind], [text, behind], list(text + behind)):
        assert read == _joined("envelope", chunks, opened=False)[2]
    _, told = feed(stream_of("envelope", SPECS), text)
    assert () == told
    assert behind.strip()[:1] != "}" or [] == read


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("half", ["\ud83d", "\udc00"], ids=["high", "low"])  # noqa: PT014 (they are two)
def test_a_lone_surrogate_is_read_as_its_replacement(dialect: str, half: str) -> None:
    """In text and in an argument, whole and character by character; nothing raises."""
    text = f"{half} " + dialect_named(dialect).write(Sample(calls=(ReadCall(tool="add", params={"a": 1, "b": "x"}),)))
    odd, clean = text.replace("x", half), text.replace("x", "\ufffd").replace(half, "\ufffd")
    assert purestep.read_text(clean, dialect, [ADD]) == purestep.read_text(odd, dialect, [ADD])
    for chunks in ([odd], list(odd)):
        assert _joined(dialect, [clean], opened=False) == _joined(dialect, chunks, opened=False)


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("a}],\\"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "x"]), inner, max_size=3),
)
_MEMBERS = st.dictionaries(st.sampled_from(["kind", "thought", "arguments", "args", "x", "id"]), _VALUES, max_size=4)


@given(_MEMBERS, _MEMBERS, st.sampled_from([SPECS, None]))
def test_what_is_said_to_be_certain_is(before: dict[str, Any], behind: dict[str, Any], specs: Any) -> None:
    """The short look at a call's object never passes one that the whole reading finds unsure."""
    text = json.dumps({**before, "tool_name": "add", **behind})
    assert may_be_undone(text, specs) == (unsure(text + "}", 0, specs) is not None)
