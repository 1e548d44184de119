"""MCP servers that ask a person in the middle of a call (elicitation): a real one, and hostile ones."""

import json
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from mcp_types import ElicitRequestFormParams

from purestep import ApprovalCall, AskedForm
from purestep_hosts import Agent, RunResult, ScriptedModel, approved, calls, refused, says
from purestep_hosts.mcp import McpServer, McpServers
from purestep_hosts.mcp.forms import RefusedForm, asked_form
from purestep_hosts.mcp.held_calls import HeldCall, HeldCalls
from tests.event_loops import run_in_loop

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = McpServer(
    name="everything",
    command=("node", str(ROOT / "web/node_modules/@modelcontextprotocol/server-everything/dist/index.js")),
)
ASKS = "everything__trigger-elicitation-request"
RAW = str(Path(__file__).with_name("mcp_raw_server.py"))
TOOL = {"name": "go", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
SEATS = {
    "message": "How many seats?",
    "requestedSchema": {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]},
}


def eliciting(*params: Any, times: int = 1) -> McpServer:
    """A server whose tool asks this, and says what it was answered."""
    given = json.dumps({"tools": [TOOL], "elicits": params, "times": times})
    return McpServer(name="raw", command=(sys.executable, RAW, given))


def came_of(server: McpServer, approve: Callable[[ApprovalCall], Any]) -> Any:
    """What the server was answered, as it says itself, and the run's result."""
    with McpServers(server) as servers:
        model = ScriptedModel([calls("raw__go"), says("Done.")])
        result = Agent(model, tools=servers.tools, approve=approve).run_sync("Go.")
    outputs = [json.loads(line) for line in result.log.splitlines()]
    found = [each["output"] for each in outputs if each["kind"] == "tool_result" and "output" in each]
    return json.loads(found[0]) if found else result.log


def nobody(call: ApprovalCall) -> bool:
    """A person who must not be asked."""
    raise AssertionError(call)


def test_a_question_that_comes_while_its_call_is_sent_is_of_that_call() -> None:
    """The connection has a thread of its own, on which an answer of the server may be first."""

    async def begun() -> tuple[bool, bool]:
        held_calls, sent = HeldCalls(), Future[Any]()
        asks = held_calls.ask(
            ElicitRequestFormParams(message="How many?", requested_schema={"type": "object", "properties": {}})
        )

        def send(_: HeldCall) -> Future[Any]:
            asks.send(None)  # as far as it comes: until a person answers
            return sent

        held = held_calls.begin(send, lambda _: None)
        asks.close()
        return held.question.done(), held.asked is sent

    assert (True, True) == run_in_loop(begun())


def test_a_real_server_asks_and_is_answered_later() -> None:
    """The run waits as for an approval; the answer goes on with the call that the server holds open."""
    with McpServers(EVERYTHING) as servers:
        model = ScriptedModel([calls(ASKS), says("Hello Ada.")])
        agent: Agent[str] = Agent(model, tools=servers.tools, approval={"tools": {ASKS: "auto"}})
        waiting = agent.run_sync("Who am I?")
        (call,) = waiting.approvals
        assert ("form", "Please provide inputs for the following fields:") == (call.reason, call.note)
        result: RunResult[str] = agent.run_sync(after=waiting, approvals=[approved(call, params={"name": "Ada"})])
    assert ("Hello Ada.", True) == (result.answer, "- Name: Ada" in result.log)


def test_an_answer_that_breaks_the_form_is_refused() -> None:
    """The core checks it against the form, and the run waits on."""
    with McpServers(eliciting(SEATS)) as servers:
        agent = Agent(ScriptedModel([calls("raw__go"), says("Done.")]), tools=servers.tools)
        waiting = agent.run_sync("Go.")
        with pytest.raises(Exception, match="seats: expected an integer"):
            agent.run_sync(after=waiting, approvals=[approved(waiting.approvals[0], params={"seats": "two"})])


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (lambda call: approved(call, params={"seats": 2}), {"action": "accept", "content": {"seats": 2}}),
        (refused, {"action": "decline"}),
    ],
)
def test_the_server_is_told_what_a_person_says(answer: Callable[[ApprovalCall], Any], told: dict[str, Any]) -> None:
    """A yes with what was filled in, or a no."""
    (said,) = came_of(eliciting(SEATS), answer)
    assert told == {name: said[name] for name in ("action", "content") if name in said}


