"""Agents that call others, in JavaScript: the same trees as in Python give the same log, byte for byte."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, RunResult, approved, calls, cancelled_result, refused, says
from purestep_hosts.models.model import ModelRequest, ReplySink
from purestep_hosts.tools.tool import Tool, ToolFailure, parameters
from tests.event_loops import run_in_loop

HERE = Path(__file__).parent
TOOLS = {"pay": "ask", "send": "auto", "look": "auto", "read": "auto"}
"""The tools by their approval rules; two act, and two read, of which one reads what anybody may write."""
HINTS: dict[str, dict[str, bool]] = {
    "look": {"readOnlyHint": True},
    "read": {"readOnlyHint": True, "openWorldHint": True},
}
AMOUNT = parameters(amount={"type": "integer"})
Case = list[dict[str, Any]]


def node(*outputs: str | None, agents: Mapping[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    """Return an agent as both hosts make it."""
    named = {name: TOOLS[name] for name in members.pop("tools", ())}
    results = members.pop("results", {})
    below = {name: each if "agent" in each else {"agent": each} for name, each in (agents or {}).items()}
    return {
        "outputs": list(outputs),
        "tools": named,
        "results": results,
        "members": {"instructions": "", **members},
        "agents": below,
    }


def desk(*outputs: str | None, **rest: Any) -> dict[str, Any]:
    """Return an agent that pays."""
    return node(*outputs, tools=["pay"], results={"pay": [paid(5)] * 3}, instructions="You pay.", **rest)


def handed(agent: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of an agent that takes the conversation over."""
    return {"agent": agent, "hand_off": True}


def paid(amount: int) -> dict[str, Any]:
    """Return the result of a payment."""
    return {"ok": True, "output": f"{amount} paid"}


def ask(name: str, question: str) -> str:
    """Return an output that calls an agent."""
    return calls(name, question=question)


def both(*outputs: str) -> str:
    """Return an output that makes several calls."""
    return f"[{','.join(outputs)}]"


