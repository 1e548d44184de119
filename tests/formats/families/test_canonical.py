"""The fast path for canonical outputs: it takes what families write, and reads nothing otherwise than the scanner."""

import random
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purestep.dialects import Dialect, Sample, read_output
from purestep.entry.standalone import specs_of
from purestep.scanner import REASONING, read_segments
from purestep.values.reading import ReadCall, Reading
from purestep_formats.families.canonical import canonical_reading
from purestep_formats.families.families import ALL_MARKERS, FAMILY_DIALECTS
from purestep_formats.families.family_forms import FAMILIES
from tests.drift.drifts import DRIFTS
from tests.drift.forms import ARGUMENTS, DIALECTS, MARKED, SPECS, save, written
from tests.examples import some_of
from tools.breaking.attacks.markers import marked_call
from tools.vectors.files import stored_vectors

NAMES = [family.name for family in FAMILIES]
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string", "description": "Any text."},
        "count": {"type": "integer"},
        "ratio": {"type": ["number", "null"]},
        "units": {"enum": ["a", 1, None]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "list": {"type": "array"},
        "any": {},
    },
}
TOOLS = ("save", "user", "assistant", "functions", "function", "functions.save", "call", "name", "tool", "f-1", "é")
"""Names that a family, or the scanner, could take for something else than a tool's."""

SPEC_SETS = (None, {}, SPECS, specs_of([{"name": name, "parameters": SCHEMA} for name in TOOLS]))


def agrees(text: str) -> bool:
    """Whether the fast path reads a text with any tools as the scanner does, or leaves it to the scanner."""
    readings = [(canonical_reading(ALL_MARKERS, text, specs), specs) for specs in SPEC_SETS]
    taken = [(fast, specs) for fast, specs in readings if fast is not None]
    return all(repr(fast) == repr(read_segments(ALL_MARKERS, text, specs)) for fast, specs in taken)


@pytest.mark.parametrize("dialect", FAMILY_DIALECTS, ids=NAMES)
@pytest.mark.parametrize("reasoning", ["", "<think>\nHm.\n</think>\n\n"])
def test_a_family_call_takes_the_fast_path(dialect: Dialect, reasoning: str) -> None:
    """A plain call as the family writes it, with reasoning before it or without, is read without a scan."""
    call = save({"text": "Rome, in the evening", "count": 3})
    text = f"\n{reasoning}{dialect.write(Sample(calls=(call,)))}\n"
    expected = Reading(reasoning="Hm." if reasoning else None, calls=(call,))
    assert expected == canonical_reading(ALL_MARKERS, text, SPECS) == read_output(dialect, text, SPECS)


@pytest.mark.parametrize("family", MARKED)
def test_a_call_after_text_takes_the_fast_path(family: str) -> None:
    """Text without a marker may come before a call in markers, and it is the content."""
    call = save({"text": "Rome", "count": 3})
    expected = Reading(content="I look it up.", calls=(call,))
    assert expected == canonical_reading(ALL_MARKERS, f"I look it up.\n\n{written(family, call)}", SPECS)


def test_several_calls_in_markers_of_their_own_take_the_fast_path() -> None:
    """Calls that follow one another as the family writes them are read without a scan too."""
    calls = (save({"text": "Rome"}), save({"text": "</tool_call>\\n<tool_call>"}))
    assert Reading(calls=calls) == canonical_reading(ALL_MARKERS, written("hermes_json", *calls), SPECS)


def test_text_without_a_marker_takes_the_fast_path() -> None:
    """An answer in prose is read without a scan, with a word before a bracket it is not: a tool could be called so."""
    assert Reading(content="It rains.") == canonical_reading(ALL_MARKERS, " It rains.\n", SPECS)
    assert canonical_reading(ALL_MARKERS, "save (it)", SPECS) is None


def test_vectors_are_read_alike_on_both_paths() -> None:
    """No text of the conformance vectors is read otherwise by the fast path."""
    given_texts = [
        msgspec.json.decode(argument) for vector in stored_vectors("dialects") for argument in vector["args"]
    ]
    texts = [entry["text"] for entry in given_texts if isinstance(entry, dict) and isinstance(entry.get("text"), str)]
    assert len(texts) > len(FAMILIES)
    assert [] == [text for text in texts if not agrees(text)]


