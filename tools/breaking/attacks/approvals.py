"""Keys at the terminal's question: only the word yes, typed after the call was shown, approves it.

A person types at random before, during and after the question, cuts words off with the end of input, and leaves. What
was typed too early must not answer, and a line that is not yes must not approve.
"""

import os
import random
import sys
from contextlib import suppress
from typing import Any

from rich.console import Console

from purestep import ApprovalCall
from purestep_hosts.approval import TerminalApprover
from purestep_hosts.show.printer import Printer

from ..attack import Attack

_EARLY = ("y\n", "yes\n", "\n", "y", "y\ny\ny\n", "n\n", "")
_LINES = ("", " ", "yy", "y es", "y no", "ok", "1", "approve", "Y", "y", " yes ", "YES", "n", "no", "n yes", "NO y")
_ENDS = ("\x04", "y\x04\x04", "yes\x04\x04")
_YES = ("y", "yes")
_NO = ("n", "no")
_MOST_LINES = 6


class _Person:
    """Types into a terminal, and knows which answers count."""

    def __init__(self, keyboard: int, rng: random.Random) -> None:
        self._keyboard = keyboard
        self._rng = rng
        self._asked = 0
        self.expected: list[bool] = []

    def type(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def pause(self, _seconds: float) -> None:
        """The half second after the call was shown."""
        self._asked = 0
        self.type(self._rng.choice(_EARLY))

    def write(self, shown: str) -> int:
        """Answer what is shown."""
        if "[q]uit" in shown:
            self._answer()
        return len(shown)

    def flush(self) -> None:
        """Nothing is held back."""

    def _answer(self) -> None:
        self._asked += 1
        if self._rng.random() < 0.2:  # noqa: PLR2004
            self.type(self._rng.choice(_ENDS))
            self.expected.append(False)
            return
        line = "n" if self._asked > _MOST_LINES else self._rng.choice(_LINES)
        # What is pasted after the line must not answer the next question.
        self.type(f"{line}\n{self._rng.choice(_EARLY)}")
        word = line.strip().partition(" ")[0].lower()
        if line.strip().lower() in _YES:
            self.expected.append(True)
        elif word in _NO:
            self.expected.append(False)


def trial(rng: random.Random) -> str | None:
    """Ask about some calls, and compare what was approved with what was answered in time."""
    keyboard, terminal = os.openpty()
    person = _Person(keyboard, rng)
    calls = tuple(
        ApprovalCall(call_id=f"call_{number}", tool="pay", params={"n": number}, key=f"k{number}", reason="asked")
        for number in range(rng.randint(1, 4))
    )
    before: tuple[Any, Any] = sys.stdin, sys.stderr
    screen: Any = person
    try:
        with open(terminal, encoding="utf-8") as reader, open(os.dup(terminal), "w", encoding="utf-8") as writer:
            sys.stdin, sys.stderr = reader, writer
            person.type(rng.choice(_EARLY))
            printer = Printer(Console(file=screen, width=100, color_system=None))
            approvals = TerminalApprover(printer, lambda: None, person.pause)(calls)
    finally:
        sys.stdin, sys.stderr = before
        with suppress(OSError):
            os.close(keyboard)
    approved = [approval.approved for approval in approvals]
    return None if approved == person.expected else f"expected {person.expected}, got {approved}"


ATTACKS: tuple[Attack, ...] = (
    Attack(
        name="terminal-approvals",
        promise="nothing runs without approval: only yes, typed after the call was shown, approves a call",
        trial=trial,
        least=200,
    ),
)
