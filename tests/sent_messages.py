"""The corpus of what a model is sent, which both languages are held to: a decision, a transcript, and the messages."""

import json
from pathlib import Path
from typing import Any

import msgspec

import purestep

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "sent_messages.json").read_text())


def given(case: dict[str, Any]) -> tuple[purestep.CallModel, list[purestep.Message]]:
    """Return the decision of a case and its transcript."""
    decision = msgspec.json.decode(json.dumps(case["decision"]), type=purestep.CallModel)
    return decision, msgspec.convert(case["transcript"], list[purestep.Message])
