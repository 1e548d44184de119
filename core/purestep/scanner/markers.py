"""Markers: what begins a block of a model's text that is no visible text, how it ends, and who reads it.

A table holds the openers of one dialect, or of all for `auto`; `segments.py` walks a text by a table. No marker
of a table is the beginning of another, so that a marker is certain once it is there.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from ..bounds import MAX_BLOCK_START_CHARS
from ..values import Problem, ReadCall, Tools
from .visible import FENCE

EndScan = Literal["none", "closing", "result", "fence", "raw", "json", "tagged", "balanced", "python", "message"]
"""What an opener begins. No block: `none` means nothing; `closing` neither where a call came before, else is text;
`result` ends the turn there; `fence` is a code fence that calls stand in. A block, and how its end is found: `raw` at
a closer; `json` at a closer outside of strings; `tagged` as `json` where a bracket comes first, else as `raw`;
`balanced` where the brackets opened are closed; `python` the same with both quotes; `message` behind a harmony header
as `tagged`."""


class BlockResult(Struct, frozen=True, kw_only=True):
    """What a block came to: calls, problems, reasoning, an answer; `is_text` when it is visible text after all.

    ends: behind an `answer` nothing counts; behind `calls` nothing does unless another object follows at once.
    """

    calls: tuple[ReadCall, ...] = ()
    problems: tuple[Problem, ...] = ()
    reasoning: str | None = None
    content: str | None = None
    is_text: bool = False
    ends: Literal["", "answer", "calls"] = ""


TEXT: Final = BlockResult(is_text=True)
NOTHING: Final = BlockResult()


class Block(NamedTuple):
    """A block to be read.

    inner: its text without the markers around it. closed: its own end was there, so nothing of it is cut.
    first: no visible text stood before it. opener: what began it, as it was written. fenced: it stands in a fence.
    """

    inner: str
    closed: bool
    first: bool
    opener: str
    fenced: bool = False


BlockReader = Callable[[Block, Tools | None], BlockResult]


def drop(_block: Block, _tools: Tools | None) -> BlockResult:
    """Read a block that says nothing to anybody."""
    return NOTHING


class BlockStart(Struct, frozen=True, kw_only=True):
    """One way in which a block begins.

    mark: a literal marker. pattern: instead of it, a pattern of bounded length that begins with one of the
    characters `starts` and whose named group `inner` is where the inside begins; `partial` matches all that may
    become it. closers: end the block and are dropped. before: end it and begin what follows. skips: are passed over
    in looking for brackets. shows: tells by a message's header that its body is visible text. stops: behind the
    block no calls count.
    """

    mark: str = ""
    pattern: str = ""
    partial: str = ""
    starts: str = ""
    scan: EndScan = "raw"
    closers: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    read: BlockReader = drop
    shows: Callable[[str], bool] = lambda _head: False
    stops: bool = False


MESSAGE: Final = "<|message|>"
"""Stands between a harmony message's header and its body."""

_FENCE: Final = re.compile(r"```[A-Za-z_]{0,12}+[ \t\r\n]{0,8}+", re.ASCII)
_OUTSIDE: Final = ("none", "closing", "result", "fence")
"""Openers that begin no block."""


def _run(characters: str) -> str:
    """Give the pattern of many of some characters, or the last of them, which may begin a marker."""
    return f"(?:{characters}(?={characters}))+|{characters}"


_STRING: Final = r'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+")+|"'
_BRACKETS: Final[dict[str, str]] = {
    "json": _STRING,
    "tagged": _STRING,
    "message": _STRING,
    "balanced": "|".join([_STRING, "'+", _run(r"[{\[]"), _run(r"[}\]]")]),
    "python": "|".join([_STRING, _STRING.replace('"', "'"), _run(r"[{\[(]"), _run(r"[}\])]")]),
}
"""What matters inside of a block beside its markers: strings as a whole, quotes that none closes, runs of brackets."""

_IMPOSSIBLE: Final = "(?!)"
_COMPILED: Final = frozenset({"closing_thought", "opening", "partials", "prefixes", "starts", "thinking", "tokens"})


