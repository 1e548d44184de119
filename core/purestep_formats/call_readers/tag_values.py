"""Which tags of a block are a call's own, and which stand in its values: two readings of its tags, held side by side.

A value may hold any tag. Its end is the tag that fits: it repeats the name of the one that began the value, and only an
argument, the end of the call or of the block comes after it. Tags in a value are counted like brackets in one reading,
and not in the other. Where both come to an end and differ, or where a tag in a value may as well begin an argument
whose predecessor was not closed, no reading is certain.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

from purestep.json_text import NOT_BLANK

from .tags import Tag


class Argument(NamedTuple):
    """An argument: its name, the other attributes of its tag, where its value is, and the tags in the value.

    is_bare: its tag has the name after `=` alone. opening: where its tag begins, or the one with its name.
    """

    name: str
    rest: str
    begin: int
    end: int
    inside: tuple[int, int]
    is_bare: bool
    opening: int


class TagCall(NamedTuple):
    """A call: its tool's name as written, where the text after that begins, and whether an end came."""

    name: str
    begin: int
    arguments: list[Argument]
    ended: bool = False


class TagReading(NamedTuple):
    """The calls of a block, and how the reading went.

    state: `whole`; `open`: the last value, which is not among the arguments, has no end; `unclear`: no reading is
    certain. value: the last argument's name and where its value begins, if it is open. counted: tags in a value
    mattered. doubled: the end of a value stood twice.
    """

    calls: list[TagCall]
    state: Literal["whole", "open", "unclear"] = "whole"
    value: Argument | None = None
    counted: bool = False
    doubled: bool = False


Knows = Callable[[str, str], bool]
"""Whether a tool, by its name as written, may take an argument of this name."""


def tag_reading(text: str, tags: list[Tag], first: TagCall | None, knows: Knows) -> TagReading:
    """Return the calls that a block's tags make, if that is certain; first: a call begun before them."""
    tags = _with_any_end(tags)
    nested = _read(text, tags, first, counting=True)
    if not nested.counted:  # both are the same
        return nested._replace(state="unclear") if nested.doubled and nested.state == "whole" else nested
    flat = _read(text, tags, first, counting=False)
    if nested.state == "whole" and flat.state == "whole":
        is_certain = _values(nested) == _values(flat) or any(
            not knows(call.name, argument.name) for call in flat.calls for argument in call.arguments
        )
        return nested if is_certain else nested._replace(state="unclear")
    if nested.state == "whole":
        return nested
    if flat.state == "whole" and (flat.doubled or _may_hold_argument(tags, flat, knows)):
        return flat._replace(state="unclear")
    return flat


def split_reading(text: str, tags: list[Tag], first: TagCall | None) -> tuple[TagReading, list[Tag]]:
    """Return the calls where a tag that begins a line ends the value before it, and the tags with those ends."""
    split: list[Tag] = []
    value: Tag | None = None
    for tag in tags:
        begins_line = text.startswith("\n", tag.start - 1) if tag.start else False
        if value is not None and begins_line and tag.kind in ("open", "key"):
            end = tag.start - (2 if text.startswith("\r\n", tag.start - 2) else 1)
            split.append(Tag("close", end, end, value.tag))
            value = None
        value = tag if tag.kind == "open" else None if tag.kind in ("close", "end") else value
        split.append(tag)
    split = _with_any_end(split)
    return _read(text, split, first, counting=True), split


def _with_any_end(tags: list[Tag]) -> list[Tag]:
    """Return the tags without their names where none of the ends repeats one: a model mixed two spellings."""
    begun = {tag.tag for tag in tags if tag.kind == "open"}
    ended = {tag.tag for tag in tags if tag.kind == "close"}
    is_named = any(tag.kind == "open" and tag.tag == tag.name for tag in tags)  # what the tag is called is the name
    return tags if is_named or not begun or not ended or begun & ended else [tag._replace(tag="") for tag in tags]


def _values(reading: TagReading) -> list[tuple[str, list[tuple[str, int, int]]]]:
    return [(call.name, [(each.name, each.begin, each.end) for each in call.arguments]) for call in reading.calls]


def _may_hold_argument(tags: list[Tag], reading: TagReading, knows: Knows) -> bool:
    """Whether a tag in a value may begin an argument of the call, or of another begun there."""
    for call in reading.calls:
        for argument in call.arguments:
            tool, key = call.name, ""
            for tag in tags[argument.inside[0] : argument.inside[1]]:
                tool = tag.name or "" if tag.kind == "call" else tool
                key = tag.name or "" if tag.kind == "key" else key
                if tag.kind == "open" and knows(tool, key if tag.name is None else tag.name):
                    return True
    return False


# --- one reading --------------------------


def _read(text: str, tags: list[Tag], first: TagCall | None, *, counting: bool) -> TagReading:
    calls = [first._replace(arguments=[])] if first is not None else []
    key, key_begin, number = "", 0, 0
    counted = doubled = False
    while number < len(tags):
        tag = tags[number]
        number += 1
        match tag.kind:
            case "call":
                calls.append(TagCall(tag.name or "", tag.end, []))
            case "end":
                calls[-1:] = [call._replace(ended=True) for call in calls[-1:]]
            case "key":
                key, key_begin = tag.name or "", tag.start  # a key without a value is left out
            case "open":
                name, opening = (key, key_begin) if tag.name is None else (tag.name, tag.start)
                if not calls or (tag.name is None and not key):
                    return TagReading(calls, "unclear", counted=counted)
                close, deep, twice = _value_end(text, tags, number, tag.tag, counting)
                counted, doubled = counted or deep, doubled or twice
                if close is None:
                    value = Argument(name, tag.rest, tag.end, len(text), (number, len(tags)), tag.is_bare, opening)
                    return TagReading(calls, "open", value, counted, doubled)
                inside = (number, close)
                end = tags[close].start
                calls[-1].arguments.append(Argument(name, tag.rest, tag.end, end, inside, tag.is_bare, opening))
                key, number = "", close + 1
            case "close":
                return TagReading(calls, "unclear", counted=counted)
    return TagReading(calls, counted=counted, doubled=doubled)


def _value_end(text: str, tags: list[Tag], begin: int, name: str, counting: bool) -> tuple[int | None, bool, bool]:
    """Return the tag that ends a value, whether tags of its name are in it, and whether its end stood twice."""
    depth, deep, twice = 1, False, False
    for number in range(begin, len(tags)):
        tag = tags[number]
        if tag.tag != name:
            continue
        if tag.kind == "open":
            deep = True
            depth += counting
        elif depth > 1:
            depth -= 1
        elif _fits(text, tags, number):
            return number, deep, twice
        else:
            twice = number + 1 < len(tags) and tags[number + 1].kind == "close" and _is_next(text, tags, number)
    return None, deep, twice


def _fits(text: str, tags: list[Tag], number: int) -> bool:
    """Whether only what may follow a value comes after a tag; another call comes after the end of this one."""
    ends_call = False
    for following in range(number + 1, len(tags) + 1):
        if not _is_next(text, tags, following - 1):
            return False
        if following == len(tags):
            return True
        match tags[following].kind:
            case "end":
                ends_call = True
            case "call":
                return ends_call
            case "outer" if ends_call:
                continue
            case kind:
                return kind in ("key", "open") and not ends_call
    return False


def _is_next(text: str, tags: list[Tag], number: int) -> bool:
    """Whether nothing stands between a tag and the one after it, or the end."""
    limit = tags[number + 1].start if number + 1 < len(tags) else len(text)
    return NOT_BLANK.search(text, tags[number].end, limit) is None
