import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purestep.bounds import MAX_INTEGER_DIGITS, MAX_TEXT_DEPTH
from purestep.json_text import diagnose
from tools.growth import is_linear

SAYS = {
    "unexpected_end": ", but the text ends here",
    "unterminated_string": "this string has no closing quote before the text ends",
    "expected_value": "expected a value, got",
    "expected_key": "expected a name in double quotes, got",
    "expected_colon": "expected a colon, got",
    "expected_comma_or_close": "expected a comma or",
    "bad_escape": "expected one of the escapes",
    "lone_surrogate": "expected both halves of a surrogate pair, got",
    "half_alone": "expected a complete character, got",
    "control_character": "expected an escape such as",
    "bad_number": "expected a number such as 0, -1.5 or 2e10, got",
    "too_large": "expected a number in the range of a double, got",
    "number_too_long": f"expected at most {MAX_INTEGER_DIGITS} digits, got",
    "bad_constant": "expected true, false, null or a",
    "single_quotes": "expected double quotes, got",
    "comment": "expected JSON without comments, got",
    "too_deep": f"expected at most {MAX_TEXT_DEPTH} levels of nesting, got",
    "trailing_text": "expected nothing more after the value, got",
}


def problem(text: str) -> str:
    """The problem of a text that has one."""
    found = diagnose(text)
    assert found is not None
    return found


DAMAGED = [
    ("", "unexpected_end", 0),
    (" \n", "unexpected_end", 2),
    ('{"a": 1', "unexpected_end", 7),
    ('{"a":', "unexpected_end", 5),
    ('{"a"', "unexpected_end", 4),
    ("{", "unexpected_end", 1),
    ("[1,", "unexpected_end", 3),
    ("[tru", "unexpected_end", 4),
    ("[-", "unexpected_end", 2),
    ("[1.", "unexpected_end", 3),
    ("[1e+", "unexpected_end", 4),
    ('{"a": "x', "unterminated_string", 6),
    ('["x\\', "unterminated_string", 1),
    ('["\\u12', "unterminated_string", 1),
    ('["\\ud83d', "unterminated_string", 1),
    ('["\\ud83d\\ude', "unterminated_string", 1),
    ("[1,]", "expected_value", 3),
    ('{"a": }', "expected_value", 6),
    ("\ufeff1", "expected_value", 0),
    ("+1", "expected_value", 0),
    (".5", "expected_value", 0),
    ('{"a": 1,}', "expected_key", 8),
    ("{a: 1}", "expected_key", 1),
    ("{1: 1}", "expected_key", 1),
    ('{"a" 1}', "expected_colon", 5),
    ('{"a", 1}', "expected_colon", 4),
    ("[1 2]", "expected_comma_or_close", 3),
    ('{"a": 1]', "expected_comma_or_close", 7),
    ('{"a": 1; "b": 2}', "expected_comma_or_close", 7),
    ('["a"b"]', "expected_comma_or_close", 4),
    ('"\\x41"', "bad_escape", 1),
    ('"\\u12G4"', "bad_escape", 1),
    ('"\\ud83d."', "lone_surrogate", 1),
    ('"\\ude00"', "lone_surrogate", 1),
    ('"\\ud83d\\u0041"', "lone_surrogate", 1),
    ('"a\ud800"', "half_alone", 2),
    ('"a\nb"', "control_character", 2),
    ("01", "bad_number", 0),
    ("-01", "bad_number", 0),
    ("1.e5", "bad_number", 0),
    ("1_000", "bad_number", 0),
    ("0x1F", "bad_number", 0),
    ("1e999", "too_large", 0),
    ("[1.2.3]", "bad_number", 1),
    ("9" * (MAX_INTEGER_DIGITS + 1), "number_too_long", 0),
    ("NaN", "bad_constant", 0),
    ("-Infinity", "bad_constant", 0),
    ('{"a": None}', "bad_constant", 6),
    ("[True]", "bad_constant", 1),
    ("undefined", "bad_constant", 0),
    ("['a']", "single_quotes", 1),
    ("{'a': 1}", "single_quotes", 1),
    ("[1, // one\n2]", "comment", 4),
    ("/* a */ 1", "comment", 0),
    ("1 # one", "comment", 2),
    ("[" * (MAX_TEXT_DEPTH + 1), "too_deep", MAX_TEXT_DEPTH),
    ("[1]]", "trailing_text", 3),
    ("{} {}", "trailing_text", 3),
    ("1 2", "trailing_text", 2),
]


