"""Forms of a run as a user sees it: parts that are streamed, in steps, with a pause where a person is asked.

Both protocols have the same course, which is here; `ag_ui` and `ai_sdk` write it down. What is streamed before a log
line says what it was is shown at once: what turns out to be no answer is marked as retracted, and the answer follows.
"""

from collections.abc import Sequence
from typing import Any, Final, Literal, Protocol

from msgspec import field

from purestep.values import Content, Message, ModelResponse, StreamEvent, StreamReasoning, StreamRetract, StreamText

from . import ag_ui, ai_sdk
from .content_form import own_content
from .walk import Inside, LogForm, OpenCall, PartEvents, Result, Walk


class Writer(Protocol):
    """How a protocol writes the course of a run down; each function appends to `out`."""

    PARTS: PartEvents

    def send(self, walk: Walk, event: dict[str, Any], out: list[Any]) -> None:
        """An event is written."""

    def started(self, walk: Walk, segment: str, asked: Sequence[Message], out: list[Any]) -> None:
        """The exchange began, or goes on after a person was asked."""

    def interrupted(self, walk: Walk, segment: str, reasons: dict[str, str], out: list[Any]) -> None:
        """The exchange waits for a person."""

    def finished(self, walk: Walk, segment: str, data: Any, out: list[Any]) -> None:
        """The exchange has its answer."""

    def failed(self, walk: Walk, segment: str, code: str, message: str, out: list[Any]) -> None:
        """The exchange has none."""

    def text_ended(self, walk: Walk, text: str, retracted: bool, out: list[Any]) -> None:
        """A text is complete, or was none."""

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """A call was made."""

    def held_back(self, walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
        """A call waits for a person."""

    def decided(self, walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
        """A person answered for a call."""

    def ended(self, walk: Walk, call_id: str, result: Result, out: list[Any]) -> None:
        """A call has its result."""

    def noted(self, walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
        """Something else happened."""


_WRITERS: Final[dict[str, Writer]] = {"ag-ui": ag_ui, "ai-sdk": ai_sdk}


class StreamForm(LogForm, tag="stream"):
    """Where the stream of one run stands.

    `segment`: the id of the part of the exchange that is open; `text` that of the text, of which `shown` is out.
    `thought`: the id of the reasoning that is open; `thought_shown`: what was streamed of the reasoning before its
    output is in the log; `reasoning`: that of the latest output, until it is certain that it was not sent back.
    `reasons`: why calls wait for a person, since `asked_at`; `is_asking`: the pause is not written yet. `messages`:
    what the next part was asked with.
    """

    protocol: Literal["ag-ui", "ai-sdk"]
    segment: str = ""
    step: int = 0
    in_step: bool = False
    has_output: bool = False
    text: str = ""
    texts: int = 0
    shown: str = ""
    thought: str = ""
    thoughts: int = 0
    thought_shown: str = ""
    reasoning: str = ""
    reasons: dict[str, str] = field(default_factory=dict)
    is_asking: bool = False
    asked_at: int | None = None
    messages: list[Message] = field(default_factory=list)

    @property
    def _write(self) -> Writer:
        return _WRITERS[self.protocol]

    # --- what the log says --------------------------------------------------------------------------------

    def began(self, walk: Walk, instructions: str, history: list[Message], out: list[Any]) -> None:
        """Keep the messages that the run began with for its first part."""
        self.messages = history

    def asked(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Begin an exchange."""
        self._close_text(walk, out, retracted=True)
        self.step, self.texts, self.thoughts = 0, 0, 0
        self.messages = [*self.messages, Message(role="user", content=content)]
        self._open(walk, out)

    def added(self, walk: Walk, content: Content, out: list[Any]) -> None:
        """Tell what the user said in the middle of the exchange, whose stream goes on."""
        self.noted(walk, "user_message", {"content": own_content(content)}, out)

    def heard(self, walk: Walk, event: ModelResponse, out: list[Any]) -> None:
        """Begin a step, unless the output is that of the step at hand, or of a skill in it."""
        if not walk.skill:
            self._open_step(walk, out)
            self.has_output = True
            self._note_reasoning(walk, walk.reasoning(event), out)

    def called(self, walk: Walk, call_id: str, call: OpenCall, out: list[Any]) -> None:
        """Show a call; what was said before it stays, since it is no answer and no error."""
        if not call.checks:
            if self.reasoning:
                self._think(walk, out)
            if self.text:
                self._close_text(walk, out)
        if not self.segment:
            self._open(walk, out)
        _WRITERS[self.protocol].called(walk, call_id, call, out)

    def held_back(self, walk: Walk, call_id: str, call: OpenCall, reason: str, out: list[Any]) -> None:
        """Show that a call waits; the pause itself comes with what follows."""
        self._open(walk, out)
        self.reasons[call_id], self.is_asking, self.asked_at = reason, True, walk.at
        self._write.held_back(walk, call_id, call, reason, out)

    def decided(self, walk: Walk, call_id: str, call: OpenCall, answer: dict[str, Any], out: list[Any]) -> None:
        """Go on after the pause."""
        self._pause(walk, out)
        self._open(walk, out)
        self.reasons.pop(call_id, None)
        self._write.decided(walk, call_id, call, answer, out)

    def ended(self, walk: Walk, call_id: str, call: OpenCall, result: Result, out: list[Any]) -> None:
        """Show the result of a call."""
        if self.is_asking and (call.approval or walk.waiting):
            self._interrupt(walk, out)
        if not self.segment:
            self._open(walk, out)
        if self.reasons:
            self.reasons.pop(call_id, None)
        _WRITERS[self.protocol].ended(walk, call_id, result, out)

    def rejected(self, walk: Walk, cause: str, out: list[Any]) -> None:
        """Take back what was shown of an output that was sent back."""
        self.reasoning = ""
        self._close_text(walk, out, retracted=True)

    def noted(self, walk: Walk, kind: str, value: dict[str, Any], out: list[Any]) -> None:
        """Tell what else happened; of an output that broke off nothing stays."""
        if self.is_asking and walk.waiting:  # while an agent below asks, others may go on
            self._interrupt(walk, out)
        if kind == "model_error":
            self._close_thought(walk, out)
            self._close_text(walk, out, retracted=True)
            self.thought_shown = ""
        self._open(walk, out)
        self._write.noted(walk, kind, value, out)

    def answered(self, walk: Walk, content: str, data: Any, out: list[Any]) -> None:
        """Show the answer, or the rest of it where it was streamed, and end the exchange."""
        self._think(walk, out)
        if not content.startswith(self.shown):
            self._close_text(walk, out, retracted=True)
        self._open_text(walk, out)
        self._add(walk, content[len(self.shown) :], out)
        self._close_text(walk, out)
        self._close_step(walk, out)
        self._write.finished(walk, self.segment, data, out)
        self._reset()

    def failed(self, walk: Walk, code: str, message: str, out: list[Any]) -> None:
        """End the exchange without an answer."""
        self._open(walk, out)
        self._close_text(walk, out, retracted=True)
        self._close_step(walk, out)
        self._write.failed(walk, self.segment, code, message, out)
        self._reset()

    def inside(self, walk: Walk, call_id: str) -> LogForm:
        """Show the calls of an agent too."""
        return Inside(self, walk)

    # --- what the log does not hold -----------------------------------------------------------------------

    def streamed(self, walk: Walk, events: Sequence[StreamEvent], out: list[Any]) -> None:
        """Show what a filter gives while the output comes, before its line is there."""
        if self.has_output:
            self._close_text(walk, out, retracted=True)  # the output before led to no answer, and another one comes
        for event in events:
            if isinstance(event, StreamText) and event.text:
                if not self.text:
                    self._open_step(walk, out)
                self._open_text(walk, out)
                self._add(walk, event.text, out)
            elif isinstance(event, StreamReasoning) and event.reasoning:
                self._stream_thought(walk, event.reasoning, out)
            elif isinstance(event, StreamRetract):
                self._close_text(walk, out, retracted=True)

    def close(self, walk: Walk, out: list[Any]) -> None:
        """End the stream where a person is asked; one that is cut anywhere else stays open, as it is."""
        if self.segment and self.reasons:
            self._interrupt(walk, out)

    def _tell(self, walk: Walk, what: str, part: str, out: list[Any], delta: str = "") -> None:
        """Write down what happened to a part: to a step, a text or a piece of reasoning."""
        write = _WRITERS[self.protocol]
        for member, event in write.PARTS[what]:
            told = event.copy()
            if member:
                told[member] = part
            if delta:
                told["delta"] = delta
            write.send(walk, told, out)

    # --- what is open -------------------------------------------------------------------------------------

    def _open(self, walk: Walk, out: list[Any]) -> None:
        if not self.segment:
            self.segment = walk.head[:32]
            self._write.started(walk, self.segment, self.messages, out)
            self.messages = []

    def _open_step(self, walk: Walk, out: list[Any]) -> None:
        if not self.segment:
            self._open(walk, out)
        if self.has_output:
            self._close_step(walk, out)
        if not self.in_step:
            self.step, self.in_step = self.step + 1, True
            self._tell(walk, "step_started", f"step {self.step}", out)

    def _note_reasoning(self, walk: Walk, reasoning: str, out: list[Any]) -> None:
        """Keep what was not streamed of an output's reasoning; what was streamed otherwise is not said again."""
        shown, self.thought_shown = self.thought_shown, ""
        if self.thought:
            self._close_thought(walk, out)
        self.reasoning = reasoning[len(shown) :] if reasoning.startswith(shown) else ""

    def _stream_thought(self, walk: Walk, delta: str, out: list[Any]) -> None:
        if not self.thought:
            self._open_step(walk, out)
        self.thought_shown += delta
        self._add_thought(walk, delta, out)

    def _think(self, walk: Walk, out: list[Any]) -> None:
        """Show the reasoning of an output that led on."""
        if self.reasoning:
            self._open(walk, out)
            self._add_thought(walk, self.reasoning, out)
            self._close_thought(walk, out)
        self.reasoning = ""

    def _add_thought(self, walk: Walk, delta: str, out: list[Any]) -> None:
        if not self.thought:
            self.thoughts += 1
            self.thought = f"{walk.exchange[:16]}-r{self.thoughts}"
            self._tell(walk, "thought_started", self.thought, out)
        self._tell(walk, "thought_added", self.thought, out, delta)

    def _close_thought(self, walk: Walk, out: list[Any]) -> None:
        if self.thought:
            self._tell(walk, "thought_ended", self.thought, out)
        self.thought = ""

    def _close_step(self, walk: Walk, out: list[Any]) -> None:
        if self.thought:
            self._close_thought(walk, out)
        if self.in_step:
            self._tell(walk, "step_ended", f"step {self.step}", out)
        self.in_step = self.has_output = False

    def _open_text(self, walk: Walk, out: list[Any]) -> None:
        self._close_thought(walk, out)
        if not self.text:
            self._open(walk, out)  # an answer that the core gives itself belongs to the step at hand, or to none
            self.texts += 1
            self.text = f"{walk.exchange[:16]}-{self.texts}"
            self._tell(walk, "text_started", self.text, out)

    def _add(self, walk: Walk, delta: str, out: list[Any]) -> None:
        if delta:
            self.shown += delta
            self._tell(walk, "text_added", self.text, out, delta)

    def _close_text(self, walk: Walk, out: list[Any], *, retracted: bool = False) -> None:
        if self.text:
            self._write.text_ended(walk, self.text, retracted, out)
        self.text = self.shown = ""

    def _pause(self, walk: Walk, out: list[Any]) -> None:
        """End the part of the exchange that asks a person, once all its calls are known."""
        if self.is_asking:
            self._interrupt(walk, out)

    def _interrupt(self, walk: Walk, out: list[Any]) -> None:
        now, walk.at = walk.at, self.asked_at  # the same, whether the pause is written now or with the next line
        self._close_step(walk, out)
        self._write.interrupted(walk, self.segment, self.reasons, out)
        self.segment, self.is_asking, walk.at = "", False, now

    def _reset(self) -> None:
        self.segment, self.reasons, self.is_asking = "", {}, False
        self.reasoning = self.thought_shown = ""
