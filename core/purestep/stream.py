"""Streaming: what of a model's output may be shown while it still comes.

A filter is a frozen value: `feed` gives the next one and the events. Any split of the same text gives the same
text in total. Markers, calls and the envelope around an answer never reach the reader; what is not certain to
be text is held back, never longer than the longest marker.
"""

import re
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from . import compiled
from .dialects import dialect_named
from .jsontext import BLANK, UNREADABLE, read_json
from .state import RunState

Mode = Literal["text", "hidden", "opening", "head", "content", "over"]


class StreamText(Struct, frozen=True, kw_only=True, tag="text", tag_field="type"):
    """Text that is safe to show."""

    text: str


class Stream(Struct, frozen=True, kw_only=True):
    """Where a filter stands: its dialect, what it is in, and the characters not decided yet."""

    dialect: str
    mode: Mode
    held: str = ""
    closer: str = ""


_HEAD: Final = re.compile(
    r'[ \t\r\n]*\{[ \t\r\n]*"kind"[ \t\r\n]*:[ \t\r\n]*"final"[ \t\r\n]*,[ \t\r\n]*"content"[ \t\r\n]*:[ \t\r\n]*"'
)
_MAX_HEAD: Final = 128
"""Characters of an envelope before its content: more is white space, or no answer."""

_PLAIN: Final = re.compile(r'[^"\\]+')
_ESCAPE: Final = re.compile(
    r'\\(?:["\\/bfnrt]|u[dD][89abAB][0-9a-fA-F]{2}\\u[0-9a-fA-F]{4}|u(?![dD][89abAB])[0-9a-fA-F]{4})'
)
_MAX_ESCAPE: Final = 12
"""Characters of the longest escape: a surrogate pair."""


def open_stream(state: RunState) -> Stream:
    """Give the filter for the model output that a run waits for; pure. Error codes: `unknown_agent`."""
    return stream_of(compiled.by_digest(state.agent).dialect.name)


def stream_of(dialect: str) -> Stream:
    """Give the filter of a dialect. Error codes: `unknown_dialect`."""
    return Stream(dialect=dialect, mode=_FIRST_MODE[dialect_named(dialect).stream])


def feed(stream: Stream, chunk: str) -> tuple[Stream, tuple[StreamText, ...]]:
    """Give the filter after a chunk, and the text that can now be shown; pure and never raises on text."""
    shown: list[str] = []
    stream = replace(stream, held=stream.held + chunk)
    while True:
        following, text = _ADVANCE[stream.mode](stream)
        shown.append(text)
        if following == stream:
            break
        stream = following
    text = "".join(shown)
    return stream, (StreamText(text=text),) if text else ()


def _in_text(stream: Stream) -> tuple[Stream, str]:
    """Show text up to a marker, holding back what may be the beginning of one."""
    held = stream.held
    found = [
        (at, opener, closer)
        for opener, closer in dialect_named(stream.dialect).hidden
        if (at := held.find(opener)) >= 0
    ]
    if found:
        at, opener, closer = min(found)
        return replace(stream, mode="hidden", held=held[at + len(opener) :], closer=closer), held[:at]
    openers = [opener for opener, _ in dialect_named(stream.dialect).hidden]
    keep = max((_overlap(held, opener) for opener in openers), default=0)
    return replace(stream, held=held[len(held) - keep :]), held[: len(held) - keep]


def _in_hidden(stream: Stream) -> tuple[Stream, str]:
    """Drop everything up to the closing marker."""
    before, closer, after = stream.held.partition(stream.closer)
    if closer:
        return replace(stream, mode="text", held=after, closer=""), ""
    keep = _overlap(before, stream.closer)
    return replace(stream, held=before[len(before) - keep :]), ""


def _overlap(text: str, marker: str) -> int:
    """Give how many characters at the end of the text may begin the marker."""
    longest = min(len(text), len(marker) - 1)
    return next((size for size in range(longest, 0, -1) if text.endswith(marker[:size])), 0)


def _in_head(stream: Stream) -> tuple[Stream, str]:
    """Wait until it is certain that a final answer begins, or that none does."""
    found = _HEAD.match(stream.held)
    if found:
        return replace(stream, mode="content", held=stream.held[found.end() :]), ""
    if len(stream.held) > _MAX_HEAD or not _may_be_head(stream.held):
        return replace(stream, mode="over", held=""), ""
    return stream, ""


_BLANKS: Final = re.compile("[ \t\r\n]+")
_TAUGHT: Final = '{"kind":"final","content":"'


def _may_be_head(held: str) -> bool:
    return _TAUGHT.startswith(_BLANKS.sub("", held))


def _in_content(stream: Stream) -> tuple[Stream, str]:
    """Show the answer's characters up to its closing quote, escapes decoded once they are whole."""
    held, at, shown = stream.held, 0, []
    while at < len(held):
        found = _PLAIN.match(held, at) or _ESCAPE.match(held, at)
        if found is None:
            break
        shown.append(found[0] if found[0][0] != "\\" else _decoded(found[0]))
        at = found.end()
    rest = held[at:]
    if rest[:1] == '"' or len(rest) >= _MAX_ESCAPE:
        return replace(stream, mode="over", held=""), "".join(shown)
    return replace(stream, held=rest), "".join(shown)


def _decoded(escape: str) -> str:
    value = read_json(f'"{escape}"')
    return value if value is not UNREADABLE and isinstance(value, str) else "\ufffd"


def _is_over(stream: Stream) -> tuple[Stream, str]:
    return replace(stream, held=""), ""


def _in_opening(stream: Stream) -> tuple[Stream, str]:
    """Show nothing of a text that begins as a call does, with a brace or a code fence."""
    begun = stream.held.lstrip(BLANK)
    if not begun:
        return stream, ""
    return replace(stream, mode="over" if begun[0] in "{`" else "text", held=begun), ""


_FIRST_MODE: Final[dict[str, Mode]] = {"text": "text", "bare": "opening", "envelope": "head"}

_ADVANCE: Final = {
    "opening": _in_opening,
    "text": _in_text,
    "hidden": _in_hidden,
    "head": _in_head,
    "content": _in_content,
    "over": _is_over,
}
