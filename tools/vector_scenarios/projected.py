"""Which logs are projected, and what is fed to projections that are open."""

from typing import Any, Final

FORMS: Final = ("ag-ui", "ai-sdk", "ai-sdk-messages", "otel", "openai")

PROJECTED: Final = (
    "answered",
    "second-exchange",
    "carried",
    "native-extra",
    "summary",
    "coerced-approval",
    "refused",
    "parallel-after-approval",
    "interrupted",
    "guardrail",
    "answer-form",
    "check-accepts",
    "check-rejects",
    "check-cancelled",
    "check-answer",
    "citations",
    "skill-and-tools",
    "skill-cancelled",
    "cancelled",
    "model-errors",
    "server-asks-to-wait",
    "escalation",
    "turn-limit",
    "steered",
    "steered-answer",
    "steered-failure",
    "changed",
    "changed-amid-results",
    "referred",
    "recorded",
    "recorded-stops",
    "reasoning",
    "reasoning-beside",
    "reasoning-rejected",
    "attached",
    "attached-amid-calls",
)
"""Runs of the scenarios: each kind of line, and each way that a run ends, is in one of them."""

STREAMED: Final[dict[str, tuple[str, list[dict[str, Any]]]]] = {
    "answer": ("answered", [{"type": "text", "text": "17 plus 25"}, {"type": "stop", "at": 40}]),
    "retracted": ("answered", [{"type": "text", "text": "Hm"}, {"type": "retract"}, {"type": "text", "text": "17"}]),
    "broken-off": ("model-errors", [{"type": "text", "text": "It is"}]),
    "reasoning": (
        "reasoning",
        [{"type": "reasoning", "reasoning": "First"}, {"type": "reasoning", "reasoning": " I add."}],
    ),
    "other-reasoning": (
        "reasoning-beside",
        [{"type": "reasoning", "reasoning": "Add!"}, {"type": "text", "text": "5"}],
    ),
    "corrected": ("planning", [{"type": "text", "text": "It is 42."}]),
}
"""A run, and what a filter gave before the line of its first output."""

WRONG: Final[dict[str, dict[str, Any]]] = {
    "no-form": {"log": ""},
    "unknown-form": {"form": "a2a", "log": ""},
    "form-and-stream": {"form": "otel", "stream": []},
    "not-the-beginning": {"form": "otel", "log": '{"seq":0,"kind":"user_message","content":"q"}\n'},
    "no-event": {"form": "otel", "log": '{"kind":"nonsense"}\n'},
    "changed-projection": {"projection": {"walk": {"seq": "1"}, "fold": {"form": "otel"}}, "log": ""},
}
"""Inputs that are refused."""
