"""A destructive call that ran out of time, or whose result cannot be taken, has perhaps acted: a second one asks."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts import Agent, RunResult, ScriptedModel, calls, says, tool
from purestep_hosts.function_files import load_functions
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox

LATE = "pay did not end within 0.05 seconds; it may have run"
USELESS = "pay ran; its result cannot be used: "


def nested() -> list[Any]:
    """Return eighty lists, one in the other."""
    value: list[Any] = []
    for _ in range(79):
        value = [value]
    return value


class Receipt:
    """A value that JSON has no form for."""


VALUES: list[tuple[Callable[[], Any], str]] = [
    (Receipt, "TypeError: a value of the type Receipt is no JSON"),
    (lambda: float("nan"), "ValueError: Out of range float values are not JSON compliant"),
    (lambda: "x" * 1_000_001, "expected a result of at most 1000000 bytes, got 1000001; ask for a part of it"),
    (nested, "expected a result nested at most 56 levels deep; flatten it"),
]


def paid_twice(pay: Any) -> tuple[RunResult[str], dict[str, Any]]:
    """Have a model call `pay` twice with the same arguments; gives the run and the first result."""
    model = ScriptedModel([calls("pay", to="Anna"), calls("pay", to="Anna"), says("I could not pay Anna.")])
    result = Agent(model, tools=[pay]).run_sync("Pay Anna")
    lines = [json.loads(line) for line in result.log.splitlines()]
    return result, next(line for line in lines if line["kind"] == "tool_result")


def asks(result: RunResult[str]) -> bool:
    """Whether a run waits for a person, about a second call with the same effect."""
    return result.status == "waiting" and [call.reason for call in result.approvals] == ["same_effect"]


@pytest.mark.parametrize(("value", "why"), VALUES)
@pytest.mark.parametrize("is_async", [False, True])
def test_call_that_returned_something_useless_has_run(value: Callable[[], Any], why: str, is_async: bool) -> None:
    """Its result says that it ran and why the value cannot be used; a second call waits for a person."""
    paid: list[str] = []

    def pay(to: str) -> Any:
        """Pay."""
        paid.append(to)
        return value()

    async def pay_async(to: str) -> Any:
        """Pay."""
        return pay(to)

    made = tool(name="pay", destructive=True, approval="auto")(pay_async if is_async else pay)
    result, first = paid_twice(made)
    assert (f"{USELESS}{why}", "interrupted") == (first["error"], first["error_kind"])
    assert (["Anna"], True) == (paid, asks(result))


@pytest.mark.parametrize("is_async", [False, True])
def test_call_past_its_time_limit_may_have_run(is_async: bool) -> None:
    """A thread goes on, and a coroutine may have had its effect before it was cancelled."""
    release, paid = threading.Event(), []

    def pay(to: str) -> str:
        """Pay."""
        paid.append(to)
        release.wait(60)
        return "paid"

    async def pay_async(to: str) -> str:
        """Pay."""
        paid.append(to)
        await asyncio.sleep(1000)
        return "paid"

    made = tool(name="pay", destructive=True, approval="auto", time_limit_s=0.05)(pay_async if is_async else pay)
    result, first = paid_twice(made)
    release.set()
    assert (LATE, "interrupted") == (first["error"], first["error_kind"])
    assert (["Anna"], True) == (paid, asks(result))


FUNCTIONS = """
import asyncio
from purestep_hosts import tool

class Receipt: ...

@tool(destructive=True)
def pay(to: str):
    return Receipt()

@tool(destructive=True, time_limit_s=0.05)
async def pay_late(to: str):
    await asyncio.sleep(1000)
"""


def test_functions_of_a_file_say_the_same(tmp_path: Path) -> None:
    """The command runs them in a toolbox: what came of a call is told with the same kind."""
    box = Toolbox(ToolConfig(session_dir=tmp_path, names=()))
    for each in load_functions(FUNCTIONS.encode(), tmp_path / "functions.py"):
        box.register(each)
    useless, late = (box.run(name, {"to": "Anna"}, "k") for name in ("pay", "pay_late"))
    assert (f"{USELESS}TypeError: a value of the type Receipt is no JSON", "interrupted") == (
        useless["error"],
        useless["error_kind"],
    )
    assert ("interrupted", True) == (late["error_kind"], late["error"].endswith("; it may have run"))
