"""Ranking of short texts by the words of a query: BM25 in whole numbers, so that every host ranks alike.

A text is taken apart into words as identifiers are, too: at capitals, digits, `_` and `-`; scripts without blanks
between words count by two characters at a time. A word also stands for its beginnings, which is what forms of a word
have in common in most languages. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import Final

from ..bounds import MAX_INDEXED_CHARS, MAX_QUERY_TERMS, RANK_DAMPING
from ..lazy import lazy_pattern
from ..names import APART
from .words import LETTERS, fold

_SEAMS: Final = lazy_pattern(
    "(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])", re.ASCII
)
"""Matches between the words of an identifier, such as getUserName2."""

_RUN: Final = lazy_pattern(rf"[{APART}]+|[{LETTERS}]+", re.ASCII)

_BEGINNINGS: Final = (4, 6)
"""Characters of a word's beginnings: forms of a short word differ after four, of a long one after six."""

_WHOLE: Final = 2
"""How much a whole word says beside a beginning."""

_FRACTION_BITS: Final = 12
"""Of a logarithm."""

_SATURATION: Final = 16
"""BM25's k1: how soon a word that comes again says nothing new, in the weights of the parts."""


def terms_of(text: str) -> Iterator[str]:
    """Yield the terms of a text: its words, and the beginnings of longer ones, which begin with a blank."""
    for run in _RUN.findall(fold(_SEAMS.sub(" ", text))):
        if _is_apart(run[0]):
            yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
            continue
        yield run
        for length in _BEGINNINGS:
            if len(run) >= length:
                yield f" {run[:length]}"


def _is_apart(char: str) -> bool:
    return _APART_CHAR.match(char) is not None


_APART_CHAR: Final = lazy_pattern(f"[{APART}]", re.ASCII)


class TextIndex:
    """Texts to be ranked; made once, in a time linear in them.

    texts: of each, its parts with their weights, whole numbers from 1 on.
    """

    __slots__ = ("_postings",)

    def __init__(self, texts: Sequence[Iterable[tuple[str, int]]]) -> None:
        counted = [_counted(parts) for parts in texts]
        sizes = [sum(counts.values()) for counts in counted]
        mean = max(1, sum(sizes) // max(1, len(sizes)))
        places: dict[str, list[int]] = {}
        for at, counts in enumerate(counted):
            for term in counts:
                places.setdefault(term, []).append(at)
        rarities: dict[int, int] = {}
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for term, found in places.items():
            known = rarities.get(len(found))
            if known is None:
                known = rarities[len(found)] = _rarity(len(texts), len(found))
            rarity = known * isqrt(known) * (_WHOLE if term[0] != " " else 1)
            self._postings[term] = [(at, _worth(rarity, counted[at][term], sizes[at], mean)) for at in found]

    def rank(self, query: str, most: int) -> tuple[int, ...]:
        """Return the places of the texts that a query fits best, at most so many; of equal ones the earlier first.

        query: of which the first `MAX_QUERY_TERMS` different terms are read.
        """
        totals: dict[int, int] = {}
        for term in _distinct(query):
            for at, worth in self._postings.get(term, ()):
                totals[at] = totals.get(at, 0) + worth
        best = sorted(totals, key=lambda at: (-totals[at], at))
        return tuple(best[:most])


def fused(*orders: Sequence[str]) -> list[str]:
    """Return the names of several orders by what their places in them are worth together; equal ones by name.

    Source: Cormack, Clarke and Buettcher, Reciprocal Rank Fusion (SIGIR 2009), here in whole numbers.
    """
    worth: dict[str, int] = {}
    for order in orders:
        for place, name in enumerate(order, RANK_DAMPING + 1):
            worth[name] = worth.get(name, 0) + _FIRST // place
    return sorted(worth, key=lambda name: (-worth[name], name))


_FIRST: Final = 10**9
"""What is divided by a place: so much that no two places are worth the same."""


def _distinct(query: str) -> list[str]:
    terms = dict.fromkeys(terms_of(query[:MAX_INDEXED_CHARS]))
    return list(terms)[:MAX_QUERY_TERMS]


def _counted(parts: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return how often each term stands in a text, by the weights of its parts; what is past a bound is not read."""
    counts: dict[str, int] = {}
    room = MAX_INDEXED_CHARS
    for text, weight in parts:
        for term in terms_of(text[:room]):
            counts[term] = counts.get(term, 0) + weight
        room = max(0, room - len(text))
    return counts


def _worth(rarity: int, count: int, size: int, mean: int) -> int:
    """Return what a term adds to a text that has it: BM25 with a quarter of the weight on the text's length."""
    return rarity * count * 4 * mean // (count * 4 * mean + _SATURATION * (3 * mean + size))


def _rarity(texts: int, found: int) -> int:
    """Return how much a term tells that stands in some of the texts: the logarithm of their share, to base two.

    Computed in whole numbers by squaring, since a library's logarithm may differ in its last digit between hosts.
    """
    ratio = ((2 * texts + 2) << _PRECISION) // (2 * found + 1)
    whole = ratio.bit_length() - 1 - _PRECISION
    ratio >>= whole
    bits = 0
    for _ in range(_FRACTION_BITS):
        ratio = ratio * ratio >> _PRECISION
        bits <<= 1
        if ratio >> (_PRECISION + 1):
            ratio >>= 1
            bits |= 1
    return (whole << _FRACTION_BITS) + bits


_PRECISION: Final = 32
"""Bits of a ratio after its point while its logarithm is computed."""
