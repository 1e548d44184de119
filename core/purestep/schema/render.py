"""Issues in words, for the model or the person who has to correct the value."""

from collections.abc import Callable
from typing import Any, Final

from ..json_text import TYPE_PHRASES, excerpt_of
from .formats import FORMATS
from .issues import Issue


def render(issue: Issue, member: str = "property") -> str:
    """Return one line that names the place, what was expected and what came.

    Such as `/city: expected a string, got number 3`. member: what a property of the outermost object is called; for a
    tool's arguments, "argument".
    """
    sentence = _SENTENCES[issue.code](issue, issue.params)
    if issue.path.count("/") == _DEPTH_OF_OUTERMOST.get(issue.code):
        sentence = sentence.replace("property", member, 1)
    return f"{issue.path or '/'}: {sentence}"


_DEPTH_OF_OUTERMOST: Final = {"required": 0, "additional": 1}
"""Levels in the path of an issue about the outermost object's names: a missing name is reported at the object."""


def _type(_issue: Issue, params: dict[str, Any]) -> str:
    expected = _either([TYPE_PHRASES[name] for name in params["expected"]])
    return f"expected {expected}, got {_got(params)}"


def _got(params: dict[str, Any]) -> str:
    """Return the value, after its type where the text alone would not show it."""
    return params["value"] if params["got"] in ("null", "boolean") else f"{params['got']} {params['value']}"


def _required(_issue: Issue, params: dict[str, Any]) -> str:
    because = f" (needed beside {excerpt_of(params['because'])})" if "because" in params else ""
    return f"missing required property {excerpt_of(params['name'])}{because}"


def _additional(_issue: Issue, params: dict[str, Any]) -> str:
    return f"unknown property{_suggestion(params)}"


def _suggestion(params: dict[str, Any]) -> str:
    return f"; did you mean {excerpt_of(params['closest'])}?" if "closest" in params else ""


def _enum(_issue: Issue, params: dict[str, Any]) -> str:
    if "more" in params:
        expected = f"{', '.join(params['allowed'])} or one of {params['more']} more"
    else:
        expected = _either(params["allowed"])
    return f"expected {expected}, got {params['value']}{_suggestion(params)}"


def _union(_issue: Issue, params: dict[str, Any]) -> str:
    if "matched" in params:
        return f"expected to fit one form alone, but {params['value']} fits several"
    return f"expected {_either(params['expected'])}, got {params['value']}"


def _contains(_issue: Issue, params: dict[str, Any]) -> str:
    if params["count"] < params["minimum"]:
        wanted = f"at least {_of(params['minimum'], 'fitting item')}"
    else:
        wanted = f"at most {_of(params['maximum'], 'fitting item')}"
    return f"expected {wanted}, got {params['count']}"


def _format(_issue: Issue, params: dict[str, Any]) -> str:
    return f"expected {FORMATS[params['format']].phrase}, got {params['value']}"


def _unique(_issue: Issue, params: dict[str, Any]) -> str:
    return f"expected no item twice, but items {params['first']} and {params['second']} are equal"


def _either(phrases: list[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if not phrases:
        return "nothing at all"
    *others, last = phrases
    return f"{', '.join(others)} or {last}" if others else last


def _counted(bound: str, noun: str) -> Callable[[Issue, dict[str, Any]], str]:
    def sentence(_issue: Issue, params: dict[str, Any]) -> str:
        return f"expected at {bound} {_of(params['limit'], noun)}, got {params['count']}"

    return sentence


def _of(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _stating(template: str) -> Callable[[Issue, dict[str, Any]], str]:
    return lambda _issue, params: template.format(**params)


_SENTENCES: Final[dict[str, Callable[[Issue, dict[str, Any]], str]]] = {
    "type": _type,
    "required": _required,
    "additional": _additional,
    "property_name": _stating("this name is not allowed"),
    "enum": _enum,
    "const": _enum,
    "minimum": _stating("expected at least {limit}, got {value}"),
    "maximum": _stating("expected at most {limit}, got {value}"),
    "exclusive_minimum": _stating("expected more than {limit}, got {value}"),
    "exclusive_maximum": _stating("expected less than {limit}, got {value}"),
    "multiple_of": _stating("expected a multiple of {limit}, got {value}"),
    "min_length": _counted("least", "character"),
    "max_length": _counted("most", "character"),
    "pattern": _stating("expected a string matching {pattern}, got {value}"),
    "format": _format,
    "min_items": _counted("least", "item"),
    "max_items": _counted("most", "item"),
    "unique_items": _unique,
    "contains": _contains,
    "min_properties": _counted("least", "name"),
    "max_properties": _counted("most", "name"),
    "any_of": _union,
    "one_of": _union,
    "not": _stating("expected anything but this form, got {value}"),
    "never": _stating("expected no value here, got {value}"),
    "too_deep": _stating("expected at most {limit} levels of nesting"),
    "schema_budget": _stating("expected a value that can be checked in {limit} steps; give a smaller one"),
}
