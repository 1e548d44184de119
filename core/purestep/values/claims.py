"""What the state keeps of an exchange for the guardrail that finds claimed effects without a call."""

from typing import Literal

from msgspec import Struct

Results = Literal["none", "empty", "some"]
"""Whether the results of an exchange had a digit."""


class OrderedAct(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """An act that the user's words order: its kinds, the tools that do it, and the items it is about.

    `series`: those items of which several are named in a row.
    """

    kinds: tuple[str, ...]
    tools: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    series: tuple[str, ...] = ()


class ReadValues(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """What a call that only looked was about, and the values that it gave."""

    about: tuple[str, ...]
    values: tuple[str, ...]


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Acts that were ordered and done; bounded, whatever the length of the run.

    `ordered`: what the user's words order. `is_plain`: they ask nothing. `is_text`: they order a text. `items`:
    numbers, codes, addresses and paths of calls that acted. `seen`: those of results. `cut`: there were more. `told`:
    kinds of act that results tell of. `trouble`: words of the latest failure. `earlier`: tools that acted in exchanges
    before. `request`: the user's words ask for some act. `words`: these words and their items; `names`: those that name
    something; `held`: names that calls or results have. `strange`: a call that acted named something that nobody had
    named. `series`: names in a row. `results`: whether results had a digit. `pending`: an act was only begun, as its
    result says. `acted`: tools that act, once for each call that succeeded. `failed`: those whose latest call did not.
    `things`: words in a row, in small letters. `readings`: the calls that only looked, with their values. `agreed`: the
    user's words only agree to what was offered, and nothing has acted yet.
    """

    ordered: tuple[OrderedAct, ...] = ()
    is_plain: bool = False
    is_text: bool = False
    items: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    cut: bool = False
    told: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    request: bool = False
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    strange: bool = False
    series: tuple[str, ...] = ()
    results: Results = "none"
    pending: bool = False
    acted: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    readings: tuple[ReadValues, ...] = ()
    agreed: bool = False

    @property
    def refused(self) -> tuple[str, ...]:
        """The tools that act all of whose calls have failed."""
        return tuple([name for name in self.failed if name not in self.acted])
