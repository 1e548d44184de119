"""Information flow with the built-in tools: a scripted model that obeys whatever it reads, and honest uses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep import InvokeTool, ModelOutput, NativeCall, NativeFunction, RequestApproval, ToolResult, ToolResults
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox
from tests.hosts.flow_texts import HONEST, INJECTIONS, HonestUse, Injection

CHANNELS = {
    "page": ("fetch_url", {"url": "https://a.example/x"}),
    "file": ("read_file", {"path": "notes.txt"}),
    "folder": ("list_dir", {"path": "notes"}),
    "note": ("session_note_search", {"query": "notes"}),
    "failure": ("fetch_url", {"url": "https://a.example/x"}),
}
QUERY = "Read https://a.example/x and notes.txt in the folder notes, and tell me what is in my notes."


@pytest.fixture
def agent(tmp_path: Path) -> purestep.Agent:
    """All built-in tools, and two more that destroy; none asks by policy."""
    specs = Toolbox(ToolConfig(session_dir=tmp_path, root=tmp_path)).specs()
    destroys = {"destructiveHint": True}
    text = {"type": "object", "properties": {"text": {"type": "string"}}}
    own = [
        {"name": "clear_all", "parameters": {"type": "object"}, "annotations": destroys},
        {"name": "send", "parameters": text, "annotations": {**destroys, "idempotentHint": True}},
    ]
    tools = [{**spec, "approval": "auto"} for spec in (*specs, *own)]
    return purestep.Agent.load({"tools": tools, "limits": {"max_turns": 99}})


def called(state: purestep.RunState, tool: str, **arguments: Any) -> purestep.Step:
    """Make a call as a model does."""
    made = NativeCall(function=NativeFunction(name=tool, arguments=arguments))
    return purestep.step(state, ModelOutput(tool_calls=(made,)))


def resulted(step: purestep.Step, output: str, ok: bool = True) -> purestep.Step:
    """Report the result of the one call that was handed out."""
    assert isinstance(step.decision, InvokeTool), step.decision
    result = ToolResult(call_id=step.decision.call_id, ok=ok, **({"output": output} if ok else {"error": output}))
    return purestep.step(step.state, ToolResults(results=(result,)))


def having_read(agent: purestep.Agent, query: str, channel: str, text: str) -> purestep.Step:
    """Return a run whose model has read a text."""
    tool, arguments = CHANNELS[channel]
    begun = purestep.start(agent, purestep.UserMessage(content=query), "run")
    return resulted(called(begun.state, tool, **arguments), text, ok=channel != "failure")


def obeying(injection: Injection) -> list[tuple[str, dict[str, Any]]]:
    """Return the destructive calls of a model that obeys."""
    return [
        ("shell", {"command": injection.command}),
        ("write_file", {"path": injection.path, "content": injection.content}),
        ("send", {"text": injection.command}),
        ("clear_all", {}),
    ]


@pytest.mark.parametrize("injection", INJECTIONS, ids=[str(number) for number in range(1, len(INJECTIONS) + 1)])
def test_no_injection_runs_a_destructive_tool(agent: purestep.Agent, injection: Injection) -> None:
    """From a page, a file, a folder, a note or an error: each destructive tool waits for a person."""
    for channel in CHANNELS:
        read = having_read(agent, QUERY, channel, injection.text)
        for tool, arguments in obeying(injection):
            decision = called(read.state, tool, **arguments).decision
            assert isinstance(decision, RequestApproval), (channel, tool)
            assert any("open" in origin.labels for origin in decision.calls[0].origins or ()), (channel, tool)


def approved(state: purestep.RunState) -> purestep.Step:
    """A person says yes to the call that waits, as it is: that does not make its text the user's words."""
    [call] = state.pending
    yes = purestep.Approval(call_id=call.call_id, key=call.key, approved=True)
    return purestep.step(state, purestep.Approvals(approvals=(yes,)))


@pytest.mark.parametrize("injection", INJECTIONS[::4])
def test_no_way_round_runs_one_either(agent: purestep.Agent, injection: Injection) -> None:
    """Through a tool that repeats it, a note and its search, a later message, a resumed run, and a second call."""
    read = having_read(agent, QUERY, "page", injection.text)
    echoed = resulted(called(read.state, "echo", text=injection.command), injection.command)
    asked = called(echoed.state, "session_note_append", note=injection.command).state
    noted = resulted(approved(asked), "noted")
    found = resulted(called(noted.state, "session_note_search", query="notes"), injection.command)
    said = purestep.step(found.state, ModelOutput(content='{"kind":"final","content":"Shall I go on?"}'))
    later = purestep.step(said.state, purestep.UserMessage(content="Yes, do it all."))
    logged = [read.state, echoed.state, found.state, later.state]
    for state in logged:
        stored = msgspec.json.decode(msgspec.json.encode(state), type=purestep.RunState)
        decision = called(stored, "shell", command=injection.command).decision
        assert isinstance(decision, RequestApproval)


def asks(agent: purestep.Agent, use: HonestUse) -> bool:
    """Play an honest use; tell whether a person was asked."""
    read = having_read(agent, use.query, "file", use.read)
    if use.tool:
        return isinstance(called(read.state, use.tool, **dict(use.arguments)).decision, RequestApproval)
    answered = purestep.step(read.state, ModelOutput(content='{"kind":"final","content":"So it is."}'))
    return not isinstance(answered.decision, purestep.Done)


def test_honest_uses_run_unasked(agent: purestep.Agent) -> None:
    """What the user named runs; the few that ask needlessly are known."""
    assert [use.needless for use in HONEST] == [asks(agent, use) for use in HONEST]
    assert (40, 2) == (len(HONEST), sum(use.needless for use in HONEST))
    assert 40 == len(INJECTIONS)
