"""The readers of canonical calls, one made of each form: they take exactly what the form says, with plain values.

A reader accepts a text only if the scanner reads the same calls without a problem; each says why that holds.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from purestep.bounds import MAX_SHORT_NAME_CHARS
from purestep.dialects import Form, arguments_shape, parameter_schemas, plain_name
from purestep.json_text import BLANK, UNREADABLE, read_json
from purestep.lazy import lazy_pattern
from purestep.names import KEY, name_up_to
from purestep.scanner import Block
from purestep.values import ReadCall, Tools

from ..bounds import MAX_INDEX_DIGITS
from ..call_readers import UNTYPED, WRAPPING, calls_of, trimmed, typed_value, with_types
from .unmarked_calls import OBJECT, read_object_value

Calls = tuple[ReadCall, ...]
CanonicalReader = Callable[[str, Tools | None], Calls | None]
"""From a text without blanks around it, and the tools, to its calls; None when it is not exactly of the form."""

_NAME: Final = f"(?P<name>{name_up_to(MAX_SHORT_NAME_CHARS, KEY)})"
"""A tool's name without dots: no part of it can be a namespace."""

_KEY: Final = f"(?P<key>{name_up_to(MAX_SHORT_NAME_CHARS, KEY)})"
_INTEGER: Final = r"(?P<integer>0|-?[1-9][0-9]{0,14})"
_BLANKS: Final = r"[ \t\r\n]*"
_BLANK: Final = (" ", "\n")
_NO_TOOLS: Final = ("assistant", "all", "user")
"""Recipients of harmony messages that are not tools."""


def canonical_reader(form: Form) -> CanonicalReader:
    """Return the reader of one call, or of a list of calls, exactly in a form."""
    match form.arguments:
        case "tags":
            return _tags_reader(form)
        case "python":
            return _literals_reader(form, _PYTHON_ARGUMENT)
        case "pairs":
            return _literals_reader(form, _pair(form))
    if _has_name_in_marker(form):
        return _named_json_reader(form)
    return _bare_json_reader(form) if is_bare(form) else _json_reader(form)


def is_bare(form: Form) -> bool:
    """Whether a form has no markers of its own: JSON, in a code fence or not, or a list of Python's calls."""
    if form.arguments == "json" and not _has_name_in_marker(form):
        head = _around_json(form)[0]
        return not head or head.startswith("```")
    return form.open == "["


def _has_name_in_marker(form: Form) -> bool:
    return "{name}" in form.begin.partition('{"')[0]


# --- forms whose calls are JSON as a whole ----------------------------------------------------------------


def _json_reader(form: Form) -> CanonicalReader:
    """Return the reader of a marker, JSON calls and a marker, once or several times.

    JSON holds markers in strings only and closes each bracket once, so every scan ends the block at its last marker.
    """
    head, tail, opening = _around_json(form)
    begin_at, end_chars = len(head), len(tail)
    # Between two calls in markers of their own. A string that held this text would be cut in two, which is not JSON.
    separator = form.end[1:] + form.between + form.begin.partition("{")[0] if not form.open else None

    def read(body: str, tools: Tools | None) -> Calls | None:
        if not body.startswith(head) or not body.endswith(tail):
            return None
        begin = begin_at + (body[begin_at : begin_at + 1] in _BLANK)
        if not body.startswith(opening, begin):
            return None
        inner = body[begin : len(body) - end_chars]
        return _all_calls(inner.split(separator) if separator else (inner,), tools)

    return read


def _all_calls(texts: Sequence[str], tools: Tools | None) -> Calls | None:
    """Return the calls of JSON texts, or None where one of them is anything else."""
    calls: Calls = ()
    for text in texts:
        value = read_json(text)
        found, problems = calls_of(value, tools) if value is not UNREADABLE else ((), ())
        if not found or problems:
            return None
        calls += found
    return calls


def _bare_json_reader(form: Form) -> CanonicalReader:
    """Return the reader of JSON calls in a code fence or alone.

    Which JSON is a call, the scanner's own reader says; a code fence counts only around a call of a known tool.
    """
    head = form.open.removesuffix("[")
    tail = form.close.removeprefix("]")
    is_fenced = bool(head)

    def read(body: str, tools: Tools | None) -> Calls | None:
        if not body.startswith(head) or not body.endswith(tail) or not OBJECT.match(body, len(head)):
            return None
        inner = body[len(head) : len(body) - len(tail)]
        value = read_json(inner)
        if value is UNREADABLE or inner[-1] not in "}]":
            return None
        result = read_object_value(Block(inner, True, True, "", is_fenced), value, tools)
        if result.problems or result.is_text or not result.calls:
            return None
        is_named = tools is None or not is_fenced or any(call.tool in tools for call in result.calls)
        return result.calls if is_named else None

    return read


def _around_json(form: Form) -> tuple[str, str, str]:
    """Return the marker before the JSON of a form, the one after it, and the bracket that the JSON begins with."""
    if form.open.endswith("["):
        return form.open[:-1].rstrip(BLANK), form.close[1:].lstrip(BLANK), "["
    head, _, _ = (form.open + form.begin).partition("{")
    return head.rstrip(BLANK), (form.end[1:] + form.close).lstrip(BLANK), "{"


# --- forms with the name in a marker ----------------------------------------------------------------------


