"""Options that a definition names among its policies, and that the step function itself carries out."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..bounds import DEFAULT_SUMMARY_TOKENS, MAX_REDACTION_POINTERS, MAX_REDACTION_RULES, MAX_SAFE_INTEGER
from .negotiation import DEFAULT_RULES, Rules


class SummaryOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What leaves the prompt is summed up by the model; `max_tokens`: of a summary."""

    max_tokens: Annotated[int, Meta(ge=1, le=MAX_SAFE_INTEGER)] = DEFAULT_SUMMARY_TOKENS


class NegotiationOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the model is asked changes when its outputs fail, by `rules`."""

    rules: Rules = DEFAULT_RULES


class NoOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Of an option that has none of its own."""


SecretKind = Literal["secrets", "emails", "card_numbers", "ibans"]
"""What is known by its form: keys, tokens, private keys and passwords (`secrets`), and three kinds of personal data."""

Pointers = Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_REDACTION_POINTERS)]


class RedactionSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Texts that are replaced by a digest before a step sees them.

    `kinds`: known by their form. `patterns`: regular expressions as in JSON Schema, which see one line at a time.
    `outputs`: JSON Pointers into the outputs of these tools; `*` stands for every member or item. `reveal`: tools that
    are given the text itself in their arguments, where the host still knows it.
    """

    kinds: tuple[SecretKind, ...] = ()
    patterns: Annotated[tuple[str, ...], Meta(max_length=MAX_REDACTION_RULES)] = ()
    outputs: dict[str, Pointers] = {}
    reveal: tuple[str, ...] = ()
