"""Markers: what a dialect's blocks begin with, as one pattern that finds them all.

A `Table` holds the block starts of one dialect, or of all for `auto`. No marker of a table is the beginning of
another, so a marker is certain once it is there.
"""

import re
from collections.abc import Iterable
from functools import cached_property
from typing import Final, NamedTuple

from ..bounds import MAX_BLOCK_START_CHARS
from ..lazy import lazy_pattern
from .blocks import FENCE, MESSAGE, WRAPPERS, BlockStart
from .end_search import BlockTokens

_FENCE: Final = lazy_pattern(r"```[A-Za-z_]{0,12}+[ \t\r\n]{0,8}+", re.ASCII)
FENCE_BEGUN: Final = r"`{1,3}[A-Za-z_]{0,12}[ \t\r\n]{0,8}"
OUTSIDE: Final = ("none", "closing", "wrapper", "stray", "result", "fence")
"""Scans of starts that begin no block."""


class NamedStart(NamedTuple):
    """How a text begins that begins with a tool's name: the marker after it, and what may stand before it."""

    tail: str
    start: BlockStart
    before_name: str = ""


class Table:
    """The markers of a dialect.

    starts: what begins blocks. reasoning: pairs of tags around reasoning. dropped: markers without a meaning; closing:
    markers without one after a call. strays: the ends of values, outside of blocks. fences: a code fence around a block
    belongs to it, and so does what matches `label` before the fence. named: how a text may begin that begins with a
    tool's name.
    """

    def __init__(
        self,
        starts: tuple[BlockStart, ...],
        *,
        reasoning: tuple[tuple[str, str], ...] = (),
        dropped: tuple[str, ...] = (),
        closing: tuple[str, ...] = (),
        strays: tuple[str, ...] = (),
        fences: bool = False,
        named: tuple[NamedStart, ...] = (),
        label: str = "",
    ) -> None:
        self._blocks, self.label = starts, label
        self._marks = (
            *starts,
            *(BlockStart(mark=mark, scan="none") for mark in dropped),
            *(BlockStart(mark=mark, scan="closing") for mark in closing),
            *(BlockStart(mark=mark, scan="wrapper") for mark in WRAPPERS.values()),
            *(BlockStart(mark=mark, scan="stray") for mark in strays),
        )
        self.fences = fences
        self.named = tuple((each, len(self._marks) + fences + number) for number, each in enumerate(named))
        self.tails = tuple(each.tail for each in named)
        self.reasoning: dict[str, tuple[str, ...]] = {}
        for tag, end in reasoning:
            self.reasoning[tag] = (*self.reasoning.get(tag, ()), end)
        # Words may stand in any text: as tags they count at its beginning only.
        self.reasoning_ends = tuple(end for _, end in reasoning if not is_words(end))
        self.by_mark = {start.mark: index for index, start in enumerate(self._marks) if start.mark}

    @cached_property
    def starts(self) -> tuple[BlockStart, ...]:
        """All that begins something, made on first use as the patterns are."""
        fence = None
        if self.fences:
            pattern, chars = _fence_before(self._blocks, self.label), "`" + self.label[:1]
            fence = BlockStart(pattern=pattern, first_chars=chars, scan="fence")
        return (*self._marks, *((fence,) if fence else ()), *(each.start for each, _ in self.named))

    @cached_property
    def patterns(self) -> "MarkerPatterns":
        """The compiled patterns, made on first use: a program that never reads a family's text pays nothing."""
        tags = tuple(self.reasoning)
        literals = sorted({*self.by_mark, *(tag for tag in tags if not is_words(tag)), *self.reasoning_ends})
        patterns = [(index, start) for index, start in enumerate(self.starts) if start.pattern]
        first_chars = {*(mark[0] for mark in literals), *(char for _, start in patterns for char in start.first_chars)}
        return MarkerPatterns(
            starts=_starts(literals, patterns),
            first_chars=_either(map(re.escape, sorted(first_chars))),
            prefixes=frozenset(mark[:size] for mark in (*literals, *tags) for size in range(1, len(mark))),
            partials=_either(start.partial for _, start in patterns),
            reasoning=_either(map(re.escape, self.reasoning)),
            reasoning_ends=_either(map(re.escape, self.reasoning_ends)),
            tokens=tuple(map(_tokens, self.starts)),
        )

    def begins_block(self, found: re.Match[str]) -> bool:
        """Whether a marker that was found begins a block."""
        if found[0] in self.reasoning or found[0] in self.reasoning_ends:
            return False
        index = self.by_mark.get(found[0])
        return self.starts[start_found(found)[0] if index is None else index].scan not in OUTSIDE

    def begins_call(self, text: str) -> bool:
        """Whether a text begins with the marker of a block."""
        found = self.patterns.starts.match(text)
        return found is not None and self.is_call(found)

    def call_begin(self, text: str) -> int:
        """Return where the first marker of a block begins, or what the end of the text may become one."""
        for found in self.patterns.starts.finditer(text):
            if self.is_call(found):
                return found.start()
        return self.undecided(text, 0)

    def is_call(self, found: re.Match[str]) -> bool:
        """Whether a marker that was found begins a block in a thought, too.

        What is told by a pattern and ends at its own bracket does not: words and brackets alone are a draft there.
        """
        if not self.begins_block(found):
            return False
        return found[0] in self.by_mark or self.starts[start_found(found)[0]].scan not in ("balanced", "python")

    def named_start(self, name: str, tail: str) -> int:
        """Return the index of the start of a text that begins with a name and what comes after it."""
        return next(
            index for each, index in self.named if tail.startswith(each.tail) and name.startswith(each.before_name)
        )

    def undecided(self, text: str, at: int) -> int:
        """Return the first place at or after `at` from which the end of the text may become a marker, or its length."""
        begin = max(at, len(text) - MAX_BLOCK_START_CHARS)
        for found in self.patterns.first_chars.finditer(text, begin):
            place = found.start()
            if self._may_become(text, place):
                return place
        return len(text)

    def _may_become(self, text: str, place: int) -> bool:
        if text[place:] in self.patterns.prefixes or self.patterns.partials.fullmatch(text, place):
            return True
        if not self.fences or text[place] != "`":
            return False
        if FENCE.startswith(text[place:]):
            return True
        fence = _FENCE.match(text, place)
        return fence is not None and (fence.end() == len(text) or self._may_become(text, fence.end()))


