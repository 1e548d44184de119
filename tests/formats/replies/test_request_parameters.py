"""The parameters of a request that the log keeps: flat, bounded, and only what is a setting."""

import math
from typing import Any

import pytest

from purestep.bounds import MAX_REQUEST_PARAMETERS
from purestep_formats.bounds import MAX_PARAMETER_CHARS
from purestep_formats.replies.parameters import request_parameters


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ({"temperature": 0.5, "seed": 7, "logprobs": True}, {"temperature": 0.5, "seed": 7, "logprobs": True}),
        ({"stop": ["a", "b"]}, {"stop": ("a", "b")}),
        ({"stop": []}, {}),
        ({"stop": ["a", {"b": 1}]}, {}),
        ({"temperature": math.nan, "top_p": math.inf}, {}),
        ({"user": "x" * MAX_PARAMETER_CHARS}, {"user": "x" * MAX_PARAMETER_CHARS}),
        ({"user": "x" * (MAX_PARAMETER_CHARS + 1)}, {}),
        ({"x" * (MAX_PARAMETER_CHARS + 1): 1}, {}),
        ({"messages": [], "tools": [], "stream": True, "stream_options": {}}, {}),
        ({"logit_bias": {"5": 1}}, {}),
        ({"user": "half of \ud83d"}, {"user": "half of \ufffd"}),
    ],
)
def test_settings_are_kept(body: dict[str, Any], kept: dict[str, Any]) -> None:
    """What is no setting, no plain value or too large is left out."""
    assert kept == request_parameters(body)


@pytest.mark.parametrize(
    ("body", "constraint"),
    [
        ({"response_format": {"type": "json_schema", "json_schema": {}}}, "json_schema"),
        ({"response_format": {"type": "text"}}, None),
        ({"response_format": {"type": 7}}, None),
        ({"response_format": "json"}, None),
        ({"grammar": "root ::= x"}, "grammar"),
        ({"grammar": ""}, None),
        ({}, None),
    ],
)
def test_a_constraint_is_kept_by_its_kind(body: dict[str, Any], constraint: str | None) -> None:
    """A schema itself stands elsewhere in the log."""
    assert request_parameters(body).get("constraint") == constraint


def test_no_more_settings_are_kept_than_a_line_may_have() -> None:
    """A host may send what it likes; a line is bounded."""
    body = {f"setting_{number}": number for number in range(MAX_REQUEST_PARAMETERS + 5)}
    assert len(request_parameters(body)) == MAX_REQUEST_PARAMETERS
