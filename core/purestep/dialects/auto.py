"""The auto dialect: reads any of the others by their marks, and teaches the envelope."""

from typing import Any, Final

from ..jsontext import BLANK, UNREADABLE, find_json, read_json
from ..reading import Reading
from ..toolspec import Tools
from . import bare, envelope, tool_tags
from .base import Dialect
from .common import call_from

_KINDS: Final = ("tool_call", "final")


def read(text: str, tools: Tools | None = None) -> Reading:
    """Read an output by the marks it bears; text without any is the answer."""
    value = _value(text)
    if tool_tags.OPEN in text and not text.strip(BLANK).startswith("{"):
        return tool_tags.read(text, tools)
    if isinstance(value, dict) and value.get("kind") in _KINDS:
        return envelope.read(text, tools)
    if isinstance(value, dict) and isinstance(value.get("tool"), str) and "arguments" not in value:
        return bare.read(text, tools)
    call = call_from(value, ("name", "tool_name", "tool"), ("arguments", "parameters", "args"))
    if call is not None and isinstance(value, dict) and len(value) == 2 and _known(call.tool, tools):  # noqa: PLR2004
        return Reading(calls=(call,))
    if _damaged(text):
        return envelope.read(text, tools)
    return bare.read(text, tools)


def _value(text: str) -> Any:
    found = find_json(text)
    if found is None or found.missing:
        return UNREADABLE
    return read_json(text[found.start : found.end])


def _known(name: str, tools: Tools | None) -> bool:
    return tools is None or name in tools


def _damaged(text: str) -> bool:
    body = text.strip(BLANK).removeprefix("```json").lstrip(BLANK)
    return body[:1] == "{" and '"kind"' in body


AUTO: Final = Dialect(
    name="auto",
    read=read,
    instruct=envelope.instruct,
    write=envelope.write,
    remind=envelope.ENVELOPE.remind,
    constrain=envelope.constrain,
    hidden=tool_tags.TOOL_TAGS.hidden,
    stream="auto",
)
