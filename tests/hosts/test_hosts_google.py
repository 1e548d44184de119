"""Models of Google's own API, asked on loopback."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.google import google_model, stream_url
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.named import settings_of
from purestep_hosts.settings import SettingsError
from tests.hosts.asking import observed
from tests.hosts.gemini_server import ANSWER, CALL, KEY, MODEL, SIGNATURE, THOUGHT, GeminiServer, event, event_stream
from tests.hosts.test_hosts_http_faults import Answer, reply, stream

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
Web = Callable[[Answer], str]


def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def of_events(web: Web, events: list[dict[str, Any]], request: ModelRequest = REQUEST) -> dict[str, Any]:
    """Return what comes of a reply with these events."""
    return observed(google_model(MODEL, base_url=web(stream(event_stream(events))), api_key=KEY), request)


def sent(web: Web, request: ModelRequest, **options: Any) -> dict[str, Any]:
    """Return the body that is sent for a request."""
    server = GeminiServer()
    output = observed(google_model(MODEL, base_url=web(server), api_key=KEY, options=options), request)
    assert "model_output" == output["type"], output
    return server.bodies[0]


def test_agent_calls_a_tool_and_answers(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """The call goes back with its signature, without which the server refuses the result."""
    server = GeminiServer()
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", web(server))
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    agent = Agent(f"google:{MODEL}", tools=[add_numbers], dialect="native", instructions="Be short.")
    assert "It is 42." == agent.run_sync("What is 17 plus 25?").answer
    first, second = server.bodies
    assert {"parts": [{"text": "Be short."}]} == first["systemInstruction"]
    (declared,) = first["tools"][0]["functionDeclarations"]
    assert ("add_numbers", "object") == (declared["name"], declared["parametersJsonSchema"]["type"])
    call = second["contents"][1]["parts"][1]["functionCall"]
    assert [
        {"role": "user", "parts": [{"text": "What is 17 plus 25?"}]},
        {
            "role": "model",
            "parts": [
                {"text": "I add them."},
                {
                    "functionCall": {"id": call["id"], "name": "add_numbers", "args": {"a": 17, "b": 25}},
                    "thoughtSignature": SIGNATURE,
                },
            ],
        },
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": call["id"], "name": "add_numbers", "response": {"output": "42"}}}],
        },
    ] == second["contents"]


def test_reply_is_read_as_a_completion(web: Web) -> None:
    """Text, thought, call, counts, the model's name and the reason, and what is to go back."""
    output = of_events(web, CALL)
    (call,) = output["tool_calls"]
    assert ("I add them.", "tool_calls", MODEL, "r-1") == (
        output["content"], output["finish_reason"], output["model"], output["response_id"],
    )  # fmt: skip
    assert ("add_numbers", {"a": 17, "b": 25}) == (
        call["function"]["name"], json.loads(call["function"]["arguments"]),
    )  # fmt: skip
    counts = {"prompt_tokens": 15, "completion_tokens": 21, "cached_tokens": 4, "reasoning_tokens": 9}
    assert counts == output["usage"]
    signed = {"extra_content": {"google": {"thought_signature": SIGNATURE}}}
    assert {"reasoning_content": THOUGHT, "tool_calls": [signed]} == output["extra"]


