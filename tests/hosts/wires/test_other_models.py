"""A run that goes on with another model: what the provider of the first one signed or encrypted stays away from it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from purestep import CallModel, Message
from purestep_hosts import Agent, tool
from purestep_hosts.effects import model_request
from purestep_hosts.models.google import _contents as google_contents
from tests.core.driver import Driver
from tests.event_loops import run_in_loop
from tests.hosts.test_attachments import png
from tests.hosts.wires.asked import Asked
from tests.hosts.wires.chat import OPENAI
from tests.hosts.wires.protocol import KEY, VendorServer, signature
from tests.hosts.wires.replies import Called, Said
from tests.hosts.wires.servers import SERVERS, Server

ADDS = Called(name="add_numbers", arguments={"a": 17, "b": 25})
THINKS = Said(thought="Let me see.", calls=(ADDS,))
Ask = Callable[..., Asked]
Web = Callable[[Any], str]
THINKING = [server for server in SERVERS if server.name != "OpenAI chat"]  # which tells nothing of what was thought


def is_told(asked: Asked, number: int) -> bool:
    """Whether a request has the signature of the first reply, or its thought."""
    body = json.dumps(asked.vendor.bodies[number])
    return signature(0) in body or "Let me see." in body


@pytest.mark.parametrize("way", ["taken over", "as history"])
@pytest.mark.parametrize("server", THINKING, ids=lambda server: server.name)
def test_another_model_of_the_server_is_sent_none_of_it(server: Server, way: str, ask: Ask) -> None:
    """The first one had it back, and has it in its next exchange where it wants it."""
    first = ask(server, THINKS, Said(text="42."))
    result = first.answered()
    other = Server(name=server.name, model=f"{server.model}-other", protocol=server.protocol)
    second = ask(other, Said(text="Yes."))
    second.answered("Sure?", **going_on(second.agent, result, way))
    assert (True, False) == (is_told(first, 1), is_told(second, 0))
    assert "42" in json.dumps(second.vendor.bodies[0])


def going_on(agent: Agent[Any], result: Any, way: str) -> dict[str, Any]:
    """Return the options by which an agent goes on after the run of another one."""
    said = [message for message in result.messages if message.role != "system"]
    return {"after": agent.take_over(result)} if way == "taken over" else {"history": said}


@pytest.mark.parametrize("way", ["taken over", "as history"])
@pytest.mark.parametrize("at", range(len(THINKING)), ids=[server.name for server in THINKING])
def test_model_of_another_vendor_is_sent_none_of_it(at: int, way: str, ask: Ask) -> None:
    """Each wire after the one before it."""
    first = ask(THINKING[at - 1], THINKS, Said(text="42."))
    second = ask(THINKING[at], Said(text="Yes."))
    second.answered("Sure?", **going_on(second.agent, first.answered(), way))
    assert not is_told(second, 0)


CALL = {"id": "x", "type": "function", "function": {"name": "look", "arguments": "{}"}}
LOOK = {"name": "look", "parameters": {"type": "object"}, "annotations": {"readOnlyHint": True}}
EXTRAS: list[dict[str, Any]] = [
    {"thinking_blocks": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]},
    {"thinking_blocks": [{"type": "redacted_thinking", "data": "c2ln"}]},
    {"extra_content": {"openai": {"items": [{"type": "reasoning", "encrypted_content": "c2ln"}]}}},
    {"extra_content": {"google": {"thought_signature": "c2ln"}}},
    {"tool_calls": [{"extra_content": {"google": {"thought_signature": "c2ln"}}}]},
    {"tool_calls": [{"provider_specific_fields": {"thought_signature": "c2ln"}}]},
    {"reasoning_details": [{"type": "reasoning.encrypted", "data": "c2ln"}]},
    {"reasoning_content": "c2ln"},
    {"reasoning": "c2ln"},
    {"anything": {"deep": ["c2ln"]}},
]


@pytest.mark.parametrize("extra", EXTRAS, ids=json.dumps)
def test_next_model_of_a_negotiation_is_sent_none_of_it(extra: dict[str, Any]) -> None:
    """Nor that of a changed definition; the first one is, as long as it is asked."""
    rules = [{"cause": "repeated_call", "count": 1, "move": "model"}]
    models = [{"name": "small"}, {"name": "large"}]
    policies = [{"use": "negotiation", "rules": rules}]
    run = Driver({"tools": [LOOK], "dialect": "native", "models": models, "policies": policies})
    asked = []
    for number in range(1, 4):
        run.send({"type": "model_output", "tool_calls": [CALL], "extra": extra})
        if run.decision["type"] == "invoke_tool":
            run.send({"type": "tool_results", "results": [{"call_id": f"call_{number}", "ok": True, "output": 1}]})
        asked.append((run.decision["model"], "c2ln" in json.dumps(sent_by(run))))
    run.send({"type": "agent_changed", "agent": {"tools": [LOOK], "dialect": "native", "models": [{"name": "own"}]}})
    asked.append((run.decision["model"], "c2ln" in json.dumps(sent_by(run))))
    assert [("small", True), ("large", False)] == asked[:2]
    assert ("own", False) == asked[-1]


def sent_by(run: Driver) -> list[dict[str, Any]]:
    """Return the messages that the decision of a run sends."""
    decision = msgspec.json.decode(json.dumps(run.decision), type=CallModel)
    return model_request(decision, msgspec.convert(run.messages, list[Message])).messages


def alternation(messages: list[dict[str, Any]]) -> str | None:
    """Return why a chat template of Mistral's refuses messages: calls and results do not count, all else alternates."""
    spoken = [
        message["role"]
        for message in messages
        if message["role"] in ("user", "assistant") and not message.get("tool_calls")
    ]
    if any(role != ("user", "assistant")[at % 2] for at, role in enumerate(spoken)):
        return "conversation roles must alternate user/assistant/user/assistant/..."
    return None


