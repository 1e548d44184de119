"""A case run through the core: a scripted model makes the calls of the case and says its answer, whatever comes."""

import json
from typing import Any

import purestep
from bench.contracts.cases import Case, CaseCall, Exchange, toolboxes

OFF = ["planning", "echo"]
"""The control: the guardrails that judge neither outputs nor claims."""


def passes(case: Case, guardrails: list[str] | None) -> tuple[bool, str]:
    """Tell whether the answer of a case gets through unchanged, and what was said against it otherwise.

    guardrails: those of the definition; None for the defaults.
    """
    definition: dict[str, Any] = {"tools": toolboxes()[case.tools]}
    if guardrails is not None:
        definition["guardrails"] = guardrails
    run = _Run(definition, case.id)
    for exchange in case.before:
        run.exchange(exchange)
    return run.exchange(case.exchanges[-1])


def is_playable(case: Case) -> bool:
    """Tell whether the tools take all calls of a case."""
    try:
        passes(case, OFF)
    except UnplayableError:
        return False
    return True


class UnplayableError(Exception):
    """A call of a case does not fit its tool."""


class _Run:
    def __init__(self, definition: dict[str, Any], run_id: str) -> None:
        self._begin: dict[str, Any] = {"agent": definition, "run_id": run_id}
        self._decision: dict[str, Any] = {}

    def exchange(self, exchange: Exchange) -> tuple[bool, str]:
        """Play one exchange; a correction is met with the same answer again."""
        self._send({"type": "user_message", "content": exchange.user})
        for call in exchange.calls:
            if self._decision.get("reason") == "correction":
                break
            self._call(call)
        against = ""
        while self._decision["type"] == "call_model":
            against = against or (self._decision.get("cause") or "")
            self._say(json.dumps({"kind": "final", "content": exchange.answer}))
        return self._decision["type"] == "done" and not against, against

    def _call(self, call: CaseCall) -> None:
        self._say(json.dumps({"kind": "tool_call", "tool_name": call.tool, "arguments": call.arguments}))
        if self._decision["type"] == "request_approval":
            given = [
                {"call_id": each["call_id"], "key": each["key"], "approved": True} for each in self._decision["calls"]
            ]
            self._send({"type": "approvals", "approvals": given})
        if self._decision["type"] != "invoke_tool":
            raise UnplayableError(str(self._decision))
        result = {"ok": False, "error": call.error} if call.error else {"ok": True, "output": call.output}
        call_id = self._decision["calls"][0]["call_id"]
        self._send({"type": "tool_results", "results": [{"call_id": call_id, **result}]})

    def _say(self, content: str) -> None:
        self._send({"type": "model_output", "content": content})

    def _send(self, observation: dict[str, Any]) -> None:
        output = json.loads(purestep.run_agent_step(json.dumps({**self._begin, "observation": observation})))
        assert "error" not in output, output
        self._begin, self._decision = {"state": output["state"]}, output["decision"]
