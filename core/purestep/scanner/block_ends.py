"""Where a block of a model's text ends: a cheap scan that can be resumed anywhere, for each way of ending.

It looks at markers, brackets and quotes only, so a block costs one pass however its text is cut into chunks.
"""

import re
from typing import Final

from ..bounds import MAX_BLANKS_AFTER_CALL, MAX_BRACKET_MARKER_CHARS
from ..json_text import BLANK, NOT_BLANK
from ..lazy import lazy_pattern
from .blocks import MESSAGE, BlockStart
from .end_search import BlockTokens, End, EndSearch, Scanned, undecided_end
from .raw_values import OUTSIDE, end_outside_values

_QUOTED: Final = {
    '"': lazy_pattern(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL),
    "'": lazy_pattern(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.DOTALL),
}
QUOTES: Final = ("", *_QUOTED)
"""The quotes that an open string of a block may have; "" for none."""
_FENCE: Final = lazy_pattern(r"`{1,3}(?:(?<=```)[A-Za-z_]{0,12}[ \t\r\n]{0,8})?", re.ASCII)
_FIRST: Final = lazy_pattern(".", re.DOTALL)  # ascii: any character
_FENCE_CHARS: Final = 24
"""A code fence before JSON, and more characters than one has."""

_BEFORE_STRINGS: Final = ("{", "[", ",", ":")
_AFTER_HEADER: Final = 1
_WITH_STRINGS: Final = 2
IN_MESSAGE: Final = 7
"""The stages of a search, beside those in raw values."""


def find_end(
    start: BlockStart,
    tokens: BlockTokens,
    scanned: Scanned,
    text: str,
    at: int,
    *,
    kept: tuple[str, ...],
    final: bool,
    counting: bool = True,
) -> EndSearch:
    """Look for a block's end from a place on.

    tokens: what matters in the block. kept: its text before the place. final: nothing follows the text. counting:
    whether what stands in a raw value or a thought needs to fit; without, the text is over and has no such end.
    """
    if start.scan == "message" and not scanned.stage:
        header = _header_end(tokens, scanned, text, at, final)
        if header.end is None or header.end.token != MESSAGE:
            return header
        if start.shows("".join((*kept, text[at : header.end.start]))):
            return header
        scanned, at = Scanned(_AFTER_HEADER), header.end.end
    if scanned.stage == _AFTER_HEADER or (start.scan == "tagged" and not scanned.stage):
        first = NOT_BLANK.search(text, at)
        fence = _FENCE.match(text, first.start()) if first is not None and first[0] == "`" else None
        if fence is not None and not final and fence.end() == len(text) < fence.start() + _FENCE_CHARS:
            return EndSearch(scanned, inside_to=fence.start())
        first = _FIRST.search(text, fence.end()) if fence is not None and fence.end() < len(text) else first
        if first is None:
            return EndSearch(scanned, inside_to=len(text))
        raw = IN_MESSAGE if start.scan == "message" else OUTSIDE
        scanned = Scanned(_WITH_STRINGS if first[0] in "{[" else raw)
    if start.scan in ("balanced", "python", "json") or scanned.stage == _WITH_STRINGS:
        return _outside_strings(start, tokens, scanned, text, at, kept, final)
    if start.values is not None:
        stage = scanned if scanned.stage else Scanned(OUTSIDE)
        return end_outside_values(start.values, tokens, stage, text, at, final=final, counting=counting)
    if scanned.stage == IN_MESSAGE:
        return _message_end(tokens, scanned, text, at, final, counting)
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


_AFTER_END: Final = ("<|start|>", "<|channel|>", "assistant<|channel|>", "<|end|>", "<|call|>", "<|return|>")
_RECIPIENT: Final = r"(?:[ \t]*to=[^<> \t\r\n]{0,128})?[ \t]{0,4}"
_CHANNEL: Final = rf"(?:analysis|commentary|final){_RECIPIENT}(?:code|json)?[ \t]{{0,4}}<\|(?:message|constrain)\|>"
_HEADERS: Final = {
    "<|start|>": lazy_pattern(
        rf"(?:assistant|system|user|developer|tool|functions[.:]?[A-Za-z0-9_.-]{{0,128}})?{_RECIPIENT}"
        rf"<\|(?:message\|>|constrain\|>|channel\|>[ \t]{{0,4}}{_CHANNEL})",
        re.ASCII,
    ),
    "<|channel|>": lazy_pattern(rf"[ \t]{{0,4}}{_CHANNEL}", re.ASCII),
}
_HEADER_CHARS: Final = 512
"""What follows the end of a harmony message, and the rest of a header: a thought that names a marker goes on
otherwise. A header is shorter than so many characters."""


def _message_end(tokens: BlockTokens, scanned: Scanned, text: str, at: int, final: bool, counting: bool) -> EndSearch:
    """Look for the end of a message whose body is words; without counting, `<|end|>` is one whatever follows it."""
    while found := tokens.marks.search(text, at):
        at = found.end()
        if found[0] == MESSAGE:
            continue
        if (header := _HEADERS.get(found[0])) is not None:
            if header.match(text, at):
                return EndSearch(scanned, End(found[0], found.start(), found.end()))
            if not final and len(text) - at < _HEADER_CHARS and "<|message|>" not in text[at:]:
                return EndSearch(scanned, inside_to=found.start())
            continue
        place = NOT_BLANK.search(text, at, at + MAX_BLANKS_AFTER_CALL)
        begin = place.start() if place else min(len(text), at + MAX_BLANKS_AFTER_CALL)
        is_over = begin == len(text) or place is None
        if text.startswith(_AFTER_END, begin) or (final and is_over) or not (counting or found[0] != "<|end|>"):
            return EndSearch(scanned, End(found[0], found.start(), found.end()))
        rest = text[begin:]
        if not final and any(mark.startswith(rest) for mark in _AFTER_END):
            return EndSearch(scanned, inside_to=found.start())
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
    """Return the last character before a place that is not blank, also from what was kept of the block."""
    for part, end in ((text, at), *((each, len(each)) for each in reversed(kept))):
        for place in range(end - 1, -1, -1):
            if part[place] not in BLANK:
                return part[place]
    return ""


def _is_undecided(tokens: BlockTokens, text: str, place: int) -> bool:
    """Whether a character may begin a marker, or is an apostrophe that another may follow."""
    if text[place] == "'" and place == len(text) - 1:
        return True
    return undecided_end(text, place, tokens.literals) == place
