"""Models of Anthropic's own API, asked on loopback."""

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.anthropic import anthropic_model, messages_url
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.named import settings_of
from purestep_hosts.models.openai_http import HttpLimits
from purestep_hosts.settings import SettingsError
from tests.hosts.asking import observed
from tests.hosts.messages_server import (
    ANSWER,
    CALL,
    KEY,
    SIGNATURE,
    THOUGHT,
    MessagesServer,
    block,
    ended,
    event_stream,
)
from tests.hosts.test_hosts_http_faults import Answer, reply, stream
from tests.hosts.wires.messages import unmarked

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
Web = Callable[[Answer], str]


def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def of_events(web: Web, events: list[dict[str, Any]], request: ModelRequest = REQUEST) -> dict[str, Any]:
    """Return what comes of a reply with these events."""
    url = web(stream(event_stream(events)))
    return observed(anthropic_model("claude-test-1", base_url=url, api_key=KEY), request)


def sent(web: Web, request: ModelRequest, **options: Any) -> dict[str, Any]:
    """Return the body that is sent for a request."""
    server = MessagesServer()
    model = anthropic_model("claude-test-1", base_url=web(server), api_key=KEY, options=options)
    output = observed(model, request)
    assert "model_output" == output["type"], output
    return server.bodies[0]


def test_agent_calls_a_tool_and_answers(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thoughts go back with their signature, without which the server refuses the result."""
    server = MessagesServer()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", web(server))
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    agent = Agent("anthropic:claude-test-1", tools=[add_numbers], dialect="native", instructions="Be short.")
    assert "It is 42." == agent.run_sync("What is 17 plus 25?").answer
    first, second = map(unmarked, server.bodies)
    assert [{"type": "text", "text": "Be short."}] == first["system"]
    assert ("add_numbers", "object") == (first["tools"][0]["name"], first["tools"][0]["input_schema"]["type"])
    (call_id,) = {part["id"] for part in second["messages"][1]["content"] if part["type"] == "tool_use"}
    assert [
        {"role": "user", "content": [{"type": "text", "text": "What is 17 plus 25?"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE},
                {"type": "text", "text": "I add them."},
                {"type": "tool_use", "id": call_id, "name": "add_numbers", "input": {"a": 17, "b": 25}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": call_id, "content": [{"type": "text", "text": "42"}]},
            ],
        },
    ] == second["messages"]


def test_reply_is_read_as_a_completion(web: Web) -> None:
    """Text, call, counts, the model's name and the reason, and what is to go back."""
    output = of_events(web, CALL)
    (call,) = output["tool_calls"]
    assert ("I add them.", "tool_calls", "claude-test-1") == (
        output["content"], output["finish_reason"], output["model"],
    )  # fmt: skip
    assert ("toolu_1", "add_numbers", {"a": 17, "b": 25}) == (
        call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]),
    )  # fmt: skip
    assert {"prompt_tokens": 15, "completion_tokens": 12, "cached_tokens": 4, "cache_write_tokens": 2} == output[
        "usage"
    ]
    assert THOUGHT == output["extra"]["thinking_blocks"][0]["thinking"]


def test_call_without_arguments_has_an_empty_object(web: Web) -> None:
    """The API writes nothing for it; two calls are two."""
    events = [
        CALL[0],
        *block(0, {"type": "tool_use", "id": "t1", "name": "now", "input": {}}),
        *block(
            1,
            {"type": "tool_use", "id": "t2", "name": "later", "input": {}},
            {"type": "input_json_delta", "partial_json": '{"s": 1}'},
        ),
        *ended("tool_use"),
    ]
    calls = of_events(web, events)["tool_calls"]
    assert [("t1", "{}"), ("t2", '{"s": 1}')] == [(call["id"], call["function"]["arguments"]) for call in calls]


