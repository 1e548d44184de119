"""What the model is not sent of a conversation where a log ends, by the rule that leaves it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from purestep_hosts.show.rows import Row
from purestep_hosts.show.sanitize import one_line

_MOST_PLACES: Final = 12
"""Messages, or several in a row, that one line names: of a long run the first are enough to find the rest."""

_WHY: Final = {
    "keep_exchanges": "only the latest exchanges are kept",
    "results": "only the latest results are kept whole",
    "reasoning": "only the latest reasoning is kept",
    "size": "they did not fit, or were summed up",
}


def left_out_rows(left_out: Iterable[Mapping[str, Any]]) -> Iterator[Row]:
    """Yield a row for each rule; left_out: what `purestep.explain_log` says, messages counted from 1 in the rows."""
    places: dict[tuple[bool, str], list[tuple[int, int]]] = {}
    for each in left_out:
        found = places.setdefault((bool(each.get("shortened")), each["why"]), [])
        if found and found[-1][1] >= each["begin"]:
            found[-1] = (found[-1][0], each["end"])
        else:
            found.append((each["begin"], each["end"]))
    for (is_shortened, why), ranges in places.items():
        shown = ", ".join([_range(begin, end) for begin, end in ranges[:_MOST_PLACES]])
        more = f" and {len(ranges) - _MOST_PLACES} more" if len(ranges) > _MOST_PLACES else ""
        label = "cut short" if is_shortened else "not sent"
        yield Row(label, f"messages {shown}{more}: {_WHY.get(why) or one_line(why)}", "quiet")


def _range(begin: int, end: int) -> str:
    return f"{begin + 1}" if end == begin + 1 else f"{begin + 1} to {end}"
