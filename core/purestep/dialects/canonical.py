"""The fast path: an output that is one call exactly as a family's template writes it, read without a scan.

Most outputs are canonical: perhaps reasoning, perhaps text without a marker, and the text of one form up to the end.
One reader is made of each `Form`. It takes exactly that, with plain values, and leaves everything else to the scanner.
It takes a text only where the scanner comes to the same reading: the comments say why, and tests compare both for
recorded, drifted and generated outputs.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ..bounds import MAX_BLOCKS, MAX_INDEX_DIGITS, MAX_SHORT_NAME_CHARS
from ..json_text import BLANK, UNREADABLE, read_json
from ..names import KEY, LETTER, NAME, name_up_to
from ..scanner import REASONING, Block, Table, reasoning_text
from ..values import ReadCall, Reading, Tools
from .family_forms import FAMILIES
from .forms import Form
from .json_calls import calls_of, plain_name
from .tagged_calls import trimmed
from .typed_text import typed_value
from .unmarked_calls import OBJECT, TAILS, read_object_value

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


def canonical_reading(table: Table, text: str, tools: Tools | None) -> Reading | None:
    """Give the reading of an output that is canonical, or None; table: the markers of all families."""
    body, reasoning = text.strip(BLANK), None
    if calls := _calls(body, tools):
        return Reading(calls=calls)
    if body.startswith(_REASONING_TAGS):
        tag = next(tag for tag in _REASONING_TAGS if body.startswith(tag))
        inner, closer, rest = body[len(tag) :].partition(_REASONING_ENDS[tag])
        body, reasoning = rest.lstrip(BLANK) if closer else "", reasoning_text(tag, inner).strip(BLANK)
        if calls := _calls(body, tools):
            return Reading(reasoning=reasoning, calls=calls)
    return _after_text(table, body, tools, reasoning)


_REASONING_ENDS: Final = dict(REASONING)
_REASONING_TAGS: Final = tuple(_REASONING_ENDS)


def _after_text(table: Table, body: str, tools: Tools | None, reasoning: str | None) -> Reading | None:
    """Read text without a marker, and perhaps a call in markers after it; quotes could make the call an example."""
    if not body or _NAME_FIRST.match(body):
        return None
    found = table.patterns.starts.search(body)
    if found is None:
        return Reading(content=body, reasoning=reasoning)
    lead = body[: found.start()]
    if not lead or "`" in lead or lead[-1] in "\"'":
        return None
    calls = _calls(body[len(lead) :], tools, with_bare=False)
    return Reading(content=lead.strip(BLANK), reasoning=reasoning, calls=calls) if calls else None


_NAME_FIRST: Final = re.compile(rf"{LETTER}{NAME}*+[ \t\r\n]*+(?:{'|'.join(map(re.escape, TAILS))})", re.ASCII)
"""A text that may begin with a tool's name."""


def _calls(body: str, tools: Tools | None, *, with_bare: bool = True) -> Calls | None:
    """Give the calls of a body that is of one form; with_bare: also of forms without markers of their own."""
    marked, bare = _readers()
    readers = marked.get(body[:_BEGINNING]) or marked.get(body[:1], ())
    for read in (*readers, *bare.get(body[:1], ())) if with_bare else readers:
        calls = read(body, tools)
        if calls is not None:
            return calls if len(calls) <= MAX_BLOCKS else None
    return None


_BEGINNING: Final = 8
"""Characters by which most families' markers differ."""


Readers = dict[str, tuple[CanonicalReader, ...]]


@cache
def _readers() -> tuple[Readers, Readers]:
    """Give the readers of forms with markers and of those without, by what their texts begin with.

    That is one character where a name or a bracket follows it, else as many as tell most families' markers apart.
    """
    marked: Readers = {}
    bare: Readers = {}
    for form in (family.form for family in FAMILIES):
        literal = (form.open + form.begin).partition("{name}")[0]
        found, size = (bare, 1) if _is_bare(form) else (marked, _BEGINNING if literal[0] not in "{[" else 1)
        found[literal[:size]] = (*found.get(literal[:size], ()), _reader_of(form))
    return marked, bare


def _is_bare(form: Form) -> bool:
    """Tell a form without markers of its own: JSON, in a code fence or not, or a list of Python's calls."""
    if form.arguments == "json" and not _has_name_in_marker(form):
        head = _around_json(form)[0]
        return not head or head.startswith("```")
    return form.open == "["


def _has_name_in_marker(form: Form) -> bool:
    return "{name}" in form.begin.partition('{"')[0]


def _reader_of(form: Form) -> CanonicalReader:
    match form.arguments:
        case "tags":
            return _tags_reader(form)
        case "python":
            return _literals_reader(form, _PYTHON_ARGUMENT)
        case "pairs":
            return _literals_reader(form, _pair(form))
    if _has_name_in_marker(form):
        return _named_json_reader(form)
    return _bare_json_reader(form) if _is_bare(form) else _json_reader(form)


# --- forms whose calls are JSON as a whole ----------------------------------------------------------------


