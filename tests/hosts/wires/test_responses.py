"""OpenAI's Responses API, asked on loopback: what is sent of a chat, and what is read of a reply."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.named import settings_of
from purestep_hosts.models.responses import responses_model, responses_url
from purestep_hosts.models.server_models import server_models
from tests.hosts.asking import observed
from tests.hosts.test_hosts_http_faults import Answer, reply, stream
from tests.hosts.wires.protocol import KEY, VendorServer, signature
from tests.hosts.wires.replies import Called, Said
from tests.hosts.wires.responses import RESPONSES, SEARCHED, event_stream, events_of, output_of

HELLO = [{"role": "user", "content": "hi"}]
REQUEST = ModelRequest(messages=HELLO)
Web = Callable[[Answer], str]
ADDS = Called(name="add_numbers", arguments={"a": 17, "b": 25})
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}


def add_numbers(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def sent(web: Web, request: ModelRequest, given: list[str] | None = None, **options: Any) -> dict[str, Any]:
    """Return the body that is sent for a request, which the validator has taken."""
    server = VendorServer(RESPONSES, [Said(text="Yes.")])
    server.given = given or []
    model = responses_model("gpt-5", base_url=f"{web(server)}/v1", api_key=KEY, options=options)
    output = observed(model, request)
    assert ("model_output", []) == (output["type"], server.refused), output
    return server.bodies[0]


FILTERED = {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}


def of_events(web: Web, events: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what comes of a reply with these events."""
    return observed(responses_model("gpt-5", base_url=web(stream(event_stream(events)))), REQUEST)


def test_nothing_is_kept_at_the_server_and_reasoning_comes_encrypted(web: Web) -> None:
    """Also without any tool or setting."""
    assert {
        "model": "gpt-5",
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
    } == sent(web, REQUEST)


def test_tools_choice_form_and_settings_have_their_places(web: Web) -> None:
    """The limit of tokens and the effort are named otherwise here."""
    function = {"name": "f", "description": "Do.", "parameters": {"type": "object", "properties": {}}}
    body = sent(
        web,
        ModelRequest(
            messages=HELLO,
            tools=[{"type": "function", "function": function}],
            tool_choice={"type": "function", "function": {"name": "f"}},
            response_format={
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
            },
            sampling={"max_completion_tokens": 64, "reasoning_effort": "low", "verbosity": "low"},
            logprobs=True,
        ),
        reasoning={"summary": "auto"},
        tools=[{"type": "web_search"}],
        parallel_tool_calls=False,
    )
    assert [{"type": "function", "strict": False, **function}, {"type": "web_search"}] == body["tools"]
    assert {"type": "function", "name": "f"} == body["tool_choice"]
    form = {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}
    assert {"format": form, "verbosity": "low"} == body["text"]
    assert {"effort": "low", "summary": "auto"} == body["reasoning"]
    assert (64, False, 1) == (body["max_output_tokens"], body["parallel_tool_calls"], body["top_logprobs"])
    assert "message.output_text.logprobs" in body["include"]


def test_what_a_server_refused_is_left_out(web: Web) -> None:
    """A model that does not reason refuses the encrypted reasoning, which nobody but this protocol asks for."""
    bodies: list[dict[str, Any]] = []

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body))
        if "include" in bodies[-1]:
            message = "Encrypted content is not supported with this model."
            error = {"message": message, "type": "invalid_request_error", "param": "include", "code": None}
            return handler.reply(400, "application/json", json.dumps({"error": error}).encode())
        handler.reply(200, "text/event-stream", event_stream(events_of(output_of(Said(text="Hi."), 0))))

    agent = Agent(responses_model("gpt-4o", base_url=web(answer)))
    assert "Hi." == agent.run_sync("Hello").answer
    assert [True, False] == ["include" in body for body in bodies]


