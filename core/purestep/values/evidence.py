"""What the state keeps of an exchange for postconditions that look for values in what was said before."""

from typing import Any

from msgspec import UNSET, Struct


class NamedValue(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What stands where a pointer of a postcondition names a place in the latest accepted result of a tool.

    `value` is absent where nothing stands there, and where it was too long to be kept (`cut`).
    """

    pointer: str
    value: Any = UNSET
    cut: bool = False


class Evidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Texts of this exchange, each kept only where a postcondition names it, and cut to a bound.

    `question`: the user's words. `results`: what the accepted results say, one after another. `named`: places in
    results that postconditions name, sorted by their pointers.
    """

    question: str = ""
    question_cut: bool = False
    results: str = ""
    results_cut: bool = False
    named: tuple[NamedValue, ...] = ()