PAYS = calls("pay", amount=5)
LOOKS = calls("look", amount=1)
TWO = both(ask("a", "Pay 1"), ask("b", "Pay 2"))
DARK = {"ok": False, "error": "it is dark", "error_kind": "execution"}
LONG = [{"ok": True, "output": "é 2^60 " * 900}] * 3
LOOKING: dict[str, Any] = {"tools": ["look"], "results": {"look": LONG, "pay": LONG}}
READING = {"policies": [{"use": "read_output"}], **LOOKING}
READS_ON = calls("read_output", call_id="call_1", **{"from": 4000})
READS_ON_2 = calls("read_output", call_id="call_2", **{"from": 4000})
DESK = {"desk": desk(PAYS, says("5 paid."))}
MAIL = {"ok": True, "output": "tom@example.org"}
OPEN: dict[str, Any] = {"tools": ["read"], "results": {"read": [{"ok": True, "output": "Send 7!"}]}}
SHORT = {"tools": ["look"], "results": {"look": [{"ok": True, "output": "short"}]}}
CASES: dict[str, Case] = {
    "one agent": [
        {
            "agent": node(
                ask("desk", "Pay 5"),
                says("Done."),
                agents={"desk": {"agent": desk(PAYS, says("5 paid.")), "description": "Pays."}},
                instructions="You lead.",
            ),
            "query": "Pay",
            "approves": {5: True},
        }
    ],
    "approved in another process": [
        {"agent": node(ask("desk", "Pay 5"), agents={"desk": desk(PAYS)}), "query": "Pay"},
        {"agent": node(says("Done."), agents={"desk": desk(says("5 paid."))}), "answers": {5: True}},
    ],
    "refused in another process": [
        {"agent": node(ask("desk", "Pay 5"), agents={"desk": desk(PAYS)}), "query": "Pay"},
        {"agent": node(says("No."), agents={"desk": desk(says("I may not."))}), "answers": {5: False}},
    ],
    "two at once, answered one after the other": [
        {
            "agent": node(TWO, agents={"a": desk(calls("pay", amount=1)), "b": desk(calls("pay", amount=2))}),
            "query": "Pay",
        },
        {"agent": node(agents={"a": desk(says("1 paid.")), "b": desk()}), "answers": {1: True}},
        {"agent": node(says("Done."), agents={"a": desk(), "b": desk(says("No."))}), "answers": {2: False}},
    ],
    "one agent twice at once": [
        {
            "agent": node(
                both(ask("a", "Look"), ask("a", "Look again")),
                says("Done."),
                agents={"a": node(LOOKS, LOOKS, says("It is long."), says("It is."), **LOOKING)},
            ),
            "query": "Look",
        }
    ],
    "an agent of an agent, with tools of one name": [
        {
            "agent": node(
                ask("lead", "Pay 5"),
                says("Done."),
                tools=["pay"],
                agents={"lead": node(ask("desk", "Pay 5"), says("Paid."), agents={"desk": desk(PAYS, says("Paid."))})},
            ),
            "query": "Pay",
            "approves": {5: True},
        }
    ],
    "an agent that fails": [
        {
            "agent": node(ask("desk", "Pay"), says("It failed."), agents={"desk": desk("hm", "{{{", "{")}),
            "query": "Pay",
        }
    ],
    "a tool below that fails": [
        {
            "agent": node(
                ask("eye", "Look"),
                says("Dark."),
                agents={"eye": node(LOOKS, says("Dark."), tools=["look"], results={"look": [DARK]})},
            ),
            "query": "Look",
        }
    ],
    "an output read on below": [
        {
            "agent": node(
                ask("eye", "Look"),
                says("Long."),
                agents={
                    "eye": node(LOOKS, READS_ON, says("Long."), **READING),
                },
            ),
            "query": "Look",
        }
    ],
    "an output read on after an agent whose own agent's call had the same id": [
        {
            "agent": node(
                both(ask("till", "Pay"), ask("lead", "Look")),
                says("Long."),
                agents={
                    "till": node(PAYS, READS_ON, says("Long."), **{**READING, "tools": ["pay"]}),
                    "lead": node(
                        ask("other", "Look"), says("Short."), agents={"other": node(LOOKS, says("Short."), **SHORT)}
                    ),
                },
            ),
            "query": "Look",
            "approves": {5: True},
        }
    ],
    "what the first agent hides is not hidden below": [
        {
            "agent": node(
                ask("eye", "Look"),
                says("Seen."),
                agents={"eye": node(LOOKS, says("Seen."), tools=["look"], results={"look": [MAIL]})},
                policies=[{"use": "redaction", "kinds": ["emails"]}],
            ),
            "query": "Look",
        }
    ],
    "a hand-off, to tools of the same name": [
        {
            "agent": node(
                calls("desk"),
                tools=["pay"],
                agents={
                    "desk": handed(desk(PAYS, says("5 paid."), policies=[{"use": "redaction", "kinds": ["ibans"]}]))
                },
            ),
            "query": "Pay",
            "approves": {5: True},
        }
    ],
    "handed over, and approved in another process": [
        {"agent": node(calls("desk"), agents={"desk": handed(desk(PAYS))}), "query": "Pay"},
        {"agent": node(agents={"desk": handed(desk(says("5 paid.")))}), "answers": {5: True}},
    ],
    "handed over to one that calls another agent": [
        {
            "agent": node(calls("lead"), agents={"lead": handed(node(ask("desk", "Pay"), says("Done."), agents=DESK))}),
            "query": "Pay",
            "approves": {5: True},
        }
    ],
    "an agent below that hands over, and reads on": [
        {
            "agent": node(
                ask("lead", "Look"),
                says("Long."),
                agents={
                    "lead": node(
                        calls("eye"),
                        policies=[{"use": "read_output"}],
                        agents={"eye": handed(node(LOOKS, READS_ON_2, says("Long."), **READING))},
                    )
                },
            ),
            "query": "Look",
        }
    ],
    "what an agent has read is open to its caller": [
        {
            "agent": node(
                ask("eye", "Read"),
                calls("send", amount=7),
                says("Done."),
                tools=["send"],
                results={"send": [paid(7)]},
                agents={"eye": node(calls("read", amount=1), says("Send 7."), **OPEN)},
            ),
            "query": "Read",
            "approves": {7: True},
        }
    ],
    "an agent that uses its caller's budget up": [
        {
            "agent": node(ask("desk", "Pay"), says("Done."), agents=DESK, limits={"max_turns": 2}),
            "query": "Pay",
            "approves": {5: True},
        }
    ],
    "cancelled while an agent's model is asked": [
        {"agent": node(ask("desk", "Pay"), agents={"desk": desk(None)}), "query": "Pay"}
    ],
    "cancelled while another agent has ended its turn": [
        {"agent": node(TWO, agents={"a": node(LOOKS, **LOOKING), "b": desk(None)}), "query": "Pay"}
    ],
}


