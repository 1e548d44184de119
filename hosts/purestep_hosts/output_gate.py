"""One model reply while it comes: handed to the core in chunks, and shown as far as the core says."""

from __future__ import annotations

import json
from typing import Protocol

import purestep
from purestep import ModelError, ModelOutput, Reply, StreamEvent, StreamRetract, StreamText
from purestep_hosts.models.port import ModelEnd


class Reader(Protocol):
    """Told what may be shown of an output."""

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it."""

    def on_retract(self) -> None:
        """All text of this output so far was reasoning; take it back."""


class OutputGate:
    """Lets through to a reader what the core lets through; the sink that a model port writes its reply to."""

    def __init__(self, reply: Reply, reader: Reader | None = None) -> None:
        """Begin with `reply`, which `open_reply` gave; without a reader nothing is shown."""
        self._reply = reply
        self._reader = reader

    def chunk(self, chunk: str | bytes) -> bool:
        """Take one chunk of a chat completion as JSON text; true where the reply is over and is to be ended."""
        self._reply, events = purestep.feed_reply(self._reply, chunk)
        self._tell(events)
        return self._reply.is_over

    def text(self, piece: str) -> bool:
        """Take the next piece of text of a model that gives no chunks."""
        return self.chunk(json.dumps({"choices": [{"delta": {"content": piece}}]}))

    def close(self, end: ModelEnd) -> ModelOutput | ModelError:
        """Show what was held back; gives what the run is told of the reply."""
        observation, events = purestep.close_reply(self._reply, end)
        self._tell(events)
        return observation

    def _tell(self, events: tuple[StreamEvent, ...]) -> None:
        if self._reader is None:
            return
        for event in events:
            match event:
                case StreamText():
                    self._reader.on_text(event.text)
                case StreamRetract():
                    self._reader.on_retract()
