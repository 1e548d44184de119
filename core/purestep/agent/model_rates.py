"""The model that is asked first, chosen by rates of success: what a profile says of each for a kind of request."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from ..bounds import LEAST_RATE_RUNS
from ..errors import PurestepError
from ..values import (
    AgentDefinition,
    ArgumentsForm,
    ModelRate,
    RateRow,
    RatesOptions,
    RequestKind,
    check_rates,
    rate_interval,
)
from .request_kinds import forms_of

_BASES: Final = (
    ("tools", "arguments", "attachments", "length"),
    ("tools", "arguments", "attachments"),
    ("tools", "attachments"),
)
"""The members of a kind by which rows are chosen, the narrowest first; the next one where these are too few."""

_TENTHS: Final = 10
"""Thousandths in a per cent."""


class RateChooser(Struct, frozen=True):
    """A profile made ready: the rows of the definition's models, asked in its dialect, and the forms of its tools."""

    least: int
    rows: tuple[RateRow, ...]
    forms: dict[str, ArgumentsForm]

    def rate_of(self, model: str, kind: RequestKind) -> ModelRate:
        """Return what is known of a model for a kind: by all of it, or by less of it where those runs are too few."""
        rows = [row for row in self.rows if row.model == model]
        found = ModelRate(model=model, runs=0, succeeded=0, low=0, high=1000, basis=())
        for basis in _BASES:
            alike = [row for row in rows if all(getattr(row.kind, name) == getattr(kind, name) for name in basis)]
            runs = sum([row.runs for row in alike])
            if runs > found.runs:
                succeeded = sum([row.succeeded for row in alike])
                low, high = rate_interval(succeeded, runs)
                found = ModelRate(model=model, runs=runs, succeeded=succeeded, low=low, high=high, basis=basis)
            if runs >= LEAST_RATE_RUNS:
                break
        return found

    def choice(self, rates: Sequence[ModelRate]) -> int:
        """Return which of the rates, small models to large, is that of the model to ask first.

        The smallest that surely succeeds often enough; else the smallest of which that can still be; else the last.
        """
        least = self.least * _TENTHS
        return _first([rate.low >= least for rate in rates], _first([rate.high >= least for rate in rates], -1))


def rate_chooser(definition: AgentDefinition, options: RatesOptions | None, path: str) -> RateChooser | None:
    """Return the chooser of a definition that names rates; path: of that policy. Error codes: `invalid_agent`."""
    if options is None:
        return None
    names = [model.name for model in definition.models]
    if len(names) < 2:  # noqa: PLR2004 (a choice has two)
        raise PurestepError(
            "invalid_agent", f"rates choose among models; expected at least two of them, got {len(names)}", path
        )
    check_rates(options.profile, "invalid_agent", f"{path}/profile")
    rows = [row for row in options.profile.rows if row.model in names and row.dialect == definition.dialect]
    return RateChooser(options.least, tuple(rows), forms_of(definition))


def _first(holds: Iterable[bool], otherwise: int) -> int:
    return next((index for index, each in enumerate(holds) if each), otherwise)
