"""Suggestions ("did you mean"): the known name that a mistaken one was probably meant to be.

Only ASCII is folded, so that no version of Unicode decides what is suggested.
"""

from collections.abc import Sequence
from typing import Final

from .bounds import CHARS_PER_EDIT, MAX_SUGGESTION_CANDIDATES, MAX_SUGGESTION_CHARS, MIN_CONTAINED_CHARS

_FOLD: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ- ", "abcdefghijklmnopqrstuvwxyz__")


def closest(name: str, candidates: Sequence[str]) -> str | None:
    """Give the candidate nearest to a name; None when none is near.

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
    """Give the optimal string alignment distance; None when it is more than `allowed`."""
    if allowed < 0 or abs(len(first) - len(second)) > allowed:
        return None
    before: list[int] = []
    above = list(range(len(second) + 1))
    for row, char in enumerate(first, 1):
        here = [row]
        for column, other in enumerate(second, 1):
            cost = min(above[column] + 1, here[column - 1] + 1, above[column - 1] + (char != other))
            if row > 1 and column > 1 and char == second[column - 2] and first[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        if min(here) > allowed:
            return None
        before, above = above, here
    return above[-1] if above[-1] <= allowed else None
