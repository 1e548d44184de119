"""Streaming: what of a model's output may be shown while it still comes.

A filter is a frozen value: `feed` gives the next one and the events. Any split of the same text gives the same
text in total. Reasoning, markers, calls and the envelope around an answer never reach the reader; what is not
certain to be text is held back, never longer than the longest marker, and shown by `close_stream` if it was.
"""

import re
from typing import Final, Literal

from msgspec import Struct

from . import compiled, reasoning
from .dialects import dialect_named
from .jsontext import UNREADABLE, read_json
from .state import RunState

Mode = Literal["start", "opening", "text", "reasoning", "call", "quoted", "head", "content", "over"]


class StreamText(Struct, frozen=True, kw_only=True, tag="text", tag_field="type"):
    """Text that is safe to show."""

    text: str


class Stream(Struct, frozen=True, kw_only=True):
    """Where a filter stands: its dialect, what it is in, and the characters not decided yet."""

    dialect: str
    mode: Mode = "start"
    held: str = ""
    closer: str = ""


class _Cursor:
    """One chunk being filtered; lives only inside `feed`, which is pure as a whole."""

    __slots__ = ("at", "closer", "dialect", "mode", "shown", "text")

    def __init__(self, stream: Stream, chunk: str) -> None:
        self.dialect = dialect_named(stream.dialect)
        self.mode: Mode = stream.mode
        self.closer = stream.closer
        self.text = stream.held + chunk
        self.at = 0
        self.shown: list[str] = []

    def go(self, mode: Mode, at: int, closer: str = "") -> bool:
        """Go on in a mode from a place; tells that there may be more to decide."""
        self.mode, self.at, self.closer = mode, at, closer
        return True

    def wait(self, at: int) -> bool:
        """Keep the text from a place on until more comes."""
        self.at = at
        return False

    def show(self, begin: int, end: int) -> None:
        """Show a stretch of the text as it is."""
        self.shown.append(self.text[begin:end])

    def skip_blank(self) -> int:
        """Give the place of the next character that is no white space."""
        found = _NOT_BLANK.search(self.text, self.at)
        return found.start() if found else len(self.text)


_NOT_BLANK: Final = re.compile(r"[^ \t\r\n]")


def open_stream(state: RunState) -> Stream:
    """Give the filter for the model output that a run waits for; pure. Error codes: `unknown_agent`."""
    return stream_of(compiled.by_digest(state.agent).dialect.name)


def stream_of(dialect: str) -> Stream:
    """Give the filter of a dialect. Error codes: `unknown_dialect`."""
    return Stream(dialect=dialect_named(dialect).name)


def feed(stream: Stream, chunk: str) -> tuple[Stream, tuple[StreamText, ...]]:
    """Give the filter after a chunk, and the text that can now be shown; pure and never raises on text."""
    cursor = _Cursor(stream, chunk)
    while _DECIDE[cursor.mode](cursor):
        pass
    following = Stream(dialect=stream.dialect, mode=cursor.mode, held=cursor.text[cursor.at :], closer=cursor.closer)
    return following, _event("".join(cursor.shown))


def close_stream(stream: Stream) -> tuple[StreamText, ...]:
    """Give the text that was held back and is text after all, now that the output is over; pure."""
    return _event(stream.held) if stream.mode in ("start", "opening", "text") else ()


def _event(text: str) -> tuple[StreamText, ...]:
    return (StreamText(text=text),) if text else ()


def _overlap(text: str, marker: str) -> int:
    """Give how many characters at the end of the text may begin the marker."""
    longest = min(len(text), len(marker) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(marker[:size])), 0)


# --- the beginning ----------------------------------------------------------------------------------------


def _at_start(cursor: _Cursor) -> bool:
    """Tell reasoning, which comes first, from everything else."""
    begun = cursor.skip_blank()
    if cursor.text.startswith(reasoning.OPEN, begun):
        return cursor.go("reasoning", begun + len(reasoning.OPEN))
    rest = cursor.text[begun : begun + len(reasoning.OPEN)]
    if reasoning.OPEN.startswith(rest) and begun - cursor.at <= _MAX_HEAD:
        return cursor.wait(cursor.at)
    return cursor.go(_FIRST_MODE[cursor.dialect.stream], cursor.at)


def _in_reasoning(cursor: _Cursor) -> bool:
    """Drop everything up to the end of the reasoning."""
    close = cursor.text.find(reasoning.CLOSE, cursor.at)
    if close < 0:
        return cursor.wait(len(cursor.text) - _overlap(cursor.text[cursor.at :], reasoning.CLOSE))
    cursor.at = close + len(reasoning.CLOSE)
    return cursor.go("start", cursor.skip_blank())


