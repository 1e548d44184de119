"""Where a block of a model's text ends: a cheap scan that can be resumed anywhere, for each way of ending.

It looks at markers, brackets and quotes only, so a block costs one pass however its text is cut into chunks.
"""

import re
from typing import Final, NamedTuple

from ..bounds import MAX_BRACKET_MARKER_CHARS
from ..json_text import BLANK, NOT_BLANK
from .blocks import MESSAGE, BlockStart
from .markers import BlockTokens, undecided_end

_QUOTED: Final = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.DOTALL),
}
QUOTES: Final = ("", *_QUOTED)
"""The quotes that an open string of a block may have; "" for none."""

_BEFORE_STRINGS: Final = ("{", "[", ",", ":")
_AFTER_HEADER: Final = 1
_WITH_STRINGS: Final = 2
_RAW: Final = 3
_THOUGHTS: Final = 4

_NEXT_MESSAGE: Final = {
    "<|start|>": ("assistant", "user", "system", "developer", "tool", "functions"),
    "<|channel|>": ("analysis", "commentary", "final"),
}
"""What follows a marker that begins the next message; in thoughts it may only be named."""


class Scanned(NamedTuple):
    """How far the scan of a block is: which part of it, the number of open brackets, the quote of an open string."""

    stage: int = 0
    depth: int = 0
    quote: str = ""


class End(NamedTuple):
    """The token that ends a block, and where it is."""

    token: str
    start: int
    end: int


class EndSearch(NamedTuple):
    """The result of a search: how far the scan is, and the end, if any.

    inside_to: without an end, the place up to which the text is certainly inside of the block.
    """

    scanned: Scanned
    end: End | None = None
    inside_to: int = 0


NOTHING_SCANNED: Final = Scanned()


def find_end(
    start: BlockStart, tokens: BlockTokens, scanned: Scanned, text: str, at: int, *, kept: tuple[str, ...], final: bool
) -> EndSearch:
    """Look for a block's end from a place on.

    tokens: what matters in the block. kept: its text before the place. final: nothing follows the text.
    """
    if start.scan == "message" and not scanned.stage:
        header = _header_end(tokens, scanned, text, at, final)
        if header.end is None or header.end.token != MESSAGE:
            return header
        head = "".join((*kept, text[at : header.end.start]))
        if start.shows(head):
            return header
        is_thought = "analysis" in head and "to=" not in start.mark + head
        scanned, at = Scanned(_THOUGHTS if is_thought else _AFTER_HEADER), header.end.end
    if scanned.stage == _THOUGHTS:
        return _end_of_thoughts(tokens, scanned, text, at, final)
    if scanned.stage == _AFTER_HEADER or (start.scan == "tagged" and not scanned.stage):
        first = NOT_BLANK.search(text, at)
        if first is None:
            return EndSearch(scanned, inside_to=len(text))
        scanned = Scanned(_WITH_STRINGS if first[0] in "{[" else _RAW)
    if start.scan in ("balanced", "python", "json") or scanned.stage == _WITH_STRINGS:
        return _outside_strings(start, tokens, scanned, text, at, kept, final)
    return _first_mark(tokens, scanned, text, at, final, passed=MESSAGE)


def _header_end(tokens: BlockTokens, scanned: Scanned, text: str, at: int, final: bool) -> EndSearch:
    """Look for the end of a message's header, whose channel is part of it."""
    return _first_mark(tokens, scanned, text, at, final, passed="<|channel|>")


def _first_mark(tokens: BlockTokens, scanned: Scanned, text: str, at: int, final: bool, *, passed: str) -> EndSearch:
    while found := tokens.marks.search(text, at):
        if found[0] != passed:
            return EndSearch(scanned, End(found[0], found.start(), found.end()))
        at = found.end()
    return _no_end(tokens, scanned, text, at, final)


def _end_of_thoughts(tokens: BlockTokens, scanned: Scanned, text: str, at: int, final: bool) -> EndSearch:
    """Look for the end of a message of thoughts, which may name the markers that end other messages."""
    while found := tokens.marks.search(text, at):
        mark, after = found[0], found.end()
        following = _NEXT_MESSAGE.get(mark)
        if mark in ("<|end|>", "<|return|>") or text.startswith(following or "\0", after):
            return EndSearch(scanned, End(mark, found.start(), after))
        if following and not final and any(word.startswith(text[after:]) for word in following):
            return EndSearch(scanned, inside_to=found.start())
        at = after
    return _no_end(tokens, scanned, text, at, final)


def _no_end(tokens: BlockTokens, scanned: Scanned, text: str, at: int, final: bool) -> EndSearch:
    return EndSearch(scanned, inside_to=len(text) if final else undecided_end(text, at, tokens.literals))


def _outside_strings(
    start: BlockStart, tokens: BlockTokens, scanned: Scanned, text: str, at: int, kept: tuple[str, ...], final: bool
) -> EndSearch:
    stage, depth, quote = scanned
    late = len(text) if final else len(text) - MAX_BRACKET_MARKER_CHARS
    while True:
        if quote:
            string = _QUOTED[quote].match(text, at)
            end = string.end() if string else at
            if not text.startswith(quote, end):
                return EndSearch(Scanned(stage, depth, quote), inside_to=len(text) if final else end)
            quote, at = "", end + 1
        found = tokens.all.search(text, at)
        if found is None:
            return _no_end(tokens, Scanned(stage, depth), text, at, final)
        token, place = found[0], found.start()
        if place > late and len(token) == 1 and _is_undecided(tokens, text, place):
            return EndSearch(Scanned(stage, depth), inside_to=place)
        at = found.end()
        if token in tokens.ends:
            return EndSearch(Scanned(stage, depth), End(token, place, at))
        match token[0]:
            case '"':
                quote = token if len(token) == 1 else ""
            case "'":
                quote = token if len(token) == 1 and _opens_string(start, text, place, kept) else ""
            case _ if token in tokens.literals:
                pass
            case "{" | "[" | "(":
                depth += len(token)
            case _:
                if depth <= len(token):
                    return EndSearch(Scanned(stage), End(token[0], place, place + max(depth, 1)))
                depth -= len(token)


def _opens_string(start: BlockStart, text: str, at: int, kept: tuple[str, ...]) -> bool:
    """Tell a single quote from an apostrophe."""
    if start.scan == "python":
        return True
    before = text[at - 1] if at else " "
    return (_before(text, at, kept) if before in BLANK else before) in _BEFORE_STRINGS


def _before(text: str, at: int, kept: tuple[str, ...]) -> str:
    """Give the last character before a place that is not blank, also from what was kept of the block."""
    for part, end in ((text, at), *((each, len(each)) for each in reversed(kept))):
        for place in range(end - 1, -1, -1):
            if part[place] not in BLANK:
                return part[place]
    return ""


def _is_undecided(tokens: BlockTokens, text: str, place: int) -> bool:
    """Tell whether a character may begin a marker, or is an apostrophe that another may follow."""
    if text[place] == "'" and place == len(text) - 1:
        return True
    return undecided_end(text, place, tokens.literals) == place
