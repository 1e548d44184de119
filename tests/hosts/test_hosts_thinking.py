"""A thinking model behind a server gets its reasoning back with the call that it led to."""

import json
from collections.abc import Callable
from typing import Any

import purestep
from purestep import Agent, Done
from purestep_hosts.loop import Run
from purestep_hosts.models.openai_http import HttpModel, completions_url
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
        return Run(Agent.load(AGENT), host.ports(model), "run-1").ask("17 plus 25?").decision, host.log
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