def test_parallel_calls_are_numbered(web: Web) -> None:
    """The first one has the signature; ids of the API are kept, and arguments may be left out."""
    events = [
        event(
            {"functionCall": {"name": "now"}, "thoughtSignature": SIGNATURE},
            {"functionCall": {"name": "later", "args": {"s": 1}, "id": "x9"}},
            reason="STOP",
        )
    ]
    calls = of_events(web, events)["tool_calls"]
    assert [("call_0", "now", "{}"), ("x9", "later", '{"s": 1}')] == [
        (call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls
    ]


def test_messages_become_contents_of_two_roles(web: Web) -> None:
    """Results of calls and what the user says next are one; images and files have their bytes in them."""
    signed = {"extra_content": {"google": {"thought_signature": SIGNATURE}}}
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "[1]"}}
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}
    file = {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBE"}}
    messages = [
        {"role": "system", "content": "One."},
        {"role": "user", "content": [{"type": "text", "text": "Look."}, image, file, {"type": "text", "text": " "}]},
        {"role": "assistant", "content": "Ah.", "tool_calls": [{**call, **signed}, {**call, "id": "c2"}], **signed},
        {"role": "tool", "tool_call_id": "c1", "content": "a"},
        {"role": "tool", "tool_call_id": "c2", "content": ""},
        {"role": "user", "content": "Go on."},
    ]
    body = sent(web, ModelRequest(messages=messages))
    signature = {"thoughtSignature": SIGNATURE}
    called = {"name": "f", "args": {"arguments": [1]}}
    assert [
        {
            "role": "user",
            "parts": [
                {"text": "Look."},
                {"inlineData": {"mimeType": "image/png", "data": "iVBO"}},
                {"inlineData": {"mimeType": "application/pdf", "data": "JVBE"}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": "Ah.", **signature},
                {"functionCall": {"id": "c1", **called}, **signature},
                {"functionCall": {"id": "c2", **called}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "c1", "name": "f", "response": {"output": "a"}}},
                {"functionResponse": {"id": "c2", "name": "f", "response": {"output": ""}}},
                {"text": "Go on."},
            ],
        },
    ] == body["contents"]


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("auto", {"mode": "AUTO"}),
        ("required", {"mode": "ANY"}),
        ("none", {"mode": "NONE"}),
        ({"type": "function", "function": {"name": "f"}}, {"mode": "ANY", "allowedFunctionNames": ["f"]}),
    ],
)
def test_tool_choice_has_the_words_of_the_api(web: Web, choice: Any, expected: dict[str, Any]) -> None:
    """One tool by its name, any, or none."""
    tool = {"type": "function", "function": {"name": "f", "description": "F.", "parameters": {"type": "object"}}}
    body = sent(web, ModelRequest(messages=REQUEST.messages, tools=[tool], tool_choice=choice))
    assert {"functionCallingConfig": expected} == body["toolConfig"]
    assert [{"name": "f", "description": "F.", "parametersJsonSchema": {"type": "object"}}] == body["tools"][0][
        "functionDeclarations"
    ]


def test_options_of_a_request_have_the_names_of_the_api(web: Web) -> None:
    """Answer format, stops and sampling; what the program adds comes last."""
    schema = {"type": "object", "properties": {}}
    request = ModelRequest(
        messages=REQUEST.messages,
        response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}},
        stop=("END",),
        sampling={"temperature": 0, "max_tokens": 50, "top_p": 0.5, "seed": None, "presence_penalty": 1},
    )
    assert {
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
        "generationConfig": {
            "temperature": 0,
            "maxOutputTokens": 50,
            "topP": 0.5,
            "presencePenalty": 1,
            "responseMimeType": "application/json",
            "responseJsonSchema": schema,
            "stopSequences": ["END"],
            "thinkingConfig": {"includeThoughts": True},
        },
    } == sent(web, request, thinkingConfig={"includeThoughts": True})


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("STOP", "stop"), ("MAX_TOKENS", "length"), ("SAFETY", "content_filter")],
)
def test_reason_has_the_word_of_chat_completions(web: Web, reason: str, expected: str) -> None:
    """As the core reads them."""
    assert expected == of_events(web, [event({"text": "Hm."}, reason=reason)])["finish_reason"]


@pytest.mark.parametrize("reason", ["OTHER", "MALFORMED_FUNCTION_CALL", "FINISH_REASON_UNSPECIFIED"])
def test_reply_that_ended_for_another_reason_is_no_answer(web: Web, reason: str) -> None:
    """What it says may not be whole."""
    assert "model_error" == of_events(web, [event({"text": "Hm."}, reason=reason)])["type"]


def test_question_that_was_blocked_has_no_answer(web: Web) -> None:
    """The API names no candidate then."""
    blocked = {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 3}}
    assert "content_filter" == of_events(web, [blocked])["finish_reason"]


