"""What `Agent.stream` yields: small values with a `type`, which are JSON as they are (`msgspec.json.encode`)."""

# No annotations as text: a sandbox of Temporal reads `ClassVar` otherwise then.

from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from purestep import Act, ApprovalCall

Status = Literal["done", "failed", "waiting"]


class TextPiece(msgspec.Struct, frozen=True, tag="text", tag_field="type"):
    """The next piece of the answer; pieces are only ever added to."""

    text: str
    type: ClassVar[Literal["text"]] = "text"


class TextRetracted(msgspec.Struct, frozen=True, tag="retract", tag_field="type"):
    """The text since the last output is not the answer: remove it."""

    type: ClassVar[Literal["retract"]] = "retract"


class ReasoningPiece(msgspec.Struct, frozen=True, tag="reasoning", tag_field="type"):
    """The next piece of what the model wrote for itself: never part of the answer."""

    text: str
    type: ClassVar[Literal["reasoning"]] = "reasoning"


class CallStarted(msgspec.Struct, frozen=True, kw_only=True, tag="call", tag_field="type"):
    """A call begins: checked, and approved where that is needed; `path`: the names of the agents down to its own."""

    type: ClassVar[Literal["call"]] = "call"
    call_id: str
    tool: str
    params: dict[str, Any]
    path: tuple[str, ...] | UnsetType = UNSET


class CallProgress(msgspec.Struct, frozen=True, kw_only=True, tag="progress", tag_field="type"):
    """A call that runs tells how far it is (`done` of `total`), or a line of its log, which has a `level`.

    `left_out`: how many such events came before it too fast. `path` as in CallStarted.
    """

    type: ClassVar[Literal["progress"]] = "progress"
    call_id: str
    tool: str
    text: str = ""
    done: float | None = None
    total: float | None = None
    level: str | None = None
    left_out: int = 0
    path: tuple[str, ...] | UnsetType = UNSET


class CallReturned(msgspec.Struct, frozen=True, kw_only=True, tag="result", tag_field="type"):
    """A call came back: with its output, or with an error; `path` as in CallStarted."""

    type: ClassVar[Literal["result"]] = "result"
    call_id: str
    tool: str
    ok: bool
    output: Any = None
    error: str | None = None
    path: tuple[str, ...] | UnsetType = UNSET


class ApprovalAsked(msgspec.Struct, frozen=True, kw_only=True, tag="approval", tag_field="type"):
    """These calls wait for a person."""

    type: ClassVar[Literal["approval"]] = "approval"
    calls: tuple[ApprovalCall, ...]


class RunEnded(msgspec.Struct, frozen=True, kw_only=True, tag="done", tag_field="type"):
    """The exchange is over: done with an answer, failed with a code and a message, or waiting for approvals.

    `acts`: at an end, the calls that may have changed something; None where no tool may act.
    """

    type: ClassVar[Literal["done"]] = "done"
    status: Status
    answer: str | None = None
    code: str | None = None
    message: str | None = None
    acts: tuple[Act, ...] | None = None


AgentEvent = (
    TextPiece | TextRetracted | ReasoningPiece | CallStarted | CallProgress | CallReturned | ApprovalAsked | RunEnded
)
