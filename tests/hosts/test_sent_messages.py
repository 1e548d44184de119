"""What a host sends to a model: what the core says, with the role of the system text that its server takes."""

from typing import Any

import pytest

from purestep_hosts.effects import model_request
from tests.sent_messages import CASES, given


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_messages_are_sent_as_the_model_takes_them(case: dict[str, Any]) -> None:
    """JavaScript sends the same (`tests/web/test_sent_messages.py`)."""
    assert case["sent"] == model_request(*given(case)).messages
