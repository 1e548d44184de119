"""The question at the terminal: what is typed before a person can have read the call answers nothing."""

import os
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from rich.console import Console

from purestep import ApprovalCall, ArgumentOrigin
from purestep_hosts.approval import GUARD_S, TerminalApprover
from purestep_hosts.show.printer import Printer
from tools.breaking.attack import run_attack
from tools.breaking.attacks.approvals import ATTACKS

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


def _asked(person: Person, *calls: ApprovalCall) -> list[tuple[bool, str | None]]:
    person.sit_down()
    console = Console(file=person, width=100, color_system=None)
    approver = TerminalApprover(Printer(console), lambda: None, person.pause)
    return [(answer.approved, answer.reason) for answer in approver(calls or CALLS)]


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


def test_a_few_other_words_refuse_and_one_may_be_a_slip(person: Person) -> None:
    """What the person wants instead is told to the model; a single word that is no answer is asked about again."""
    answers = iter(("ok\n", "y no\n", "take TX-881 instead\n", "y\n"))
    person.types = lambda shown: next(answers) if "[q]uit" in shown else ""
    assert [(False, "take TX-881 instead"), (True, None)] == _asked(person)
    assert 2 == person.shown.count("Expected y, n, e, q or a few words.")


def test_the_question_in_words_is_shown(person: Person) -> None:
    """Where a policy has one, it stands in the place of the reason."""
    person.types = lambda shown: "n\n" if "[q]uit" in shown else ""
    _asked(person, msgspec.structs.replace(CALLS[0], reason="confidence", note="I am not sure: run `pay`?"))
    assert "why        I am not sure: run `pay`?\n" in person.shown


def test_numbers_are_shown_with_the_digits_of_the_log(person: Person) -> None:
    """The same call has the same digits in the question, in the log and in the tool."""
    numbers = (1e22, 1e16, 12345678901234567890, 0.1, 5e-324, 1.5e300)
    person.types = lambda shown: "n\n" if "[q]uit" in shown else ""
    _asked(person, *(msgspec.structs.replace(CALLS[0], params={"n": number}) for number in numbers))
    written = [f'"n": {msgspec.json.encode(number).decode()}\n' for number in numbers]
    assert [] == [line for line in written if line not in person.shown]


def test_where_arguments_came_from_is_shown(person: Person) -> None:
    """The user's words, a result, or the model; what a tool's name or a path hides is shown as an escape."""
    origins = (
        ArgumentOrigin(path="/to", source="user"),
        ArgumentOrigin(path="/a\x1b[2J", source="result", call_id="call_1", tool="fetch\u202e", labels=("open",)),
        ArgumentOrigin(path="", source="model", labels=("open",)),
    )
    person.types = lambda shown: "n\n" if "[q]uit" in shown else ""
    _asked(person, msgspec.structs.replace(CALLS[0], origins=origins))
    assert "from       to: your words\n" in person.shown
    assert "the result of call_1 fetch\\u202e (open)\n" in person.shown
    assert "from       the call: worded by the model (open)\n" in person.shown
    assert "\x1b[2J" not in person.shown


def test_random_keys_approve_nothing_else() -> None:
    """Whatever is typed too early, cut off or mistyped, only yes approves."""
    [attack] = ATTACKS
    assert [] == run_attack(attack, seed=0, seconds=0).broken
