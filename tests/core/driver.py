"""A host in a few lines for tests: it drives the JSON function and keeps what a host keeps."""

import json
from typing import Any

import purestep

from .agents import answer, approvals, result, results


def stepped(**members: Any) -> dict[str, Any]:
    """Return what `run_agent_step` gives for an input of these members."""
    output: dict[str, Any] = json.loads(purestep.run_agent_step(json.dumps(members)))
    return output


def altered(state: dict[str, Any] | None, group: str, **members: Any) -> dict[str, Any]:
    """Return a state with members of one of its groups changed, as a client could change them."""
    assert state is not None
    return {**state, group: {**state[group], **members}}


def named(entry: Any, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages that one entry of a prompt names: a range, or one message with cuts."""
    if isinstance(entry, list):
        return messages[entry[0] : entry[1]]
    message = messages[entry["index"]]
    content = message["content"]
    for begin, end, text in reversed(entry["cuts"]):
        content = content[:begin] + text + content[end:]
    return [{**message, "content": content}]


class Driver:
    """One run, driven through `run_agent_step` in the delta form."""

    run_id = "run-1"

    def __init__(
        self,
        definition: dict[str, Any] | None = None,
        query: str = "Hello",
        at: int | None = None,
        run_id: str = run_id,
    ) -> None:
        self.definition = definition
        self.run_id = run_id
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
            given["run_id"] = self.run_id
        else:
            given["state"] = self.state
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            error: dict[str, Any] = output["error"]
            return error
        self.state, self.decision = output["state"], output["decision"]
        self.messages += output["messages"]
        self.log += output["log"]
        if observation["type"] == "agent_changed":
            self.definition = observation["agent"]
        return self.decision

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Return the log's events of a kind."""
        return [event for event in self.lines() if event["kind"] == kind]

    def lines(self) -> list[dict[str, Any]]:
        """Return the log's events in order; only a newline ends a line, whatever else a text may hold."""
        return [json.loads(line) for line in self.log.split("\n") if line]

    def kinds(self) -> list[str]:
        """Return the kinds of the log's events in order."""
        return [event["kind"] for event in self.lines()]

    def calls(self) -> dict[str, dict[str, Any]]:
        """Return the calls of the current decision by id."""
        return {entry["call_id"]: entry for entry in self.decision["calls"]}

    def answer_all(self, approved: bool, **members: Any) -> dict[str, Any]:
        """Answer every call that waits for approval in the same way."""
        return self.send(approvals(*(answer(entry, approved, **members) for entry in self.decision["calls"])))

    def give_all(self, output: Any) -> dict[str, Any]:
        """Return every call that runs the same output."""
        return self.send(results(*(result(call_id, output) for call_id in self.calls())))

    def prompt(self) -> list[dict[str, Any]]:
        """Return the messages that the current decision sends."""
        first: list[dict[str, Any]] = self.decision.get("messages", [])
        return [*first, *(message for entry in self.decision["prompt"] for message in named(entry, self.messages))]


def assert_replays(driver: Driver) -> None:
    """Hold the run to its log, which verifies and replays to the same state and decision."""
    assert json.loads(purestep.verify_log(driver.log))["ok"]
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (replayed["state"], replayed["decision"]) == (driver.state, driver.decision)


class WholeDriver:
    """One run, driven through `create_agent_state` and `run_agent_step` in the whole-state form."""

    def __init__(self, definition: dict[str, Any] | None = None, query: str = "Hello", run_id: str = "run-1") -> None:
        source = None if definition is None else json.dumps(definition)
        self.state_json = purestep.create_agent_state(query, source, run_id)
        self.log = ""
        self.decision: dict[str, Any] = stepped(state_json=self.state_json)["decision"]

    @classmethod
    def of(cls, state: Any) -> "WholeDriver":
        """Return a driver that goes on with a state made elsewhere."""
        driver = cls()
        driver.state_json = state if isinstance(state, str) else json.dumps(state)
        return driver

    def send(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Send an observation; gives the decision, or the error's object and leaves the run as it was."""
        return self.take(stepped(state_json=self.state_json, observation=observation))

    def say(self, text: str) -> dict[str, Any]:
        """Send a model's text as the two old functions did."""
        return self.take(stepped(state_json=self.state_json, model_output=text))

    def take(self, output: dict[str, Any]) -> dict[str, Any]:
        """Keep what a host keeps."""
        if "error" in output:
            error: dict[str, Any] = output["error"]
            return error
        self.state_json, self.decision = output["state_json"], output["decision"]
        self.log += output["log"]
        return self.decision

    @property
    def state(self) -> dict[str, Any]:
        """The whole state, decoded."""
        state: dict[str, Any] = json.loads(self.state_json)
        return state
