"""A server's error names what of the request it does not take, each server in its own words."""

import json
from typing import Any

import pytest

from purestep_formats import ReplyEnd, read_fault

AUTO = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
RENAMED = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
SENT = ("messages", "model", "store", "prompt_cache_key", "include", "min_tokens", "logit_bias", "verbosity", "stream")
SAID: list[tuple[int, dict[str, Any], str | None]] = [
    # OpenAI
    (400, {"message": RENAMED, "param": "max_tokens", "code": "unsupported_parameter"}, "max_tokens"),
    (400, {"message": "Unsupported value: 'temperature' does not support 0", "param": "temperature"}, "temperature"),
    (400, {"message": "Invalid schema for function 'a'", "param": "tools[0].function.parameters"}, "tool_schemas"),
    (400, {"message": "Invalid schema for response_format 'answer'", "param": "response_format"}, "response_format"),
    (400, {"message": "Unknown parameter: 'messages[0].extra'.", "param": "messages[0].extra"}, "messages"),
    # others say it in words alone
    (400, {"message": RENAMED}, "max_tokens"),
    (400, {"message": "registry.ollama.ai/library/gemma:2b does not support tools"}, "tools"),
    (404, {"message": "No endpoints found that support tool use.", "code": 404}, "tools"),
    (400, {"message": AUTO}, "tool_choice"),
    (400, {"message": "This response_format type is unavailable now"}, "response_format"),
    (400, {"message": "'response_format.type' must be 'json_schema' or 'text'"}, "response_format"),
    (400, {"message": "This model does not support response format `json_schema`."}, "response_format"),
    (400, {"message": "logprobs is not supported with this model"}, "logprobs"),
    (422, {"message": "stream_options: Extra inputs are not permitted"}, "stream_options"),
    (501, {"message": "parallel tool calls: parallel_tool_calls is not implemented"}, "parallel_tool_calls"),
    (400, {"message": "Unsupported parameter: stop"}, "stop"),
    (400, {"message": "Unknown parameter: 'store'."}, "store"),
    (400, {"message": "Unrecognized request argument supplied: prompt_cache_key"}, "prompt_cache_key"),
    (422, {"message": "include: Extra inputs are not permitted"}, "include"),
    (422, {"message": "body.include: Extra inputs are not permitted"}, "include"),
    (400, {"message": 'json: unknown field "min_tokens"'}, "min_tokens"),
    (400, {"message": "unknown field `logit_bias`, expected one of `model`, `messages`"}, "logit_bias"),
    (400, {"message": "verbosity is not supported by this model"}, "verbosity"),
    (400, {"message": "Streaming is not supported for this model."}, "stream"),
    (400, {"message": "Invalid value for 'strict'"}, "strict"),
    (400, {"message": "`logit_bias` is not supported"}, "logit_bias"),
    # these name nothing that could be left out
    (400, {"message": "it is not supported here"}, None),
    (400, {"message": "The model `nobody` is not supported"}, None),
    (400, {"message": "Unknown parameter: 'best_of'."}, None),
    (400, {"message": "Please stop sending requests of this kind"}, None),
    (400, {"message": "The model `nobody` does not exist", "param": None}, None),
    (400, {"message": "maximum context length is 4096 tokens; you have tools"}, None),
    (401, {"message": "this key may not use tools"}, None),
    (500, {"message": "tools crashed"}, None),
    (429, {"message": "too many tools calls"}, None),
]


@pytest.mark.parametrize(("status", "error", "member"), SAID)
def test_refused_member_is_read_from_the_error(status: int, error: dict[str, Any], member: str | None) -> None:
    """By `param` where it is there, else by the words."""
    end = ReplyEnd(kind="status", source="The server", status=status, body=json.dumps({"error": error}), sent=SENT)
    assert member == read_fault(end).refused


@pytest.mark.parametrize("param", ["Tools", "", "x" * 65, "a\nb", "../tools", 5, ["tools"]])
def test_odd_parameter_is_no_name(param: Any) -> None:
    """What is no member's name is not handed on."""
    end = ReplyEnd(kind="status", source="The server", status=400, body=json.dumps({"error": {"param": param}}))
    assert read_fault(end).refused is None
