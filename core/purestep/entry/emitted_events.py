"""The scanner's segments as stream events: each call and each character of reasoning once, and stop once."""

from collections.abc import Callable
from itertools import groupby
from typing import Final

from msgspec import Struct

from ..bounds import MAX_FORMATTED_CHARS
from ..errors import PurestepError
from ..json_text import BLANK
from ..scanner import BlockResult, Mark, Segment, kept
from ..values import ReadCall, StreamCall, StreamEvent, StreamReasoning, StreamRetract, StreamStop, StreamText, Tools


class Trimmed(Struct, frozen=True, omit_defaults=True):
    """Text that comes in pieces, without the white space at its beginning and its end.

    begun: text was given. blanks: the white space since, given once text follows it.
    """

    begun: bool = False
    blanks: tuple[str, ...] = ()

    def add(self, text: str) -> tuple["Trimmed", str]:
        """Return what follows, and what may be given of the text now."""
        words = text.rstrip(BLANK)
        if not words:
            return (Trimmed(begun=True, blanks=kept(self.blanks, text)) if self.begun else self), ""
        given = "".join((*self.blanks, words)) if self.begun else words.lstrip(BLANK)
        return Trimmed(begun=True, blanks=kept((), text[len(words) :])), given


NOT_BEGUN: Final = Trimmed()


class EmittedEvents:
    """The events of one chunk, and a summary of those emitted before it.

    Joined, they are what the whole text reads as: white space around the text and around each piece of reasoning is
    left out, and a line break stands between two pieces of reasoning.

    shown: text was emitted. calls: how many calls. stopped: stop was emitted. chars: the characters of the output so
    far. thought_chars: those taken of the reasoning that is open. formatted: what the dialect's formatter holds back.
    text, thought: how far the text and the reasoning that is open are. thoughts: reasoning was emitted before that.
    events: those of this chunk.
    """

    __slots__ = (
        "calls", "chars", "events", "formatted", "formatter", "shown", "stopped", "text", "thought", "thought_chars",
        "thoughts", "tools",
    )  # fmt: skip

    def __init__(
        self, tools: Tools | None, shown: bool, calls: int, stopped: bool, chars: int, thought_chars: int
    ) -> None:
        self.tools, self.shown, self.calls, self.stopped, self.chars = tools, shown, calls, stopped, chars
        self.thought_chars = thought_chars
        self.formatter: Callable[[str, str, bool], tuple[str, str]] | None = None
        self.formatted = ""
        self.text, self.thought, self.thoughts = NOT_BEGUN, NOT_BEGUN, False
        self.events: list[StreamEvent] = []

    def joined(self) -> tuple[StreamEvent, ...]:
        """Return the events; adjacent pieces of text, and of reasoning, are one, joined once."""
        found: list[StreamEvent] = []
        for kind, group in groupby(self.events, type):
            pieces = list(group)
            if kind is StreamText:
                pieces = [StreamText(text="".join([each.text for each in pieces if isinstance(each, StreamText)]))]
            elif kind is StreamReasoning:
                texts = [each.reasoning for each in pieces if isinstance(each, StreamReasoning)]
                pieces = [StreamReasoning(reasoning="".join(texts))]
            found += pieces
        return tuple(found)

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
                    self.thoughts = self.thoughts or self.shown
                    self.shown, self.calls, self.formatted, self.text = False, 0, "", NOT_BEGUN

    def show(self, text: str) -> None:
        """Emit text as the dialect's formatter has it, without white space that no text follows."""
        self.text, given = self.text.add(text)
        self.show_exactly(given)

    def show_exactly(self, text: str) -> None:
        """Emit text with its white space, as an object's member holds it."""
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
        if text:
            self.events.append(StreamText(text=text))

    def think(self, text: str) -> None:
        """Emit more of the reasoning that is open."""
        self.thought_chars += len(text)
        is_first = not self.thought.begun
        self.thought, given = self.thought.add(text)
        if given:
            between = "\n" if is_first and self.thoughts else ""
            self.events.append(StreamReasoning(reasoning=between + given))

    def _end_reasoning(self, block: BlockResult) -> None:
        """Emit what is left of the reasoning that a block is."""
        if block.reasoning is not None:
            self.think(block.reasoning[self.thought_chars :])
            self.thoughts = self.thoughts or self.thought.begun
            self.thought_chars, self.thought = 0, NOT_BEGUN

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
