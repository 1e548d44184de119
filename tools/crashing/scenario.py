"""A generated run: an agent with four tools, a model that follows a plan, and a person; with what lies outside of them.

witness    the lines that the store said it had kept, in their order
effects    each effect of the sink that takes no keys: "KEY NUMBER"
charged    the sink that honours keys
"""

import json
import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from purestep import Approval, ApprovalCall
from purestep_hosts import Agent, Invocation, ScriptedModel, approved, refused, tool
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.tools.idempotent_log import IdempotentLog

from .points import Points

QUERY: Final = "Please go on with the plan."
OUTCOME_UNKNOWN: Final = "outcome_unknown"


class Outside:
    """What no crash takes back, in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.charged = IdempotentLog(folder / "charged")

    def note(self, name: str, line: str) -> None:
        """Add to a file of this folder in one write."""
        descriptor = os.open(self._folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, line.encode())
        finally:
            os.close(descriptor)

    def text(self, name: str) -> str:
        """Return what was noted."""
        place = self._folder / name
        return place.read_text("utf-8") if place.exists() else ""


def plan_of(seed: int) -> list[str]:
    """Return what the model says, turn by turn: calls of one to three tools, then an answer."""
    chance = random.Random(f"plan {seed}")
    numbers = iter(range(1, 100))
    names = ["look", "charge", "send", "wipe"]
    turns = []
    for _ in range(chance.randint(1, 3)):
        calls = [(chance.choice(names), next(numbers)) for _ in range(chance.choice([1, 1, 2, 3]))]
        entries = [{"kind": "tool_call", "tool_name": name, "arguments": {"number": number}} for name, number in calls]
        turns.append(json.dumps(entries if len(entries) > 1 else entries[0]))
    return [*turns, json.dumps({"kind": "final", "content": "That is where things stand."})]


def agent_of(seed: int, outside: Outside, points: Points) -> Agent[str]:
    """Return the agent of a seed, whose model and tools pass boundaries."""
    plan = plan_of(seed)

    def act(invocation: Invocation[None], number: int) -> None:
        points.around(lambda: outside.note("effects", f"{invocation.key} {number}\n"))

    @tool(read_only=True)
    def look(number: int) -> str:
        """Look a number up."""
        points.reach()
        return f"{number} is there"

    @tool(idempotent=True)
    def charge(number: int, invocation: Invocation[None]) -> str:
        """Charge a card, once for each key."""
        points.around(lambda: outside.charged.append(invocation.key, number))
        return f"charged {number}"

    @tool
    def send(number: int, invocation: Invocation[None]) -> str:
        """Send a letter."""
        act(invocation, number)
        return f"sent {number}"

    @tool(approval="ask", destructive=True)
    def wipe(number: int, invocation: Invocation[None]) -> str:
        """Wipe a disk."""
        act(invocation, number)
        return f"wiped {number}"

    def answer(request: ModelRequest) -> str:
        points.reach()
        turn = _turn(request.messages)
        points.reach()
        return plan[min(turn, len(plan) - 1)]

    return Agent(ScriptedModel(answer), tools=[look, charge, send, wipe], mask=Mask(()))


def _turn(messages: Sequence[dict[str, Any]]) -> int:
    """Return the number of outputs after the query; the turns before it are examples."""
    asked = max(number for number, message in enumerate(messages) if QUERY in str(message.get("content")))
    return sum(message["role"] == "assistant" for message in messages[asked:])


def answers(seed: int, calls: Sequence[ApprovalCall], points: Points) -> list[Approval]:
    """Return what the person of a seed says of calls: the same of the same call, whoever asks."""
    given = []
    for call in calls:
        chance = random.Random(f"person {seed} {call.key} {call.reason}")
        if chance.random() < 0.7:  # noqa: PLR2004
            given.append(approved(call, by="ann"))
        else:
            given.append(refused(call, "no"))
    points.reach()
    return given
