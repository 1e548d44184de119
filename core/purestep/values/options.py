"""Options that a definition names among its policies, and that the step function itself carries out."""

from typing import Annotated

from msgspec import Meta, Struct

from ..bounds import DEFAULT_SUMMARY_TOKENS, MAX_SAFE_INTEGER
from .negotiation import DEFAULT_RULES, Rules


class SummaryOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What leaves the prompt is summed up by the model; `max_tokens`: of a summary."""

    max_tokens: Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)] = DEFAULT_SUMMARY_TOKENS


class NegotiationOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the model is asked changes when its outputs fail, by `rules`."""

    rules: Rules = DEFAULT_RULES


class NoOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of an option that has none of its own."""
