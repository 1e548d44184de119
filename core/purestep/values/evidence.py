"""What the state keeps of an exchange for postconditions that look for values in what was said before."""

from msgspec import Struct


class Evidence(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Texts of this exchange, each kept only where a postcondition names it, and cut to a bound.

    `question`: the user's words. `results`: what the accepted results say, one after another.
    """

    question: str = ""
    question_cut: bool = False
    results: str = ""
    results_cut: bool = False
