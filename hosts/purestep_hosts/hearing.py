"""One model output while it comes: shown as far as the core says, and ended once more of it would change nothing.

A model that ends by itself is left to, because its finish reason and the count of its tokens come behind its text.
One that goes on where the core has said stop is ended, and what it said up to there is its output: the same text on
every host, however it came in pieces.
"""

from __future__ import annotations

from typing import Any, Protocol

from purestep import Stream, StreamEvent, StreamRetract, StreamStop, StreamText, close_stream, feed
from purestep_hosts.models.reply import well_formed


class Reader(Protocol):
    """Told what may be shown of an output."""

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it."""

    def on_retract(self) -> None:
        """All text of this output so far was reasoning; take it back."""


class Hearing:
    """One output being heard."""

    def __init__(self, stream: Stream, reader: Reader) -> None:
        """Hear an output through `stream`, the filter of the run that waits for it."""
        self._stream = stream
        self._reader = reader
        self._pieces: list[str] = []
        self._chars = 0
        self._end: int | None = None

    def on_text(self, text: str) -> bool:
        """Take the next piece; true where the model goes on behind what matters, and is to be ended."""
        self._pieces.append(text)
        self._chars += len(text)
        if self._end is None:
            self._stream, events = feed(self._stream, text)
            self._tell(events)
        return self._goes_on

    def output(self, observation: dict[str, Any], model: str) -> dict[str, Any]:
        """Return what the run is told: the model's own observation, or the text up to the stop.

        The text counts also where the connection broke behind it: nothing was missing. `model` is who said it.
        """
        if self._end is None:
            self._tell(close_stream(self._stream))
        if self._end is None or (not self._goes_on and observation["type"] == "model_output"):
            return observation
        text = well_formed("".join(self._pieces)[: self._end])
        return {"type": "model_output", "content": text, "finish_reason": "stop", "model": model}

    @property
    def _goes_on(self) -> bool:
        return self._end is not None and self._chars > self._end

    def _tell(self, events: tuple[StreamEvent, ...]) -> None:
        for event in events:
            match event:
                case StreamText():
                    self._reader.on_text(event.text)
                case StreamRetract():
                    self._reader.on_retract()
                case StreamStop():
                    self._end = event.at
                    return  # what else came with this piece stands behind the end
