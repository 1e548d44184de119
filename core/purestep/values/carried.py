"""What the state keeps for a carried model: the values that its arguments may be, and the tools that it chose."""

from msgspec import Struct

from ..text import Kind


class KnownValue(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A value that stands in the conversation in a form of its own, such as an address."""

    kind: Kind
    value: str | int | float


class Carried(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What carries the model through a conversation; bounded, whatever the length of the run.

    `values`: of the kinds that arguments are copied from, the latest last. `lost`: the kinds of which some are not
    kept any more, so that arguments are not held to the others. `scoring`: the tools that the model is asked to score
    now; `chosen`: those that its scores chose for this exchange, none for an answer; null where all are offered.
    """

    values: tuple[KnownValue, ...] = ()
    lost: tuple[Kind, ...] = ()
    scoring: tuple[str, ...] = ()
    chosen: tuple[str, ...] | None = None
