"""A call that goes on elsewhere: what its tool returns instead of a result, which comes later."""

from __future__ import annotations

from typing import Any, Final

import msgspec

_MOST_HANDLE: Final = 512
_MOST_NOTE: Final = 500
"""Characters that the core takes."""


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


def pending(value: Later) -> dict[str, Any]:
    """Return the result object of such a call, which is none yet."""
    return {"ok": False, "pending": {"handle": value.handle, **({"note": value.note} if value.note else {})}}
