"""Where a block of a model's text ends: a cheap scan that can be taken up anywhere, for each way of ending.

It looks at markers, brackets and quotes only, so a block costs one pass however its text is cut into chunks.
"""

import re
from typing import Final, NamedTuple

from ..bounds import MAX_BRACKET_MARKER_CHARS
from ..json_text import BLANK, NOT_BLANK
from .markers import MESSAGE, BlockStart, BlockTokens, undecided_end

_QUOTED: Final = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.DOTALL),
}
_BEFORE_STRINGS: Final = ("{", "[", ",", ":")
_BEHIND_HEADER: Final = 1
_STRINGS: Final = 2
_RAW: Final = 3


class Scanned(NamedTuple):
    """How far the scan of a block is: what kind of inside it has, the brackets that are open, the quote it is in."""

    stage: int = 0
    depth: int = 0
    quote: str = ""


class End(NamedTuple):
    """The token that ends a block, and where it stands."""

    token: str
    start: int
    end: int


NOTHING_SCANNED: Final = Scanned()


def find_end(
    opener: BlockStart, tokens: BlockTokens, scanned: Scanned, text: str, at: int, *, kept: tuple[str, ...], final: bool
) -> tuple[Scanned, End | int]:
    """Look for a block's end from a place on.

    tokens: the pattern of what matters in the block. kept: its text before the place. final: nothing follows.
    Gives how far the scan is, and the end, or the place up to which the text is certainly inside of the block.
    """
    begin = at
    if opener.scan == "message" and not scanned.stage:
        header = _header_end(tokens, text, at)
        if isinstance(header, int):
            return scanned, header if not final else len(text)
        if header.token != MESSAGE or opener.shows("".join((*kept, text[begin : header.start]))):
            return scanned, header
        scanned, at = Scanned(_BEHIND_HEADER), header.end
    if scanned.stage == _BEHIND_HEADER or (opener.scan == "tagged" and not scanned.stage):
        first = NOT_BLANK.search(text, at)
        if first is None:
            return scanned, len(text)
        scanned = Scanned(_STRINGS if first[0] in "{[" else _RAW)
    if opener.scan in ("balanced", "python", "json") or scanned.stage == _STRINGS:
        return _outside_strings(opener, tokens, scanned, text, at, kept, final)
    while found := tokens.marks.search(text, at):
        if found[0] != MESSAGE:
            return scanned, End(found[0], found.start(), found.end())
        at = found.end()
    return scanned, _certain(tokens, text, at, final)


def _header_end(tokens: BlockTokens, text: str, at: int) -> End | int:
    """Look for the end of a message's header, whose channel is part of it."""
    while found := tokens.marks.search(text, at):
        if found[0] != "<|channel|>":
            return End(found[0], found.start(), found.end())
        at = found.end()
    return _certain(tokens, text, at, False)


def _outside_strings(
    opener: BlockStart, tokens: BlockTokens, scanned: Scanned, text: str, at: int, kept: tuple[str, ...], final: bool
) -> tuple[Scanned, End | int]:
    stage, depth, quote = scanned
    late = len(text) if final else len(text) - MAX_BRACKET_MARKER_CHARS
    while True:
        if quote:
            ran = _QUOTED[quote].match(text, at)
            end = ran.end() if ran else at
            if not text.startswith(quote, end):
                return Scanned(stage, depth, quote), len(text) if final else end
            quote, at = "", end + 1
        found = tokens.all.search(text, at)
        if found is None:
            return Scanned(stage, depth, quote), _certain(tokens, text, at, final)
        token, start = found[0], found.start()
        if start > late and len(token) == 1 and _is_undecided(tokens, text, start):
            return Scanned(stage, depth, quote), start
        at = found.end()
        if token in tokens.ends:
            return Scanned(stage, depth, quote), End(token, start, at)
        match token[0]:
            case '"':
                quote = token if len(token) == 1 else ""
            case "'":
                quote = token if len(token) == 1 and _opens_string(opener, text, start, kept) else ""
            case _ if token in tokens.literals:
                pass
            case "{" | "[" | "(":
                depth += len(token)
            case _:
                if depth <= len(token):
                    return Scanned(stage, 0, ""), End(token[0], start, start + max(depth, 1))
                depth -= len(token)


def _opens_string(opener: BlockStart, text: str, at: int, kept: tuple[str, ...]) -> bool:
    """Tell a single quote from an apostrophe."""
    before = text[at - 1] if at else " "
    return opener.scan == "python" or (_before(text, at, kept) if before in BLANK else before) in _BEFORE_STRINGS


def _before(text: str, at: int, kept: tuple[str, ...]) -> str:
    """Give the character before a place that is no blank, also from what was kept of the block."""
    for part, end in ((text, at), *((each, len(each)) for each in reversed(kept))):
        for place in range(end - 1, -1, -1):
            if part[place] not in BLANK:
                return part[place]
    return ""


def _is_undecided(tokens: BlockTokens, text: str, start: int) -> bool:
    """Tell what may begin a marker, and an apostrophe that another may follow."""
    if text[start] == "'" and start == len(text) - 1:
        return True
    return undecided_end(text, start, tokens.literals) == start


def _certain(tokens: BlockTokens, text: str, at: int, final: bool) -> int:
    return len(text) if final else undecided_end(text, at, tokens.literals)