@pytest.mark.parametrize("family", DIALECTS)
def test_drifted_calls_are_read_alike_on_both_paths(family: str) -> None:
    """A text that drifted from its form is left to the scanner, or it makes no difference.

    Each drift is of a third of the sets of arguments, the next one of another third; tests/drift reads all of them.
    """
    texts = [
        text
        for number, drift in enumerate(DRIFTS.values())
        for params in some_of([*ARGUMENTS.values()], number + list(DIALECTS).index(family), 3)
        if (text := drift.make(family, written(family, save(params)), params)) is not None
    ]
    assert [] == [text for text in texts if not agrees(text)]


def test_values_with_markers_are_read_alike_on_both_paths() -> None:
    """Markers of the family in a value, also amid other text, are read by the fast path as by the scanner or not."""
    texts = [marked_call(random.Random(seed))[0] for seed in range(300)]
    assert [] == [text for text in texts if not agrees(text)]


DUPLICATE = "<parameter=text>a</parameter><parameter=text>b</parameter>"
CALL = '{"name": "save", "arguments": {"text": "x"}}'
NEARLY_CANONICAL = (
    f"<tool_call><function=save>{DUPLICATE}</function></tool_call>",
    f"<tool_call>0{CALL}</tool_call>",
    f"functools     [{CALL}]",
    f"```json\n{CALL}{' ' * 20}\n```",
    '```json\n{"name": "unknown", "arguments": {}}\n```',
    f"[TOOL_CALLS] [{', '.join([CALL] * 513)}]",
    f'say "<tool_call>{CALL}</tool_call>',
    f"```\n<tool_call>{CALL}</tool_call>",
    '```json\n{"tool": "unknown", "text": "x"}\n```',
    f'save[ARGS]{{"text": "x"}} <tool_call>{CALL}</tool_call>',
    f"save (it) or <tool_call>{CALL}</tool_call>",
    '<|tool_call>call:save{text:<|"|>x<|"|>,}<tool_call|>',
    '[save(text="a\nb")]',
    '[unknown(text="a")]',
    '<tool_call>\n{"city": "Rome"}\n</tool_call>',
)
"""Texts that a less strict fast path would read otherwise than the scanner."""


@pytest.mark.parametrize("text", NEARLY_CANONICAL)
def test_nearly_canonical_texts_are_read_alike_on_both_paths(text: str) -> None:
    """What the scanner reads with a problem, or as text, the fast path does not read as a plain call."""
    assert agrees(text)


FORMS = FAMILIES
MARKERS = [part for f in FORMS for part in (f.open, f.begin, f.end, f.close, *f.tag, f.quote) if part]
PIECES = st.sampled_from(
    ("", "a", "x\n", "\ny", "\r\n", "<b>", '"', "'", "{", "}", "]", ")", ",", "=", "\\", "`", "```", "é", " ", "1e5")
) | st.sampled_from(("true", "null", "12", "-0", "007", "0.50", *MARKERS))
STRINGS = st.lists(PIECES, max_size=3).map("".join)
VALUES = STRINGS | st.sampled_from((0, -1, 10**20, 0.5, -0.0, True, None)) | st.lists(STRINGS, max_size=2)
CALLS = st.builds(
    ReadCall,
    tool=st.sampled_from((*TOOLS, "assistants", "functions.call", "a.b", "x:0", "unknown")),
    params=st.dictionaries(st.sampled_from((*SCHEMA["properties"], "name", "arguments", "k-1")), VALUES, max_size=3),
)


@given(
    dialect=st.sampled_from(FAMILY_DIALECTS),
    calls=st.lists(CALLS, max_size=2),
    lead=st.sampled_from(
        ("", "", "I look. ", 'say "', "it's `x` ", "``` ", "save (", "a[ARGS]", "[1] ", "Result of x: ")
    ),
    reasoning=st.sampled_from(("", *(f"{begin}thought\n{end}\n" for begin, end in REASONING))),
    changes=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), PIECES), max_size=2),
)
@example(dialect=DIALECTS["kimi_k2"], calls=[ReadCall(tool="call", params={})], lead="", reasoning="", changes=[])
@example(dialect=DIALECTS["harmony"], calls=[ReadCall(tool="user", params={})], lead="", reasoning="", changes=[])
def test_changed_calls_are_read_alike_on_both_paths(
    dialect: Dialect, calls: list[ReadCall], lead: str, reasoning: str, changes: list[tuple[int, int, str]]
) -> None:
    """Whatever the calls hold, and wherever their text is cut or marked, both paths come to the same."""
    text = reasoning + lead + dialect.write(Sample(calls=tuple(calls)))
    for at, dropped, put in changes:
        text = text[:at] + put + text[at + dropped :]
    assert agrees(text)
