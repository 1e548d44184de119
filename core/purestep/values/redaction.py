"""What a definition says of texts that must stand in no state and no log."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..bounds import MAX_REDACTION_POINTERS, MAX_REDACTION_RULES

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
