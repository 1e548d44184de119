"""Models that are asked first because of their rates, and what moves on from there."""

from typing import Any

from tools.vectors.observations import Scenario, call, final, said, user
from tools.vectors.specs import ADD

IMAGE = {"type": "image", "digest": "0" * 64, "media_type": "image/png", "bytes": 70}


def _row(model: str, runs: int, succeeded: int, attachments: bool = False, **kind: Any) -> dict[str, Any]:
    whole = {"tools": "1-3", "arguments": "flat", "attachments": attachments, "length": "0-200", **kind}
    way = {"dialect": "envelope", "constraint": "json_schema"}
    return {"model": model, **way, "kind": whole, "runs": runs, "succeeded": succeeded}


PROFILE = {
    "logs": 200,
    "exchanges": 200,
    "first_at": 1_000_000,
    "last_at": 2_000_000,
    "rows": [
        _row("small", 60, 59),
        _row("small", 40, 12, length="201-1000"),
        _row("small", 3, 3, attachments=True),
        _row("eyes", 40, 39, length="201-1000"),
        _row("eyes", 30, 30, attachments=True),
    ],
}
EYES = ["tools", "json_schema", "images"]
MODELS = [{"name": "small", "supports": ["json_schema"]}, {"name": "eyes", "supports": EYES}, {"name": "large"}]

AGENTS: dict[str, dict[str, Any] | None] = {
    "rated": {"tools": [ADD], "models": MODELS, "policies": [{"use": "rates", "profile": PROFILE, "least": 85}]},
    "rated-rules": {
        "tools": [ADD],
        "models": MODELS,
        "policies": [{"use": "rates", "profile": PROFILE, "least": 85}, {"use": "negotiation"}],
    },
}

STEPS: dict[str, Scenario] = {
    "rated-by-length": (
        "rated",
        [
            user("What is 17 plus 25?", at=1),
            said(final('"42"')),
            user("What is 17 plus 25? " * 20, at=2),
            said(final('"42"')),
            user("Is that \u00fc?", at=3),
        ],
    ),
    "rated-image": ("rated", [user([{"type": "text", "text": "Add what is on it."}, IMAGE]), said(final('"42"'))]),
    "rated-without-tools": ("rated", [user("Hello", tool_choice="none"), said(final('"Hello."'))]),
    "rated-then-negotiated": (
        "rated-rules",
        [
            user("What is 17 plus 25? " * 20),
            said(call("add_number", "{}")),
            said(call("add_number", "{}")),
            said(call("add_number", "{}")),
            said(final('"42"')),
        ],
    ),
}