def is_words(tag: str) -> bool:
    """Tell a tag that is a sentence, as Granite and Apriel write it, from one that no text holds by chance."""
    return tag.startswith("Here")


# --- patterns ---------------------------------------------------------------------------------------------


class MarkerPatterns(NamedTuple):
    """The compiled markers of a table.

    starts: any start marker. first_chars: what one may begin with. prefixes, partials: what may become one. reasoning,
    reasoning_ends: the tags around reasoning. tokens: for each start, what matters in its block.
    """

    starts: re.Pattern[str]
    first_chars: re.Pattern[str]
    prefixes: frozenset[str]
    partials: re.Pattern[str]
    reasoning: re.Pattern[str]
    reasoning_ends: re.Pattern[str]
    tokens: tuple[BlockTokens, ...]


_IMPOSSIBLE: Final = "(?!)"


def _either(parts: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(parts) or _IMPOSSIBLE, re.ASCII)


def _fence_before(starts: tuple[BlockStart, ...], label: str) -> str:
    """Return the pattern of a code fence that a block follows."""
    of_blocks = [start for start in starts if start.scan not in OUTSIDE]
    patterns = [start.pattern.replace("(?P<inner>", "(?:") for start in of_blocks if start.pattern]
    marks = _trie(sorted(start.mark for start in of_blocks if start.mark))
    return rf"(?:{label})?{_FENCE.pattern}(?P<inner>)(?={'|'.join([*patterns, marks])})"


def _starts(literals: list[str], patterns: list[tuple[int, BlockStart]]) -> re.Pattern[str]:
    """Return the pattern of all starts, sorted by their first character so that other characters cost little."""
    firsts = sorted({*(mark[0] for mark in literals), *(char for _, start in patterns for char in start.first_chars)})
    parts = []
    for first in firsts:
        own = [_numbered(s.pattern, f"{index}_{ord(first)}") for index, s in patterns if first in s.first_chars]
        marks = [mark for mark in literals if mark[0] == first]
        parts.append(f"(?={re.escape(first)})(?:{'|'.join([*own, *([_trie(marks)] if marks else [])])})")
    # Most characters begin no marker, which one class tells.
    return re.compile(
        f"(?=[{''.join(map(re.escape, firsts))}])(?:{'|'.join(parts)})" if parts else _IMPOSSIBLE, re.ASCII
    )


def _numbered(pattern: str, number: str) -> str:
    return f"(?P<p{number}>{pattern.replace('(?P<inner>', f'(?P<i{number}>')})"


def start_found(found: re.Match[str]) -> tuple[int, int]:
    """Return the index of the start whose pattern matched, and where its block's text begins."""
    number = (found.lastgroup or "p")[1:]
    return int(number.partition("_")[0]), found.start(f"i{number}")


def any_mark(marks: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of any of some markers, none of which is the beginning of another."""
    return re.compile(_trie(sorted(marks)))  # ascii: literals


def any_prefix(mark: str) -> str:
    """Return the expression for all beginnings of a marker, itself among them, and never for no text."""
    inner = ""
    for char in reversed(mark[1:]):
        inner = f"(?:{re.escape(char)}{inner})?"
    return re.escape(mark[0]) + inner


def _trie(marks: list[str]) -> str:
    """Return a pattern of the marks that looks at each of their characters once."""
    by_first: dict[str, list[str]] = {}
    for mark in marks:
        by_first.setdefault(mark[0], []).append(mark[1:])
    parts = [
        re.escape(first) + ("" if rests == [""] else f"(?:{_trie(sorted(rests))})") for first, rests in by_first.items()
    ]
    return "|".join(parts)


def _run(characters: str) -> str:
    """Return the pattern of many of some characters, or the last of them, which may begin a marker."""
    return f"(?:{characters}(?={characters}))+|{characters}"


_STRING: Final = r'(?:"[^"\\]*+(?:\\.[^"\\]*+)*+")+|"'
_BRACKETS: Final[dict[str, str]] = {
    **dict.fromkeys(("json", "tagged", "message"), f"{_STRING}|'+"),
    "balanced": "|".join([_STRING, "'+", _run(r"[{\[]"), _run(r"[}\]]")]),
    "python": "|".join([_STRING, _STRING.replace('"', "'"), _run(r"[{\[(]"), _run(r"[}\])]")]),
}
"""What matters inside of a block beside its markers: strings as a whole, quotes that none closes, runs of brackets."""


def _tokens(start: BlockStart) -> BlockTokens:
    ends = frozenset((*start.closers, *start.before))
    passed = (*start.skips, MESSAGE) if start.scan == "message" else start.skips
    literals = tuple(sorted({*ends, *passed}, key=lambda mark: (-len(mark), mark)))
    patterns = [*map(re.escape, literals)]
    inside = _BRACKETS.get(start.scan)
    marks = _either(patterns)
    full = re.compile("|".join([*patterns, inside]), re.ASCII | re.DOTALL) if inside else marks
    outside = _either([*patterns, start.values.opening]) if start.values is not None else marks
    return BlockTokens(literals, ends, marks, full, outside)