@pytest.mark.parametrize("name", ["mistral-small-latest", "mistralai/Mistral-7B-Instruct-v0.3", "gemma-3-27b-it"])
def test_words_that_come_while_a_tool_runs_are_taken_by_a_template_whose_roles_alternate(web: Web, name: str) -> None:
    """By the model's name, behind a server of any kind; so is the image that the tool gives."""
    streams: list[Any] = []

    @tool(read_only=True)
    def add_numbers(a: int, b: int) -> list[Any]:
        """Add two numbers."""
        streams[0].steer("Be quick.")
        return [a + b, png()]

    vendor = VendorServer(OPENAI, [Said(calls=(ADDS,)), Said(text="42.")])
    agent = Agent(name, base_url=f"{web(vendor)}/v1", api_key=KEY, tools=[add_numbers], instructions="Be brief.")

    async def ask() -> Any:
        async with agent.stream("Add them.") as events:
            streams.append(events)
            async for _ in events:
                pass
        return events.result

    result = run_in_loop(ask())
    assert ("done", "42.") == (result.status, result.answer)
    roles = ["system", "user", "assistant", "tool", "assistant", "user"]
    assert (roles, None) == (
        [message["role"] for message in vendor.bodies[1]["messages"]],
        alternation(vendor.bodies[1]["messages"][1:]),
    )
    assert "Be quick." in json.dumps(vendor.bodies[1]["messages"][-1])


