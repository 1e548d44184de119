"""Typed text: the value of an argument that a model wrote as raw text, typed by the tool's schema.

XML-like dialects write `<parameter=count>3</parameter>` without quotes, so only the schema can distinguish 3 from "3":
a string stays the text it is ("123_456", an enum's "none"), anything else is read as JSON where that fits.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from purestep.json_text import BLANK, UNREADABLE, read_json, repair_json
from purestep.lazy import lazy_pattern
from purestep.schema import SchemaShape, allowed_values, type_names

_WORDS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_OVERRULING: Final = ("$ref", "enum", "const")
"""Keywords that count before the type."""

_FENCED: Final = lazy_pattern(r"```[a-z]{0,16}[ \t\r\n]*+([\[{].*[}\]])[ \t\r\n]*```", re.ASCII | re.DOTALL)
_WHOLE: Final = ("integer", "number")
_NUMBERS: Final = frozenset(_WHOLE)
_NUMERAL: Final = lazy_pattern(r"[+-]?\.?[0-9]", re.ASCII)
_INTEGER: Final = lazy_pattern(r"0|-?[1-9][0-9]{0,14}", re.ASCII)
_NULLS: Final = ("null", "None", "NULL", "nil")


def typed_value(raw: str, schema: Any, root: Any, notes: list[str]) -> Any:
    """Return the value that a raw text means under a schema (None or a boolean: any); notes: what of it was mended."""
    if isinstance(schema, dict) and not any(map(schema.__contains__, _OVERRULING)):
        if schema.get("type") == "string":
            return raw
        if schema.get("type") in _WHOLE and _INTEGER.fullmatch(raw):
            return int(raw)
    types, enum = allowed_values(schema, root)
    text = raw.strip(BLANK)
    if enum is not None:
        return _chosen(raw, text, enum, root)
    if list(types) == ["string"]:
        return raw
    if text in _NULLS and ("null" in types or (not types and text == "null")):
        return None
    fenced = _FENCED.fullmatch(text) if types and text.startswith("```") else None
    value = _read(fenced[1] if fenced else text, schema, root)
    if not types:
        return raw if value is UNREADABLE else value
    if isinstance(value, str) and "string" not in types and value.lstrip(BLANK)[:1] in ("{", "["):
        value = _read(value.strip(BLANK), schema, root)
    if value is not UNREADABLE and not isinstance(value, str) and type_names(value) & types.keys():
        return value
    if "boolean" in types and text in _WORDS:
        return _WORDS[text]
    if "string" in types:
        return raw
    if value is UNREADABLE and types.keys() & _NUMBERS:
        value = _number(text, types, SchemaShape(schema, root), notes)
    return raw if value is UNREADABLE else value


def _read(text: str, schema: Any, root: Any) -> Any:
    """Return the value of a text; one that must be guessed is none, so what is checked is the text as it is."""
    value = read_json(text)
    if value is UNREADABLE and text[:1] in ("{", "["):
        loose = repair_json(text, shape=SchemaShape(schema, root), closed=True)
        if loose is not None and not loose.guesses and not loose.cut and not text[loose.end :].strip(BLANK):
            return loose.value
    return value


def _number(text: str, types: Mapping[str, None], shape: SchemaShape, notes: list[str]) -> Any:
    """Return the number that a text is in another notation, where the schema takes no text."""
    loose = repair_json(text, shape=shape, closed=True) if _NUMERAL.match(text) else None
    if loose is None or loose.guesses or text[loose.end :].strip(BLANK) or not type_names(loose.value) & types.keys():
        return UNREADABLE
    notes += loose.notes
    return loose.value


def _chosen(raw: str, text: str, enum: list[Any], root: Any) -> Any:
    for candidate in (raw, text):
        if candidate in [item for item in enum if isinstance(item, str)]:
            return candidate
    value = _read(text, None, root)
    if value is not UNREADABLE and any(value == item and type(value) is type(item) for item in enum):
        return value
    return None if text in _NULLS and None in enum else raw
