"""What a run has spent, counted from its log: the same for the last line of `run`, for `--json`, and for `summary`."""

from __future__ import annotations

from collections import Counter

from purestep import events
from purestep_hosts.show.rows import is_made_without_model


class Counts:
    """The counts of the events that were added."""

    def __init__(self) -> None:
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
        match event:
            case events.ModelResponse():
                self.turns += 1
                if event.usage is not None:
                    self.prompt_tokens += event.usage.prompt_tokens or 0
                    self.completion_tokens += event.usage.completion_tokens or 0
                    self.cached_tokens += event.usage.cached_tokens or 0
                    self.reasoning_tokens += event.usage.reasoning_tokens or 0
            case events.ModelErrorEvent():
                self.model_errors += 1
            case events.ToolResultEvent():
                self.calls[event.tool_name] += 1
            case events.SkillEnded():
                self.calls[event.skill] += 1
            case events.Decided() if is_made_without_model(event):
                self.decided[event.reason] += 1

    def __str__(self) -> str:
        parts = [_several(self.turns, "turn"), _several(self.calls.total(), "call")]
        if self.prompt_tokens or self.completion_tokens:
            cached = f" ({self.cached_tokens:,} cached)" if self.cached_tokens else ""
            reasoning = f" ({self.reasoning_tokens:,} of reasoning)" if self.reasoning_tokens else ""
            parts.append(f"{self.prompt_tokens:,} tokens in{cached}, {self.completion_tokens:,} out{reasoning}")
        if self.decided:
            parts.append(f"model calls: {self.model_calls}, decided without the model: {self.decided.total()}")
        return ", ".join(parts)


class ExchangeCounts:
    """The counts since the last message of the user, also of an exchange that an earlier process began."""

    def __init__(self) -> None:
        self.now = Counts()
        self._is_open = False

    def add(self, event: events.Event) -> None:
        """Count an event; a user's message begins an exchange, unless it came in the middle of one."""
        steers = isinstance(event, events.Decided) and event.reason == "steered"
        if (isinstance(event, events.UserMessageEvent) or steers) and not self._is_open:
            self.now, self._is_open = Counts(), True
        elif isinstance(event, events.FinalAnswer | events.RunFailed):
            self._is_open = False
        self.now.add(event)


def _several(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
