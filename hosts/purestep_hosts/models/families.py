"""What model families take of the sampling settings, as data: servers refuse a request with a setting too many.

The reasoning models of OpenAI take no temperature and no penalties, and name the limit of tokens differently. A name
is a family's when it begins with it, also after a provider's prefix (`openai/o3-mini`). The page has the same data
(web/src/generated/sampling_families.ts).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import msgspec


class SamplingRules(msgspec.Struct, frozen=True, kw_only=True):
    """Models whose names begin alike; the settings that they refuse, and those that they know by another name."""

    starts: tuple[str, ...]
    refused: tuple[str, ...]
    renamed: dict[str, str]


_NO_SAMPLING: Final = ("temperature", "top_p", "presence_penalty", "frequency_penalty")

FAMILIES: Final = (
    SamplingRules(
        starts=("o1", "o3", "o4", "gpt-5"),
        refused=(*_NO_SAMPLING, "top_k", "min_p", "repeat_penalty"),
        renamed={"max_tokens": "max_completion_tokens"},
    ),
)
"""Families by their documentation; a model that no family names is sent all settings as they are."""


NAME_ENDS: Final = ("-", ".")
"""What follows a family's name in the names of its models."""


def sampling_for(model: str, sampling: dict[str, Any]) -> dict[str, Any]:
    """Return the settings as the named model takes them; those without a value are left out."""
    family = _family_of(model.rpartition("/")[2].lower())
    given = {name: value for name, value in sampling.items() if value is not None}
    if family is None:
        return given
    return {family.renamed.get(name, name): value for name, value in given.items() if name not in family.refused}


@lru_cache(maxsize=64)
def _family_of(name: str) -> SamplingRules | None:
    for family in FAMILIES:
        if any(name == start or name.startswith(tuple(start + end for end in NAME_ENDS)) for start in family.starts):
            return family
    return None