def test_thoughts_that_are_encrypted_go_back_each_as_it_came(web: Web) -> None:
    """Two of them in a row are no longer one."""
    blocks = [{"type": "redacted_thinking", "data": data} for data in ("YQ==", "Yg==")]
    events = [CALL[0], *block(0, blocks[0]), *block(1, blocks[1]), *ANSWER[1:]]
    kept = of_events(web, events)["extra"]["thinking_blocks"]
    message = {"role": "assistant", "content": "Ah.", "thinking_blocks": kept}
    messages = [*REQUEST.messages, message, {"role": "user", "content": "And?"}]
    assert [*blocks, {"type": "text", "text": "Ah."}] == sent(web, ModelRequest(messages=messages))["messages"][1][
        "content"
    ]


def test_messages_become_turns_of_two_roles(web: Web) -> None:
    """Results of calls and what the user says next are one turn; a blank text is left out."""
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "[1]"}}
    thoughts = [{"type": "thinking", "thinking": THOUGHT, "signature": SIGNATURE, "index": 0}]
    messages = [
        {"role": "system", "content": "One."},
        {"role": "system", "content": "Two."},
        {"role": "user", "content": [{"type": "text", "text": "Hi."}, {"type": "text", "text": " "}]},
        {
            "role": "assistant",
            "content": " \n",
            "tool_calls": [call, {**call, "id": "c2"}],
            "thinking_blocks": thoughts,
        },
        {"role": "tool", "tool_call_id": "c1", "content": "a"},
        {"role": "tool", "tool_call_id": "c2", "content": ""},
        {"role": "system", "content": "Be careful."},
        {"role": "user", "content": "Go on."},
    ]
    body = sent(web, ModelRequest(messages=messages))
    assert ["One.", "Two."] == [part["text"] for part in body["system"]]
    assert ["user", "assistant", "user"] == [message["role"] for message in body["messages"]]
    assert ["thinking", "tool_use", "tool_use"] == [part["type"] for part in body["messages"][1]["content"]]
    assert {"arguments": [1]} == body["messages"][1]["content"][1]["input"]
    results = body["messages"][2]["content"]
    assert ["tool_result", "tool_result", "text", "text"] == [part["type"] for part in results]
    assert [] == results[1]["content"]


def test_images_and_files_have_their_bytes_in_blocks(web: Web) -> None:
    """An image, and a document with its name, as the API writes them."""
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"}}
    body = sent(web, ModelRequest(messages=[{"role": "user", "content": [image, file]}]))
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}
    assert [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}},
        {"type": "document", "source": pdf, "title": "a.pdf"},
    ] == body["messages"][0]["content"]


def test_options_of_a_request_have_the_names_of_the_api(web: Web) -> None:
    """Tool choice, answer format, stops and sampling; what the program adds comes last."""
    tool = {"type": "function", "function": {"name": "f", "description": "F.", "parameters": {"type": "object"}}}
    schema = {"type": "object", "properties": {}}
    request = ModelRequest(
        messages=REQUEST.messages,
        tools=[tool],
        tool_choice={"type": "function", "function": {"name": "f"}},
        response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        stop=("END",),
        sampling={"temperature": 0, "max_tokens": 50, "top_p": None},
    )
    body = sent(web, request, metadata={"user_id": "u"})
    assert {
        "model": "claude-test-1",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        "stream": True,
        "max_tokens": 50,
        "tools": [{"name": "f", "description": "F.", "input_schema": {"type": "object"}}],
        "tool_choice": {"type": "tool", "name": "f"},
        "output_config": {"format": {"type": "json_schema", "schema": schema}},
        "stop_sequences": ["END"],
        "temperature": 0,
        "metadata": {"user_id": "u"},
    } == unmarked(body)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("end_turn", "stop"), ("max_tokens", "length"), ("refusal", "content_filter")],
)
def test_reason_has_the_word_of_chat_completions(web: Web, reason: str, expected: str) -> None:
    """As the core reads them."""
    assert expected == of_events(web, [*ANSWER[:-2], *ended(reason)])["finish_reason"]


def test_turn_that_was_only_paused_is_no_answer(web: Web) -> None:
    """What it says is not whole."""
    assert "model_error" == of_events(web, [*ANSWER[:-2], *ended("pause_turn")])["type"]