def test_items_go_back_as_they_came_and_in_their_order(web: Web) -> None:
    """Reasoning, a search at the provider, what a later version may add, a comment with its phase, and the call."""
    made = output_of(Said(thought="Look it up.", text="I look.", calls=(ADDS,)), 0)
    reasoning, said, call = made
    later = {"type": "later_call", "id": "lc_1", "result": {"deep": [1, None]}}
    items = [reasoning, SEARCHED, later, {**said, "phase": "commentary"}, {**said, "id": "msg_b", "content": [
        {"type": "output_text", "text": "Adding.", "annotations": [{"type": "url_citation", "url": "https://a.b",
         "title": "A", "start_index": 0, "end_index": 2}], "logprobs": []}]}, call]  # fmt: skip
    bodies: list[dict[str, Any]] = []

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body))
        output = items if number == 0 else output_of(Said(text="42."), 1)
        handler.reply(200, "text/event-stream", event_stream(events_of(output)))

    agent = Agent(responses_model("gpt-5", base_url=web(answer)), tools=[add_numbers])
    result = agent.run_sync("What is 17 plus 25?")
    assert "42." == result.answer
    (call_id,) = {item["call_id"] for item in bodies[1]["input"] if item["type"] == "function_call"}
    (part,) = ({name: value for name, value in each.items() if name != "logprobs"} for each in items[4]["content"])
    assert [
        reasoning,
        SEARCHED,
        later,
        {**said, "phase": "commentary", "content": [{"type": "output_text", "annotations": [], "text": "I look."}]},
        {**items[4], "content": [part]},
        {**call, "call_id": call_id},
        {"type": "function_call_output", "call_id": call_id, "output": "42"},
    ] == bodies[1]["input"][1:]
    assert all(text in result.log for text in (signature(0), "lc_1", "ws_1"))


def test_items_of_an_answer_go_back_with_the_next_question(web: Web) -> None:
    """What a tool at the provider did before an answer is known in the next exchange too."""
    server = VendorServer(RESPONSES, [Said(thought="Hm.", text="One."), Said(text="Two.")])
    agent = Agent(responses_model("gpt-5", base_url=f"{web(server)}/v1", api_key=KEY))
    first = agent.run_sync("First")
    assert "Two." == agent.run_sync("Second", after=first).answer
    assert (["message", "reasoning", "message", "message"], []) == (
        [item["type"] for item in server.bodies[1]["input"]],
        server.refused,
    )


def test_text_that_the_run_changed_goes_back_as_it_is_now(web: Web) -> None:
    """What was hidden of a message stays hidden; calls that are others than those that came stand for themselves."""
    kept = {"openai": {"items": [
        {"type": "reasoning", "id": "rs_0", "summary": [], "encrypted_content": signature(0)},
        {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [
            {"type": "output_text", "annotations": [], "chars": 9}]},
    ]}}  # fmt: skip
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": "c", "content": ""}
    message = {"role": "assistant", "content": "[hidden]", "extra_content": kept}
    body = sent(web, ModelRequest(messages=[*HELLO, message, *HELLO]), [signature(0)])
    assert "[hidden]" == body["input"][2]["content"][0]["text"]
    body = sent(web, ModelRequest(messages=[*HELLO, {**message, "tool_calls": [call]}, result, *HELLO]))
    assert ["message", "message", "function_call", "function_call_output", "message"] == [
        item["type"] for item in body["input"]
    ]


ODD_ITEMS = [
    [5],
    [{}],
    [{"type": 5}],
    [{"type": "message"}],
    [{"type": "message", "content": [{"type": "output_text"}]}],
    [{"type": "message", "content": [{"chars": 4}]}],
    [{"type": "message", "content": ["Yes."]}],
]


@pytest.mark.parametrize(
    "extra",
    [
        *(None, 3, [], {"openai": 3}, {"openai": {"items": 4}}, {"google": {}}),
        *({"openai": {"items": items}} for items in ODD_ITEMS),
    ],
)
def test_what_another_provider_left_beside_a_message_is_not_read(web: Web, extra: Any) -> None:
    """A history may come from anywhere."""
    message = {"role": "assistant", "content": "Yes.", "extra_content": extra}
    body = sent(web, ModelRequest(messages=[*HELLO, message, *HELLO]))
    assert {"type": "message", "role": "assistant", "content": "Yes."} == body["input"][1]


