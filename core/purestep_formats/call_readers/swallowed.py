"""Whether a raw value may have swallowed what follows it: one rule for the tags, and the marks, of all families.

A value whose own end is missing, or whose neighbor's tag is damaged, goes on to the next end that fits. It then holds
what a value seldom does: the tag of another argument of the tool, an end of its own with a tag after it, or text that
is a tag of another argument but for a few characters. How such a tag is written the block itself shows: as the tag that
the value begins with, with another name in it. What holds one is not certain, so it is sent back.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from purestep.json_text import BLANK, NOT_BLANK
from purestep.lazy import lazy_pattern

from ..bounds import MAX_COMPARED_TAGS
from .tags import Tag


class Opening(NamedTuple):
    """What a value begins with: the text before the argument's name, that name, and the text after it."""

    before: str
    name: str
    after: str


def opening_of(text: str, name: str) -> Opening:
    """Return the parts of a tag, or of a tag with the name and one for the value."""
    before, _, after = text.partition(name)
    return Opening(before, name, after.strip(BLANK))


_ATTRIBUTES: Final = lazy_pattern(
    r"(?:[ \t\r\n]++[A-Za-z_:][A-Za-z0-9_.:-]*+[ \t]*+=[ \t]*+(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^ \t\r\n\"'<>=]++\Z))*+"
    r"[ \t]*+/?[ \t\r\n]*+",
    re.ASCII,
)
"""What may follow a name in a tag. A value without quotes is the last: a blank after it may be that of a text."""


def is_damaged_opening(text: str, argument: str, rest: str, known: Sequence[str], *, is_bare: bool) -> bool:
    """Whether the tag that begins a value may have lost its end, so that it goes on into the value.

    text: the tag. argument: its name. rest: what follows that in the tag: attributes, or it is damaged. known: the
    names of the tool's arguments: a name without quotes that goes on after one of them is damaged too. is_bare: the
    name stands after `=` alone, so that the line break after it is the template's and may end the tag.
    """
    if _ATTRIBUTES.fullmatch(rest) is None or not (is_bare or text.rstrip(BLANK).endswith((">", "]"))):
        return True
    name = argument.strip(BLANK)
    return name not in known and any(name.startswith(each) and name[len(each)] in _AFTER_NAME for each in known if each)


_AFTER_NAME: Final = " \t\"'/=:,;("
"""What stands in no name: the name before it is a whole one."""


def holds_another(text: str, tags: Sequence[Tag], own: Tag, end: int, opening: Opening, known: Sequence[str]) -> bool:
    """Whether a value holds what may be another argument or call, outside of calls that are whole in it.

    tags: those in the value. own: the tag that begins it. known: the names of the tool's arguments.
    """
    if not any(text.find(char, own.end, end) >= 0 for char in "<>]"):
        return False
    if _REST_OF_TAG.match(text, own.end, end):
        return True
    inside = sorted([*tags, *_nameless(text, own, end)], key=_start_of)
    return _tag_of_another(text, inside, own, end, set(known)) or is_nearly_opened(text, own.end, end, opening, known)


_REST_OF_TAG: Final = lazy_pattern(r"[ \t\r\n]*+(?=[A-Za-z=\"'])[A-Za-z= \t\"']{1,32}?[\"']>", re.ASCII)
"""What a tag that ends too early leaves at the beginning of its value."""


def _start_of(tag: Tag) -> int:
    return tag.start


def _nameless(text: str, own: Tag, end: int) -> Iterator[Tag]:
    """Return the tags in a value that are called like its own, but have no name of an argument."""
    mark = f"<{own.tag}>"
    place = text.find(mark, own.end, end) if own.tag and not own.tag.endswith("value") else -1
    while place >= 0:
        yield Tag("open", place, place + len(mark), own.tag, "")
        place = text.find(mark, place + len(mark), end)


