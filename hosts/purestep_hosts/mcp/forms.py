"""Forms that an MCP server asks a person to fill in: made plain, and bounded; what asks for a secret is refused.

A form is flat: texts, numbers, yes or no, and choices. The protocol says that no server may ask for secrets this way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from purestep import AskedForm

MAX_FIELDS: Final = 40
"""More do not fit a screen, and nobody fills them in."""

_MAX_CHOICES: Final = 200
_MAX_SHOWN_CHARS: Final = 300
_MAX_MESSAGE_CHARS: Final = 2000
_NUMBERS: Final = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
_FORMATS: Final = ("email", "uri", "date", "date-time")
_SECRET: Final = "a field for a secret ({}), which no MCP server may ask for this way"


class RefusedForm(Exception):
    """A form that no person is shown; the message says why."""


def asked_form(message: str, schema: Any) -> AskedForm:
    """Return a form as a person is asked it; raises RefusedForm."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    if not isinstance(properties, Mapping):
        raise RefusedForm("it has no properties")
    if len(properties) > MAX_FIELDS:
        raise RefusedForm(f"it has {len(properties)} fields, of which a person is asked at most {MAX_FIELDS}")
    required = schema.get("required")
    names = [name for name in required if name in properties] if isinstance(required, list) else []
    fields = {_name(name): _field(name, field) for name, field in properties.items()}
    return AskedForm(
        message=plain(message, _MAX_MESSAGE_CHARS),
        form={"type": "object", "properties": fields, "required": names, "additionalProperties": False},
    )


def asked_address(message: str, url: str) -> AskedForm:
    """Return what a server says of an address that a person is to open; this host opens none."""
    said = plain(message, _MAX_MESSAGE_CHARS)
    text = f"{said}\nAddress, which is not opened for you: {plain(url, _MAX_MESSAGE_CHARS // 2)}"
    return AskedForm(message=text, form={"type": "object", "properties": {}, "additionalProperties": False})


def plain(text: Any, most: int = _MAX_SHOWN_CHARS) -> str:
    """Return a server's words without what is no text for a screen, cut to a length."""
    found = text if isinstance(text, str) else ""
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in found[:most])
    return shown if len(found) <= most else f"{shown}…"


def _name(name: Any) -> str:
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= _MAX_SHOWN_CHARS:
        raise RefusedForm("a field has no name that can be shown")
    return name


def _field(name: str, field: Any) -> dict[str, Any]:
    """Return a field of the kinds that a form may have; raises RefusedForm for any other, and for secrets."""
    if not isinstance(field, Mapping):
        raise RefusedForm(f"the field {name} is no object")
    is_secret = field.get("format") == "password" or field.get("writeOnly") is True
    if is_secret or any(str(member).startswith("x-") for member in field):
        raise RefusedForm(_SECRET.format(plain(name)))
    words = {member: plain(field[member]) for member in ("title", "description") if field.get(member)}
    match field.get("type"):
        case "string" | "integer" | "number" | "boolean" as kind:
            found = {"type": kind, **words, **_bounds(field), **_choices(field)}
            if field.get("format") in _FORMATS:
                found["format"] = field["format"]
            if isinstance(field.get("default"), str | int | float | bool):
                found["default"] = field["default"]
            return found
        case "array" if isinstance(field.get("items"), Mapping) and (choices := _choices(field["items"])):
            return {"type": "array", **words, **_bounds(field), "items": {"type": "string", **choices}}
        case _:
            raise RefusedForm(f"the field {plain(name)} is no text, number, yes or no, or choice")


def _bounds(field: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: field[name]
        for name in _NUMBERS
        if isinstance(field.get(name), int | float) and not isinstance(field[name], bool)
    }


def _choices(field: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be chosen, as `enum`: of the old form, or of constants with titles."""
    given = field.get("enum")
    if given is None:
        titled = field.get("oneOf") or field.get("anyOf") or ()
        given = [each.get("const") for each in titled if isinstance(each, Mapping)] or None
    if given is None:
        return {}
    if not isinstance(given, list) or len(given) > _MAX_CHOICES or not all(isinstance(each, str) for each in given):
        raise RefusedForm(f"a choice is not among at most {_MAX_CHOICES} texts")
    return {"enum": list(dict.fromkeys(given))}
