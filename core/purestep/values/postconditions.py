"""Postconditions: checks on an output, as data."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from ..bounds import MAX_SAFE_INTEGER

_Number = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]


class CountRange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many of something there must be, both ends included; null is no limit."""

    min: _Number | None = None
    max: _Number | None = None


class Postcondition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A check on a tool's output, as data; every member given must hold.

    `schema`: the output fits it. `contains`, `excludes`: the output's text holds, or does not hold, this.
    `pattern`: a regular expression found in it. `mentions`: the value of this argument stands in it.
    `lines`: how many lines it has that are not blank. `items`: how many entries its array, or members its object, has.
    `message` replaces the core's text to the model.
    """

    schema: dict[str, Any] | bool | None = None
    contains: str | None = None
    excludes: str | None = None
    pattern: str | None = None
    mentions: str | None = None
    lines: CountRange | None = None
    items: CountRange | None = None
    message: str | None = None
