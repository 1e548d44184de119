"""Postconditions: checks on an output, as data."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from ..bounds import MAX_GUARDRAILS, MAX_SAFE_INTEGER

_Number = Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER)]


class CountRange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How many of something there must be, both ends included; null is no limit."""

    min: _Number | None = None
    max: _Number | None = None


Relation = Literal["equal", "not_equal", "less", "at_most", "more", "at_least"]


class Constant(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value of the definition that something is compared with."""

    value: Any


class Comparison(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How two values relate: numbers by their size, texts by their code points.

    `left`, `right`: JSON Pointers (RFC 6901) that begin with `/output` or `/arguments`; `right` may be a constant.
    """

    left: str
    relation: Relation = field(name="is")
    right: str | Constant


class Occurrence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Values that must each stand in one of several texts, as whole words or numbers.

    `values`: a JSON Pointer to a text, a number, or an array of them. `in`: `output`, `question` (the user's words of
    the exchange), `results` (those accepted before in the exchange), or pointers.
    """

    values: str
    texts: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_GUARDRAILS)] = field(name="in")


class Postcondition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A check on a tool's output or on the answer, as data; every member given must hold.

    `schema`: the output fits it. `contains`, `excludes`: the output's text holds, or does not hold, this.
    `pattern`: a regular expression found in it. `mentions`: the value of this argument stands in it.
    `lines`: how many lines it has that are not blank. `items`: how many entries its array, or members its object, has.
    `not_metadata`: it is more than the head of a listing, as the guardrail of that name says.
    `compare`: two values relate as they should.
    `occurs`: values stand in texts. `check`: this tool of the host accepts it, called with `params`, each a constant or
    a pointer as in a comparison; only at the top of a list.
    `all`, `any`, `not`: all of these hold, one does, this does not.
    `message` replaces the core's text to the model.
    """

    schema: dict[str, Any] | bool | None = None
    contains: str | None = None
    excludes: str | None = None
    pattern: str | None = None
    mentions: str | None = None
    lines: CountRange | None = None
    items: CountRange | None = None
    not_metadata: bool = False
    compare: Comparison | None = None
    occurs: Occurrence | None = None
    check: str | None = None
    params: dict[str, str | Constant] | None = None
    all: "tuple[Postcondition, ...]" = ()
    any: "tuple[Postcondition, ...] | None" = None
    negated: "Postcondition | None" = field(name="not", default=None)
    message: str | None = None


# A type that names itself is written as text, which msgspec would compile anew for each refused definition: the types
# themselves (with their bounds) take its place, since no text runs as code in a step.
_Some = tuple[Postcondition, ...]
Postcondition.__annotations__ |= {
    "all": Annotated[_Some, Meta(max_length=MAX_GUARDRAILS)],
    "any": Annotated[_Some, Meta(min_length=1, max_length=MAX_GUARDRAILS)] | None,
    "negated": Postcondition | None,
}
