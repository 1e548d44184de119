"""Which logs are folded into rates, in parts and into one profile, and what is refused."""

import json
from collections.abc import Iterator
from typing import Any, Final

from tools.vectors.record import Vector, called, compact
from tools.vectors.runs import played

FOLDED: Final = (
    "answered",
    "second-exchange",
    "negotiated-dialect",
    "negotiated-models",
    "negotiated-native",
    "escalation",
    "turn-limit",
    "cancelled",
    "model-errors",
    "refused",
    "skill-and-tools",
    "summary",
    "steered-answer",
    "changed",
    "attached",
    "recorded",
    "check-answer",
)
"""Runs of the scenarios: each way in which an exchange ends, and in which a model or its way changes."""

WRONG: Final[dict[str, dict[str, Any]]] = {
    "nothing": {},
    "log-and-profile": {"log": "", "profile": {}},
    "not-the-beginning": {"log": '{"seq":0,"kind":"user_message","content":"q"}\n'},
    "no-event": {"log": '{"kind":"nonsense"}\n'},
    "changed-fold": {"fold": {"seq": "1"}, "log": ""},
    "more-answers-than-runs": {
        "fold": {},
        "profile": {
            "rows": [
                {
                    "model": "m",
                    "dialect": "envelope",
                    "constraint": "none",
                    "kind": {"tools": "0", "arguments": "none", "attachments": False, "length": "0-200"},
                    "runs": 1,
                    "succeeded": 2,
                }
            ]
        },
    },
}
"""Inputs that are refused."""


def vectors() -> Iterator[Vector]:
    """Fold logs in two parts each, all into one profile, and then what is refused."""
    profile: Any = None
    ended: dict[str, Any] = {}
    for name in FOLDED:
        lines = played(name).log.splitlines(keepends=True)
        half = len(lines) // 2
        first = called(f"rates/{name}/1", "fold_rates", compact({"log": "".join(lines[:half])}))
        yield first
        given = {"fold": json.loads(first.output)["fold"], "log": "".join(lines[half:])}
        second = called(f"rates/{name}/2", "fold_rates", compact(given))
        yield second
        ended = {"fold": json.loads(second.output)["fold"]} | ({} if profile is None else {"profile": profile})
        last = called(f"rates/{name}/end", "fold_rates", compact(ended))
        yield last
        profile = json.loads(last.output)["profile"]
    yield called("rates/wrong-answer", "fold_rates", compact({**ended, "right": False}))
    log = played("answered").log
    for name, given in {**WRONG, "torn-line": {"log": log[:-20]}}.items():
        yield called(f"rates/{name}", "fold_rates", compact(given))