def test_reply_is_read_as_a_completion(web: Web) -> None:
    """Text, calls, counts, names and the reason."""
    output = of_events(web, events_of(output_of(Said(thought="Hm.", text="I add.", calls=(ADDS, ADDS)), 0)))
    assert ("I add.", "tool_calls", "gpt-test-1", "resp_1") == (
        output["content"], output["finish_reason"], output["model"], output["response_id"],
    )  # fmt: skip
    assert ["call_0_0_abc", "call_0_1_abc"] == [call["id"] for call in output["tool_calls"]]
    assert ({"a": 17, "b": 25}, "Hm.") == (
        json.loads(output["tool_calls"][0]["function"]["arguments"]),
        output["extra"]["reasoning_content"],
    )
    counts = {"prompt_tokens": 15, "completion_tokens": 12, "cached_tokens": 4, "cache_write_tokens": 0}
    assert {**counts, "reasoning_tokens": 9} == output["usage"]


@pytest.mark.parametrize("arguments", [{}, {"a": 1}])
def test_arguments_that_come_whole_are_read(web: Web, arguments: dict[str, Any]) -> None:
    """Some servers send no pieces of them."""
    output = output_of(Said(calls=(Called(name="f", arguments=arguments),)), 0)
    events = [each for each in events_of(output) if "arguments" not in each["type"]]
    (call,) = of_events(web, events)["tool_calls"]
    assert arguments == json.loads(call["function"]["arguments"])


def test_body_that_is_no_stream_is_read(web: Web) -> None:
    """As of a server that does not stream."""
    (done,) = [each for each in events_of(output_of(Said(thought="Hm.", text="Hi.", calls=(ADDS,)), 0)) if
               each["type"] == "response.completed"]  # fmt: skip
    body = json.dumps(done["response"]).encode()
    output = observed(responses_model("gpt-5", base_url=web(reply(200, "application/json", body))), REQUEST)
    assert ("Hi.", "tool_calls", 1) == (output["content"], output["finish_reason"], len(output["tool_calls"]))
    assert signature(0) in json.dumps(output["extra"])


@pytest.mark.parametrize(
    ("output", "members", "reason"),
    [
        (Said(text="A part", ends="length"), {}, "length"),
        (Said(text="A part"), FILTERED, "content_filter"),
        (Said(text="I cannot.", ends="content_filter"), {}, "content_filter"),
    ],
)  # fmt: skip
def test_reply_that_was_cut_or_refused_says_so(web: Web, output: Said, members: dict[str, Any], reason: str) -> None:
    """In the words of chat completions, with what had come."""
    found = of_events(web, events_of(output_of(output, 0), output.ends, **members))
    assert (output.text, reason) == (found["content"], found["finish_reason"])


@pytest.mark.parametrize(
    ("event", "code", "retryable"),
    [
        ({"type": "error", "code": "rate_limit_exceeded", "message": "Slow down.", "param": None}, "rate_limit", True),
        ({"type": "error", "error": {"type": "server_error", "message": "Slow down."}}, "unavailable", True),
        (
            {"type": "response.failed", "response": {"status": "failed", "error": {
                "code": "invalid_prompt", "message": "Slow down."}}},
            "refused",
            False,
        ),
        ({"type": "response.failed", "response": {"status": "failed", "error": None}}, "unavailable", True),
    ],
)  # fmt: skip
def test_reply_that_failed_is_an_error(web: Web, event: dict[str, Any], code: str, retryable: bool) -> None:
    """In the middle of a stream, with the server's words; asked again where that may help."""
    output = of_events(web, [*events_of([])[:2], event])
    assert (code, retryable) == (output["code"], output["retryable"])
    assert "Slow down" in output["message"] or event["response"]["error"] is None


@pytest.mark.parametrize("data", ["[]", "7", '{"x": 1}', "{", '{"type": "response.output_text.delta"}'])
def test_what_is_no_event_is_named(web: Web, data: str) -> None:
    """A server of another protocol, or a broken one."""
    url = web(stream(b"data: " + data.encode() + b"\n\n"))
    output = observed(responses_model("gpt-5", base_url=url), REQUEST)
    assert ("unavailable", "base URL") == (output["code"], "base URL" if "base URL" in output["message"] else "")


def test_stream_without_its_end_is_cut(web: Web) -> None:
    """What had come is no answer."""
    output = of_events(web, events_of(output_of(Said(text="Half"), 0))[:-1])
    assert ("unavailable", True) == (output["code"], output["retryable"])


