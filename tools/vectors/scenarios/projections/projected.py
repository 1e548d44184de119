"""Which logs are projected, and what is fed to projections that are open."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tools.vectors.record import Vector, called, compact, lines
from tools.vectors.runs import played

FORMS: Final = ("ag-ui", "ai-sdk", "ai-sdk-messages", "otel", "openai")

PROJECTED: Final = (
    "answered",
    "second-exchange",
    "one-call",
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


def files() -> dict[str, str]:
    """Return the file of each form."""
    return {f"{form}.jsonl": lines(_vectors(form)) for form in FORMS}


def _vectors(form: str) -> Iterator[Vector]:
    """Project logs of the scenarios, whole and in parts, with text that is shown before the log has it."""
    for name in PROJECTED:
        yield called(f"{name}/{form}", "project_log", compact({"form": form, "log": played(name).log}))
    if form in FORMS[:2]:
        for name, (run, texts) in STREAMED.items():
            yield from _streamed(f"{name}/{form}", form, played(run).log.splitlines(keepends=True), texts)


def vectors() -> Iterator[Vector]:
    """Feed projections what they refuse."""
    answered = played("answered").log
    torn, changed = answered[:-20], answered.replace('"content":"', '"content":"x', 1)
    wrong = {**WRONG, "changed-line": {"form": "otel", "log": changed}, "torn-line": {"form": "otel", "log": torn}}
    for name, given in wrong.items():
        yield called(name, "project_log", compact(given))


def _streamed(name: str, form: str, parts: list[str], texts: list[dict[str, Any]]) -> Iterator[Vector]:
    vector = called(f"{name}/open", "project_log", compact({"form": form}))
    yield vector
    fed: tuple[dict[str, Any], ...] = ({"log": "".join(parts[:2])}, {"stream": texts}, {"log": "".join(parts[2:])}, {})
    for number, part in enumerate(fed, 1):
        given = {"projection": json.loads(vector.output)["projection"], **part}
        vector = called(f"{name}/{number}", "project_log", compact(given))
        yield vector
