"""The scanner's segments as stream events: each call and each character of reasoning once, and stop once."""

from collections.abc import Callable

from ..bounds import MAX_FORMATTED_CHARS
from ..errors import PurestepError
from ..scanner import BlockResult, Mark, Segment
from ..values import ReadCall, StreamCall, StreamEvent, StreamReasoning, StreamRetract, StreamStop, StreamText, Tools


class EmittedEvents:
    """The events of one chunk, and a summary of those emitted before it.

    shown: text was emitted. calls: how many calls. stopped: stop was emitted. chars: the characters of the output so
    far. thought_chars: those emitted of the reasoning that is open. formatted: what the dialect's formatter holds back.
    events: those of this chunk.
    """

    __slots__ = ("calls", "chars", "events", "formatted", "formatter", "shown", "stopped", "thought_chars", "tools")

    def __init__(
        self, tools: Tools | None, shown: bool, calls: int, stopped: bool, chars: int, thought_chars: int
    ) -> None:
        self.tools, self.shown, self.calls, self.stopped, self.chars = tools, shown, calls, stopped, chars
        self.thought_chars = thought_chars
        self.formatter: Callable[[str, str, bool], tuple[str, str]] | None = None
        self.formatted = ""
        self.events: list[StreamEvent] = []

    def add(self, segments: list[Segment]) -> None:
        """Emit the segments of a scan."""
        for segment in segments:
            match segment:
                case str():
                    self.show(segment)
                case BlockResult():
                    self._end_reasoning(segment)
                    self.add_calls(segment.calls)
                    self.show(segment.content or "")
                case Mark("stop", chars_after):
                    self._stop(self.chars - chars_after)
                case Mark("retract"):
                    self.events.append(StreamRetract())
                    self.shown, self.calls, self.formatted = False, 0, ""

    def show(self, text: str) -> None:
        """Emit text as the dialect's formatter has it; adjacent pieces share one event."""
        if text:
            self.shown = True
            self._write(self._format(text, is_over=False) if self.formatter is not None else text)

    def end(self) -> None:
        """Emit what the dialect's formatter holds back, now that the output is over."""
        if self.formatter is not None:
            self._write(self._format("", is_over=True))

    def _format(self, text: str, *, is_over: bool) -> str:
        assert self.formatter is not None  # the callers have looked
        self.formatted, shown = self.formatter(self.formatted, text, is_over)
        if len(self.formatted) > MAX_FORMATTED_CHARS:
            said = f"the formatter holds back more than {MAX_FORMATTED_CHARS} characters; have it show some before"
            raise PurestepError("dialect_failed", said)
        return shown

    def _write(self, text: str) -> None:
        if not text:
            return
        if self.events and isinstance(self.events[-1], StreamText):
            self.events[-1] = StreamText(text=self.events[-1].text + text)
        else:
            self.events.append(StreamText(text=text))

    def think(self, text: str) -> None:
        """Emit more of the reasoning that is open; adjacent pieces share one event."""
        if not text:
            return
        self.thought_chars += len(text)
        last = self.events[-1] if self.events else None
        if isinstance(last, StreamReasoning):
            self.events[-1] = StreamReasoning(reasoning=last.reasoning + text)
        else:
            self.events.append(StreamReasoning(reasoning=text))

    def _end_reasoning(self, block: BlockResult) -> None:
        """Emit what is left of the reasoning that a block is."""
        if block.reasoning is not None:
            self.think(block.reasoning[self.thought_chars :])
            self.thought_chars = 0

    def add_calls(self, calls: tuple[ReadCall, ...]) -> None:
        """Emit the calls of known tools."""
        for call in calls:
            self.calls += 1
            if self.tools is None or call.tool in self.tools:
                self.events.append(StreamCall(tool=call.tool, params=call.params))

    def _stop(self, at: int) -> None:
        if not self.stopped:
            self.stopped = True
            self.events.append(StreamStop(at=at))