class Table:
    """The openers of a dialect made ready: one pattern that finds them all, one look for what may become one.

    openers: what begins blocks. reasoning: pairs of tags around thinking. dropped: markers that mean nothing where
    they stand, closing: the same behind a call. fences: a code fence around calls belongs to them. named: reads a
    text that begins with a tool's name and one of `tails`.
    """

    __slots__ = (
        "by_mark",
        "closers",
        "closing_thought",
        "fences",
        "named",
        "openers",
        "opening",
        "partials",
        "prefixes",
        "reasoning",
        "starts",
        "tails",
        "thinking",
        "tokens",
    )

    def __init__(
        self,
        openers: tuple[BlockStart, ...],
        *,
        reasoning: tuple[tuple[str, str], ...] = (),
        dropped: tuple[str, ...] = (),
        closing: tuple[str, ...] = (),
        fences: bool = False,
        named: BlockStart | None = None,
        tails: tuple[str, ...] = (),
    ) -> None:
        walked = (
            *openers,
            *(BlockStart(mark=mark, scan="none") for mark in dropped),
            *(BlockStart(mark=mark, scan="closing") for mark in closing),
            *((BlockStart(pattern=_fence_before(openers), starts="`", scan="fence"),) if fences else ()),
        )
        self.fences = fences
        self.openers = (*walked, *((named,) if named else ()))
        self.named = len(walked) if named else -1
        self.tails = tails
        self.reasoning = dict(reasoning)
        self.closers = tuple(close for _, close in reasoning)
        self.by_mark = {opener.mark: index for index, opener in enumerate(walked) if opener.mark}

    def __getattr__(self, name: str) -> Any:
        """Compile the patterns when they are first needed: a program that never reads a family's text pays nothing."""
        if name not in _COMPILED:
            raise AttributeError(name)
        self._compile()
        return object.__getattribute__(self, name)

    def _compile(self) -> None:
        literals = sorted({*self.by_mark, *self.reasoning, *self.closers})
        patterns = [(index, opener) for index, opener in enumerate(self.openers) if opener.pattern]
        self.opening = _opening(literals, patterns)
        self.starts = _any_of(sorted({*(mark[0] for mark in literals), *(c for _, o in patterns for c in o.starts)}))
        self.prefixes = _prefixes(literals)
        self.partials = _either(opener.partial for _, opener in patterns)
        self.thinking = _either(map(re.escape, self.reasoning))
        self.closing_thought = _either(map(re.escape, self.closers))
        self.tokens = tuple(_tokens(opener) for opener in self.openers)

    def undecided(self, text: str, at: int) -> int:
        """Give the first place at or after `at` from which the end of the text may become a marker, or its length."""
        begin = max(at, len(text) - MAX_BLOCK_START_CHARS)
        for found in self.starts.finditer(text, begin):
            place = found.start()
            if self._may_become(text, place):
                return place
        return len(text)

    def _may_become(self, text: str, place: int) -> bool:
        if text[place:] in self.prefixes or self.partials.fullmatch(text, place):
            return True
        if not self.fences or text[place] != "`":
            return False
        fence = _FENCE.match(text, place)
        inner = fence.end() if fence else len(text) if FENCE.startswith(text[place:]) else place
        return inner > place and (inner == len(text) or self._may_become(text, inner))


def _fence_before(openers: tuple[BlockStart, ...]) -> str:
    """Give the pattern of a code fence that one of the openers' blocks follows."""
    begun = [opener for opener in openers if opener.scan not in _OUTSIDE]
    patterns = [opener.pattern.replace("(?P<inner>", "(?:") for opener in begun if opener.pattern]
    marks = _trie(sorted(opener.mark for opener in begun if opener.mark))
    return rf"{_FENCE.pattern}(?P<inner>)(?={'|'.join([*patterns, marks])})"


def undecided_end(text: str, at: int, marks: tuple[str, ...]) -> int:
    """Give the first place at or after `at` from which the end of the text may become one of the marks."""
    longest = max(map(len, marks), default=1) - 1
    for place in range(max(at, len(text) - longest), len(text)):
        rest = text[place:]
        if any(mark.startswith(rest) for mark in marks):
            return place
    return len(text)


def _opening(literals: list[str], patterns: list[tuple[int, BlockStart]]) -> re.Pattern[str]:
    """Give the pattern of all openers, sorted by their first character so that other characters cost little."""
    firsts = sorted({*(mark[0] for mark in literals), *(first for _, opener in patterns for first in opener.starts)})
    parts = []
    for first in firsts:
        own = [_numbered(o.pattern, f"{index}_{ord(first)}") for index, o in patterns if first in o.starts]
        marks = [mark for mark in literals if mark[0] == first]
        parts.append(f"(?={re.escape(first)})(?:{'|'.join([*own, *([_trie(marks)] if marks else [])])})")
    return _either(parts)


def _numbered(pattern: str, number: str) -> str:
    return f"(?P<p{number}>{pattern.replace('(?P<inner>', f'(?P<i{number}>')})"


def _trie(marks: list[str]) -> str:
    """Give a pattern of the marks that looks at each of their characters once."""
    by_first: dict[str, list[str]] = {}
    for mark in marks:
        by_first.setdefault(mark[0], []).append(mark[1:])
    parts = [
        re.escape(first) + ("" if rests == [""] else f"(?:{_trie(sorted(rests))})") for first, rests in by_first.items()
    ]
    return "|".join(parts)


class BlockTokens(NamedTuple):
    """What matters inside of a block.

    literals: its markers. ends: those of them that end it. marks: the pattern of them. all: with strings and brackets.
    """

    literals: tuple[str, ...]
    ends: frozenset[str]
    marks: re.Pattern[str]
    all: re.Pattern[str]


def _tokens(opener: BlockStart) -> BlockTokens:
    ends = frozenset((*opener.closers, *opener.before))
    passed = (*opener.skips, MESSAGE) if opener.scan == "message" else opener.skips
    literals = tuple(sorted({*ends, *passed}, key=lambda mark: (-len(mark), mark)))
    patterns = [*map(re.escape, literals)]
    inside = _BRACKETS.get(opener.scan)
    marks = _either(patterns)
    return BlockTokens(
        literals, ends, marks, re.compile("|".join([*patterns, inside]), re.ASCII | re.DOTALL) if inside else marks
    )


def _prefixes(literals: Iterable[str]) -> frozenset[str]:
    return frozenset(mark[:size] for mark in literals for size in range(1, len(mark)))


def _either(parts: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(parts) or _IMPOSSIBLE, re.ASCII)


def _any_of(characters: list[str]) -> re.Pattern[str]:
    return _either(map(re.escape, characters))
