"""Damaged JSON of the kinds that are published for models, each with its value or the refusal that it gets."""

from typing import Any

import pytest

from purestep.entry.standalone import read_text, specs_of
from purestep.json_text import repair_json
from tests.drift.readings import codes, read_both
from tools.growth import is_linear

TOOL: dict[str, Any] = {
    "name": "gw",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "days": {"type": "integer"},
            "ratio": {"type": "number"},
            "ok": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "array", "items": {"type": "integer"}},
            "opts": {"type": "object"},
            "spot": {"type": "object", "properties": {"lat": {"type": "number"}, "name": {"type": "string"}}},
        },
    },
}

READ: dict[str, tuple[str, dict[str, Any]]] = {
    # Quotes.
    "single_quotes": ("{'city': 'A'}", {"city": "A"}),
    "single_quotes_with_apostrophe": ("{'city': 'it's 5 o'clock'}", {"city": "it's 5 o'clock"}),
    "single_quotes_around_double": ("""{'city': 'say "hi"'}""", {"city": 'say "hi"'}),
    "curly_quotes": ("{“city”: “A”}", {"city": "A"}),
    "low_quotes": ("{„city“: „A“}", {"city": "A"}),
    "curly_single_quotes": ("{‘city’: ‘it’s’}", {"city": "it’s"}),
    "backticks": ("{`city`: `A`}", {"city": "A"}),
    "tripled_quotes": ('{"city": """one\ntwo"""}', {"city": "one\ntwo"}),
    "quoted_words_inside": ('{"city": "he said "hi" to me", "days": 1}', {"city": 'he said "hi" to me', "days": 1}),
    "quoted_words_at_the_end": ('{"city": "he said "hi"", "days": 1}', {"city": 'he said "hi"', "days": 1}),
    "two_quoted_words": ('{"city": "say "a", then "b""}', {"city": 'say "a", then "b"'}),
    "one_quote_escaped": ('{"city": "say \\"hi" now"}', {"city": 'say "hi" now'}),
    "code_with_quotes": ('{"city": "print("a")"}', {"city": 'print("a")'}),
    "markup_with_quotes": ('{"city": "<a href="x">y</a>"}', {"city": '<a href="x">y</a>'}),
    "raw_line_break": ('{"city": "one\ntwo"}', {"city": "one\ntwo"}),
    "windows_path": ('{"city": "C:\\Users\\me"}', {"city": "C:\\Users\\me"}),
    "regular_expression": ('{"city": "\\d+\\s"}', {"city": "\\d+\\s"}),
    "escaped_apostrophe": ('{"city": "it\\\'s"}', {"city": "it's"}),
    "joined_strings": ('{"city": "New " + "York"}', {"city": "New York"}),
    # The whole of it.
    "all_quotes_escaped": ('{\\"city\\": \\"A\\"}', {"city": "A"}),
    "all_quotes_escaped_twice": ('{\\\\\\"city\\\\\\": \\\\\\"A\\\\\\"}', {"city": "A"}),
    "html": ("{&quot;city&quot;: &quot;A &amp; B&quot;}", {"city": "A & B"}),
    "fence": ('```json\n{"city": "A",}\n```', {"city": "A"}),
    "json_before": ("json {'city': 'A'}", {"city": "A"}),
    # Commas, colons, comments.
    "trailing_comma": ('{"city": "A",}', {"city": "A"}),
    "trailing_comma_in_list": ('{"tags": ["a", "b",]}', {"tags": ["a", "b"]}),
    "comma_forgotten": ('{"city": "A" "days": 1}', {"city": "A", "days": 1}),
    "comma_forgotten_at_the_line_end": ('{\n"days": 1\n"city": "A"\n}', {"days": 1, "city": "A"}),
    "comma_forgotten_after_bracket": ('{"tags": [] "days": 1}', {"tags": [], "days": 1}),
    "comma_forgotten_in_list": ('{"tags": ["a" "b"]}', {"tags": ["a", "b"]}),
    "comma_forgotten_between_numbers": ('{"sizes": [1 2 3]}', {"sizes": [1, 2, 3]}),
    "two_commas": ('{"city": "A",, "days": 1}', {"city": "A", "days": 1}),
    "equals_sign": ('{city = "A", days = 1}', {"city": "A", "days": 1}),
    "arrow": ('{"city" => "A"}', {"city": "A"}),
    "colon_forgotten": ('{"city" "A", "days" 1}', {"city": "A", "days": 1}),
    "comments": ('{ // where\n"city": "A", /* how long */ "days": 1 # why\n}', {"city": "A", "days": 1}),
    # Words and numbers.
    "python_words": ('{"ok": True, "opts": {"a": None}}', {"ok": True, "opts": {"a": None}}),
    "capital_words": ('{"ok": FALSE, "opts": {"a": Null}}', {"ok": False, "opts": {"a": None}}),
    "undefined": ('{"opts": {"a": undefined}}', {"opts": {"a": None}}),
    "names_without_quotes": ('{city: "A", days: 1}', {"city": "A", "days": 1}),
    "names_with_hyphens": ('{opts: {rain-days: 2}}', {"opts": {"rain-days": 2}}),
    "hex_number": ('{"days": 0x1F}', {"days": 31}),
    "number_with_plus": ('{"days": +5}', {"days": 5}),
    "number_with_zeros": ('{"days": 007}', {"days": 7}),
    "number_with_underscores": ('{"days": 1_000}', {"days": 1000}),
    "fraction_without_zero": ('{"ratio": .5}', {"ratio": 0.5}),
    "tuple": ('{"sizes": (1, 2)}', {"sizes": [1, 2]}),
    # Text without quotes, where text is expected.
    "word": ('{"city": Paris, "days": 1}', {"city": "Paris", "days": 1}),
    "words": ('{"city": New York City}', {"city": "New York City"}),
    "words_in_list": ('{"tags": [red, dark green]}', {"tags": ["red", "dark green"]}),
    "words_with_apostrophe": ("{\"city\": L'Aquila, \"days\": 1}", {"city": "L'Aquila", "days": 1}),
    "version": ('{"city": 1.2.3}', {"city": "1.2.3"}),
    "time": ('{"city": 12:30}', {"city": "12:30"}),
    "telephone_number": ('{"city": +49 30}', {"city": "+49 30"}),
    "zeros_before": ('{"city": 007}', {"city": "007"}),
    "date": ('{"city": 2026-01-05}', {"city": "2026-01-05"}),
    "address": ('{"city": https://x.org/a?b=1}', {"city": "https://x.org/a?b=1"}),
    # Brackets.
    "last_bracket_missing": ('{"city": "A"', {"city": "A"}),
    "last_brackets_missing": ('{"city": "A", "tags": ["a", "b"', {"city": "A", "tags": ["a", "b"]}),
    "bracket_of_list_missing": ('{"tags": ["a", "b", "c"}', {"tags": ["a", "b", "c"]}),
    "bracket_too_many": ('{"city": "A"}}', {"city": "A"}),
    "inner_bracket_missing_where_names_tell": (
        '{"spot": {"lat": 1.5, "name": "x"}, "city": "A"',
        {"spot": {"lat": 1.5, "name": "x"}, "city": "A"},
    ),
}  # fmt: skip

