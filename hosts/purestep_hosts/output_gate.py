"""One model reply while it is generated: passes chunks to the core, and what may be shown to a watcher."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from purestep import Cancel, ModelError, ModelOutput, StreamEvent, StreamReasoning, StreamRetract, StreamText
from purestep_formats import Reply, close_reply, feed_reply
from purestep_hosts.models.model import ModelEnd
from purestep_hosts.telling import Telling


class OutputWatcher(Protocol):
    """Receives the text of an output that may be shown."""

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it."""

    def on_retract(self) -> None:
        """All text of this output so far was reasoning; remove it."""


@runtime_checkable
class ReasoningWatcher(OutputWatcher, Protocol):
    """A watcher that shows reasoning too, apart from the text."""

    def on_reasoning(self, text: str) -> None:
        """More of the reasoning, which is no part of the answer."""


class WatcherUntil:
    """Passes an output on to a watcher until it is ended: a model that was left behind may go on writing."""

    def __init__(self, watcher: OutputWatcher, telling: Telling) -> None:
        self._watcher = watcher
        self._telling = telling
        self._has_ended = False
        self._lock = threading.Lock()

    def end(self) -> None:
        """Pass nothing on any more."""
        with self._lock:
            self._has_ended = True

    def on_text(self, text: str) -> None:
        """Text of the answer, as the model writes it."""
        with self._lock:
            if not self._has_ended:
                self._telling.tell(self._watcher.on_text, text)

    def on_retract(self) -> None:
        """All text of this output so far was reasoning; remove it."""
        with self._lock:
            if not self._has_ended:
                self._telling.tell(self._watcher.on_retract)

    def on_reasoning(self, text: str) -> None:
        """More of the reasoning, for a watcher that shows it."""
        with self._lock:
            if not self._has_ended and isinstance(self._watcher, ReasoningWatcher):
                self._telling.tell(self._watcher.on_reasoning, text)


class OutputGate:
    """The reply sink of a model adapter; passes to a watcher the text and the reasoning that the core emits."""

    def __init__(
        self, reply: Reply, watcher: OutputWatcher | None = None, clock: Callable[[], int] | None = None
    ) -> None:
        """Start with `reply` from `open_reply`; without a watcher nothing is shown, without a clock nothing timed."""
        self._reply = reply
        self._clock = clock
        self._watcher = watcher
        # Asked of a watcher only: to look for the methods of a protocol takes as long as a small step.
        self._thinker = watcher if watcher is not None and isinstance(watcher, ReasoningWatcher) else None
        self._shown: list[str] = []
        """The text of this output, which may prove to be reasoning."""
        self._is_stopped = False

    @property
    def is_watched(self) -> bool:
        """Whether the text is shown while it comes."""
        return self._watcher is not None

    def stop(self) -> None:
        """Have the model stop at its next chunk, of which nothing is kept."""
        self._is_stopped = True

    def chunk(self, chunk: str | bytes) -> bool:
        """Take one chunk of a chat completion as JSON text; returns true when generation should stop."""
        if self._is_stopped:
            return True
        return self._took(*feed_reply(self._reply, chunk, self._first_at()))

    def text(self, piece: str) -> bool:
        """Take the next piece of text, for a model that gives no chunks."""
        if self._is_stopped:
            return True
        return self._took(*feed_reply(self._reply, piece, self._first_at(), is_text=True))

    def _first_at(self) -> int | None:
        """Return the time, until the first token has come."""
        return self._clock() if self._clock is not None and self._reply.first_token_at is None else None

    def _took(self, reply: Reply, events: tuple[StreamEvent, ...]) -> bool:
        self._reply = reply
        self._notify(events)
        return reply.is_over

    def close(self, end: ModelEnd) -> ModelOutput | ModelError:
        """Show the text that was held back, and return the observation for the run."""
        observation, events = close_reply(self._reply, end)
        self._notify(events)
        return observation

    def cancel(self) -> Cancel:
        """Take no more of the reply, and return the observation that stops the run, with what is known of it so far."""
        self.stop()
        return close_reply(self._reply, Cancel(reason="interrupted"))[0]

    def _notify(self, events: tuple[StreamEvent, ...]) -> None:
        if self._watcher is None:
            return
        for event in events:
            match event:
                case StreamText():
                    self._shown.append(event.text)
                    self._watcher.on_text(event.text)
                case StreamReasoning():
                    self._think(event.reasoning)
                case StreamRetract():
                    self._watcher.on_retract()
                    self._think("".join(self._shown))
                    self._shown.clear()

    def _think(self, text: str) -> None:
        if text and self._thinker is not None:
            self._thinker.on_reasoning(text)
