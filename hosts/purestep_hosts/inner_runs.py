"""A tool's function that runs another agent, whose run waits for a person: the outer run ends, and says so.

To the model that would be a failed tool, which it may try again or leave aside, while a person is still to be asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

CODE: Final = "inner_run_waiting"


class RunNotDone(Exception):
    """The answer of a run was asked for that has none; `code` and `message` say why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


class RunStopped(Exception):
    """A tool met what no model can mend: its run is cancelled for the reason `message`, and `code` names it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message


def stop_if_waiting(tool: str, error: BaseException) -> None:
    """Raise RunStopped where the answer of a run that waits was asked for in a tool's function."""
    for each in _behind(error):
        if isinstance(each, RunNotDone) and each.code == "waiting":
            raise RunStopped(
                CODE,
                f"the function of the tool {tool} runs an agent that waits for a person ({each.message}); give that "
                "agent's run `approve`, or run it outside of a tool",
            ) from error


def _behind(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception, what it was raised from, and those of a group."""
    seen: set[int] = set()
    left = [error]
    while left:
        each = left.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        yield each
        if each.__cause__ is not None:
            left.append(each.__cause__)
        if isinstance(each, BaseExceptionGroup):
            left += each.exceptions
