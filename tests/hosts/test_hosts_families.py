"""Sampling settings as model families take them."""

from typing import Any

import pytest

from purestep_hosts.models.families import sampling_for

SETTINGS = {"temperature": 0, "max_tokens": 60, "top_k": 5, "seed": None}


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("gpt-5", {"max_completion_tokens": 60}),
        ("gpt-5.1-mini", {"max_completion_tokens": 60}),
        ("o3-mini", {"max_completion_tokens": 60}),
        ("openai/O4-mini", {"max_completion_tokens": 60}),
        ("gpt-4o", {"temperature": 0, "max_tokens": 60, "top_k": 5}),
        ("o1lama", {"temperature": 0, "max_tokens": 60, "top_k": 5}),
        ("", {"temperature": 0, "max_tokens": 60, "top_k": 5}),
    ],
)
def test_family_is_sent_what_it_takes(model: str, sent: dict[str, Any]) -> None:
    """A refused setting is left out, another name is used; unknown models are sent everything that has a value."""
    assert sent == sampling_for(model, SETTINGS)
