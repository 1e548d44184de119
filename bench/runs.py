"""The run that the measurements step through: an adder that is asked again and again."""

import json
from typing import Any

import purestep

ADD: dict[str, Any] = {
    "name": "add_numbers",
    "description": "Add two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": True},
}
AGENT: dict[str, Any] = {"tools": [ADD], "limits": {"max_turns": 1_000_000}}


def said(number: int) -> dict[str, Any]:
    """Return a short envelope call as an observation."""
    call = {"kind": "tool_call", "tool_name": "add_numbers", "arguments": {"a": number, "b": 25}}
    return {"type": "model_output", "content": json.dumps(call, separators=(",", ":")), "at": number}


class LongRun:
    """A run driven by calls and results until its transcript has the length wanted."""

    def __init__(self, messages: int) -> None:
        self.log: list[str] = []
        self.messages: list[dict[str, Any]] = []
        first = {"type": "user_message", "content": "Add numbers.", "at": 0}
        self.state = self._take({"agent": AGENT, "run_id": "bench", "observation": first})
        number = 0
        while self.state["messages"] < messages:
            number += 1
            self._take({"state": self.state, "observation": said(number)})
            result = {"call_id": f"call_{number}", "ok": True, "output": number + 25}
            self._take({"state": self.state, "observation": {"type": "tool_results", "results": [result]}})

    def _take(self, given: dict[str, Any]) -> dict[str, Any]:
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        self.state: dict[str, Any] = output["state"]
        self.log.append(output["log"])
        self.messages += output["messages"]
        return self.state

    def input(self) -> str:
        """Return the JSON input of the next step, a short envelope call."""
        return json.dumps({"state": self.state, "observation": said(17)}, separators=(",", ":"))

    def whole(self) -> tuple[str, str]:
        """Return the same run in the whole-state form, and the JSON input of its next step, a tool result."""
        state = {
            "history": self.messages,
            "is_complete": False,
            "final_answer": None,
            "agent": AGENT,
            "run": self.state,
        }
        given = {"state_json": json.dumps({"schema_version": 3, **state}), "model_output": said(17)["content"]}
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        call_id = output["decision"]["call_id"]
        result = {"type": "tool_results", "results": [{"call_id": call_id, "ok": True, "output": 42}]}
        following = {"state_json": output["state_json"], "observation": result}
        return output["state_json"], json.dumps(following, separators=(",", ":"), ensure_ascii=False)