def test_server_that_refuses_words_after_results_is_asked_again_with_an_answer_between(web: Web) -> None:
    """Whatever its model is called."""
    bodies: list[list[dict[str, Any]]] = []

    def answer(handler: Any, number: int) -> None:
        messages = json.loads(handler.body)["messages"]
        bodies.append(messages)
        if (wrong := alternation(messages)) is not None:
            return handler.reply(500, "application/json", json.dumps({"error": {"message": wrong}}).encode())
        handler.reply(200, "application/json", json.dumps(WHOLE[min(number, 1)]).encode())

    streams: list[Any] = []

    @tool(read_only=True)
    def add_numbers(a: int, b: int) -> int:
        """Add two numbers."""
        streams[0].steer("Be quick.")
        return a + b

    agent = Agent("own-model", base_url=f"{web(answer)}/v1", tools=[add_numbers])

    async def ask() -> Any:
        async with agent.stream("Add them.") as events:
            streams.append(events)
            async for _ in events:
                pass
        return events.result

    result = run_in_loop(ask())
    assert ("done", "42.", 3) == (result.status, result.answer, len(bodies)), result.log
    assert [{"role": "assistant", "content": "(no answer)"}] == [each for each in bodies[2] if each not in bodies[1]]


def odd_ids(messages: list[dict[str, Any]]) -> list[str]:
    """Return the ids that a chat template of Mistral's refuses."""
    ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    ids += [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    return [each for each in ids if re.fullmatch("[a-zA-Z0-9]{9}", each) is None]


@pytest.mark.parametrize(
    ("name", "most", "status", "words"),
    [
        ("mistral-small-latest", 2, 400, "Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9."),
        ("mistralai/Ministral-8B-Instruct-2410", 2, 500, "Tool call IDs should be alphanumeric strings with length 9!"),
        ("own-model", 3, 400, "Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9."),
        ("own-model", 3, 500, "Tool call IDs should be alphanumeric strings with length 9!"),
    ],
)
def test_ids_of_calls_are_as_mistral_takes_them(web: Web, name: str, most: int, status: int, words: str) -> None:
    """By the model's name, or once its server has refused others; the log has the server's own."""
    bodies: list[list[dict[str, Any]]] = []

    def answer(handler: Any, number: int) -> None:
        bodies.append(json.loads(handler.body)["messages"])
        if odd_ids(bodies[-1]):
            return handler.reply(status, "application/json", json.dumps({"error": {"message": words}}).encode())
        handler.reply(200, "application/json", json.dumps(WHOLE[min(number, 1)]).encode())

    @tool(read_only=True)
    def add_numbers(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    result = Agent(name, base_url=f"{web(answer)}/v1", tools=[add_numbers]).run_sync("Add them.")
    assert ("done", "42.", most) == (result.status, result.answer, len(bodies)), result.log
    assert ([], '"id":"x"') == (odd_ids(bodies[-1]), '"id":"x"' if '"id":"x"' in str(result.log) else "")


def test_gemini_3_is_sent_calls_of_another_model_with_what_stands_for_a_signature() -> None:
    """Of the exchange that goes on: the server refuses a call of it that has none."""
    common = {"tools": [LOOK], "dialect": "native"}
    run = Driver({**common, "models": [{"name": "small"}]})
    run.send({"type": "model_output", "tool_calls": [CALL, {**CALL, "id": "y"}]})
    ids = [call["call_id"] for call in run.decision["calls"]]
    gemini = {"name": "gemini-3-pro-preview", "profile": "google"}
    run.send({"type": "agent_changed", "agent": {**common, "models": [gemini]}})
    run.send({"type": "tool_results", "results": [{"call_id": each, "ok": True, "output": 1} for each in ids]})
    contents = google_contents(sent_by(run))
    calls = [part for content in contents for part in content["parts"] if "functionCall" in part]
    assert ["skip_thought_signature_validator", None][: len(ids)] == [part.get("thoughtSignature") for part in calls]


def whole(**message: Any) -> dict[str, Any]:
    """Return a chat completion."""
    return {"choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}]}


_ARGUMENTS = {"name": "add_numbers", "arguments": '{"a": 17, "b": 25}'}
WHOLE = [whole(tool_calls=[{"id": "x", "type": "function", "function": _ARGUMENTS}]), whole(content="42.")]