OWN = "https://api.openai.com/v1/"


@pytest.mark.parametrize(
    ("name", "address", "kind", "url"),
    [
        ("openai:gpt-5", None, "responses", OWN + "responses"),
        ("openai-chat:gpt-5", None, "openai", OWN + "chat/completions"),
        ("openai-responses:gpt-5", None, "responses", OWN + "responses"),
        ("openai:gpt-5", "https://eu.api.openai.com/v1", "responses", "https://eu.api.openai.com/v1/responses"),
        ("openai:gpt-5", "http://h/v1", "openai", "http://h/v1/chat/completions"),
        ("openai:gpt-5", "http://notapi.openai.com.evil/v1", "openai", "http://notapi.openai.com.evil/v1/chat/completions"),
        ("openai-responses:m", "http://h/v1", "responses", "http://h/v1/responses"),
        ("openai-chat:m", "http://h/v1/", "openai", "http://h/v1/chat/completions"),
    ],
)  # fmt: skip
def test_name_and_address_choose_the_protocol(
    name: str, address: str | None, kind: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At OpenAI's own address Responses, at one of your own chat completions, unless the name says which."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    if address is not None:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
    settings = settings_of(name, None)
    assert (kind, url, name.partition(":")[2]) == (settings.kind, settings.url, settings.model)


def test_models_are_listed_at_the_address_of_responses(web: Web) -> None:
    """Which has another path."""
    asked: list[str] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(handler.path)
        handler.reply(200, "application/json", json.dumps({"data": [{"id": "gpt-5"}]}).encode())

    assert ["gpt-5"] == [each.id for each in server_models(responses_url(f"{web(answer)}/v1"), KEY, "responses")]
    assert ["/v1/models"] == asked


def test_server_without_this_protocol_is_told_of(web: Web) -> None:
    """It has the model: how to ask for it is said."""

    def answer(handler: Any, number: int) -> None:
        listed = handler.path == "/v1/models"
        body = json.dumps({"data": [{"id": "m"}]} if listed else {"detail": "Not Found"}).encode()
        handler.reply(200 if listed else 404, "application/json", body)

    output = observed(responses_model("m", base_url=f"{web(answer)}/v1", api_key=KEY), REQUEST)
    assert output["message"].endswith("openai-chat:m asks it by chat completions.")
    assert not output["retryable"]


@pytest.mark.parametrize(
    ("member", "param", "message"),
    [
        ("include", "include", "Encrypted content is not supported with this model."),
        ("text", "text.format.schema", "Invalid schema for response_format 'answer': 'oneOf' is not permitted."),
        (
            "reasoning",
            "reasoning.effort",
            "Unsupported parameter: 'reasoning.effort'.",
        ),
        ("max_output_tokens", "max_output_tokens", "Unknown parameter: 'max_output_tokens'."),
        ("seed", "seed", "Unknown parameter: 'seed'."),
        ("tool_choice", "tool_choice", "Tool choice 'required' is not supported with this model."),
    ],
)
def test_run_ends_right_with_one_more_request(web: Web, member: str, param: str, message: str) -> None:
    """What was refused by its path is left out of all that follows, and the answer is the same."""
    bodies: list[dict[str, Any]] = []

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        if member in body:
            error = {"message": message, "type": "invalid_request_error", "param": param, "code": None}
            return handler.reply(400, "application/json", json.dumps({"error": error}).encode())
        done = any(item["type"] == "function_call_output" for item in body["input"])
        said = Said(text='{"n": 42}') if done else Said(calls=(ADDS,))
        handler.reply(200, "text/event-stream", event_stream(events_of(output_of(said, 0))))

    agent = Agent(
        responses_model("m", base_url=web(answer)),
        tools=[add_numbers],
        sampling={"reasoning_effort": "low", "max_tokens": 99, "seed": 1},
        answer_schema=SCHEMA,
        models=[{"name": "m", "supports": ["tools", "json_schema", "tools_with_json_schema"]}],
        tool_choice="required" if member == "tool_choice" else "auto",
    )
    assert {"n": 42} == json.loads(agent.run_sync("What is 17 plus 25?").answer)
    assert [True, False, False] == [member in body for body in bodies]