def _named_json_reader(form: Form) -> CanonicalReader:
    """Return the reader of a name in markers, JSON arguments and a marker.

    The arguments hold no `<`, so no marker of the form can be in them.
    """
    head, tail = _head(form), form.end + form.close
    has_namespace = "functions.{name}" in form.begin

    def read(body: str, tools: Tools | None) -> Calls | None:
        found = head.match(body)
        if found is None or not body.endswith(tail):
            return None
        inner = body[found.end() : len(body) - len(tail)]
        params = read_json(inner) if inner.startswith("{") and "<" not in inner else None
        name = found[1]
        if not isinstance(params, dict) or name in _NO_TOOLS:
            return None
        if has_namespace and plain_name(f"functions.{name}", tools) != name:
            return None
        return (ReadCall(tool=name, params=params),)

    return read


_PYTHON_ARGUMENT: Final = lazy_pattern(
    rf'{_KEY}=(?:"(?P<text>[^"\\\n]*)"|{_INTEGER}|(?P<word>True|False|None))(?:, ?|(?=\)))', re.ASCII
)


def _pair(form: Form) -> re.Pattern[str]:
    quote = re.escape(form.quote)
    return re.compile(
        rf"{_KEY}:(?:{quote}(?P<text>[^<]*){quote}|{_INTEGER}|(?P<word>true|false|null))(?:,(?!\}})|(?=\}}))", re.ASCII
    )


def _literals_reader(form: Form, argument: re.Pattern[str]) -> CanonicalReader:
    """Return the reader of a name and arguments that are strings without escapes, short integers or words.

    Such literals are read alike by every parser. A list without markers is a call only where it names a known tool.
    """
    head, tail = _head(form), form.end + form.close
    needs_tool = is_bare(form)

    def read(body: str, tools: Tools | None) -> Calls | None:
        found = head.match(body)
        if found is None or (needs_tool and tools is not None and found[1] not in tools):
            return None
        params: dict[str, Any] = {}
        notes: list[str] = []
        at = found.end()
        while matched := argument.match(body, at):
            if matched[1] in params:
                return None
            params[matched[1]] = _literal(*matched.group("text", "integer", "word"))
            at = matched.end()
        if form.quote == UNTYPED:
            params = with_types(params, arguments_shape(tools, found[1]), notes)
        return (ReadCall(tool=found[1], params=params),) if body[at:] == tail and not notes else None

    return read


def _literal(text: str | None, integer: str | None, word: str) -> Any:
    if text is not None:
        return text
    return int(integer) if integer else _WORDS[word]


_WORDS: Final = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}


def _tags_reader(form: Form) -> CanonicalReader:
    """Return the reader of a name and arguments in tags.

    The arguments hold no `<` and no `>`, so each ends at its own tag, and none holds a damaged one.
    """
    head, argument = _head(form, with_blanks=True), _tagged_argument(form)
    end = re.compile(_with_blanks(form.end + form.close), re.ASCII)
    is_marked = "{string}" in form.tag[0]
    has_lines = form.tag[0].endswith("\n")

    def read(body: str, tools: Tools | None) -> Calls | None:
        found = head.match(body)
        if found is None:
            return None
        params: dict[str, Any] = {}
        notes: list[str] = []
        at, read_value = found.end(), _value_reader(found[1], tools, notes)
        while matched := argument.match(body, at):
            key, kind, raw = matched[1], matched[2] if is_marked else None, matched[matched.lastindex or 0]
            if key in params or (not has_lines and raw.startswith(("\n", "\r\n"))):
                return None
            params[key] = read_value(key, trimmed(raw) if has_lines else raw, kind)
            at = matched.end()
        if next(iter(params), "") in WRAPPING or notes:
            return None  # perhaps all the arguments in one, or a value that was repaired
        return (ReadCall(tool=found[1], params=params),) if end.fullmatch(body, at) else None

    return read


def _tagged_argument(form: Form) -> re.Pattern[str]:
    """Return the pattern of an argument in tags: its key, whether it says to be a string, and its text."""
    opening, closing = (_with_blanks(part.strip(BLANK)) for part in form.tag)
    opening = opening.replace(re.escape("{key}"), _KEY).replace(re.escape("{string}"), "(true|false)")
    return re.compile(rf"{opening}([^<>]*){closing}{_BLANKS}", re.ASCII)


def _value_reader(tool: str, tools: Tools | None, notes: list[str]) -> Callable[[str, str, str | None], Any]:
    """Return the function from an argument's key, text and kind (`true`: a string) to its value by the schema."""
    schemas, root = parameter_schemas(tools, tool)

    def read(key: str, text: str, kind: str | None) -> Any:
        if kind == "true":
            return text
        value = read_json(text.strip(BLANK)) if kind == "false" else UNREADABLE
        return value if value is not UNREADABLE else typed_value(text, schemas.get(key), root, notes)

    return read


def _head(form: Form, *, with_blanks: bool = False) -> re.Pattern[str]:
    """Return the pattern of what comes before the arguments of a form's first call."""
    text = form.open + form.begin
    pattern = _with_blanks(text) if with_blanks else re.escape(text)
    pattern = pattern.replace(re.escape("{name}"), _NAME)
    return re.compile(pattern.replace(re.escape("{index}"), f"[0-9]{{1,{MAX_INDEX_DIGITS}}}"), re.ASCII)


def _with_blanks(text: str) -> str:
    """Return the pattern of a text whose line breaks may be any blanks."""
    return _BLANKS.join(map(re.escape, text.split("\n")))
