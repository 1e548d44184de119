"""One run read line by line: which calls are open, what waits for a verdict, what the exchange has used.

Every form is told the same few things: what a call's end was, once it is certain, whether the exchange was answered or
failed. An output that checks judge yet is held back, so no form shows what is rejected after it.
"""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import UNSET, Struct

from purestep.log import logged_reasoning
from purestep.values import (
    AttachedPart,
    Cancelled,
    Content,
    Message,
    ModelErrorEvent,
    ModelResponse,
    RequestParameters,
    ToolResultEvent,
    Usage,
)

DENIED: Final = "denied"
"""A person refused the call."""

REJECTED: Final = "rejected"
"""The tool gave an output, and a check rejected it."""

NO_RESULT: Final = "no_result"
"""The exchange ended before the call had a result, or before its output was judged."""


PartEvents = Mapping[str, tuple[tuple[str, dict[str, str]], ...]]
"""The events of a protocol by what happens to a step, a text or a piece of reasoning: the member that names the part,
"" for none, and the event, whose `delta` is what is added to the part."""


class OpenCall(Struct, gc=False):
    """A call without a settled result.

    `approval`: the key that an answer has to name, while the call waits for a person. `output`: what it gave, while
    checks judge that. `span`, `at`: the id and the time of the line from which on it could run. `ended_at`: when it
    ended, where its host has told that. `parts`: the images and files that it gave. `has_asked`: it
    waits for the answer to a form. `is_declined`: a person has refused to fill that in. `path`: the names of the agents
    down to the one that made it.
    """

    tool: str
    arguments: dict[str, Any]
    span: str
    at: int | None
    checks: str = ""
    path: tuple[str, ...] = ()
    is_skill: bool = False
    is_edited: bool = False
    has_asked: bool = False
    is_declined: bool = False
    approval: str = ""
    output: Any = UNSET
    ended_at: int | None = None
    parts: tuple[AttachedPart, ...] = ()

    @property
    def marks(self) -> dict[str, Any]:
        """Return what tells a call from those of the model of the run itself."""
        marks = {"checks": self.checks, "path": list(self.path)}
        return {name: value for name, value in marks.items() if value}


BrokenReply = ModelErrorEvent | Cancelled
"""A line of a reply that led to no output."""


class Result(Struct, frozen=True, kw_only=True, gc=False):
    """How a call ended: `output` and `parts` where its `fault` is "", else the fault's code and its text.

    `is_declined`: a person refused what the call asked for while it ran.
    """

    output: Any = None
    parts: tuple[AttachedPart, ...] = ()
    fault: str = ""
    text: str = ""
    is_declined: bool = False


class ModelUsage(Struct):
    """What one model used in an exchange, as far as its server said; a count that it never named is null."""

    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def add(self, usage: Usage) -> None:
        """Count one output in."""
        for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens"):
            more = getattr(usage, name)
            if more is not None:
                setattr(self, name, more + (getattr(self, name) or 0))


class Walk(Struct):
    """Where the reading of a log stands; bounded by what one exchange may hold, whatever the log's length.

    `head`: the chain's head after the latest line; `trace` that after the first, `exchange` that after the latest user
    message; `is_asking` until that is answered or has failed. `skill`: the id of the call that the core executes.
    `usage`: of the exchange, an entry for each model. `queued`: what the user said since the model was asked.
    `goes_on`: the call that goes on elsewhere by the latest line; `late`: the tools of those without which the model
    goes on, by their ids; `came`: their results until the model reads them.
    `dialect`: that of the definition, `negotiated` the one that the model is asked in since; `opening`: the models
    whose chat template opens the reasoning; `model`: the one that is asked. While an ending is told, `acts`: what may
    have been changed; `question`: whether it asks the user for something. `below`: the runs of agents, by the ids of
    their open calls; in each of these, `path`: the names down to it, `place`: the ids of those calls, with
    which its own ones begin, `parent`: the span of its call.
    """

    run_id: str = ""
    agent: str = ""
    models: tuple[str, ...] = ()
    head: str = ""
    trace: str = ""
    exchange: str = ""
    seq: int = 0
    line: int = 0
    at: int | None = None
    calls: dict[str, OpenCall] = {}
    skill: str = ""
    usage: list[ModelUsage] = []
    is_asking: bool = False
    queued: list[Content] = []
    goes_on: str = ""
    late: dict[str, str] = {}
    came: list[dict[str, Any]] = []
    dialect: str = "bare"
    negotiated: str = ""
    opening: tuple[str, ...] = ()
    model: str = ""
    acts: dict[str, Any] | None = None
    question: bool = False
    path: tuple[str, ...] = ()
    place: str = ""
    parent: str = ""
    below: dict[str, "Walk"] = {}

    @property
    def waiting(self) -> dict[str, OpenCall]:
        """Return the calls of the run itself that wait for a person."""
        return {call_id: call for call_id, call in self.calls.items() if call.approval}

    @property
    def all_waiting(self) -> dict[str, OpenCall]:
        """Return the calls that wait for a person here and below."""
        found = {self.place + call_id: call for call_id, call in self.waiting.items()}
        for walk in self.below.values():
            found |= walk.all_waiting
        return found

    def reasoning(self, event: ModelResponse) -> str:
        """Return the reasoning of an output; that of a skill is nobody's to read."""
        if self.skill:
            return ""
        opened = bool(self.opening) and (asked_model(event.request) or self.model) in self.opening
        return logged_reasoning(event, self.negotiated or self.dialect, None, opened=opened)

    def count(self, event: ModelResponse | BrokenReply | ToolResultEvent) -> None:
        """Add what an output, or the model that a tool had asked, used to the exchange's usage."""
        if event.usage is None:
            return
        match event:
            case ModelResponse():
                model = event.model or ""
            case ToolResultEvent():
                model = self.usage[-1].model if self.usage else self.model
            case _:
                model = asked_model(event.request)
        entry = next((each for each in self.usage if each.model == model), None)
        if entry is None:
            entry = ModelUsage(model=model)
            self.usage.append(entry)
        entry.add(event.usage)