@pytest.mark.parametrize(
    ("status", "name", "message", "code", "retryable"),
    [
        (400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens", "overflow", False),
        (400, "INVALID_ARGUMENT", f"odd {KEY}", "refused", False),
        (403, "PERMISSION_DENIED", "no", "unavailable", False),
        (429, "RESOURCE_EXHAUSTED", "slow down", "rate_limit", True),
        (503, "UNAVAILABLE", "The model is overloaded.", "unavailable", True),
    ],
)
def test_refusal_is_told(web: Web, status: int, name: str, message: str, code: str, retryable: bool) -> None:
    """By the table of the core, with the variable of the key and without the key."""
    body = json.dumps({"error": {"code": status, "message": message, "status": name}}).encode()
    output = observed(google_model(MODEL, base_url=web(reply(status, "application/json", body)), api_key=KEY), REQUEST)
    assert (code, retryable) == (output["code"], output["retryable"])
    assert KEY not in output["message"]
    assert ("GEMINI_API_KEY" in output["message"]) == (status == 403)


@pytest.mark.parametrize("count", range(1, len(CALL)))
def test_reply_that_was_cut_is_no_answer(web: Web, count: int) -> None:
    """Wherever the connection ends."""
    output = of_events(web, CALL[:count])
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "ended its reply early" in output["message"]


def test_reason_in_each_event_ends_nothing(web: Web) -> None:
    """Older models repeat it."""
    assert "It is 42." == of_events(web, [event({"text": "It is "}, reason="STOP"), ANSWER[1]])["content"]


def test_error_in_the_middle_of_a_reply_is_told(web: Web) -> None:
    """An overloaded server says so in the place of an event."""
    overloaded = {"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}}
    output = of_events(web, [*CALL[:3], overloaded])
    assert ("unavailable", True) == (output["code"], output["retryable"])
    assert "Overloaded" in output["message"]


@pytest.mark.parametrize(
    "data",
    [
        5,
        {"candidates": 5},
        {"candidates": [5]},
        {"candidates": [{"content": {"parts": 5}}]},
        {"candidates": [{"content": {"parts": [{"text": 5}]}}]},
        {"candidates": [{"content": {"parts": [{"functionCall": {}}]}}]},
        {"candidates": [{"finishReason": 5}]},
        {"usageMetadata": 5},
        {"error": {}},
    ],
)
def test_event_of_another_shape_ends_in_an_observation(web: Web, data: Any) -> None:
    """Whatever a server writes, nothing is raised."""
    assert "model_error" == of_events(web, [CALL[0], data])["type"]


def test_whole_page_is_named(web: Web) -> None:
    """An HTML page with status 200 means a wrong address."""
    model = google_model(MODEL, base_url=web(reply(200, "text/html", b"<html>")))
    assert "its type is text/html" in observed(model, REQUEST)["message"]


@pytest.mark.parametrize(
    ("base", "model", "expected"),
    [
        ("http://a", "m", "http://a/v1beta/models/m"),
        ("http://a/", "models/m", "http://a/v1beta/models/m"),
        ("http://a/v1", "m", "http://a/v1/models/m"),
        ("http://a/v1beta/", "m", "http://a/v1beta/models/m"),
        ("http://a", "../../x?key=1#", "http://a/v1beta/models/..%2F..%2Fx%3Fkey%3D1%23"),
    ],
)
def test_address_has_the_model(base: str, model: str, expected: str) -> None:
    """A version may be there already; a model's name is never a path."""
    assert f"{expected}:streamGenerateContent?alt=sse" == stream_url(base, model)


def test_model_is_named_by_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Server and key are those of Google's own clients, whose first name for the key comes first."""
    monkeypatch.delenv("GOOGLE_GEMINI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another-servers-key")
    monkeypatch.setenv("GEMINI_API_KEY", "second")
    monkeypatch.setenv("GOOGLE_API_KEY", "first")
    settings = settings_of("google:gemini-test-1", None)
    assert ("google", "gemini-test-1", "first") == (settings.kind, settings.model, settings.api_key)
    assert "https://generativelanguage.googleapis.com" == settings.url
    with pytest.raises(SettingsError, match="expected google:NAME"):
        settings_of("google:", None)
