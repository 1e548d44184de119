"""Calls in every family's own form, and what can be told of a form: its markers, and which part is JSON."""

import re
from typing import Any

from purestep.dialects import Dialect, Form, Sample
from purestep.entry.standalone import specs_of
from purestep.json_text.codec import encode_sorted
from purestep.values.reading import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS

SAVE: dict[str, Any] = {
    "name": "save",
    "parameters": {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "name": {"type": "string"},
            "count": {"type": "integer"},
            "ratio": {"type": "number"},
            "done": {"type": "boolean"},
            "extra": {"type": ["string", "null"]},
            "units": {"enum": ["celsius", "none"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "object"},
        },
        "required": ["text"],
    },
}
GET_TIME: dict[str, Any] = {"name": "get_time", "parameters": {"type": "object", "properties": {}}}
TOOLS = [GET_TIME, SAVE]
SPECS = specs_of(TOOLS)

ARGUMENTS: dict[str, dict[str, Any]] = {
    "plain": {"text": "Rome"},
    "typed": {"text": "x", "count": -7, "ratio": 0.25, "done": True, "extra": None},
    "quotes": {"text": """say "hi", 'bye' and `ls`""", "name": "it's"},
    "breaks": {"text": "a\nb\n\n\tc"},
    "brackets": {"text": "if (x) { return [1]; } }}", "name": "]) [("},
    "digits": {"text": "123_456", "name": "007"},
    "words": {"text": "null", "name": "True"},
    "enum": {"text": "x", "units": "none"},
    "nested": {"text": "x", "where": {"a": {"b": [1, {"c": None}, "d"]}, "e": {}}, "tags": []},
    "lists": {"text": "x", "tags": ["a", "b, c", ""]},
    "unicode": {"text": "日本語 – 🌧 “é” \u2028 \\u00e9"},
    "paths": {"text": "x", "where": {"5432/tcp": 5433, "a/b/c": {"text/html": "d/e:f"}}},
    "named": {"text": "x", "name": "get_time"},
    "empty": {"text": ""},
    "json": {"text": '{"name": "get_time", "arguments": {}}'},
    "slashes": {"text": "C:\\new\\table // no comment # none /* none */"},
    "think": {"text": "<think>x</think>"},
}
"""Arguments of `save` that one form or another finds hard."""

DIALECTS: dict[str, Dialect] = {dialect.name: dialect for dialect in FAMILY_DIALECTS}


def form_of(family: str) -> Form:
    """Return the form of a family."""
    form = DIALECTS[family].form
    assert form is not None
    return form


def save(params: dict[str, Any]) -> ReadCall:
    """Return a call of `save`."""
    return ReadCall(tool="save", params=params)


def written(family: str, *calls: ReadCall) -> str:
    """Return calls as the family's own writer writes them."""
    return DIALECTS[family].write(Sample(calls=calls))


def json_of(params: dict[str, Any]) -> str:
    """Return arguments as the forms that hold JSON write them."""
    return encode_sorted(params).decode()


ESCAPED = [name for name in DIALECTS if form_of(name).arguments in ("json", "python")]
"""Families whose strings are in quotes with escapes, so that a string may hold anything."""

OBJECTS = [name for name in DIALECTS if '"{name}"' in form_of(name).begin]
"""Families whose calls are JSON as a whole, the name in it."""

JSON = [name for name in DIALECTS if form_of(name).arguments == "json"]
"""Families whose arguments are JSON."""

_MARK = r"(?:<[^<>]*>|```|\[TOOL_CALLS\]|functools)"
_TAIL = re.compile(rf"(?:[ \n]*{_MARK})*$")
_LAST = re.compile(rf"[ \n]*{_MARK}$")
_HEAD = re.compile(rf"{_MARK}+[ \n]*")


def tail_of(family: str) -> str:
    """Return all the markers that end an output of the family."""
    form = form_of(family)
    return _found(_TAIL, form.end + form.close)


def last_of(family: str) -> str:
    """Return the last marker of an output of the family."""
    form = form_of(family)
    return _found(_LAST, form.end + form.close)


def head_of(family: str) -> str:
    """Return the marker that begins an output of the family, and the blanks after it."""
    form = form_of(family)
    found = _HEAD.match(form.open or form.begin)
    return found[0] if found else ""


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[0] if found else ""


MARKED = [family for family in DIALECTS if head_of(family).strip("` \n")]
"""Families whose calls stand in markers of their own, by which they are calls whatever they name."""