# Written as text above, since the type was not there yet; no text runs as code in a step.
Walk.__annotations__["below"] = dict[str, Walk]


def asked_model(request: RequestParameters | None) -> str:
    """Return the name of the model that a request asked for; "" where nobody has told it."""
    model = request.get("model") if request else None
    return model if isinstance(model, str) else ""


class LogForm(Struct, tag_field="form"):
    """What a form makes of a run; each method appends to `out`. A form has those for what it shows."""

    def began(self, walk: Walk, instructions: str, history: list[Message], out: list[Any]) -> None:
        """The run began, with another program's messages where there are any."""

    def asked(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """The user said something."""

    def added(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """The user said something in the middle of the exchange, which the model is told with its next call."""

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """The model gave an output; what becomes of it is told next."""

    def broke_off(self, walk: Walk, event: BrokenReply, out: list[Any]) -> None:
        """The model gave no output: an error came, or the run was stopped while it answered."""

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """A call passed every check."""

    def held_back(self, walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
        """A call waits for a person."""

    def decided(self, walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
        """A person answered for a call, which still has its former arguments."""

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """A call has its result."""

    def rejected(self, walk: Walk, cause: str, out: list[Any]) -> None:
        """An output of the model was sent back."""

    def noted(self, walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
        """Something else happened that is worth telling."""

    def answered(self, walk: Walk, content: str, data: Any, out: list[Any]) -> None:
        """The exchange ended with this answer."""

    def failed(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        """The exchange ended without an answer."""

    def close(self, walk: Walk, out: list[Any]) -> None:
        """The log ends here; what is still held is given."""

    def inside(self, walk: Walk, call_id: str) -> "LogForm":
        """Return what is told of the run of an agent that a call has called; by default nothing is."""
        return LogForm()


class Inside(LogForm):
    """Has a form show the calls of agents beside those of the run that called them, and what else happens there.

    `walk`: that of the outermost run, for which counts what the agents use. What an agent answers is the result of its
    call.
    """

    outer: LogForm
    walk: Walk

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """Count what an agent used."""
        self.walk.count(event)

    def broke_off(self, walk: Walk, event: BrokenReply, out: list[Any]) -> None:
        """Count it, where it led to no output."""
        self.walk.count(event)

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """Show a call."""
        self.outer.called(self.walk, walk.place + call_id, call, out)

    def held_back(self, walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
        """Show that a call waits."""
        self.outer.held_back(self.walk, walk.place + call_id, call, reason, out)

    def decided(self, walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
        """Show what a person answered."""
        self.outer.decided(self.walk, walk.place + call_id, call, answer, out)

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """Show a result."""
        self.outer.ended(self.walk, walk.place + call_id, call, result, out)

    def noted(self, walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
        """Tell what else happened, with the agent's path."""
        self.outer.noted(self.walk, kind, {**value, "path": list(walk.path)}, out)

    def inside(self, walk: Walk, call_id: str) -> LogForm:
        """Show the calls of an agent's agents too."""
        return self
