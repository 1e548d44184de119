"""How often models have succeeded: the counts that a fold over logs gives, and what a definition chooses models by.

Counts are exact, and shares are whole thousandths made by integer arithmetic, so every host has the same ones.
"""

from math import isqrt
from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from ..bounds import MAX_RATE_CAUSES, MAX_RATE_NAME_CHARS, MAX_RATE_ROWS
from ..errors import PurestepError
from .content import Count

ToolsBin = Literal["0", "1-3", "4-8", "9-16", "17+"]
ArgumentsForm = Literal["none", "flat", "enum", "list", "nested"]
LengthBin = Literal["0-200", "201-1000", "1001-4000", "4001+"]

TOOLS_BINS: Final[tuple[ToolsBin, ...]] = get_args(ToolsBin)
LENGTH_BINS: Final[tuple[LengthBin, ...]] = get_args(LengthBin)
ARGUMENTS_FORMS: Final[tuple[ArgumentsForm, ...]] = get_args(ArgumentsForm)
"""From the easiest to the hardest."""

_TOOLS: Final[tuple[tuple[int, ToolsBin], ...]] = ((0, "0"), (3, "1-3"), (8, "4-8"), (16, "9-16"))
_LENGTHS: Final[tuple[tuple[int, LengthBin], ...]] = ((200, "0-200"), (1000, "201-1000"), (4000, "1001-4000"))

RateName = Annotated[str, Meta(max_length=MAX_RATE_NAME_CHARS)]
Counts = Annotated[dict[RateName, Count], Meta(max_length=MAX_RATE_CAUSES)]


class RequestKind(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a request is known before the first call, in few bins.

    `tools`: how many are offered. `arguments`: the hardest form among their parameters. `attachments`: whether it has
    images or files. `length`: its characters.
    """

    tools: ToolsBin
    arguments: ArgumentsForm
    attachments: bool
    length: LengthBin


class RateRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What became of exchanges of one kind with one model, asked in one way.

    `runs`: exchanges in which it was asked and that tell something of it; `succeeded`: those that it answered.
    `corrected`: corrections that it was sent, by cause. `failed`: the others, by the code of the failure or by why a
    larger model was asked instead.
    """

    model: RateName
    dialect: RateName
    constraint: RateName
    kind: RequestKind
    runs: Count
    succeeded: Count
    corrected: Counts = {}
    failed: Counts = {}


class RateProfile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Success by model, way of asking and kind of request, folded from logs.

    `undecided`: exchanges that tell nothing of a model: open, stopped, refused by a person, without an answer of its
    server, or ended in a question. `left_out`: those past the bound of rows. `first_at`, `last_at`: the times of the
    logs' first and last lines (ms since 1970), where they have any.
    """

    logs: Count = 0
    exchanges: Count = 0
    undecided: Count = 0
    left_out: Count = 0
    first_at: Count | None = None
    last_at: Count | None = None
    rows: Annotated[tuple[RateRow, ...], Meta(max_length=MAX_RATE_ROWS)] = ()


class ModelRate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """What is known of one model for a kind of request: counts, and the interval of its rate in thousandths.

    `basis`: the members of the kind by which the counts were chosen; fewer where those of the whole kind are too few.
    """

    model: str
    runs: Count
    succeeded: Count
    low: Annotated[int, Meta(ge=0, le=1000)]
    high: Annotated[int, Meta(ge=0, le=1000)]
    basis: tuple[str, ...]


def check_rates(profile: RateProfile, code: str, path: str) -> None:
    """Raise an error with that code for counts that cannot be: more answers than runs, or a row that comes twice."""
    seen = dict[tuple[str, str, str, RequestKind], int]()
    for index, row in enumerate(profile.rows):
        if row.succeeded > row.runs:
            said = f"expected at most {row.runs} succeeded, since there were so many runs; got {row.succeeded}"
            raise PurestepError(code, said, f"{path}/rows/{index}/succeeded")
        key = (row.model, row.dialect, row.constraint, row.kind)
        if key in seen:
            raise PurestepError(
                code, "expected one row for each model, way and kind; add these up", f"{path}/rows/{index}"
            )
        seen[key] = index


def tools_bin(number: int) -> ToolsBin:
    """Return the bin of a number of tools."""
    return next((name for most, name in _TOOLS if number <= most), "17+")


def length_bin(chars: int) -> LengthBin:
    """Return the bin of a number of characters."""
    return next((name for most, name in _LENGTHS if chars <= most), "4001+")


_THOUSAND: Final = 1000
_UNIT: Final = 10_000
_Z_SQUARED: Final = 38_416
"""1.96 squared in units of 1/10,000: an interval of 95 %."""
_PRECISION: Final = 10**6
"""By which roots are scaled before they are cut to integers: far finer than a thousandth."""


def rate_interval(succeeded: int, runs: int) -> tuple[int, int]:
    """Return the 95 % interval of a rate in thousandths, rounded outward; (0, 1000) where nothing was counted.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927: the score interval
    without continuity correction. Few runs give a wide one: 3 of 3 is 438 to 1000.
    """
    if not runs:
        return 0, _THOUSAND
    spread = _Z_SQUARED * _Z_SQUARED * runs + 4 * _UNIT * _Z_SQUARED * succeeded * (runs - succeeded)
    root = isqrt(spread * _PRECISION * _PRECISION // runs)
    middle = (2 * _UNIT * succeeded + _Z_SQUARED) * _PRECISION
    whole = 2 * (_UNIT * runs + _Z_SQUARED) * _PRECISION
    low = max(0, _THOUSAND * (middle - root - 1) // whole)
    high = min(_THOUSAND, -(-_THOUSAND * (middle + root + 1) // whole))
    return low, high
