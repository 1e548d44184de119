"""A host of trees for tests: a driver that keeps all open decisions, and the transcripts of the agents' runs."""

import json
from typing import Any

import purestep

from .agents import tool
from .driver import Driver

LOOK_UP = tool("look_up", {"text": {"type": "string"}}, annotations={"readOnlyHint": True})
REFUND = tool("refund", {"amount": {"type": "integer"}}, approval="ask", annotations={"readOnlyHint": False})


def team(*, limits: dict[str, Any] | None = None, **agents: dict[str, Any]) -> dict[str, Any]:
    """Return a definition without tools of its own that has these agents."""
    members = {name: {"agent": definition, "description": f"The {name}."} for name, definition in agents.items()}
    return {"agents": members, **({"limits": limits} if limits else {})}


class TreeDriver(Driver):
    """One run with the agents that it calls; `decisions` are all that it asks for."""

    def __init__(self, definition: dict[str, Any], query: str = "Hello", at: int | None = None) -> None:
        self.children: dict[str, list[dict[str, Any]]] = {}
        self.decisions: list[dict[str, Any]] = []
        super().__init__(definition, query, at)

    def send(self, observation: dict[str, Any]) -> dict[str, Any]:
        """Send an observation; gives the first decision, or the error's object and leaves the run as it was."""
        given: dict[str, Any] = {"observation": observation, "agent": self.definition}
        given |= {"run_id": "run-1"} if self.state is None else {"state": self.state}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            error: dict[str, Any] = output["error"]
            return error
        self.state, self.decision = output["state"], output["decision"]
        self.decisions = [self.decision, *output.get("also", [])]
        self.messages += output["messages"]
        self.log += output["log"]
        for run_id, messages in output.get("children", {}).items():
            self.children.setdefault(run_id, []).extend(messages)
        if observation["type"] == "agent_changed":
            self.definition = observation["agent"]
        return self.decision

    def at(self, *path: str) -> dict[str, Any]:
        """Return the decision of the agent at this place; of none, that of the run itself."""
        found = [each for each in self.decisions if each.get("path", []) == list(path)]
        assert len(found) == 1, [each.get("path") for each in self.decisions]
        return found[0]

    def say(self, path: tuple[str, ...], text: str, **members: Any) -> dict[str, Any]:
        """Send what the model of an agent said."""
        return self.send({"type": "model_output", "content": text, "run_id": self.at(*path)["run_id"], **members})

    def give(self, path: tuple[str, ...], output: Any) -> dict[str, Any]:
        """Return every call that an agent has running the same output."""
        decision = self.at(*path)
        results = [{"call_id": call["call_id"], "ok": True, "output": output} for call in decision["calls"]]
        return self.send({"type": "tool_results", "results": results, "run_id": decision["run_id"]})

    def paths(self) -> list[tuple[str, list[str]]]:
        """Return the types of all open decisions, each with its place."""
        return [(each["type"], each.get("path", [])) for each in self.decisions]


def assert_tree_replays(driver: TreeDriver) -> None:
    """Hold a tree to its log, which verifies to its head and replays to the same state, decisions and transcripts."""
    assert driver.state is not None
    assert json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"]
    replayed = json.loads(purestep.replay_log(driver.log))
    assert replayed["state"] == driver.state
    assert [replayed["decision"], *replayed.get("also", [])] == driver.decisions
    assert replayed["messages"] == driver.messages
    open_runs = replayed.get("children", {})
    assert open_runs == {run_id: driver.children[run_id] for run_id in open_runs}
    assert {each["run_id"] for each in driver.decisions if "run_id" in each} <= set(open_runs)