REFUSED: dict[str, str] = {
    "words_after": "{'city': 'A'} I hope this helps.",
    "string_not_closed_before_brackets": '{"city": "New York}',
    "string_not_closed_before_member": '{"city": "New York, "days": 1}',
    "string_not_closed_in_list": '{"tags": ["a, "b"]}',
    "name_not_closed": '{"city: "A", "days": 1}',
    "string_not_opened": '{"city": A", "days": 1}',
    "quote_inside_of_a_word": '{"city": "Pa"ris"}',
    "one_quote_inside": '{"city": "5" wide", "days": 1}',
    "json_in_a_string": '{"city": "d = {"x": "y"}", "days": 1}',
    "members_after_early_bracket": '{"opts": {"a": 1}}, "days": 1}',
    "inner_bracket_missing": '{"opts": {"a": 1, "days": 1}',
    "inner_bracket_too_early": '{"opts": {"a": {"b": 1}, "c": 2}}}',
    "bracket_for_another": '{"city": "A"], "days": 1}',
    "value_missing": '{"city": "A", "days": , "ok": true}',
    "last_value_missing": '{"city": "A", "days": }',
    "value_missing_in_list": '{"sizes": [1, , 3]}',
    "ellipsis": '{"sizes": [1, 2, ...]}',
    "ellipsis_of_members": '{"city": "A", ...}',
    "two_objects": '{"city": "A"} {"days": 1}',
    "name_given_twice": "{'city': 'A', 'city': 'B'}",
    "not_a_number": '{"ratio": NaN}',
    "infinity": '{"ratio": -Infinity}',
    "thousands_separator": '{"days": 1,000}',
    "decimal_comma": '{"ratio": 1,5}',
    "calculation": '{"days": 2 * 3}',
    "word_for_a_number": '{"days": five}',
    "text_that_may_go_on": '{"city": Paris, France, "days": 1}',
    "backslash_before_the_last_quote": '{"city": "A\\", "days": 1}',
    "hexadecimal_escape": '{"city": "\\x41", }',
    "line_continued": '{"city": "a\\\nb"}',
    "cut_inside_of_a_string": '{"city": "A", "tags": ["a", "b',
    "cut_after_a_name": '{"city": "A", "days"',
    "cut_inside_of_a_number": '{"city": "A", "days": 1',
    "cut_after_a_comma": '{"city": "A",',
    "function": '{"city": get()}',
    "zeros_before_where_nothing_tells": '{"opts": {"zip": 01234}}',
    "word_where_nothing_tells": '{"opts": {"a": red}}',
}


