"""Every order of a late result: what comes before and after it changes no promise about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pytest

import purestep
from tests.core.agents import call, final, listed, tool

REPORT = tool("report", {"number": {"type": "integer"}}, annotations={"destructiveHint": True}, approval="auto")
PAY = tool("pay", {"amount": {"type": "integer"}}, approval="ask")
LOOK = tool("look", annotations={"readOnlyHint": True})
DEFINITION: Final = {"tools": [REPORT, PAY, LOOK], "limits": {"max_turns": 9}, "policies": []}
SEND: Final = tool("send", {"number": {"type": "integer"}}, annotations={"destructiveHint": True}, approval="auto")
WAITING: Final = {**DEFINITION, "tools": [{**REPORT, "late": "wait"}, SEND, PAY, LOOK]}
"""The call is waited for, beside another one that may have run when its host was stopped."""
DEPTH: Final = 6
"""Observations after the first call has gone on elsewhere."""

OUTPUTS: Final = {
    "answers": final("Soon."),
    "looks": call("look"),
    "pays": call("pay", amount=1),
    "reports": call("report", number=2),
    "both": listed(call("report", number=2), call("look")),
}


class Node(NamedTuple):
    """A run, with what an onlooker knows of its late calls: those whose results were given, in order."""

    step: purestep.Step
    log: str
    given: tuple[str, ...]
    path: tuple[str, ...]
    waits: bool = False


def stepped(node: Node, name: str, observation: purestep.Observation, given: tuple[str, ...] = ()) -> Node:
    """Return the run after an observation."""
    step = purestep.step(node.step.state, observation)
    return node._replace(step=step, log=node.log + step.log, given=(*node.given, *given), path=(*node.path, name))


def results(name: str, call_id: str) -> purestep.ToolResults:
    """Return a result by which the call is known."""
    return purestep.ToolResults(results=(purestep.ToolResult(call_id=call_id, ok=True, output=f"{name} of {call_id}"),))


def together(node: Node) -> Iterator[Node]:
    """Yield the run after all results that it awaits, in one observation."""
    state = node.step.state
    open_ones = [each.call_id for each in (*state.run.late, *state.pending) if each.handle and each.status == "run"]
    if len(open_ones) > 1:
        given = tuple([each for call_id in open_ones for each in results("late", call_id).results])
        yield stepped(node, "together", purestep.ToolResults(results=given), tuple(open_ones))


def moves(node: Node) -> Iterator[Node]:
    """Yield every observation that the run takes."""
    decision, state = node.step.decision, node.step.state
    for each in (*state.run.late, *state.pending):
        if each.handle and each.status == "run":
            yield stepped(node, f"late {each.call_id}", results("late", each.call_id), (each.call_id,))
    yield from together(node)
    match decision:
        case purestep.CallModel():
            for name, text in OUTPUTS.items():
                yield stepped(node, name, purestep.ModelOutput(content=text))
        case purestep.InvokeTool(calls=calls):
            for first in [each for each in calls if not each.handle][:1]:
                yield stepped(node, "result", results("at once", first.call_id))
                if first.tool == "report":
                    pending = purestep.ToolPending(call_id=first.call_id, handle=f"job of {first.call_id}")
                    yield stepped(node, "elsewhere", pending)
            yield stepped(node, "resumed", purestep.Resumed())
        case purestep.RequestApproval(calls=calls):
            answer = purestep.Approval(call_id=calls[0].call_id, key=calls[0].key, approved=True)
            yield stepped(node, "yes", purestep.Approvals(approvals=(answer,)))
        case _:
            yield stepped(node, "user", purestep.UserMessage(content="And?"))
            return
    yield stepped(node, "steers", purestep.UserMessage(content="Be quick."))
    yield stepped(node, "cancel", purestep.Cancel())


def begun(*, waits: bool = False) -> Node:
    """Return a run whose first call has gone on elsewhere; waits: it is waited for, and another one was begun too."""
    agent = purestep.Agent.load(WAITING if waits else DEFINITION)
    step = purestep.start(agent, purestep.UserMessage(content="Report"), "orders")
    node = Node(step, step.log, (), (), waits)
    reports = listed(call("report", number=1), call("send", number=1)) if waits else call("report", number=1)
    node = stepped(node, "reports", purestep.ModelOutput(content=reports))
    return stepped(node, "elsewhere", purestep.ToolPending(call_id="call_1", handle="job of call_1"))


def lines(node: Node) -> list[dict[str, Any]]:
    """Return the lines of a log."""
    return [json.loads(line) for line in node.log.splitlines()]


def broken(node: Node) -> str:
    """Return what does not hold of a run; empty where all does."""
    state, events = node.step.state, lines(node)
    elsewhere = [each for each in (*state.run.late, *state.pending) if each.handle and each.status == "run"]
    open_ones = [each.call_id for each in elsewhere]
    came = [each.call_id for each in state.run.late if each.status == "done"]
    begun_ones = [event["call_id"] for event in events if event["kind"] == "tool_pending"]
    has_failed = any(event["kind"] == "run_failed" for event in events)  # with it ends what was waited for
    if sorted([*open_ones, *node.given]) != sorted(begun_ones) and not (has_failed and node.waits):
        return f"of {begun_ones} {open_ones} are open and {node.given} were given"
    read = [event["tools"] for event in events if event.get("reason") == "late_results"]
    if sum(map(len, read)) != sum(event.get("reason") == "late" for event in events) - len(state.run.late):
        return f"{read} were read of {node.given}, and {came} wait"
    told = [event for event in events if event["kind"] == "tool_result" and "late" in str(event["output"])]
    if [event["call_id"] for event in told] != list(node.given):
        return "the log has other results"
    acts = [act for event in events for act in event.get("acts", ()) if act["call_id"] in begun_ones]
    succeeded = [act["call_id"] for act in acts if act["status"] == "succeeded"]
    if len(set(succeeded)) != len(succeeded) or not set(succeeded) <= set(node.given):
        return f"acts tell of {succeeded}"
    if isinstance(node.step.decision, purestep.Done) and came:
        return "the run is done, and a result that came was not read"
    return ""


@pytest.mark.parametrize("waits", [False, True])
def test_all_orders(waits: bool) -> None:
    """No result is lost, read twice or told of before it came, wherever it comes; every log replays to its state."""
    level, known, tried = [begun(waits=waits)], set[str](), 0
    for _ in range(DEPTH):
        following: list[Node] = []
        for node in level:
            for after in moves(node):
                tried += 1
                assert broken(after) == "", after.path
                key = json.dumps([str(after.step.state), after.given])
                if key not in known:
                    known.add(key)
                    following.append(after)
        level = following
    assert tried > 2_000
    for node in level[::40]:
        assert purestep.replay(node.log).state == node.step.state, node.path


def test_a_result_that_is_read_twice_would_be_seen() -> None:
    """The onlooker's book is one of its own: what it is told wrongly, it names."""
    node = next(each for each in moves(begun()) if each.path[-1] == "late call_1")
    assert broken(node) == ""
    assert "are open" in broken(node._replace(given=()))
    assert "wait" in broken(
        node._replace(log=node.log + '{"kind":"decided","reason":"late_results","tools":["report"]}\n')
    )
