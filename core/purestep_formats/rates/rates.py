"""Logs folded into a profile: a log in parts, the profile with what it adds, and both as a JSON function."""

from typing import Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from purestep.errors import PurestepError
from purestep.json_text import encode
from purestep.lazy import lazy_decoder
from purestep.log import whole_lines
from purestep.steps import read_input
from purestep.values import ARGUMENTS_FORMS, LENGTH_BINS, TOOLS_BINS, RateProfile, RateRow, check_rates

from ..bounds import MAX_PROJECTION_DEPTH
from ..projections import checked_events
from .fold import WRONG_ANSWER, Counted, RateFold, add, count

_FOLD_DECODER: Final = lazy_decoder(RateFold)


def open_rates() -> RateFold:
    """Return the fold of a log of which nothing was read."""
    return RateFold()


def feed_rates(fold: RateFold, lines: str | bytes) -> RateFold:
    """Return the fold after further lines of its log; pure.

    lines: whole ones. A log with a damaged line tells nothing: leave out what was folded of it. Error codes:
    `invalid_log`, also for a line that is cut off; `log_mismatch`, `unsupported_version`.
    """
    whole, torn = whole_lines(lines)
    if torn:
        raise PurestepError("invalid_log", f"expected whole lines; the last one is cut off ({torn} bytes)")
    following: RateFold = _FOLD_DECODER.decode(encode(fold))
    for event in checked_events(following, whole):
        following.take(event)
    return following


def close_rates(fold: RateFold, profile: RateProfile | None = None, *, right: bool | None = None) -> RateProfile:
    """Return a profile with what a log adds that ends here; an exchange that is open in it is undecided; pure.

    right: whether its answers are, where the host knows that, as an evaluation does; those of a log that is wrong count
    as failed.
    """
    before = profile or RateProfile()
    if right is False:
        fold = _wrong(fold)
    rows = [Counted(**{name: getattr(row, name) for name in Counted.__struct_fields__}) for row in before.rows]
    for row in rows:
        row.corrected, row.failed = dict(row.corrected), dict(row.failed)
    left_out = sum([more.runs for more in fold.rows if not add(rows, more)])
    return replace(
        before,
        logs=before.logs + 1,
        exchanges=before.exchanges + fold.exchanges,
        undecided=before.undecided + fold.undecided + (fold.asked is not None),
        left_out=before.left_out + fold.left_out + left_out,
        first_at=min([at for at in (before.first_at, fold.first_at) if at is not None], default=None),
        last_at=max([at for at in (before.last_at, fold.at) if at is not None], default=None),
        rows=tuple(sorted([row.row() for row in rows], key=_order)),
    )


def rates_of(log: str | bytes, profile: RateProfile | None = None, *, right: bool | None = None) -> RateProfile:
    """Return a profile with what a whole log adds, of which a torn last line is left out. Errors: as `feed_rates`."""
    whole, _ = whole_lines(log)
    return close_rates(feed_rates(open_rates(), b"\n".join([*whole, b""])), profile, right=right)


def _wrong(fold: RateFold) -> RateFold:
    """Return the fold of a log whose answers are wrong."""
    judged: RateFold = _FOLD_DECODER.decode(encode(fold))
    for row in judged.rows:
        if row.succeeded:
            count(row.failed, WRONG_ANSWER, row.succeeded)
            row.succeeded = 0
    return judged


def _order(row: RateRow) -> tuple[str | int, ...]:
    kind = row.kind
    return (
        *(row.model, row.dialect, row.constraint, kind.attachments),
        *(TOOLS_BINS.index(kind.tools), ARGUMENTS_FORMS.index(kind.arguments), LENGTH_BINS.index(kind.length)),
    )


# --- as a JSON function -----------------------------------------------------------------------------------


class RatesInput(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`log` begins to fold a log, with `fold` it goes on; `fold` alone ends it, beside `profile` into that one.

    `right`: whether the answers of the log that ends are, where the host knows that.
    """

    log: str | UnsetType = UNSET
    fold: RateFold | UnsetType = UNSET
    profile: RateProfile | UnsetType = UNSET
    right: bool | None = None


class RatesOutput(Struct, frozen=True, kw_only=True):
    """The fold after further lines, or the profile with a log that has ended."""

    fold: RateFold | UnsetType = UNSET
    profile: RateProfile | UnsetType = UNSET


_INPUT_DECODER: Final = lazy_decoder(RatesInput)


def fold_rates_from_json(data: bytes) -> RatesOutput:
    """Fold further lines of a log, or end it. Error codes: those of `feed_rates`, `invalid_input`."""
    given = read_input(RatesInput, _INPUT_DECODER.decode, data, MAX_PROJECTION_DEPTH)
    if given.profile is not UNSET:
        check_rates(given.profile, "invalid_input", "/profile")
    if given.log is not UNSET and given.profile is UNSET:
        return RatesOutput(fold=feed_rates(RateFold() if given.fold is UNSET else given.fold, given.log))
    if given.fold is not UNSET and given.log is UNSET:
        profile = None if given.profile is UNSET else given.profile
        return RatesOutput(profile=close_rates(given.fold, profile, right=given.right))
    raise PurestepError("invalid_input", "expected log, log and fold, or fold with the profile that it is added to")
