"""Suggestions ("did you mean"): the known name that a mistaken one was probably meant to be.

Only ASCII is folded, so that no version of Unicode decides what is suggested.
"""

from collections.abc import Sequence
from typing import Final

from ..bounds import CHARS_PER_EDIT, MAX_SUGGESTION_CANDIDATES, MAX_SUGGESTION_CHARS, MIN_CONTAINED_CHARS

_FOLD: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ- ", "abcdefghijklmnopqrstuvwxyz__")


def closest(name: str, candidates: Sequence[str]) -> str | None:
    """Return the candidate nearest to a name; None when none is near.

    Near is one edit (insert, delete, replace, swap neighbours) for each CHARS_PER_EDIT characters of the longer name,
    with ASCII case, `-`, `_` and space taken as equal; the first of equally near candidates wins. Failing that, the
    only candidate that begins or ends with the name, or that the name begins or ends with. Of each name
    MAX_SUGGESTION_CHARS characters are compared, and of the candidates the first MAX_SUGGESTION_CANDIDATES.
    Source: the optimal string alignment distance, which is Damerau and Levenshtein's without overlapping edits.
    """
    folded = _folded(name)
    known = [(candidate, _folded(candidate)) for candidate in candidates[:MAX_SUGGESTION_CANDIDATES]]
    best, best_distance = None, MAX_SUGGESTION_CHARS
    for candidate, text in known:
        allowed = min(best_distance - 1, max(len(folded), len(text)) // CHARS_PER_EDIT)
        distance = _distance(folded, text, allowed)
        if distance is not None:
            best, best_distance = candidate, distance
    return best if best is not None else _only_container(folded, known)


def _folded(name: str) -> str:
    return name[:MAX_SUGGESTION_CHARS].translate(_FOLD)


def _only_container(folded: str, known: list[tuple[str, str]]) -> str | None:
    found = [candidate for candidate, text in known if _shares_an_end(folded, text)]
    return found[0] if len(found) == 1 else None


def _shares_an_end(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) >= MIN_CONTAINED_CHARS and (longer.startswith(shorter) or longer.endswith(shorter))


def _distance(first: str, second: str, allowed: int) -> int | None:
    """Return the optimal string alignment distance; None when it is more than `allowed`.

    A column of the table is a few integers: bit n of `more` or `less` says that its n-th entry is one more or one less
    than the one above it, so a column takes a handful of operations (Hyyrö 2003).
    """
    if allowed < 0 or abs(len(first) - len(second)) > allowed:
        return None
    if not first:
        return len(second)
    places: dict[str, int] = {}
    for row, char in enumerate(first):
        places[char] = places.get(char, 0) | 1 << row
    every, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    more, less, equal, here = every, 0, 0, 0
    distance = len(first)
    for char in second:
        before, here = here, places.get(char, 0)
        swapped = ((~equal & here) << 1) & before
        equal = ((((here & more) + more) ^ more) | here | less | swapped) & every
        right_more = less | ~(equal | more) & every
        right_less = equal & more
        distance += (right_more & last != 0) - (right_less & last != 0)
        right_more = (right_more << 1 | 1) & every
        right_less = right_less << 1 & every
        more = right_less | ~(equal | right_more) & every
        less = right_more & equal
    return distance if distance <= allowed else None
