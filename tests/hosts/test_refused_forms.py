"""A server that takes tools and messages, but not in every form: the next form is asked with, once, and remembered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from msgspec import Meta

import purestep
from purestep import ModelSpec
from purestep_hosts import Agent, tool
from purestep_hosts.interrupts import Interrupts
from purestep_hosts.models.openai_http import HttpModel
from purestep_hosts.settings import SettingsError
from purestep_hosts.skill_run import run_skill
from tests.hosts.orders_server import Body, calling, refusing
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Web = Callable[[Answer], str]
TOLD: dict[str, str] = {"arguments": '{"number": "A-4"}', "answer": "It is shipped."}


@tool(read_only=True)
def find_order(number: Annotated[str, Meta(pattern="^A-[0-9]+$", max_length=9)]) -> str:
    """Look up the status of an order."""
    return "shipped"


def has_pattern(body: Body) -> bool:
    """Whether a schema of its tools has the keyword that is refused."""
    return '"pattern"' in json.dumps(body.get("tools", []))


def has_system(body: Body) -> bool:
    """Whether a message has the role that is refused."""
    return any(message["role"] == "system" for message in body["messages"])


def has_strict(body: Body) -> bool:
    """Whether its answer is held to the strict form."""
    return "strict" in (body.get("response_format") or {}).get("json_schema", {})


def streams(body: Body) -> bool:
    """Whether the reply is to come in pieces."""
    return "stream" in body


def has_tools(body: Body) -> bool:
    """Whether it has tools."""
    return "tools" in body


REFUSALS = [
    (
        has_pattern,
        400,
        {"message": "Invalid schema for function 'find_order'", "param": "tools[0].function.parameters"},
    ),
    (has_pattern, 400, {"message": "tools.0.custom.input_schema: JSON schema is invalid: pattern"}),
    (has_pattern, 400, {"message": "Unknown name pattern at 'tools[0].function_declarations[0].parameters'"}),
    (has_system, 400, {"message": "System role not supported"}),
    (has_system, 500, {"message": "System role not supported"}),
    (has_system, 400, {"message": "'messages[0].role' does not support 'system'.", "param": "messages[0].role"}),
    (has_system, 400, {"message": "Conversation roles must alternate user/assistant/user/assistant/..."}),
    (has_tools, 500, {"message": "tools param requires --jinja flag"}),
]


@pytest.mark.parametrize(("is_refused", "status", "error"), REFUSALS)
def test_next_form_is_taken_once_and_remembered(
    web: Web, is_refused: Callable[[Body], bool], status: int, error: Body
) -> None:
    """One more request in the first run, none in the next ones of the process, also of another agent."""
    bodies: list[Body] = []
    url = web(refusing(is_refused, (status, error), bodies, **TOLD))
    first = Agent("m", base_url=url, tools=[find_order], instructions="Be brief.").run_sync("Where is order A-4?")
    assert ("It is shipped.", [True, False, False]) == (first.answer, [is_refused(body) for body in bodies])
    again = Agent(HttpModel(f"{url}/chat/completions", model="m"), tools=[find_order], instructions="Be brief.")
    second = again.run_sync("Where is order A-4?")
    assert ("It is shipped.", 5) == (second.answer, len(bodies))
    assert "Be brief." in bodies[-1]["messages"][0]["content"]


def test_other_model_of_the_server_is_asked_as_a_whole(web: Web) -> None:
    """What one model refuses another may take."""
    bodies: list[Body] = []
    url = web(refusing(has_system, (400, {"message": "System role not supported"}), bodies, **TOLD))
    for name in ("m", "n"):
        assert Agent(name, base_url=url, tools=[find_order], instructions="Be brief.").run_sync("Where?").answer
    assert [True, False, False, True, False, False] == [has_system(body) for body in bodies]


def test_plain_schemas_check_arguments_all_the_same(web: Web) -> None:
    """The schema that the server did not take still holds: a wrong argument is sent back."""
    bodies: list[Body] = []
    error = {"message": "Invalid schema for function 'find_order'"}

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        if has_pattern(body):
            handler.reply(400, "application/json", json.dumps({"error": error}).encode())
            return
        first = calling('{"number": "4"}' if len(bodies) == 2 else TOLD["arguments"])
        if "shipped" in str(body["messages"]):
            stream(chunk("It is shipped."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)
        else:
            stream(first, chunk(finish="tool_calls"), b"data: [DONE]\n\n")(handler, number)

    result = Agent("m", base_url=web(answer), tools=[find_order]).run_sync("Where is order 4?")
    assert ("It is shipped.", 4, 1) == (result.answer, len(bodies), result.log.count('"kind":"correction"'))


def test_tool_whose_name_no_server_takes_is_sent_under_another(web: Web) -> None:
    """The call comes back under that name and runs the tool; a profile that shortens names is heeded."""
    bodies: list[Body] = []
    ran: list[str] = []

    @tool(name="orders/find by number", read_only=True)
    def find(number: str) -> str:
        """Look up the status of an order."""
        ran.append(number)
        return "shipped"

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        if len(bodies) > 1:
            stream(chunk("It is shipped."), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)
            return
        function = {"name": body["tools"][0]["function"]["name"], "arguments": '{"number": "A-4"}'}
        call = {"index": 0, "id": "c1", "type": "function", "function": function}
        called = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None}]}
        first = b"data: " + json.dumps(called).encode() + b"\n\n"
        stream(first, chunk(finish="tool_calls"), b"data: [DONE]\n\n")(handler, number)

    models = [{"name": "m", "profile": {"name_chars": 20}}]
    result = Agent("m", base_url=web(answer), tools=[find], models=models).run_sync("Where is order A-4?")
    names = [body["tools"][0]["function"]["name"] for body in bodies]
    assert ("It is shipped.", ["A-4"], ["orders_find_6c02cd42"] * 2) == (result.answer, ran, names)
    assert names[0] == bodies[1]["messages"][-2]["tool_calls"][0]["function"]["name"]


@pytest.mark.parametrize(("wire", "path"), [("responses", "/v1/responses"), ("openai", "/v1/chat/completions")])
def test_definition_names_the_protocol_of_its_server(web: Web, wire: str, path: str) -> None:
    """Chat completions or Responses at one address; a protocol of other servers is an error that says so."""
    asked: list[str] = []

    def answer(handler: Any, number: int) -> None:
        asked.append(handler.path)
        handler.reply(401, "application/json", b"{}")

    url = web(answer) + "/v1"
    models = [{"name": "m", "profile": {"wire": wire}}]
    assert "failed" == Agent("m", base_url=url, models=models).run_sync("Hello").status
    assert [path] == asked
    other = Agent("m", base_url=url, models=[{"name": "m", "profile": {"wire": "anthropic"}}])
    with pytest.raises(SettingsError, match=r"says wire anthropic, and http://127\.0\.0\.1:.* is asked by openai"):
        other.run_sync("Hello")


def test_skill_is_asked_without_what_its_server_refuses(web: Web) -> None:
    """By the profile from the first request, and by a refusal once; what is left out for good ends nothing."""
    bodies: list[Body] = []

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        if "response_format" in body:
            error = {"error": {"message": "This response_format type is unavailable now"}}
            handler.reply(400, "application/json", json.dumps(error).encode())
        else:
            stream(chunk('{"name": ["Tom"]}'), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    model = HttpModel(f"{web(answer)}/chat/completions", model="gpt-5")
    spec = ModelSpec(name="gpt-5", profile="server")
    ended = run_skill("extract", {"text": "I am Tom.", "target": "name"}, spec, lambda: model, Interrupts())
    assert isinstance(ended, purestep.Done)
    assert ({"name": ["Tom"]}, 2) == (ended.data, len(bodies))
    assert [[], []] == [[name for name in ("temperature", "max_tokens") if name in body] for body in bodies]


@pytest.mark.parametrize(
    ("is_refused", "error"),
    [
        (has_strict, {"message": "Unknown parameter: 'strict'."}),
        (has_strict, {"message": "no", "param": "response_format.json_schema.strict"}),
        (streams, {"message": "Streaming is not supported for this model."}),
    ],
)
def test_answer_comes_without_the_strict_form_and_in_one_piece(
    web: Web, is_refused: Callable[[Body], bool], error: Body
) -> None:
    """The schema still holds the answer where the server takes one."""
    bodies: list[Body] = []

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        text = '{"status": "shipped", "note": null}'
        if is_refused(body):
            handler.reply(400, "application/json", json.dumps({"error": error}).encode())
        elif "stream" in body:
            stream(chunk(text), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)
        else:
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            handler.reply(200, "application/json", json.dumps({"choices": [choice]}).encode())

    schema = {
        "type": "object",
        "properties": {"status": {"type": "string"}, "note": {"type": "string"}},
        "required": ["status"],
    }
    models = [{"name": "m", "profile": {"constraint": "strict"}}]
    agent = Agent("m", base_url=web(answer), answer_schema=schema, models=models)
    result = agent.run_sync("Where is order 4?")
    assert ("done", 2, False) == (result.status, len(bodies), is_refused(bodies[1])), result.log
    assert "json_schema" in str(bodies[1]) or "response_format" in error.get("param", "")
