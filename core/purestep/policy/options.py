"""Policies without hooks: optional rules that a step carries out itself, since they change more than a verdict can.

`redaction` hides texts before a step sees them, `summary`, `history` and `read_output` change what the prompt holds,
`negotiation` how the model is asked, `rates` which one is asked first, `coerce` and `assert_formats` how values are
held to their schemas. A definition names them as it does every policy, and their versions stand in its digest.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from ..schema import Formats
from ..values import (
    HistoryOptions,
    NegotiationOptions,
    NegotiationRule,
    NoOptions,
    RatesOptions,
    RedactionSpec,
    SummaryOptions,
)


class OptionPolicy(Struct, frozen=True):
    """A policy that only has options."""

    name: str
    Options: type[Struct]
    version: int = 1

    def __call__(self, options: Struct, tools: Mapping[str, Any]) -> Struct:
        """Return the options, which have no hooks."""
        return options


OPTION_POLICIES: Final = (
    OptionPolicy("redaction", RedactionSpec),
    OptionPolicy("summary", SummaryOptions),
    OptionPolicy("history", HistoryOptions),
    OptionPolicy("read_output", NoOptions),
    OptionPolicy("negotiation", NegotiationOptions),
    OptionPolicy("rates", RatesOptions),
    OptionPolicy("coerce", NoOptions),
    OptionPolicy("assert_formats", NoOptions),
)


class DefinitionOptions(Struct, frozen=True, kw_only=True):
    """What a definition asks for by policies without hooks.

    `redaction`: what is hidden. `summary_tokens`: of a summary of what leaves the prompt; 0 where none is made.
    `history`: what of the conversation is sent.
    `reads_on`: whether the model may read on in cut outputs. `rules`: of negotiation. `rates`: by which the first
    model is chosen. `coerces`: whether arguments and
    answers are brought to the types of their schemas. `formats`: whether `format` is held to.
    """

    redaction: RedactionSpec | None = None
    summary_tokens: int = 0
    history: HistoryOptions | None = None
    reads_on: bool = False
    rules: tuple[NegotiationRule, ...] = ()
    rates: RatesOptions | None = None
    coerces: bool = False
    formats: Formats = "annotate"


def options_among(given: Sequence[tuple[str, Any]]) -> DefinitionOptions:
    """Return the options among policies; given: the name of each with its options, read."""
    by_name = dict(given)
    summary, negotiation = by_name.get("summary"), by_name.get("negotiation")
    return DefinitionOptions(
        redaction=by_name.get("redaction"),
        summary_tokens=0 if summary is None else summary.max_tokens,
        history=by_name.get("history"),
        reads_on="read_output" in by_name,
        rules=() if negotiation is None else negotiation.rules,
        rates=by_name.get("rates"),
        coerces="coerce" in by_name,
        formats="assert" if "assert_formats" in by_name else "annotate",
    )