@pytest.mark.parametrize("damage", READ)
def test_damage_with_one_reading_is_read(damage: str) -> None:
    """A damaged object with one plausible reading is the arguments that it says."""
    text, expected = READ[damage]
    # A call whose brackets are missing needs something that its tool requires.
    tool = TOOL | {"parameters": TOOL["parameters"] | {"required": [*expected][:1]}}
    reading = read_text(f"<tool_call>\n<function=gw>{text}</function>\n</tool_call>", "auto", [tool])
    assert [{"tool": "gw", "params": expected}] == list(reading.calls), reading.problems
    assert {"repaired"} >= {problem.code for problem in reading.problems} - {"ignored_text"}
    assert reading.problems


@pytest.mark.parametrize("damage", REFUSED)
@pytest.mark.parametrize("place", ["tags", "object", "name", "value"])
def test_damage_that_must_be_guessed_is_refused(damage: str, place: str) -> None:
    """A damaged object of which something must be guessed is no call, wherever it stands, and never an answer."""
    arguments = REFUSED[damage]
    made = {
        "tags": f"<tool_call>\n<function=gw>{arguments}</function>\n</tool_call>",
        "object": f'<tool_call>{{"name": "gw", "arguments": {arguments}{"" if "cut_" in damage else "}"}</tool_call>',
        "name": f"<tool_call>gw\n{arguments}</tool_call>",
        "value": f"<tool_call>\n<function=one>\n<parameter=value>{arguments}</parameter>\n</function>\n</tool_call>",
    }[place]
    one = {"name": "one", "parameters": {"type": "object", "properties": {"value": TOOL["parameters"]}}}
    reading = read_text(made, "auto", [TOOL, one])
    if place == "value":
        # As the text that it is it fails the check of the arguments, which wants an object.
        assert [{"tool": "one", "params": {"value": arguments}}] == list(reading.calls)
    else:
        assert () == reading.calls, reading
        assert {"parse_error", "truncated"} & {problem.code for problem in reading.problems}


