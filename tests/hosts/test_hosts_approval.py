"""The question at the terminal: what is typed before a person can have read the call answers nothing."""

import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from purestep import ApprovalCall
from purestep_hosts.approval import GUARD_S, TerminalApprover
from purestep_hosts.show.printer import Printer

CALLS = tuple(
    ApprovalCall(call_id=f"call_{number}", tool="pay", params={"n": number}, key=f"k{number}", reason="asked")
    for number in (1, 2)
)


class Person:
    """Types into a real terminal: at moments of the question rather than of a clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.keyboard, place = os.openpty()
        self.terminal = os.fdopen(place, "r+b", buffering=0)
        self._patch = monkeypatch
        self.shown = ""
        self.types: Callable[[str], str] = lambda shown: ""
        self.at_once = ""
        self.paused: list[float] = []

    def write(self, text: str) -> int:
        """Take what the program shows, and type what the person answers to it."""
        self.shown += text
        self.type(self.types(text))
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def sit_down(self) -> None:
        """Make the terminal that of the program."""
        place = self.terminal.fileno()
        self._patch.setattr(sys, "stdin", open(place, encoding="utf-8", closefd=False))  # noqa: SIM115
        self._patch.setattr(sys, "stderr", open(place, "w", encoding="utf-8", closefd=False))  # noqa: SIM115

    def pause(self, seconds: float) -> None:
        """Let the time pass; what the person types at once is typed in it."""
        self.paused.append(seconds)
        self.type(self.at_once)

    def type(self, text: str) -> None:
        """Type."""
        os.write(self.keyboard, text.encode())


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A person at a terminal."""
    person = Person(monkeypatch)
    yield person
    os.close(person.keyboard)
    person.terminal.close()


def _asked(person: Person) -> list[tuple[bool, str | None]]:
    person.sit_down()
    console = Console(file=person, width=100, color_system=None)
    approver = TerminalApprover(Printer(console), lambda: None, person.pause)
    return [(answer.approved, answer.reason) for answer in approver(CALLS)]


def test_what_is_typed_before_the_question_answers_nothing(person: Person) -> None:
    """Keys from before the call was shown and from the first half second are dropped, for each call."""
    person.type("y\ny\ny\n")
    person.at_once = "y\ny\ny"
    person.types = lambda shown: "n typed after\n" if "[q]uit" in shown else ""
    assert [(False, "typed after"), (False, "typed after")] == _asked(person)
    assert [GUARD_S, GUARD_S] == person.paused


def test_each_call_is_answered_by_its_own_word(person: Person) -> None:
    """A word that was pasted twice answers one call."""
    answers = iter(("y\ny\n", "n\n"))
    person.types = lambda shown: next(answers) if "[q]uit" in shown else ""
    assert [(True, None), (False, None)] == _asked(person)
