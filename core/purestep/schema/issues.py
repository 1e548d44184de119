"""What can be wrong: with a value (an issue, which is data) and with a schema (an error, which is raised)."""

from types import MappingProxyType
from typing import Final

import msgspec

ISSUE_CODES: Final = MappingProxyType(
    {
        "type": "the value has another JSON type: expected (type names), got, value",
        "required": "a required name is missing: name, and because (the name that asks for it) for dependent names",
        "additional": "a name is not known here: name, and closest when a known name is near",
        "property_name": "a name breaks the rule for names: name",
        "enum": "the value is not allowed: allowed (JSON texts), more (how many are not listed), value, closest",
        "const": "the value is not the only allowed one: allowed (one JSON text), value",
        "minimum": "the number is too small: limit, value",
        "maximum": "the number is too large: limit, value",
        "exclusive_minimum": "the number is not above the limit: limit, value",
        "exclusive_maximum": "the number is not below the limit: limit, value",
        "multiple_of": "the number is no multiple: limit, value",
        "min_length": "the string is too short: limit, count (code points)",
        "max_length": "the string is too long: limit, count (code points)",
        "pattern": "the string does not match: pattern, value",
        "format": "the string does not have the format: format (its name), value",
        "min_items": "the array is too short: limit, count",
        "max_items": "the array is too long: limit, count",
        "unique_items": "two items are equal: first, second (their positions)",
        "contains": "too few or too many items fit the contained schema: minimum, maximum (or null), count",
        "min_properties": "the object has too few names: limit, count",
        "max_properties": "the object has too many names: limit, count",
        "any_of": "no branch fits: expected (what the branches take), value",
        "one_of": "no branch fits (expected, value) or several do: matched (their positions), value",
        "not": "the value fits a schema that it must not fit: value",
        "never": "no value is allowed here: value",
        "too_deep": "the value is nested too deeply to be checked: limit",
        "schema_budget": "the check takes more steps than are allowed: limit",
    }
)
"""The closed set of issue codes, each with its meaning and the names of its params."""


class Issue(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong with a value.

    `path` is the JSON pointer of the place in the value ("" for the whole), `code` a key of `ISSUE_CODES`,
    and `params` plain JSON values whose names that table gives for each code.
    """

    path: str
    code: str
    params: dict[str, object]


class SchemaError(Exception):
    """A schema that cannot be compiled.

    Attributes: `code` (of the catalogue of errors), `message` (a sentence), `path` (the JSON pointer of the fault).
    """

    def __init__(self, code: str, message: str, path: str) -> None:
        super().__init__(f"{path or '/'}: {message}")
        self.code = code
        self.message = message
        self.path = path
