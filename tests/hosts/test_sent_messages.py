"""What a model is sent: nothing that another one's provider gave, and roles that alternate where they must."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts.effects import model_request

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "sent_messages.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_messages_are_sent_as_the_model_takes_them(case: dict[str, Any]) -> None:
    """JavaScript sends the same (`tests/web/test_sent_messages.py`)."""
    decision = msgspec.convert(case["decision"], purestep.CallModel)
    transcript = msgspec.convert(case["transcript"], list[purestep.Message])
    assert case["sent"] == model_request(decision, transcript).messages
