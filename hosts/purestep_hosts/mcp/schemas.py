"""Schemas of MCP servers: null members counted as absent, and patterns that the core does not judge left to the server.

A pattern may have Unicode properties, lookbehind or backreferences. The properties would tie a verdict to a version of
Unicode, which hosts differ in; the others have no linear form. The server judges its arguments itself, so here it is
enough that nothing is refused that the server takes: where a pattern is left out, what stands around it is loosened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import purestep

_Schema = dict[str, Any]
_MAPS: Final = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS: Final = ("allOf", "anyOf", "oneOf", "prefixItems")
_SINGLES: Final = (
    *("items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "propertyNames"),
    *("not", "if", "then", "else"),
)
"""Where schemas stand in a schema."""

_VALUES: Final = ("const", "default")
"""Members whose null is a value."""

_CONDITIONS: Final = ("not", "if", "then", "else", "maxContains", "unevaluatedProperties", "unevaluatedItems")
"""Keywords that take less the more another schema takes; `oneOf` is one too, and becomes `anyOf`."""

_MAX_PATTERNS: Final = 64
"""Left to the server in one schema: each takes another reading of it, and servers have a few."""

_MAX_SHOWN_CHARS: Final = 200
"""Of a pattern that a model is told in words; longer ones say little to it."""


class Loosened(NamedTuple):
    """A schema that the core takes, and the patterns that are left to the server."""

    schema: _Schema
    patterns: tuple[str, ...]


def without_null_members(schema: _Schema) -> _Schema:
    """Return a schema without members that are null."""

    def change(found: _Schema) -> _Schema:
        return {name: value for name, value in found.items() if value is not None or name in _VALUES}

    return dict(_rebuilt(schema, change))


def loosened(schema: _Schema, check: Callable[[_Schema], object], root: str) -> Loosened:
    """Return a schema without the patterns that `check` refuses; raises PurestepError for whatever else it refuses.

    check: has the core read it; root: the pointer by which its errors name the schema.
    """
    sources: list[str] = []
    found = schema
    while True:
        try:
            check(found)
        except purestep.PurestepError as error:
            source = _refused_pattern(found, error, root)
            if source is None or source in sources or len(sources) == _MAX_PATTERNS:
                raise
            sources.append(source)
            found = _without(schema, frozenset(sources))
        else:
            return Loosened(found, tuple(sources))


def _refused_pattern(schema: _Schema, error: purestep.PurestepError, root: str) -> str | None:
    if error.code != "unsupported_pattern" or not error.path.startswith(f"{root}/"):
        return None
    *above, last = [token.replace("~1", "/").replace("~0", "~") for token in error.path[len(root) + 1 :].split("/")]
    if above and above[-1] == "patternProperties":
        return last
    value: Any = schema
    for token in (*above, last):
        if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            value = value[int(token)]
        else:  # a long path comes cut, and then names nothing
            value = value.get(token) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def _without(schema: _Schema, sources: frozenset[str]) -> _Schema:
    """Return a schema without these patterns, which takes whatever it took with them.

    A schema that takes more has others around it take less: one that must not hold, and the condition of another.
    References may lead to it from anywhere, so these are left to the server wherever they stand.
    """

    def change(found: _Schema) -> _Schema:
        changed = {name: value for name, value in found.items() if name not in _CONDITIONS}
        if isinstance(one_of := changed.pop("oneOf", None), list):
            also = changed.get("allOf")
            changed["allOf"] = [*(also if isinstance(also, list) else ()), {"anyOf": one_of}]
        if changed.get("pattern") in sources:
            changed = _told(changed)
        names = changed.get("patternProperties")
        if isinstance(names, dict) and not sources.isdisjoint(names):
            changed["patternProperties"] = {name: each for name, each in names.items() if name not in sources}
            changed.pop("additionalProperties", None)  # it would be asked about what the pattern took
        return changed

    return dict(_rebuilt(schema, change))


def _told(schema: _Schema) -> _Schema:
    """Return a schema whose pattern is said in words, since the model is to keep to it."""
    changed = {name: value for name, value in schema.items() if name != "pattern"}
    said = schema.get("description")
    if len(schema["pattern"]) <= _MAX_SHOWN_CHARS and (said is None or isinstance(said, str)):
        changed["description"] = f"{said or ''} Must match {schema['pattern']}".strip()
    return changed


def _rebuilt(schema: Any, change: Callable[[_Schema], _Schema]) -> Any:
    """Return a schema in which each one is changed, the inner ones first; what is no schema stays."""
    if not isinstance(schema, dict):
        return schema
    rebuilt: _Schema = {}
    for name, value in schema.items():
        if name in _SINGLES:
            rebuilt[name] = _rebuilt(value, change)
        elif name in _MAPS and isinstance(value, dict):
            rebuilt[name] = {key: _rebuilt(each, change) for key, each in value.items() if each is not None}
        elif name in _LISTS and isinstance(value, list):
            rebuilt[name] = [_rebuilt(each, change) for each in value]
        else:
            rebuilt[name] = value
    return change(rebuilt)
