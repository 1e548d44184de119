"""A server that refuses one thing at a time: the run ends right, with one more request."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep import events
from purestep_hosts import Agent, tool
from purestep_hosts.show.rows import switch_text
from tests.hosts.orders_server import having, refusing
from tests.hosts.test_hosts_http_faults import Answer

Web = Callable[[Answer], str]

REFUSED = [
    ("max_tokens", 400, {"message": "Unsupported parameter: 'max_tokens' is not supported.", "param": "max_tokens"}),
    ("temperature", 400, {"message": "Unsupported value", "param": "temperature", "code": "unsupported_value"}),
    ("temperature", 400, {"message": "temperature is not supported by this model"}),
    ("top_p", 422, {"message": "top_p: Extra inputs are not permitted"}),
    ("seed", 400, {"message": "Unknown argument: seed"}),
    ("frequency_penalty", 400, {"message": "`frequency_penalty` is not supported"}),
    ("presence_penalty", 400, {"message": "Argument not supported on this model: presence_penalty"}),
    ("reasoning_effort", 400, {"message": "reasoning_effort is only for reasoning models"}),
    ("stream_options", 400, {"message": "stream_options is not allowed"}),
    ("response_format", 400, {"message": "This response_format type is unavailable now"}),
    ("response_format", 400, {"message": "Invalid schema for response_format 'answer'", "param": "response_format"}),
    ("response_format", 400, {"message": "This model does not support structured outputs"}),
    ("tools", 400, {"message": "registry/library/gemma:2b does not support tools"}),
    ("tools", 404, {"message": "No endpoints found that support tool use."}),
    ("tools", 400, {"message": '"auto" tool choice requires --enable-auto-tool-choice to be set'}),
    ("tool_choice", 400, {"message": "tool_choice is not supported"}),
]
SETTINGS = ("temperature", "top_p", "seed", "frequency_penalty", "presence_penalty", "max_tokens")
SAMPLING: dict[str, Any] = {**dict.fromkeys(SETTINGS, 1), "reasoning_effort": "low"}
SCHEMA = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}
ARGUMENTS, ANSWER = '{"number": 4}', '{"status": "shipped"}'


@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return "shipped"


@pytest.mark.parametrize(("member", "status", "error"), REFUSED)
def test_run_ends_right_with_one_more_request(web: Web, member: str, status: int, error: dict[str, Any]) -> None:
    """What was refused is in no later request, and the answer is the same."""
    bodies: list[dict[str, Any]] = []
    definition: dict[str, Any] = {"sampling": SAMPLING, "answer_schema": SCHEMA}
    if member == "response_format":
        definition["models"] = [{"name": "m", "supports": ["tools", "json_schema", "tools_with_json_schema"]}]
    if member == "tool_choice":
        definition["tool_choice"] = "required"
    server = refusing(having(member), (status, error), bodies, arguments=ARGUMENTS, answer=ANSWER)
    agent = Agent("m", base_url=web(server), tools=[find_order], **definition)
    result = agent.run_sync("Where is order 4?")
    assert '{"status": "shipped"}' == result.answer
    assert (3, [True, False, False]) == (len(bodies), [member in body for body in bodies])
    assert [("request", "tools" if member == "tools" else member)] == [
        (line["what"], line["cause"]) for line in map(json.loads, result.log.splitlines()) if line["kind"] == "switched"
    ]


def test_server_that_refuses_all_is_a_failure_with_its_words(web: Web) -> None:
    """Nothing is asked for ever."""
    bodies: list[dict[str, Any]] = []

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body))
        error = {"message": "temperature and everything else is refused"}
        handler.reply(400, "application/json", json.dumps({"error": error}).encode())

    agent = Agent("m", base_url=web(answer), tools=[find_order], sampling=SAMPLING)
    result = agent.run_sync("Where is order 4?")
    assert ("failed", 2) == (result.status, len(bodies))
    assert "temperature and everything else is refused" in str(result.log)


@pytest.mark.parametrize(
    ("cause", "to", "words"),
    [
        ("temperature", "", "asked without temperature, which the server does not take"),
        (
            "max_tokens",
            "max_completion_tokens",
            "asked without max_tokens, which the server does not take; instead: max_completion_tokens",
        ),
        ("tools", "tool_tags", "asked without tools, which the server does not take; instead: calls stand in the text"),
        (
            "system_role",
            "user",
            "asked without a system message, which the server does not take; instead: it stands in the user's",
        ),
        (
            "message_roles",
            "alternate",
            "asked without two messages of the user in a row, which the server does not take; instead: "
            "a word of the assistant stands between",
        ),
        (
            "call_ids",
            "numbers",
            "asked without ids of calls of other than nine characters, which the server does not take; instead: they "
            "are numbered",
        ),
        (
            "tool_schemas",
            "plain",
            "asked without the finer rules for arguments, which the server does not take; instead: "
            "they are checked here",
        ),
    ],
)
def test_what_was_left_out_is_told_in_words(cause: str, to: str, words: str) -> None:
    """A row says what the server does not take, and what stands for it."""
    assert words == switch_text(events.Switched(what="request", cause=cause, to=to, seq=1))
