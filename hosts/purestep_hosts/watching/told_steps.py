"""A watcher of a loop that also tells each step to what watches runs."""

from __future__ import annotations

import purestep
from purestep_hosts.async_loop import AsyncWatcher
from purestep_hosts.output_gate import ReasoningWatcher
from purestep_hosts.watching.watching import ExchangeWatch, Watching


class ToldSteps:
    """Passes everything on to a watcher, and the lines of each step, stored by then, to an exchange's watch."""

    def __init__(self, watcher: AsyncWatcher, exchange: ExchangeWatch) -> None:
        self._watcher = watcher
        self._exchange = exchange
        self.on_text = watcher.on_text
        self.on_retract = watcher.on_retract
        self.on_calls = watcher.on_calls
        self.on_result = watcher.on_result

    @property
    def wants_text(self) -> bool:
        """Whether text is shown while it comes."""
        return self._watcher.wants_text

    def on_reasoning(self, text: str) -> None:
        """More of the reasoning."""
        if isinstance(self._watcher, ReasoningWatcher):
            self._watcher.on_reasoning(text)

    def on_step(self, step: purestep.Step) -> None:
        """A step was made and its log is written."""
        self._exchange.step(step.log)
        self._watcher.on_step(step)


def told(watcher: AsyncWatcher, exchange: ExchangeWatch | None) -> AsyncWatcher:
    """Return a watcher that tells an exchange's watch as well, where there is one."""
    return watcher if exchange is None else ToldSteps(watcher, exchange)


def watched(watching: Watching | None, run_id: str, before: str) -> ExchangeWatch | None:
    """Return the watch of an exchange, None where nothing watches; before: the log that it goes on from."""
    return None if watching is None else watching.exchange(run_id, before)