def _json_reader(form: Form) -> CanonicalReader:
    """Give the reader of a marker, JSON calls and a marker.

    JSON holds markers in strings only and closes each bracket once, so every scan ends the block at its last marker.
    """
    head, tail, opening = _around_json(form)
    begin_at, end_chars = len(head), len(tail)

    def read(body: str, tools: Tools | None) -> Calls | None:
        if not body.startswith(head) or not body.endswith(tail):
            return None
        begin = begin_at + (body[begin_at : begin_at + 1] in _BLANK)
        if not body.startswith(opening, begin):
            return None
        value = read_json(body[begin : len(body) - end_chars])
        calls, problems = calls_of(value, tools) if value is not UNREADABLE else ((), ())
        return calls if calls and not problems else None

    return read


def _bare_json_reader(form: Form) -> CanonicalReader:
    """Give the reader of JSON calls in a code fence or alone.

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
    """Give the marker before the JSON of a form, the one after it, and the bracket that the JSON begins with."""
    if form.open.endswith("["):
        return form.open[:-1].rstrip(BLANK), form.close[1:].lstrip(BLANK), "["
    head, _, _ = (form.open + form.begin).partition("{")
    return head.rstrip(BLANK), (form.end[1:] + form.close).lstrip(BLANK), "{"


# --- forms with the name in a marker ----------------------------------------------------------------------


def _named_json_reader(form: Form) -> CanonicalReader:
    """Give the reader of a name in markers, JSON arguments and a marker.

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


_PYTHON_ARGUMENT: Final = re.compile(
    rf'{_KEY}=(?:"(?P<text>[^"\\\n]*)"|{_INTEGER}|(?P<word>True|False|None))(?:, ?|(?=\)))', re.ASCII
)


def _pair(form: Form) -> re.Pattern[str]:
    quote = re.escape(form.quote)
    return re.compile(
        rf"{_KEY}:(?:{quote}(?P<text>[^<]*){quote}|{_INTEGER}|(?P<word>true|false|null))(?:,(?!\}})|(?=\}}))", re.ASCII
    )


def _literals_reader(form: Form, argument: re.Pattern[str]) -> CanonicalReader:
    """Give the reader of a name and arguments that are strings without escapes, short integers or words.

    Such literals are read alike by every parser. A list without markers is a call only where it names a known tool.
    """
    head, tail = _head(form), form.end + form.close
    is_bare = _is_bare(form)

    def read(body: str, tools: Tools | None) -> Calls | None:
        found = head.match(body)
        if found is None or (is_bare and tools is not None and found[1] not in tools):
            return None
        params: dict[str, Any] = {}
        at = found.end()
        while matched := argument.match(body, at):
            params[matched[1]] = _literal(*matched.group("text", "integer", "word"))
            at = matched.end()
        return (ReadCall(tool=found[1], params=params),) if body[at:] == tail else None

    return read


def _literal(text: str | None, integer: str | None, word: str) -> Any:
    if text is not None:
        return text
    return int(integer) if integer else _WORDS[word]


_WORDS: Final = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}


def _tags_reader(form: Form) -> CanonicalReader:
    """Give the reader of a name and arguments in tags.

    The arguments hold no `<`, so each ends at its own tag.
    """
    head, argument = _head(form, with_blanks=True), _tagged_argument(form)
    end = re.compile(_with_blanks(form.end + form.close), re.ASCII)
    is_marked = "{string}" in form.tag[0]

    def read(body: str, tools: Tools | None) -> Calls | None:
        found = head.match(body)
        if found is None:
            return None
        params: dict[str, Any] = {}
        at, read_value = found.end(), _value_reader(found[1], tools)
        while matched := argument.match(body, at):
            key, kind, raw = matched[1], matched[2] if is_marked else None, matched[matched.lastindex or 0]
            if key in params:
                return None
            params[key] = read_value(key, trimmed(raw), kind)
            at = matched.end()
        return (ReadCall(tool=found[1], params=params),) if end.fullmatch(body, at) else None

    return read


def _tagged_argument(form: Form) -> re.Pattern[str]:
    """Give the pattern of an argument in tags: its key, whether it says to be a string, and its text."""
    opening, closing = (_with_blanks(part.strip(BLANK)) for part in form.tag)
    opening = opening.replace(re.escape("{key}"), _KEY).replace(re.escape("{string}"), "(true|false)")
    return re.compile(rf"{opening}([^<]*){closing}{_BLANKS}", re.ASCII)


def _value_reader(tool: str, tools: Tools | None) -> Callable[[str, str, str | None], Any]:
    """Give the function from an argument's key, text and kind (`true`: a string) to its value by the tool's schema."""
    spec = tools.get(tool) if tools else None
    root = spec.parameters if spec is not None else None
    properties = root.get("properties") if root is not None else None
    schemas = properties if isinstance(properties, dict) else {}

    def read(key: str, text: str, kind: str | None) -> Any:
        if kind == "true":
            return text
        value = read_json(text.strip(BLANK)) if kind == "false" else UNREADABLE
        return value if value is not UNREADABLE else typed_value(text, schemas.get(key), root)

    return read


def _head(form: Form, *, with_blanks: bool = False) -> re.Pattern[str]:
    """Give the pattern of what comes before the arguments of a form's first call."""
    text = form.open + form.begin
    pattern = _with_blanks(text) if with_blanks else re.escape(text)
    pattern = pattern.replace(re.escape("{name}"), _NAME)
    return re.compile(pattern.replace(re.escape("{index}"), f"[0-9]{{1,{MAX_INDEX_DIGITS}}}"), re.ASCII)


def _with_blanks(text: str) -> str:
    """Give the pattern of a text whose line breaks may be any blanks."""
    return _BLANKS.join(map(re.escape, text.split("\n")))