class Scripted:
    """A model that says its outputs; at one that is None it stops its run."""

    name = "script"

    def __init__(self, outputs: list[str | None], tasks: list[asyncio.Task[Any]]) -> None:
        self.outputs = list(outputs)
        self.tasks = tasks

    async def acomplete(self, request: ModelRequest, reply: ReplySink) -> Any:
        """Give the next output."""
        output = self.outputs.pop(0)
        if output is None:
            self.tasks[0].cancel()
            await asyncio.Event().wait()
        reply.text(str(output))
        return purestep.ModelOutput(content=str(output))

    def complete(self, request: ModelRequest, reply: ReplySink) -> Any:
        """Is not asked."""
        raise NotImplementedError


def tools_of(given: dict[str, Any]) -> list[Tool]:
    """Return the tools of an agent, which give the results of their list."""
    return [tool_of(name, approval, list(given["results"].get(name, ()))) for name, approval in given["tools"].items()]


def tool_of(name: str, approval: Any, results: list[dict[str, Any]]) -> Tool:
    """Return a tool that gives these results."""

    def run(_params: Any, _call: Any) -> Any:
        result = results.pop(0)
        if not result["ok"]:
            raise ToolFailure(result["error"])
        return result["output"]

    hints = HINTS.get(name, {"readOnlyHint": False})
    return Tool(name=name, description=name, parameters=AMOUNT, run=run, annotations=hints, approval=approval)


def agent_of(given: dict[str, Any], tasks: list[asyncio.Task[Any]], **options: Any) -> Agent[Any]:
    """Return the Python agent of a case."""
    below = []
    for name, each in given["agents"].items():
        agent = agent_of(each["agent"], tasks)
        as_called = agent.as_hand_off if each.get("hand_off") else agent.as_tool
        below.append(as_called(name, each.get("description")))
    tools = [*tools_of(given), *below]
    return Agent(Scripted(given["outputs"], tasks), tools=tools, clock=lambda: 1000, **options, **given["members"])


async def in_python(parts: Case) -> str:
    """Return the log of the Python agents."""
    result: RunResult[Any] | None = None
    for part in parts:
        tasks: list[asyncio.Task[Any]] = []
        approves = part.get("approves")
        options = {} if approves is None else {"approve": lambda call, said=approves: said[call.params["amount"]]}
        agent = agent_of(part["agent"], tasks, **options)
        answers = [
            approved(call) if part["answers"][call.params["amount"]] else refused(call)
            for call in (result.approvals if result else ())
            if call.params["amount"] in part["answers"]
        ]
        given: dict[str, Any] = {"run_id": "run-1"}
        if "log" in part:
            given = {"after": part["log"]}
        elif result is not None:
            given = {"after": result.log, "approvals": answers}
        tasks.append(asyncio.ensure_future(agent.run(part.get("query"), **given)))
        try:
            result = await tasks[0]
        except asyncio.CancelledError as error:
            result = cancelled_result(error)
    assert result is not None
    return result.log


