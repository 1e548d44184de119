"""States that wait for a person: those of the vectors and of the playground's recorded runs."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import purestep
from purestep import ApprovalCall
from purestep_hosts.approval_codes import Waiting
from tools.vectors.files import stored_vectors

RECORDED = Path(__file__).resolve().parents[1] / "web/playground/src/recorded"


class WaitingState(NamedTuple):
    """A state that waits, as a host has it: `decision` is the core's text."""

    run_id: str
    head: str
    decision: str
    definition: dict[str, Any] | None

    @property
    def asks_for_a_form(self) -> bool:
        """Whether a call wants more than a yes or no."""
        return any("form" in call for call in json.loads(self.decision)["calls"])

    def waiting(self) -> Waiting:
        """Return it as the codes take it."""
        calls = purestep.decode_as(json.dumps(json.loads(self.decision)["calls"]), tuple[ApprovalCall, ...])
        return Waiting(run_id=self.run_id, head=self.head, calls=calls, definition=self.definition)


@cache
def waiting_states() -> tuple[WaitingState, ...]:
    """Return each once."""
    found = [*_of_vectors(), *_of_recorded_runs()]
    return tuple({(state.head, state.decision): state for state in found}.values())


def _of_vectors() -> Iterator[WaitingState]:
    for vector in stored_vectors():
        if vector["function"] != "run_agent_step" or not vector["output"].startswith('{"state"'):
            continue
        output, given = json.loads(vector["output"].split("\n", 1)[0]), json.loads(vector["args"][0])
        yield from _where_it_waits(output, given.get("agent"))


def _of_recorded_runs() -> Iterator[WaitingState]:
    for path in sorted(RECORDED.glob("*.jsonl")):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        agent = json.loads(lines[0])["agent"]
        asked = [index for index, line in enumerate(lines, 1) if json.loads(line)["kind"] == "approval_request"]
        for index in asked:
            yield from _where_it_waits(json.loads(purestep.replay_log("".join(lines[:index]))), agent)


def _where_it_waits(output: dict[str, Any], definition: Any) -> Iterator[WaitingState]:
    decision, state = output.get("decision", {}), output.get("state")
    if state and decision.get("type") == "request_approval":
        text = json.dumps(decision, ensure_ascii=False, separators=(",", ":"))
        yield WaitingState(state["run_id"], state["head"], text, definition)
