"""What a model is sent: nothing that another one's provider gave, and roles that alternate where they must."""

from typing import Any

import pytest

from purestep.values import prompt_messages, sent_message
from tests.sent_messages import CASES, given


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_messages_are_sent_as_the_model_takes_them(case: dict[str, Any]) -> None:
    """JavaScript sends the same (`tests/web/test_sent_messages.py`)."""
    assert case["sent"] == [sent_message(message) for message in prompt_messages(*given(case))]
