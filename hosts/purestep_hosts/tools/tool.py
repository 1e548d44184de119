"""A tool: its spec, which the model sees, and its function.

A tool's function takes the model's arguments and a `RunningCall`, nothing else. Paths, keys and allow-lists are
bound into the function when it is created, so no argument can change them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

import msgspec

from purestep import AskedForm, Example, FormAnswer
from purestep_hosts.tools.call_note import CallNote, NoteLimit, TakeNote
from purestep_hosts.tools.lent_model import LentModel
from purestep_hosts.tools.limits import TOOL_TIME_LIMIT_MS

ErrorKind = Literal["invalid_arguments", "execution", "io", "interrupted"]
"""`interrupted`: nobody knows whether the tool had its effect, or what came of it."""


class ToolFailure(Exception):
    """A tool could not do what was asked; the message goes to the model and says what to change."""

    def __init__(self, message: str, kind: ErrorKind = "execution") -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


class ToolAsks(Exception):
    """A tool asks a person in the middle of its call, which goes on once there is an answer (`RunningCall.answer`)."""

    def __init__(self, form: AskedForm) -> None:
        super().__init__(form.message)
        self.form = form


class RunningCall:
    """A tool call while it runs: its idempotency key, its time limit, and the answer to what it has asked."""

    def __init__(
        self,
        key: str,
        time_limit_s: float,
        answer: FormAnswer | None = None,
        note: TakeNote | None = None,
        model: LentModel | None = None,
    ) -> None:
        """Begin the time limit.

        note: is given what the call tells, bounded; None drops it. model: that of its run, where it may be asked.
        """
        self.key = key
        self.answer = answer
        self.model = model
        self._deadline = time.monotonic() + time_limit_s
        self._stopped = threading.Event()
        self._settled = threading.Event()
        self._cuts: list[Callable[[], None]] = []
        self._notes = NoteLimit(note)
        self.is_interrupted = False

    def tell(self, text: str = "", *, done: float | None = None, total: float | None = None) -> None:
        """Tell whoever watches the run how far the call is, from any thread; the model does not read it."""
        self.note(CallNote(text=text, done=done, total=total))

    def note(self, note: CallNote) -> None:
        """Tell a note, unless the call has ended or too many came."""
        if not self._settled.is_set():
            self._notes.tell(note)

    def remaining_s(self) -> float:
        """Return the seconds left; 0 after the time limit or a stop."""
        return 0.0 if self._stopped.is_set() else max(0.0, self._deadline - time.monotonic())

    def stop(self) -> None:
        """Ask the tool to stop at once."""
        self._stopped.set()
        self._settled.set()
        for cut in tuple(self._cuts):
            cut()

    def interrupt(self) -> None:
        """Stop the tool since the host stops: what it says from now on of a failure is not what it came to."""
        self.is_interrupted = True
        self.stop()

    @contextmanager
    def cut_by(self, cut: Callable[[], None]) -> Iterator[None]:
        """Have a stop call `cut`, which ends what the block waits for; it may be called from any thread."""
        self._cuts.append(cut)
        try:
            if self._stopped.is_set():
                cut()
            yield
        finally:
            self._cuts.remove(cut)

    def finish(self) -> None:
        """Say that the tool has ended."""
        self._settled.set()

    def wait(self) -> None:
        """Return when the tool has ended, was stopped or has no time left."""
        self._settled.wait(self.remaining_s())

    def check(self) -> None:
        """Raise ToolFailure when no time is left."""
        if not self.remaining_s():
            raise ToolFailure("the time limit was reached; it may have run", "interrupted")


ToolFunction = Callable[[dict[str, Any], RunningCall], Any]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool: name, description and schema for the model, annotations and limits for the core, and the function.

    `parameters` is a JSON Schema with root type object. `annotations` are MCP's hints; `labels` are those of its
    results, such as `open` for text that anybody may have written, and `checks` what a result must be, as in a
    definition. `approval`: None leaves it to the definition's rules. `time_limit_s` is in seconds. `max_output_chars`
    is how much of an output the core shows the model, in characters of text (or of JSON, for other results); the
    function returns its whole output. `always`: it is offered also where most tools are found.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: ToolFunction
    annotations: dict[str, bool] = {}
    labels: tuple[str, ...] = ()
    approval: Literal["auto", "ask", "deny"] | None = "auto"
    examples: tuple[Example, ...] = ()
    output_schema: dict[str, Any] | None = None
    checks: tuple[str | dict[str, Any], ...] = ()
    time_limit_s: float = TOOL_TIME_LIMIT_MS / 1000
    max_output_chars: int = 4000
    always: bool = False

    def spec(self) -> dict[str, Any]:
        """Return the tool's entry for an agent definition."""
        spec: dict[str, Any] = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "annotations": self.annotations,
            "approval": self.approval,
            "max_output_chars": self.max_output_chars,
            "examples": [msgspec.to_builtins(example) for example in self.examples],
        }
        if self.approval is None:
            del spec["approval"]
        if self.labels:
            spec["labels"] = list(self.labels)
        if self.always:
            spec["always"] = True
        if self.checks:
            spec["checks"] = list(self.checks)
        return spec if self.output_schema is None else {**spec, "output_schema": self.output_schema}


def parameters(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these properties, all required."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def text(description: str) -> dict[str, Any]:
    """Return the schema of a text argument."""
    return {"type": "string", "description": description}


def hints(
    *, read_only: bool = False, destructive: bool = False, idempotent: bool = False, open_world: bool = False
) -> dict[str, bool]:
    """Return MCP's four annotations, all of them, since MCP's defaults differ from these."""
    return {
        "readOnlyHint": read_only,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }


READ_ONLY = hints(read_only=True, idempotent=True)

OPEN = ("open",)
"""The label of results that anybody may have written, also where they do not come from the open world."""
