"""The tool_tags dialect: `[TOOL_CALL]{"name":...,"args":{...}}[/TOOL_CALL]` amid text.

Source: ambi's tool parser. Inside the tags stands one object or an array, a code fence is tolerated, missing
closers are added where nothing can have been cut, and what cannot be read becomes a problem, never text.
"""

from typing import Any, Final

from ..jsonio import encode_sorted
from ..jsontext import BLANK, UNREADABLE, close_json, find_json, read_json
from ..reading import Problem, ReadCall, Reading, ignored_text, parse_error, repaired, truncated
from ..toolspec import Tools
from .base import Dialect, Sample
from .common import ARGUMENT_KEYS, NAME_KEYS, call_from, describe_tools

OPEN: Final = "[TOOL_CALL]"
CLOSE: Final = "[/TOOL_CALL]"


class _Marks:
    """The places of a marker, asked for in rising order so that the text is looked through once."""

    __slots__ = ("_at", "_mark", "_text")

    def __init__(self, text: str, mark: str) -> None:
        self._text = text
        self._mark = mark
        self._at = text.find(mark)

    def after(self, start: int) -> int:
        """Give the first place at or after `start`, or -1."""
        if 0 <= self._at < start:
            self._at = self._text.find(self._mark, start)
        return self._at


def read(text: str, _tools: Tools | None = None) -> Reading:
    """Read a whole output: the calls in its tags, and the text around them."""
    opens, closes = _Marks(text, OPEN), _Marks(text, CLOSE)
    around: list[str] = []
    calls: list[ReadCall] = []
    problems: list[Problem] = []
    at = 0
    while (begin := opens.after(at)) >= 0:
        around.append(text[at:begin])
        found, noted, at = _block(text, begin + len(OPEN), opens, closes)
        calls += found
        problems += noted
    around.append(text[at:])
    content = "".join(around).strip(BLANK)
    return Reading(content=content or None, calls=tuple(calls), problems=tuple(problems))


def _block(text: str, begin: int, opens: _Marks, closes: _Marks) -> tuple[list[ReadCall], list[Problem], int]:
    """Read one block from after its opening tag; gives calls, problems and the offset behind it."""
    is_cut = closes.after(begin) < 0
    value, end, notes = _value(text, begin, opens, closes)
    calls = _calls(value)
    if calls:
        return calls, notes, end
    if value is UNREADABLE and is_cut:
        return [], [truncated("the tool call ends before its closing tag")], len(text)
    return [], [parse_error("the text in the tool call tags is not a call object")], end


def _value(text: str, begin: int, opens: _Marks, closes: _Marks) -> tuple[Any, int, list[Problem]]:
    # Strings may hold the closing tag, so the value is found first and the tag is looked for behind it.
    found = find_json(text, begin)
    close = closes.after(begin)
    if found is None or 0 <= close < found.start:
        return UNREADABLE, _behind(text, begin, opens, closes), []
    if not found.missing:
        value = read_json(text[found.start : found.end])
        end = _behind(text, found.end, opens, closes)
        return value, end, _leftovers(text, begin, found.start, found.end, end)
    inside = text[begin : close if close >= 0 else len(text)]
    stretch = find_json(inside)
    value = close_json(inside, stretch) if stretch else UNREADABLE
    return value, _behind(text, begin, opens, closes), [repaired("closing brackets were missing")]


def _behind(text: str, at: int, opens: _Marks, closes: _Marks) -> int:
    close, following = closes.after(at), opens.after(at)
    if close < 0 or 0 <= following < close:
        return following if following >= 0 else len(text)
    return close + len(CLOSE)


def _leftovers(text: str, begin: int, start: int, end: int, behind: int) -> list[Problem]:
    rest = (text[begin:start] + text[end:behind].removesuffix(CLOSE)).strip(BLANK)
    if not rest:
        return []
    if rest.replace("`", "").strip(BLANK) in ("", "json"):
        return [repaired("the call stood in a code fence")]
    return [ignored_text("text beside the call object in its tags was left out")]


def _calls(value: Any) -> list[ReadCall]:
    items = value if isinstance(value, list) else [value]
    calls = [call_from(item, NAME_KEYS, ARGUMENT_KEYS) for item in items]
    return [call for call in calls if call is not None] if all(calls) else []


def instruct(tools: Tools) -> str:
    """Teach the tags."""
    if not tools:
        return ""
    return (
        "You can use these tools:\n"
        f"{describe_tools(tools)}\n\n"
        f'To use a tool, write {OPEN}{{"name":"NAME","args":{{...}}}}{CLOSE} and stop; the result follows. '
        "When you know the answer, write it as plain text without tags."
    )


def write(sample: Sample) -> str:
    """Write calls in their tags, an answer as it is."""
    return sample.answer or "\n".join(
        f"{OPEN}{encode_sorted({'name': c.tool, 'args': c.params}).decode()}{CLOSE}" for c in sample.calls
    )


TOOL_TAGS: Final = Dialect(
    name="tool_tags",
    read=read,
    instruct=instruct,
    write=write,
    remind=f'To use a tool, write {OPEN}, one JSON object with "name" and "args", and {CLOSE}; else answer in text.',
    hidden=((OPEN, CLOSE),),
)