@pytest.mark.parametrize(
    ("status", "kind", "message", "code", "retryable"),
    [
        (400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum", "overflow", False),
        (400, "invalid_request_error", f"odd {KEY}", "refused", False),
        (401, "authentication_error", "invalid x-api-key", "unavailable", False),
        (429, "rate_limit_error", "slow down", "rate_limit", True),
        (529, "overloaded_error", "Overloaded", "unavailable", True),
    ],
)
def test_refusal_is_told(web: Web, status: int, kind: str, message: str, code: str, retryable: bool) -> None:
    """By the table of the core, with the variable of the key and without the key."""
    body = json.dumps({"type": "error", "error": {"type": kind, "message": message}}).encode()
    model = anthropic_model("m", base_url=web(reply(status, "application/json", body, Retry_After="7")), api_key=KEY)
    output = observed(model, REQUEST)
    assert (code, retryable) == (output["code"], output["retryable"])
    assert (7000 if retryable else None) == output.get("retry_after_ms")
    assert KEY not in output["message"]
    assert ("ANTHROPIC_API_KEY" in output["message"]) == (status == 401)


@pytest.mark.parametrize("count", range(1, len(CALL) - 2))
def test_reply_that_was_cut_is_no_answer(web: Web, count: int) -> None:
    """Wherever the connection ends."""
    output = of_events(web, CALL[:count])
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "ended its reply early" in output["message"]


def test_reply_ends_with_its_last_event(web: Web) -> None:
    """The server may keep the connection open."""
    is_read = threading.Event()

    def answer(handler: Any, number: int) -> None:
        stream(event_stream(ANSWER))(handler, number)
        is_read.wait()

    model = anthropic_model("m", base_url=web(answer), limits=HttpLimits(read_s=20))
    try:
        assert "It is 42." == observed(model, REQUEST)["content"]
    finally:
        is_read.set()


def test_error_in_the_middle_of_a_reply_is_told(web: Web) -> None:
    """An overloaded server says so in the place of an event."""
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    output = of_events(web, [*CALL[:4], overloaded])
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "Overloaded" in output["message"]


@pytest.mark.parametrize(
    "event",
    [
        5,
        {"type": 5},
        {"type": "content_block_delta", "index": 0},
        {"type": "content_block_start", "index": 0, "content_block": 5},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": 5}},
        {"type": "message_delta", "delta": None},
        {"type": "message_start", "message": {"usage": 5}},
        {"type": "error"},
    ],
)
def test_event_of_another_shape_ends_in_an_observation(web: Web, event: Any) -> None:
    """Whatever a server writes, nothing is raised."""
    data = b"data: " + json.dumps(event).encode() + b"\n\n"
    model = anthropic_model("m", base_url=web(stream(event_stream(CALL[:1]), data)))
    assert "model_error" == observed(model, REQUEST)["type"]


def test_whole_page_is_named(web: Web) -> None:
    """An HTML page with status 200 means a wrong address."""
    model = anthropic_model("m", base_url=web(reply(200, "text/html", b"<html>")))
    assert "its type is text/html" in observed(model, REQUEST)["message"]


@pytest.mark.parametrize("base", ["http://a", "http://a/", "http://a/v1", "http://a/v1/"])
def test_base_url_may_have_a_version(base: str) -> None:
    """As people copy it from other clients."""
    assert "http://a/v1/messages" == messages_url(base)


def test_model_is_named_by_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Server and key are those of Anthropic's own clients; the key of another server is not sent."""
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another-servers-key")
    settings = settings_of("anthropic:claude-test-1", None)
    assert ("anthropic", "claude-test-1", None) == (settings.kind, settings.model, settings.api_key)
    assert "https://api.anthropic.com/v1/messages" == settings.url
    with pytest.raises(SettingsError, match="expected anthropic:NAME"):
        settings_of("anthropic:", None)


@pytest.mark.parametrize("kept", [5, "x", {}, [5], ["x", None]])
def test_thinking_of_an_odd_form_is_left_out(web: Web, kept: Any) -> None:
    """A log may have been edited, and a history may come from anywhere."""
    message = {"role": "assistant", "content": "Ah.", "thinking_blocks": kept}
    said = {"role": "user", "content": "Hello"}
    assert [{"type": "text", "text": "Ah."}] == sent(web, ModelRequest(messages=[said, message, said]))["messages"][1][
        "content"
    ]
