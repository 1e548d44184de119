"""A generated run: an agent with tools, a model that follows a plan, and a person; with what lies outside of them.

witness    the lines that the store said it had kept, in their order
effects    each effect of the sink that takes no keys: "KEY NUMBER"
charged    the sink that honours keys
"""

import json
import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from purestep import Approval, ApprovalCall
from purestep_hosts import Agent, Invocation, Later, ScriptedModel, approved, late_result, refused, tool
from purestep_hosts.agents import LateResult, RunResult
from purestep_hosts.agents.agent_tool import AgentTool
from purestep_hosts.mask import Mask
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.tools.idempotent_log import IdempotentLog

from .points import Points

QUERY: Final = "Please go on with the plan."
MadeAgent = Callable[[int, "Outside", Points], Agent[str]]
"""Makes the agent of a seed."""
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


def plan_of(seed: int, name: str = "", first: int = 1, *, late: bool = False) -> list[str]:
    """Return what the model says, turn by turn: calls of one to three tools, then an answer.

    name: of an agent below, whose plan it is; first: the first of its calls' numbers. late: also of the tool whose
    calls go on elsewhere.
    """
    chance = random.Random(f"plan {seed}{name}")
    numbers = iter(range(first, first + 99))
    names = ["look", "charge", "send", "wipe", *(["order"] * 3 if late else [])]
    turns = []
    for _ in range(chance.randint(1, 3)):
        calls = [(chance.choice(names), next(numbers)) for _ in range(chance.choice([1, 1, 2, 3]))]
        entries = [{"kind": "tool_call", "tool_name": name, "arguments": {"number": number}} for name, number in calls]
        turns.append(json.dumps(entries if len(entries) > 1 else entries[0]))
    return [*turns, json.dumps({"kind": "final", "content": "That is where things stand."})]


def agent_of(seed: int, outside: Outside, points: Points, *, late: bool = False) -> Agent[str]:
    """Return the agent of a seed, whose model and tools pass boundaries; late: some calls go on elsewhere."""
    return _agent(plan_of(seed, late=late), outside, points)


def team_of(seed: int, outside: Outside, points: Points, *, late: bool = False) -> Agent[str]:
    """Return an agent that calls two others with such plans, at once or one after the other, or hands over to them."""
    chance = random.Random(f"team {seed}")
    names = ["desk", "shop"]
    plans = [plan_of(seed, name, 100 * place, late=late) for place, name in enumerate(names, 1)]
    below = [_agent(plan, outside, points, name) for name, plan in zip(names, plans, strict=True)]
    entries = [{"kind": "tool_call", "tool_name": name, "arguments": {"question": QUERY}} for name in names]
    at_once = [[*entries], [entries[0], _LOOK, entries[1]]]
    turns = [chance.choice(at_once)] if chance.random() < 0.6 else [[each] for each in entries]  # noqa: PLR2004
    said = [json.dumps(turn if len(turn) > 1 else turn[0]) for turn in turns]
    team = _agent([*said, plans[0][-1]], outside, points, "lead", [each.as_tool() for each in below])
    if chance.random() < 0.7:  # noqa: PLR2004
        return team
    over = json.dumps({"kind": "tool_call", "tool_name": "lead", "arguments": {}})
    return _agent([over], outside, points, "front", [team.as_hand_off()])


_LOOK: Final = {"kind": "tool_call", "tool_name": "look", "arguments": {"number": 1}}


def _agent(
    plan: list[str], outside: Outside, points: Points, name: str = "", below: Sequence[AgentTool] = ()
) -> Agent[str]:
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

    @tool
    def order(number: int, invocation: Invocation[None]) -> Later:
        """Order something, which is made elsewhere."""
        act(invocation, number)
        return Later(f"order {number}")

    def answer(request: ModelRequest) -> str:
        points.reach()
        turn = _turn(request.messages)
        points.reach()
        return plan[min(turn, len(plan) - 1)]

    tools: list[Any] = [look, charge, send, wipe, order, *below]
    return Agent(ScriptedModel(answer), name=name, tools=tools, mask=Mask(()))


def _turn(messages: Sequence[dict[str, Any]]) -> int:
    """Return the number of outputs after the query, or after a hand-off; the turns before it are examples."""
    contents = [str(message.get("content")) for message in messages]
    begins = [number for number, content in enumerate(contents) if _begins(messages[number]["role"], content)]
    return sum(message["role"] == "assistant" for message in messages[max(begins) :])


def _begins(role: str, content: str) -> bool:
    return role != "assistant" and (QUERY in content or "handed over" in content)


def come(seed: int, result: RunResult[str], points: Points) -> list[LateResult]:
    """Return the results of calls that went on elsewhere which come now: the same ones of the same calls."""
    if not result.late:
        return []
    chance = random.Random(f"elsewhere {seed} {[call.key for call in result.late]} {len(result.approvals)}")
    if result.approvals and chance.random() < 0.5:  # noqa: PLR2004
        return []
    some = result.late if chance.random() < 0.5 else result.late[-1:]  # noqa: PLR2004
    points.reach()
    return [late_result(call, came_of(call.key)) for call in some]


def came_of(key: str) -> str:
    """Return what came of the call with a key that went on elsewhere."""
    return f"{key} is made"


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