@pytest.mark.parametrize(("text", "kind", "offset"), DAMAGED, ids=[repr(text[:20]) for text, _, _ in DAMAGED])
def test_damage_is_named_and_placed(text: str, kind: str, offset: int) -> None:
    """Every kind of damage has its words, and its place is where the text stops being JSON."""
    found = problem(text)
    lines = text[:offset].split("\n")
    assert found.startswith(f"line {len(lines)}, column {len(lines[-1]) + 1}: ")
    assert SAYS[kind] in found


def test_place_counts_lines_and_columns_from_one() -> None:
    """Lines end at a line feed; the column is that of the first wrong character."""
    assert problem('{\n  "a": 1,\r\n  "b": ?\n}').startswith("line 3, column 8: ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1 "b": 2}', 'line 1, column 9: expected a comma or }, got "\\"b\\": 2}"'),
        ('{"a": ', "line 1, column 7: expected a value, but the text ends here"),
        ('["abc', "line 1, column 2: this string has no closing quote before the text ends"),
        ("[None]", 'line 1, column 2: expected true, false, null or a string in double quotes, got "None]"'),
        ("[1] and more than fits into an excerpt", None),
    ],
)
def test_sentence_names_place_expectation_and_what_came(text: str, expected: str | None) -> None:
    """The sentence shows no more than a short excerpt of the text."""
    sentence = problem(text)
    assert expected in (sentence, None)
    assert len(sentence) < 120


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab", max_size=3), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(value=json_values, ascii_only=st.booleans(), indent=st.sampled_from([None, 1]))
def test_json_has_no_problem(value: Any, ascii_only: bool, indent: int | None) -> None:
    """Whatever an encoder writes is right, and ends where it ends."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert None is diagnose(text)
    assert SAYS["trailing_text"] in problem(text + " ,")


@given(value=json_values, data=st.data())
def test_every_beginning_is_truncated_or_complete(value: Any, data: st.DataObject) -> None:
    """A text cut anywhere is called cut, not wrong, unless what is left is a value itself."""
    text = json.dumps(value)
    cut = text[: data.draw(st.integers(0, len(text)))]
    found = diagnose(cut)
    assert found is None or "the text ends" in found


@given(text=st.text("{}[]\",:\\/u0d89ae1.-+tfn \n'#x\ud83d", max_size=14))
@example(text='{"a":1,"a":2}')
@example(text="1e400")
@example(text='"\x7f"')
def test_scanner_and_fast_decoder_agree(text: str) -> None:
    """The scanner finds a problem exactly where the fast decoder refuses."""
    try:
        msgspec.json.decode(text)
        expected = True
    except (msgspec.DecodeError, UnicodeEncodeError):
        expected = False
    assert expected is (diagnose(text) is None)


@given(text=st.text(max_size=30))
def test_any_text_gets_an_answer(text: str) -> None:
    """No text makes the scanner fail, and every problem has a sentence."""
    assert "" != diagnose(text)


def test_long_texts_are_read_in_one_pass() -> None:
    """A hundred thousand of any one thing are read without recursion and without looking back."""
    for lead, unit in (("[", "1,"), ('"', "\\n"), ("", " "), ("", "1"), ("", "[")):
        assert is_linear(lambda text: diagnose(text + "x"), unit, lead=lead), unit
        assert None is not diagnose(lead + unit * 100_000 + "x")