def test_an_address_is_shown_and_not_opened() -> None:
    """It stands in the question, with a form that has no fields."""
    asked = {"mode": "url", "message": "Log in.", "url": "https://example.com/login", "elicitationId": "1"}
    seen: list[ApprovalCall] = []

    def answer(call: ApprovalCall) -> bool:
        seen.append(call)
        return True

    (said,) = came_of(eliciting(asked), answer)
    assert ("accept", None) == (said["action"], said.get("content"))
    assert "Log in.\nAddress, which is not opened for you: https://example.com/login" == seen[0].note


@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ({"key": {"type": "string", "format": "password"}}, "a field for a secret (key)"),
        ({"key": {"type": "string", "writeOnly": True}}, "a field for a secret (key)"),
        ({"key": {"type": "string", "x-secret": True}}, "a field for a secret (key)"),
        ({"key": {"type": "object"}}, "no text, number, yes or no, or choice"),
        ({"key": {"type": "array", "items": {"type": "string"}}}, "no text, number, yes or no, or choice"),
        ({"a\x1b[2J": {"type": "string"}}, "no name that can be shown"),
        ({f"f{number}": {"type": "string"} for number in range(1000)}, "1000 fields, of which a person is asked"),
    ],
)
def test_a_hostile_form_reaches_nobody(properties: dict[str, Any], why: str) -> None:
    """The server is told why in words; no person is asked, and the run goes on."""
    asked = {"message": "Give it.", "requestedSchema": {"type": "object", "properties": properties}}
    (said,) = came_of(eliciting(asked), nobody)
    assert "the form is not shown to the user" in said
    assert why in said


def test_what_is_shown_of_a_form_is_plain() -> None:
    """No codes for a terminal, and nothing of endless length."""
    field = {"type": "string", "title": "\x1b[31mName", "description": "x" * 1000, "pattern": "(a+)+$"}
    form = asked_form("\x1b[2JHello\x07", {"properties": {"name": field}, "required": ["name", "other", 5]})
    properties = {"name": {"type": "string", "title": " [31mName", "description": "x" * 300 + "…"}}
    schema = {"type": "object", "properties": properties, "required": ["name"], "additionalProperties": False}
    assert AskedForm(message=" [2JHello ", form=schema) == form
    with pytest.raises(RefusedForm):
        asked_form("", {"properties": {"name": {"type": "string", "enum": list(map(str, range(1000)))}}})


def test_asking_without_end_is_ended() -> None:
    """After some questions the call has failed, and the model is told."""
    with McpServers(eliciting(SEATS, times=50)) as servers:
        model = ScriptedModel([calls("raw__go"), says("Done.")])
        agent = Agent(model, tools=servers.tools, approve=lambda call: approved(call, params={"seats": 2}))
        asked = agent.run_sync("Go.").log.count('"kind":"approval"')
    assert 8 == asked
    assert "asked the user more than 8 times" in str(model.requests[-1].messages)


def test_an_answer_after_the_servers_end_says_that_the_call_may_have_run() -> None:
    """The call lived in its process; nobody knows what it did."""
    agents = []
    for _ in range(2):
        with McpServers(eliciting(SEATS)) as servers:
            agents.append(Agent(ScriptedModel([calls("raw__go"), says("Done.")]), tools=servers.tools))
            if len(agents) == 1:
                waiting = agents[0].run_sync("Go.")
                continue
            answer = approved(waiting.approvals[0], params={"seats": 2})
            again = Agent(ScriptedModel([says("Done.")]), tools=servers.tools)
            result = again.run_sync(after=waiting.log, approvals=[answer])
    assert "has not kept the call that asked: its process has ended; go may have run" in result.log


def test_calls_at_once_are_each_answered() -> None:
    """Two servers ask in one turn, and both get their answer."""
    first, second = eliciting(SEATS), McpServer(name="other", command=eliciting(SEATS).command)
    with McpServers(first, second) as servers:
        both = {"tool_calls": [{"name": "raw__go", "arguments": {}}, {"name": "other__go", "arguments": {}}]}
        agent = Agent(ScriptedModel([json.dumps(both), says("Done.")]), tools=servers.tools, dialect="auto")
        waiting = agent.run_sync("Go.")
        answers = [approved(call, params={"seats": number}) for number, call in enumerate(waiting.approvals, 1)]
        result = agent.run_sync(after=waiting, approvals=answers)
    assert ["raw__go", "other__go"] == [call.tool for call in waiting.approvals]
    assert ('{\\"seats\\": 1}' in result.log, '{\\"seats\\": 2}' in result.log) == (True, True)
