"""Skills as they are executed: the input, then the observations that follow, for the vectors."""

from typing import Any, Final

_NAMES: Final = {"text": "Anna Kurz wrote to Tom.", "target": "name"}
_MODEL: Final = {"name": "small", "supports": ["grammar"], "carry": "route"}


def _begun(params: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"skill": "extract", "params": params, **more}


def _said(content: str) -> dict[str, Any]:
    return {"type": "model_output", "content": content}


_RIGHT: Final = _said('{"name":["Tom","Anna Kurz"]}')
_ERROR: Final = {"type": "model_error", "code": "unavailable", "message": "down", "retryable": True}

SKILLS: Final[dict[str, tuple[dict[str, Any], list[dict[str, Any]]]]] = {
    "names": (_begun(_NAMES), [_RIGHT]),
    "names fenced": (_begun(_NAMES), [_said('Sure:\n```json\n{"name": ["anna kurz"]}\n```')]),
    "malformed, then right": (_begun(_NAMES), [_said("Anna and Tom"), _RIGHT]),
    "malformed twice": (_begun(_NAMES), [_said('{"name":["Tom"'), _said("")]),
    "schema violated twice": (_begun(_NAMES), [_said('{"names":["Tom"]}'), _said('{"name":"Tom"}')]),
    "hallucinated twice": (_begun(_NAMES), [_said('{"name":["Zed"]}'), _said('{"name":["Ann"]}')]),
    "model down": (_begun(_NAMES), [_ERROR, _ERROR, _ERROR]),
    "cancelled": (_begun(_NAMES), [{"type": "cancel", "reason": "enough"}]),
    "after the end": (_begun(_NAMES), [_RIGHT, _RIGHT]),
    "entities": (
        _begun({"text": "Anna Kurz of Nordwind GmbH left Bern.", "target": "entity"}, model={"name": "m"}),
        [_said('{"entity":{"people":["Anna Kurz"],"organizations":["Nordwind GmbH"],"locations":["Bern"]}}')],
    ),
    "entities carried": (
        _begun({"text": "Anna Kurz of Nordwind GmbH left Bern.", "target": "entity"}, model=_MODEL),
        [],
    ),
    "email": (_begun({"text": "Write to (Bob <bob@mail.example>).", "target": "email"}), []),
    "url": (_begun({"text": "See https://example.org/a_(b), or example.com/x.", "target": "url"}), []),
    "date": (_begun({"text": "From 3 May 2024 to 2024-06-01.", "target": "date"}), []),
    "date with a number left": (
        _begun(
            {"text": "From 7 toukokuuta 2024 to 2024-06-01.", "target": "date"}, model={"name": "m", "supports": []}
        ),
        [_said('{"date":["7 toukokuuta 2024"]}')],
    ),
    "nothing": (_begun({"text": "It rained.", "target": "email"}), []),
    "empty input": (_begun({"text": "", "target": "email"}), []),
    "invalid target": (_begun({"text": "a", "target": "phone"}), []),
    "unknown skill": ({"skill": "summarise", "params": {}}, []),
    "unknown argument": (_begun({**_NAMES, "lang": "en"}), []),
}
"""By name: what begins it, and the observations after that."""
