"""What stands in a workflow's history: JSON, with the members of objects in their order, and nothing pickled.

The SDK's own JSON sorts members; the order of a result's members is part of the bytes of a log.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

import msgspec

import purestep
from purestep import convert_to
from purestep_hosts.agents.late import LateResult
from purestep_hosts.extras import TEMPORAL
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.stored_runs import StepStatus

with TEMPORAL:
    from temporalio.api.common.v1 import Payload
    from temporalio.common import RawValue

Value = TypeVar("Value")

WORKFLOW: Final = "purestep_exchange"
MODEL: Final = "purestep_model"
TOOL: Final = "purestep_tool"
RECORD: Final = "purestep_record"
APPROVE: Final = "approve"
GIVE: Final = "give_results"
TIMER: Final = "purestep_timer"
DUE: Final = "purestep_due"

MAX_BYTES: Final = 1_900_000
"""Of one payload: a server takes 2 MiB by default, and our own members go with it."""

LINES_CHARS: Final = 200_000
"""Of lines that go with one command: in UTF-8 and in JSON a character may take four bytes, and quotes double."""


class WorkflowOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What a workflow is started with.

    number: that of the user message in its run, from 1. query: None where the run goes on as it stands, or with
    `results` that come later. agent: the
    definition. earlier: the log of the run so far. lost_after_s: after how long without a sign of life a worker that
    carries out a call counts as lost. purestep: the release that began it.
    """

    run_id: str
    number: int
    query: str | None
    agent: str
    earlier: str
    lost_after_s: float
    purestep: str
    results: tuple[LateResult, ...] = ()

    @property
    def workflow_id(self) -> str:
        """The id of the workflow, which a namespace has once."""
        return workflow_id(self.run_id, self.number)


class StoredLines(msgspec.Struct, frozen=True, kw_only=True):
    """Lines of the log that were not stored before, and what the last one leaves the run as."""

    log: str
    status: StepStatus


class ModelOrder(msgspec.Struct, frozen=True, kw_only=True):
    """What the model is asked; `state` is what the reply is read with.

    `path`: the agents down to the one whose model it is, as in `AskModel`. `is_below`: it answers another agent.
    """

    state: purestep.RunState
    request: ModelRequest
    path: tuple[str, ...] = ()
    is_below: bool = False


class CallOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A call that is to run; `state` is what its result is redacted with, the last two are as in `ModelOrder`."""

    run_id: str
    state: purestep.RunState
    call: purestep.ToolCall
    path: tuple[str, ...] = ()
    is_below: bool = False


class RecordOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A run whose lines are stored; `calls` are those that a person is asked about, if it waits."""

    run_id: str
    calls: tuple[purestep.ApprovalCall, ...] = ()


class TimerOrder(msgspec.Struct, frozen=True, kw_only=True):
    """A call that waits for a time: `key` is its own, `at_ms` when it is due, or was looked at after that.

    The last one is as in `WorkflowOrder`.
    """

    run_id: str
    key: str
    at_ms: int
    lost_after_s: float


class GivenAnswers(msgspec.Struct, frozen=True, kw_only=True):
    """What a person answered."""

    approvals: tuple[purestep.Approval, ...]


class GivenResults(msgspec.Struct, frozen=True, kw_only=True):
    """What came of calls that went on elsewhere."""

    results: tuple[LateResult, ...]


def workflow_id(run_id: str, number: int) -> str:
    """Return the id of the workflow of a run's exchange."""
    return f"{run_id}:{number}"


def timer_id(run_id: str, key: str) -> str:
    """Return the id of the workflow that waits for a call's time."""
    return f"{run_id}:timer:{key}"


def payload(value: Any) -> RawValue:
    """Return a value as it is stored."""
    plain = msgspec.to_builtins(value)
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, in the text of a model or a tool
        data = json.dumps(plain, allow_nan=False, separators=(",", ":")).encode()
    return RawValue(Payload(metadata={"encoding": b"json/plain"}, data=data))


def value_of(raw: RawValue, shape: type[Value]) -> Value:
    """Return what is stored as a value of this shape."""
    value: Value = convert_to(json.loads(raw.payload.data), shape)
    return value


def size_of(raw: RawValue) -> int:
    """Return the bytes of what is stored."""
    return len(raw.payload.data)
