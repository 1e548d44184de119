"""What a run has spent, counted from its log: the same for the last line of `run`, for `--json`, and for `summary`."""

from __future__ import annotations

from collections import Counter

import purestep
from purestep import events
from purestep_hosts.costs import CostCount, ExchangeBegins
from purestep_hosts.show.rows import is_made_without_model
from purestep_hosts.show.sanitize import one_line


class Counts:
    """The counts of the events that were added."""

    def __init__(self, before: Counts | None = None) -> None:
        """Begin at nothing. before: of the same log."""
        self.cost: CostCount = CostCount(None if before is None else before.cost)
        self.turns = 0
        self.model_errors = 0
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.cached_tokens = 0
        """Of the prompt tokens."""
        self.reasoning_tokens = 0
        """Of the completion tokens."""
        self.calls: Counter[str] = Counter()
        """Of calls that came back, by tool or skill; a call that a person refused did not run."""
        self.decided: Counter[str] = Counter()
        """Of moves that were made without asking the model, by reason."""

    @property
    def model_calls(self) -> int:
        """How often a model was asked."""
        return self.turns + self.model_errors

    def add(self, event: events.Event) -> None:
        """Count an event, of a log of any format."""
        self.cost.add(event)
        match event:
            case events.ModelResponse():
                self.turns += 1
                self._add_usage(event.usage)
            case events.ModelErrorEvent():
                self.model_errors += 1
            case events.ToolResultEvent():
                self._add_usage(event.usage)
                if event.asks is None:
                    self.calls[event.tool_name] += 1
            case events.SkillEnded():
                self.calls[event.skill] += 1
            case events.ChildLine():
                below = events.event_below(event)
                if not isinstance(below, events.RunStarted):  # whose prices are not those of the whole run
                    self.add(below)
            case events.ChildEnded():
                self.calls[event.agent] += 1
            case events.Decided() if is_made_without_model(event):
                self.decided[event.reason] += 1

    def _add_usage(self, usage: purestep.Usage | None) -> None:
        if usage is not None:
            self.prompt_tokens += usage.prompt_tokens or 0
            self.completion_tokens += usage.completion_tokens or 0
            self.cached_tokens += usage.cached_tokens or 0
            self.reasoning_tokens += usage.reasoning_tokens or 0

    def __str__(self) -> str:
        return self.text()

    def text(self, *, is_local: bool = False) -> str:
        """Return the counts in words. is_local: of a model on this machine, which needs no price."""
        parts = [_several(self.turns, "turn"), _several(self.calls.total(), "call")]
        if self.prompt_tokens or self.completion_tokens:
            cached = f" ({self.cached_tokens:,} cached)" if self.cached_tokens else ""
            reasoning = f" ({self.reasoning_tokens:,} of reasoning)" if self.reasoning_tokens else ""
            parts.append(f"{self.prompt_tokens:,} tokens in{cached}, {self.completion_tokens:,} out{reasoning}")
        if (cost := str(self.cost)) and (self.cost.is_priced or not is_local):
            parts.append(one_line(cost))
        if self.decided:
            parts.append(f"model calls: {self.model_calls}, decided without the model: {self.decided.total()}")
        return ", ".join(parts)


class ExchangeCounts:
    """The counts since the last message of the user, also of an exchange that an earlier process began."""

    def __init__(self) -> None:
        self.now = Counts()
        self._begins = ExchangeBegins()

    def add(self, event: events.Event) -> None:
        """Count an event."""
        if self._begins.at(event):
            self.now = Counts(self.now)
        self.now.add(event)


def _several(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
