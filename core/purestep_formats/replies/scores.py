"""Scores of choices, read from the probabilities that a server gives of a reply's first token.

llama.cpp names them `top_probs` with `prob`, after sampling, or `top_logprobs` with `logprob`, as OpenAI does.
"""

from collections.abc import Sequence
from math import exp, log
from typing import Any, Final

from purestep.json_text import clean_text
from purestep.values import ScoredChoice

from ..bounds import MAX_SCORED_TOKENS


def first_token(logprobs: Any) -> tuple[tuple[str, float], ...]:
    """Return the tokens that the reply may have begun with, each with its probability; () where nothing is told."""
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    first = content[0] if isinstance(content, list) and content else None
    if not isinstance(first, dict):
        return ()
    told = first.get("top_probs") or first.get("top_logprobs")
    entries = told[:MAX_SCORED_TOKENS] if isinstance(told, list) else []
    return tuple([found for found in map(_entry, entries) if found is not None])


def _entry(entry: Any) -> tuple[str, float] | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("token"), str):
        return None
    probability, logarithm = _number(entry.get("prob")), _number(entry.get("logprob"))
    if probability is None and logarithm is not None and logarithm <= 0:
        probability = exp(logarithm)
    if probability is None or not 0 < probability <= 1:
        return None
    return clean_text(entry["token"]), probability


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def scores_of(tokens: Sequence[tuple[str, float]], choices: Sequence[ScoredChoice]) -> dict[str, float]:
    """Return the log-probability of each choice by its id: that of the tokens which only its text begins with.

    A choice that no token tells from the others has none.
    """
    found: dict[str, float] = {}
    for token, probability in tokens:
        begun = [choice.id for choice in choices if token and choice.text.startswith(token)]
        if len(begun) == 1:
            found[begun[0]] = found.get(begun[0], 0.0) + probability
    return {id_: _rounded(log(probability)) for id_, probability in found.items()}


def _rounded(score: float) -> float:
    return round(min(score, 0.0), _DECIMALS)  # exact: a number is rounded, none is written


_DECIMALS: Final = 6
"""Logarithms may differ in their last digits between platforms, and logs must not."""