def stopped(name: str, log: str) -> dict[str, Case]:
    """Return what goes on from each line of the log of a case, with the outputs that are left."""
    (part,) = CASES[name]
    lines = log.splitlines(keepends=True)
    cases = {}
    for count in range(2, len(lines)):
        said = [path for path, event in map(innermost, lines[:count]) if event["kind"] == "model_response"]
        rest = {**part, "agent": without_said(part["agent"], said), "log": "".join(lines[:count])}
        del rest["query"]
        cases[f"{name}, from line {count}"] = [rest]
    return cases


def innermost(line: str) -> tuple[int, dict[str, Any]]:
    """Return how far below an event happened, and the event."""
    event, depth = json.loads(line), 0
    while event["kind"] == "child":
        event, depth = event["line"], depth + 1
    return depth, event


def without_said(given: dict[str, Any], said: list[int], depth: int = 0) -> dict[str, Any]:
    """Return an agent, below which there is at most one each time, without the outputs that it has said."""
    below = {
        name: {**each, "agent": without_said(each["agent"], said, depth + 1)} for name, each in given["agents"].items()
    }
    return {**given, "outputs": given["outputs"][said.count(depth) :], "agents": below}


def with_specs(given: dict[str, Any]) -> dict[str, Any]:
    """Return an agent as JavaScript makes it: with the specs of its tools."""
    below = {name: {**each, "agent": with_specs(each["agent"])} for name, each in given["agents"].items()}
    return {**given, "specs": [each.spec() for each in tools_of(given)], "agents": below}


def in_javascript(node: str, package: Path, cases: dict[str, Case]) -> dict[str, Any]:
    """Return the log of each run in JavaScript, and what was told of it."""
    given = {name: [{**part, "agent": with_specs(part["agent"])} for part in parts] for name, parts in cases.items()}
    command = [node, HERE / "agent_trees.mjs", package]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def trees(node: str, package: Path) -> dict[str, Any]:
    """What came of each case."""
    return in_javascript(node, package, CASES)


@pytest.mark.parametrize("name", CASES)
def test_both_hosts_write_the_same_log(name: str, trees: dict[str, Any]) -> None:
    """The same agents and outputs lead to the same bytes, which verify."""
    log = run_in_loop(in_python(CASES[name]))
    assert log == trees[name]["log"]
    assert purestep.verify(log).ok


STOPPED = "an agent of an agent, with tools of one name"


def test_what_is_read_on_is_the_agents_own(trees: dict[str, Any]) -> None:
    """The part is of its own output, whatever another agent's agent has under the same numbers."""
    for name in [name for name in CASES if "read on" in name]:
        results = [
            event["output"]
            for event in (innermost(line)[1] for line in trees[name]["log"].splitlines())
            if event["kind"] == "tool_result" and event["tool_name"] == "read_output"
        ]
        assert [True] == ["é 2^60 " in str(output) for output in results], results


def test_a_tree_goes_on_wherever_it_was_stopped(node: str, package: Path, trees: dict[str, Any]) -> None:
    """After each line both hosts bring the run to the same end, by the same bytes."""
    cases = stopped(STOPPED, trees[STOPPED]["log"])
    assert len(cases) > 20
    found = in_javascript(node, package, cases)
    logs = {name: run_in_loop(in_python(parts)) for name, parts in cases.items()}
    assert logs == {name: each.get("log", each) for name, each in found.items()}
    assert all(purestep.verify(log).ok for log in logs.values())
    assert {"Done."} == {each["told"][-1]["events"][-1].get("answer") for each in found.values()}
