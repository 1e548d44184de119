"""A host in a few lines for tests: it drives the JSON function and keeps what a host keeps."""

import json
from typing import Any

import purestep


class Driver:
    """One run, driven through `run_agent_step` in the delta form."""

    def __init__(self, definition: dict[str, Any] | None = None, query: str = "Hello", at: int | None = None) -> None:
        self.definition = definition
        self.messages: list[dict[str, Any]] = []
        self.log = ""
        self.state: dict[str, Any] | None = None
        self.decision: dict[str, Any] = {}
        first: dict[str, Any] = {"type": "user_message", "content": query}
        self.send(first if at is None else {**first, "at": at})

    def send(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Send an observation; gives the decision, or the error's object and leaves the run as it was."""
        given: dict[str, Any] = {"observation": observation}
        if self.definition is not None:
            given["agent"] = self.definition
        if self.state is None:
            given["run_id"] = "run-1"
        else:
            given["state"] = self.state
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            error: dict[str, Any] = output["error"]
            return error
        self.state, self.decision = output["state"], output["decision"]
        self.messages += output["messages"]
        self.log += output["log"]
        return self.decision

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Give the log's events of a kind."""
        return [event for event in map(json.loads, self.log.splitlines()) if event["kind"] == kind]

    def prompt(self) -> list[dict[str, Any]]:
        """Give the messages that the current decision names."""
        return [message for begin, end in self.decision["prompt"] for message in self.messages[begin:end]]
