"""A thinking model behind a server gets its reasoning back with the call that it led to."""

import json
from collections.abc import Callable
from typing import Any

import purestep
from purestep import Agent, Done
from purestep_hosts import Agent as HostAgent
from purestep_hosts import ReasoningPiece, ScriptedModel, TextPiece, TextRetracted, tool
from purestep_hosts.loop import Run
from purestep_hosts.models.model import as_served
from purestep_hosts.models.openai_http import HttpModel, completions_url
from tests.event_loops import run_in_loop
from tests.hosts.test_hosts_waits import Kept
from tests.hosts.thinking import AGENT, ThinkingServer

EXTRA = {
    "reasoning_content": "The tool knows: S\u00f8.",
    "tool_calls": [{"extra_content": {"google": {"thought_signature": "c2ln"}}}],
}


class Adding(Kept):
    """A host that can add."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Add the numbers."""
        return {"ok": True, "output": params["a"] + params["b"]}


def added_by(url: str) -> tuple[Any, str]:
    """The end and the log of a run with a model behind this server."""
    host, model = Adding(), HttpModel(completions_url(url), model="m")
    try:
        return Run(Agent.load(as_served(AGENT, "m")), host.ports(model), "run-1").ask("17 plus 25?").decision, host.log
    finally:
        model.close()


def test_server_that_asks_for_reasoning_gets_it(web: Callable[[Any], str]) -> None:
    """Section 10: `extra` goes with the message of the call, signatures to their calls, and stands in the log."""
    server = ThinkingServer()
    ended, log = added_by(web(server))
    assert Done(answer="It is 42.") == ended
    assert 2 == len(server.bodies)
    sent = next(message for message in server.bodies[1]["messages"] if message["role"] == "assistant")
    assert EXTRA["reasoning_content"] == sent["reasoning_content"]
    assert "c2ln" == sent["tool_calls"][0]["extra_content"]["google"]["thought_signature"]
    assert "extra" not in sent
    events = [json.loads(line) for line in log.splitlines()]
    assert [EXTRA, {"reasoning_content": "Done."}] == [e["extra"] for e in events if e["kind"] == "model_response"]
    assert purestep.verify(log).ok


@tool(read_only=True)
def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def streamed(agent: HostAgent) -> list[Any]:
    """The events of a run."""

    async def run() -> list[Any]:
        async with agent.stream("17 plus 25?") as events:
            return [event async for event in events]

    return run_in_loop(run())


def test_stream_of_an_agent_tells_reasoning_from_text(web: Callable[[Any], str]) -> None:
    """What a server sends as reasoning are events of their own, while it comes, and no part of the answer."""
    agent = HostAgent("m", base_url=web(ThinkingServer()) + "/v1", tools=[add_numbers], dialect="native")
    events = streamed(agent)
    kinds = [type(event).__name__ for event in events]
    assert ["ReasoningPiece", "ReasoningPiece", "CallStarted", "CallReturned", "ReasoningPiece"] == kinds[:5]
    assert "The tool knows: S\u00f8.Done." == "".join(e.text for e in events if isinstance(e, ReasoningPiece))
    assert "It is 42." == "".join(e.text for e in events if isinstance(e, TextPiece)) == events[-1].answer


def test_text_that_proves_to_be_reasoning_comes_again_as_such(web: Callable[[Any], str]) -> None:
    """Where the template opened the reasoning nobody knows it for what it is before its end."""
    events = streamed(HostAgent(ScriptedModel(["I add them. It is easy.</think>It is 42."]), dialect="tool_tags"))
    at = next(number for number, event in enumerate(events) if isinstance(event, TextRetracted))
    assert "I add them. It is easy." == "".join(event.text for event in events[:at] if isinstance(event, TextPiece))
    assert ReasoningPiece("I add them. It is easy.") == events[at + 1]
    assert "It is 42." == "".join(event.text for event in events[at + 1 :] if isinstance(event, TextPiece))
