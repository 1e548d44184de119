"""What the state keeps for checks that look back, and the results that an answer cites."""

from typing import Annotated

from msgspec import Meta, Struct

from ..bounds import MAX_SAFE_INTEGER

_Place = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]


class Citation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A result that an answer cites: its call, and the code points [begin, end) of the answer that name it."""

    call_id: str
    tool: str
    at: tuple[_Place, _Place]


class Citable(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """An accepted result that an answer may cite: its call and tool, and where it stands in the evidence."""

    call_id: str
    tool: str
    begin: _Place
    end: _Place


class Evidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What was said in this exchange, kept only where a check looks there, and cut to a bound.

    `question`: the user's words. `results`: what the accepted results say, one after another.
    """

    question: str = ""
    question_cut: bool = False
    results: str = ""
    results_cut: bool = False