PLACES = (
    "<tool_call>\n<function=gw>%s</function>\n</tool_call>",
    '<tool_call>{"name": "gw", "arguments": %s}</tool_call>',
    '[TOOL_CALLS][{"name": "gw", "arguments": %s}]',
    '{"name": "gw", "arguments": %s}',
)


@pytest.mark.parametrize("damage", [*READ, *REFUSED])
def test_damage_streams_as_it_is_read(damage: str) -> None:
    """Character by character a damaged call comes to the same, so nothing that is refused was told to start."""
    text = READ[damage][0] if damage in READ else REFUSED[damage]
    for place in PLACES:
        reading = read_both(place.replace("%s", text), "auto", specs=specs_of([TOOL]))
        assert reading.calls or {"parse_error", "truncated"} & {*codes(reading)} or damage in READ


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "gw", "parameters": "cats"}',
        '{"name": "gw", "arguments": ["cats"]}',
        '{"tool": "gw", "arguments": "cats"}',
        '[{"name": "gw", "parameters": 5}]',
        '```json\n{"name": "gw", "parameters": "cats"}\n```',
        '{"tool_calls": [{"function": {"name": "gw", "arguments": "{\\"city\\": \\"A}"}}]}',
        'gw {"city": "A}',
        '[gw(city="A", city="B")]',
        '{"name": "gw", "arguments": {"city": "A"}, "days": 3}',
        '{"name": "gw", "arguments": {"city": "A"}, "days": 3}}',
        '{"name": "gw", "arguments": {"city": "A"}}, "days": 3}}',
        '{"name": "gw", "arguments": {"city": "A"}}, days: 3}}',
        '{"name": "gw", "arguments": {"city": "A"}}, “days”: 3}}',
        '{"kind": "tool_call", "tool_name": "gw", "arguments": {"city": "A"}, "days": 3}',
        '{"kind": "tool_call", "tool_name": "gw", "arguments": {"city": "A"}}, "days": 3}}',
        '{"kind": "tool_call", "tool_name": "gw", "arguments": {"opts": {"a": 1, "days": 3}}',
    ],
)
@pytest.mark.parametrize("dialect", ["auto", "llama3_json", "xlam", "generic_json", "envelope"])
def test_call_of_a_known_tool_whose_arguments_are_not_one_object_is_no_answer(text: str, dialect: str) -> None:
    """Arguments that are no object, or stand beside it, make a correction: no call, and no answer either."""
    reading = read_text(text, dialect, [TOOL])
    assert () == reading.calls
    assert {"parse_error", "truncated"} & {problem.code for problem in reading.problems}, reading


def test_correction_shows_what_was_read() -> None:
    """The problem of a guess says why it is one, what could be read, within bounds, and what to write."""
    text = '<tool_call>{"name": "gw", "arguments": {"city": "%s}}</tool_call>'
    (problem,) = read_text(text % "New York", "auto", [TOOL]).problems
    assert "a string is not closed" in problem.message
    assert "New York" in problem.message
    assert "every string in double quotes" in problem.message
    (longer,) = read_text(text % ("x" * 10_000), "auto", [TOOL]).problems
    assert len(longer.message) < 600


def test_tuple_of_one_value_is_a_guess() -> None:
    """Brackets around one value make a tuple in Python only with a comma."""
    reading = read_text("<tool_call>{'name': 'gw', 'arguments': {'city': ('A')}}</tool_call>", "auto", [TOOL])
    assert () == reading.calls


@pytest.mark.parametrize("lead", ['{"a": ', '{"name": "gw", "arguments": {"city": "', '{\\"a\\": '])
def test_hostile_text_is_repaired_in_linear_time(lead: str) -> None:
    """What repair looks ahead for is bounded, so repeated marks cost in proportion to their number."""
    units = (
        '"a", ',
        '"a" ',
        '{"a":',
        "it's ",
        '"\n',
        '{\\"a',
        "&quot;",
        '"a" + ',
        '"}}}}',
        '",]',
        '"x": "y" z',
        "#x\n",
        '"   ',
    )
    assert [] == [unit for unit in units if not is_linear(repair_json, unit, lead=lead)]
