"""A call that goes on elsewhere: what its tool returns instead of a result, which comes later."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Self

import msgspec

_MOST_HANDLE: Final = 512
_MOST_NOTE: Final = 500
"""Characters that the core takes."""

_UNTIL: Final = re.compile(r"until:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)", re.ASCII)
"""The handle of a call that waits for a time, which says the time."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MS: Final = timedelta(milliseconds=1)


class Later(msgspec.Struct, frozen=True):
    """Returned by a tool whose work goes on elsewhere, as a job or a task: the model goes on without its result.

    `handle`: by which you find it again, 1 to 512 characters; it stands in the log. `note`: what the model is told of
    it meanwhile, up to 500 characters. The result is given with `late_result`, by any process, whenever it is there.
    """

    handle: str
    note: str = ""

    def __post_init__(self) -> None:
        """Raise TypeError or ValueError for what the core would not take."""
        given: tuple[Any, ...] = (self.handle, self.note)  # a struct does not check what it is made of
        if not all(isinstance(each, str) for each in given):
            raise TypeError("expected a handle and a note of text in Later(handle, note)")
        if not 0 < len(self.handle) <= _MOST_HANDLE or len(self.note) > _MOST_NOTE:
            raise ValueError(
                f"expected a handle of 1 to {_MOST_HANDLE} characters and a note of at most {_MOST_NOTE} in Later"
            )

    @classmethod
    def until(cls, time: datetime, note: str = "") -> Self:
        """Return what a tool gives that waits for a time; the hosts give its result by themselves once it has come.

        time: with a time zone, as in `datetime.now(UTC) + timedelta(hours=1)`. Raises TypeError, ValueError.
        """
        given: Any = time
        if not isinstance(given, datetime):
            raise TypeError(
                f"expected a datetime in Later.until(time), such as datetime.now(UTC); got {type(given).__name__}"
            )
        if time.utcoffset() is None:
            raise ValueError("expected a time with a time zone in Later.until(time), such as datetime.now(UTC)")
        try:
            shown = time.astimezone(UTC).isoformat(timespec="milliseconds")
        except OverflowError:
            raise ValueError("expected a time of the years 1 to 9999, in UTC, in Later.until(time)") from None
        return cls(f"until:{shown.removesuffix('+00:00')}Z", note)


def due_ms(handle: str) -> int | None:
    """Return when the call of a handle of `Later.until` is due, in milliseconds since 1970; None for other handles."""
    found = _UNTIL.fullmatch(handle)
    if found is None:
        return None
    try:
        return (datetime.fromisoformat(found[1]) - _EPOCH) // _MS
    except ValueError:  # no day of the calendar
        return None


def pending(value: Later) -> dict[str, Any]:
    """Return the result object of such a call, which is none yet."""
    return {"ok": False, "pending": {"handle": value.handle, **({"note": value.note} if value.note else {})}}