def _tag_of_another(text: str, tags: Sequence[Tag], own: Tag, end: int, known: set[str]) -> bool:
    """Whether tags in a value are not those of an example: an argument of the tool, or an end before other markup."""
    calls, depth, key = 0, 0, ""
    unspaced = 0
    for tag in tags:
        if tag.tag and tag.tag != own.tag:
            continue
        match tag.kind:
            case "call":
                calls += 1
            case "end":
                if not calls and _begins_tag(text, tag.end, end):
                    return True
                calls = max(0, calls - 1)
            case "key":
                key = tag.name or ""
                if not calls and key.strip(BLANK) in known:
                    return True
            case "open":
                name = key if tag.name is None else tag.name
                if not calls and name.strip(BLANK) in known:
                    return True
                depth += 1
                # In words about tags blanks or quotes stand before one.
                unspaced = unspaced or (depth if not name and text[tag.start - 1] not in _BEFORE_WORDS else 0)
            case "close" if depth:
                unspaced = 0 if unspaced == depth else unspaced
                depth -= 1
            case "close" if not calls and _begins_tag(text, tag.end, end):
                return True
            case _:
                pass
    return bool(unspaced)


_BEFORE_WORDS: Final = (" ", "\t", "`", '"', "'", "(")


def _begins_tag(text: str, at: int, end: int) -> bool:
    following = NOT_BLANK.search(text, at, end)
    return following is not None and following[0] in ("<", "]")


# --- tags that are damaged --------------------------------------------------------------------------------


def is_nearly_opened(text: str, begin: int, end: int, opening: Opening, known: Sequence[str]) -> bool:
    """Whether a text holds another argument's tag but for a few characters."""
    before, after = opening.before, opening.after
    if len(before) < _SURE_CHARS:
        return False
    compared = 0
    for place, name in _names_in(text, begin, end, known):
        head = text[max(begin, place - len(before) - _SPARE_CHARS) : place]
        signs = (before[0] in head) + head.endswith(before[-1]) + text.startswith(after[:1] or "\n", place + len(name))
        if signs < _SURE_SIGNS or not _shares_run(before, head):
            continue
        compared += 1
        if compared > MAX_COMPARED_TAGS or _distance(before, head) <= len(before) // 4 + 1:
            return True
    return False


_SURE_CHARS: Final = 4
"""Characters of a tag before its name; fewer stand in any markup."""

_SURE_SIGNS: Final = 2
"""Of a tag's first character, the one before its name and the one after it: so many are there."""

_SPARE_CHARS: Final = 4
_RUN: Final = 3
"""Characters in a row that a damaged tag shares with a whole one."""


def _names_in(text: str, begin: int, end: int, names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Return where names stand in a text, each with its place."""
    for name in names:
        place = text.find(name, begin, end) if name else -1
        while place >= 0:
            yield place, name
            place = text.find(name, place + len(name), end)


def is_nearly_closed(text: str, tags: Sequence[Tag], own: Tag, end: int, close: str) -> bool:
    """Whether a value holds its own end but for a few characters; tags: those in it, which are whole.

    own: the tag that begins it. close: the end as its family writes it.
    """
    whole = sorted([*tags, *_nameless(text, own, end)], key=_start_of)
    pieces = [own.end, *(place for tag in whole for place in (tag.start, min(tag.end, end))), end]
    compared = 0
    for first, last in zip(pieces[::2], pieces[1::2], strict=True):
        for found in _SIGNS.finditer(text, first, last):
            begun = max(first, found.start() - (len(close) + _SPARE_CHARS if found[0] == ">" else 1))
            near = text[begun : min(last, begun + len(close) + 2 * _SPARE_CHARS)]
            if not _shares_run(close, near):
                continue
            compared += 1
            if compared > MAX_COMPARED_TAGS or _distance(close, near, anywhere=True) <= len(close) // 4:
                return True
    return False


_SIGNS: Final = lazy_pattern("[<>]")


def _shares_run(whole: str, damaged: str) -> bool:
    return any(whole[at : at + _RUN] in damaged for at in range(1, len(whole) - _RUN))


def _distance(pattern: str, text: str, *, anywhere: bool = False) -> int:
    """Return how many characters must be changed so that a text ends in a pattern, or holds it anywhere."""
    # Rows of the usual table; a match may begin anywhere in the text.
    row = [0] * (len(text) + 1)
    for number, wanted in enumerate(pattern, 1):
        following = [number]
        for at, char in enumerate(text, 1):
            following.append(min(row[at - 1] + (char != wanted), row[at] + 1, following[-1] + 1))
        row = following
    return min(row) if anywhere else row[-1]
