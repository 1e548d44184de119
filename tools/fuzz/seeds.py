"""What mutations begin with: outputs in the form of every family, the marks in them, and what is hostile anywhere."""

import json
from collections.abc import Iterator
from typing import Any, Final

from purestep.dialects import Sample, dialect_named, dialect_names
from purestep.scanner.reasoning import REASONING
from purestep.values.reading import ReadCall
from purestep_formats.families.families import ALL_MARKERS, FAMILY_DIALECTS

TOOLS: Final[list[dict[str, Any]]] = [
    {
        "name": "get_weather",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": "integer"},
                "units": {"enum": ["celsius", "none"]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "where": {"type": "object", "properties": {"lat": {"type": "number"}}},
                "exact": {"type": "boolean"},
                "note": {"type": ["string", "null"]},
            },
            "required": ["city"],
        },
    },
    {"name": "get_time", "parameters": {"type": "object", "properties": {}}},
    {"name": "write", "parameters": {"type": "object", "properties": {"text": {}, "name": {"type": "string"}}}},
]
"""Tools of each kind that readers tell apart: with something required, with nothing at all, and with any value."""

CALLS: Final = (
    ReadCall(tool="get_weather", params={"city": "Rome", "days": 3, "tags": ["a", "b"], "exact": True, "note": None}),
    ReadCall(tool="get_weather", params={"city": 'a "b" {c}\n\\d', "units": "none", "where": {"lat": -1.5e3}}),
    ReadCall(tool="get_time", params={}),
    ReadCall(tool="write", params={"name": "x", "text": "123_456"}),
    ReadCall(tool="not_there", params={"a": [{"b": []}]}),
)

MARKS: Final = tuple(
    dict.fromkeys(
        (
            *ALL_MARKERS.by_mark,
            *(part for pair in REASONING for part in pair),
            *ALL_MARKERS.tails,
            *(closer for start in ALL_MARKERS.starts for closer in start.closers),
            *("</function>", "</parameter>", "<parameter=city>", '<parameter name="city">', "</invoke>", "</param>"),
            *("<function=get_weather>", '<invoke name="get_time">', "<arg_key>", "</arg_key>", "<arg_value>"),
            *("</arg_value>", "[ARGS]", "[CALL_ID]", "<|message|>", "<|tool_call_argument_begin|>", "<escape>"),
            *(
                '<|"|>',
                "<\uff5ctool▁sep\uff5c>",
                "functions.",
                "call:",
                "functools",
                "```json\n",
                "```",
                "```tool_code\n",
            ),
            *("[TOOL_CALL]", "[/TOOL_CALL]", ">>>get_time\n", "get_time", "get_weather(", "[get_time()]"),
        )
    )
)
"""What readers look for."""

ODD: Final = (
    *("{", "}", "[", "]", "(", ")", '"', "'", "`", "\\", '\\"', ",", ":", "=", ";", "<", ">", "/", "|", "#", "//"),
    *("/*", "*/", "\n", "\r\n", "\t", " ", "\x00", "\x1b", "\x85", "\u2028", "\ufeff", "\u200b", "\ud83d", "\udc00"),
    *("😀", "日本", "é", "e\u0301", "\\ud800", "\\ud83d\\ude00", "\\u0000", "\\u12", "1e400", "-0.0", "9" * 700),
    *("NaN", "Infinity", "None", "True", "null", "0x1f", "123_456", "{{", "}}.0000", '"""', '{"name":', "[[]]", '""'),
)
"""What is hostile to a reader of any kind of text."""

PROSE: Final = (
    "I look it up for you.",
    "In Python, [print(x=1)] is a list; {braces} and a <tag> are text.",
    'Write `<tool_call>{"name": "f", "arguments": {}}</tool_call>` to call f.',
    "Es ist 12 °C in 東京 🌧 \u2013 sagt der “Bericht”.",
    "",
)


def outputs() -> Iterator[str]:
    """Return model outputs: each dialect's own form of calls and answers, alone and with text and reasoning around."""
    dialects = (*(dialect_named(name) for name in ("envelope", "bare", "tool_tags")), *FAMILY_DIALECTS)
    for dialect in dialects:
        for calls in (CALLS[:1], CALLS[1:3], CALLS[3:]):
            yield dialect.write(Sample(calls=calls))
        written = dialect.write(Sample(calls=CALLS[:1]))
        yield f"<think>\n{written}\n</think>\n\n{PROSE[0]}\n{dialect.write(Sample(calls=CALLS[2:3]))}"
    yield dialects[0].write(Sample(answer='It is "12" °C.\n'))
    yield from PROSE
    yield from (f"{begin}Hm, {CALLS[0].tool}?{end}{PROSE[3]}" for begin, end in REASONING)


DIALECTS: Final = tuple(sorted({*dialect_names()} & {"auto", "bare", "envelope", "native", "tool_tags"})) + tuple(
    dialect.name for dialect in FAMILY_DIALECTS
)

SCHEMAS: Final[tuple[Any, ...]] = (
    *(tool["parameters"] for tool in TOOLS),
    {"type": "array", "prefixItems": [{"type": "integer"}], "items": False, "uniqueItems": True, "contains": {}},
    {"anyOf": [{"type": "null"}, {"minLength": 2, "pattern": "^a+b?$"}], "not": {"const": "ab"}},
    {"oneOf": [{"multipleOf": 0.1}, {"minimum": 3, "exclusiveMaximum": 9}], "enum": [1, 2.5, "x", None, {"a": []}]},
    {"$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}}, "$ref": "#/$defs/n"},
    {"if": {"required": ["a"]}, "then": {"minProperties": 2}, "else": {"maxProperties": 1}},
    {"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False, "patternProperties": {"^x-": {}}},
    {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"b": {"propertyNames": {"maxLength": 2}}}},
    {"$id": "https://example.org/a", "$anchor": "x", "$dynamicAnchor": "y", "items": {"$dynamicRef": "#y"}},
    {"type": ["integer", "string"], "format": "date-time", "minContains": 0, "unevaluatedItems": {"type": "string"}},
    True,
    False,
)

VALUES: Final[tuple[Any, ...]] = (
    {"city": "Rome", "days": "3", "exact": "True", "note": None, "tags": ["a", 1], "where": {"lat": "1.5"}},
    [1, 1.0, True, "1", None, [], {}],
    {"a": {"a": {}}, "b": [2**53, -(2**63), 0.1, 1e300], "x-y": "ab", "": ""},
    *("ab", "3", "null", "2024-02-29T12:00:00Z", 3, 2.5, 1e16, True, None, [], {}),
)


def as_bytes(value: Any) -> bytes:
    """Return a value as JSON in bytes, lone surrogates escaped."""
    return json.dumps(value, separators=(",", ":")).encode()
