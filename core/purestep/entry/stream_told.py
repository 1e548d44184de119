"""What a streaming filter tells: the scanner's segments as events, each call once, and stop once."""

from ..scanner import BlockResult, Mark, Segment
from ..values import ReadCall, StreamCall, StreamEvent, StreamRetract, StreamStop, StreamText, Tools


class ToldEvents:
    """The events of one chunk, and what was told before it.

    shown: text was shown. calls: how many calls came. stopped: stop was said. chars: the characters of the output so
    far. events: what happened in this chunk.
    """

    __slots__ = ("calls", "chars", "events", "shown", "stopped", "tools")

    def __init__(self, tools: Tools | None, shown: bool, calls: int, stopped: bool, chars: int) -> None:
        self.tools, self.shown, self.calls, self.stopped, self.chars = tools, shown, calls, stopped, chars
        self.events: list[StreamEvent] = []

    def add(self, segments: list[Segment]) -> None:
        """Tell the segments of a scan."""
        for segment in segments:
            match segment:
                case str():
                    self.show(segment)
                case BlockResult():
                    self.add_calls(segment.calls)
                    self.show(segment.content or "")
                case Mark("stop", chars_after):
                    self._stop(self.chars - chars_after)
                case Mark("retract"):
                    self.events.append(StreamRetract())
                    self.shown, self.calls = False, 0

    def show(self, text: str) -> None:
        """Show text; one event holds all that comes at once."""
        if not text:
            return
        self.shown = True
        if self.events and isinstance(self.events[-1], StreamText):
            self.events[-1] = StreamText(text=self.events[-1].text + text)
        else:
            self.events.append(StreamText(text=text))

    def add_calls(self, calls: tuple[ReadCall, ...]) -> None:
        """Tell the calls of tools that there are."""
        for call in calls:
            self.calls += 1
            if self.tools is None or call.tool in self.tools:
                self.events.append(StreamCall(tool=call.tool, params=call.params))

    def _stop(self, at: int) -> None:
        if not self.stopped:
            self.stopped = True
            self.events.append(StreamStop(at=at))