def _in_opening(cursor: _Cursor) -> bool:
    """Show nothing of a text that begins as a call does, with a brace or a code fence."""
    begun = cursor.skip_blank()
    if begun == len(cursor.text):
        return cursor.wait(cursor.at)
    if cursor.text[begun] not in "{`":
        return cursor.go("text", cursor.at)
    return cursor.go("head" if cursor.dialect.stream == "auto" else "over", cursor.at)


# --- text with calls in tags ------------------------------------------------------------------------------


def _in_text(cursor: _Cursor) -> bool:
    """Show text up to a marker, holding back what may be the beginning of one."""
    text, begin, hidden = cursor.text, cursor.at, cursor.dialect.hidden
    found = [(at, opener, closer) for opener, closer in hidden if (at := text.find(opener, begin)) >= 0]
    if found:
        at, opener, closer = min(found)
        cursor.show(begin, at)
        return cursor.go("call", at + len(opener), closer)
    end = len(text) - max((_overlap(text[begin:], opener) for opener, _ in hidden), default=0)
    cursor.show(begin, end)
    return cursor.wait(end)


def _in_call(cursor: _Cursor) -> bool:
    """Drop a call up to its closing marker, which counts only outside of strings."""
    found = re.compile(f'"|{re.escape(cursor.closer)}').search(cursor.text, cursor.at)  # ascii: literals
    if found is None:
        return cursor.wait(len(cursor.text) - _overlap(cursor.text[cursor.at :], cursor.closer))
    if found[0] == '"':
        return cursor.go("quoted", found.end(), cursor.closer)
    return cursor.go("text", found.end())


_QUOTED: Final = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


def _in_quoted(cursor: _Cursor) -> bool:
    """Drop a string inside a call, up to its quote."""
    found = _QUOTED.match(cursor.text, cursor.at)
    end = found.end() if found else cursor.at
    if cursor.text.startswith('"', end):
        return cursor.go("call", end + 1, cursor.closer)
    return cursor.wait(end)


# --- the content of an envelope ---------------------------------------------------------------------------

_B: Final = r"[ \t\r\n]*"
_HEAD: Final = re.compile(rf'{_B}\{{{_B}"kind"{_B}:{_B}"final"{_B},{_B}"content"{_B}:{_B}"', re.ASCII)
_MAX_HEAD: Final = 128
"""Characters before an answer's content: more is white space, or no answer."""

_TAUGHT: Final = '{"kind":"final","content":"'
_BLANKS: Final = re.compile("[ \t\r\n]+")

_PLAIN: Final = re.compile(r'[^"\\]+')
_ESCAPE: Final = re.compile(
    r'\\(?:["\\/bfnrt]|u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u(?![dD][89abAB])[0-9a-fA-F]{4})', re.ASCII
)
_MAX_ESCAPE: Final = 12
"""Characters of the longest escape: a surrogate pair."""


def _in_head(cursor: _Cursor) -> bool:
    """Wait until it is certain that a final answer begins, or that none does."""
    found = _HEAD.match(cursor.text, cursor.at)
    if found:
        return cursor.go("content", found.end())
    begun = cursor.text[cursor.at : cursor.at + _MAX_HEAD + 1]
    if len(begun) > _MAX_HEAD or not _TAUGHT.startswith(_BLANKS.sub("", begun)):
        return cursor.go("over", len(cursor.text))
    return cursor.wait(cursor.at)


def _in_content(cursor: _Cursor) -> bool:
    """Show the answer's characters up to its closing quote, escapes decoded once they are whole."""
    text, at = cursor.text, cursor.at
    while found := _PLAIN.match(text, at) or _ESCAPE.match(text, at):
        cursor.shown.append(found[0] if found[0][0] != "\\" else _decoded(found[0]))
        at = found.end()
    if text.startswith('"', at) or len(text) - at >= _MAX_ESCAPE:
        return cursor.go("over", len(text))
    return cursor.wait(at)


def _decoded(escape: str) -> str:
    value = read_json(f'"{escape}"')
    return value if value is not UNREADABLE and isinstance(value, str) else "\ufffd"


def _is_over(cursor: _Cursor) -> bool:
    return cursor.wait(len(cursor.text))


_FIRST_MODE: Final[dict[str, Mode]] = {"text": "text", "bare": "opening", "auto": "opening", "envelope": "head"}

_DECIDE: Final = {
    "start": _at_start,
    "opening": _in_opening,
    "text": _in_text,
    "reasoning": _in_reasoning,
    "call": _in_call,
    "quoted": _in_quoted,
    "head": _in_head,
    "content": _in_content,
    "over": _is_over,
}
"""What decides in each mode; false when it needs more text."""
