"""What the servers of these tests send has the shape of what their vendors send, and they refuse what is wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.hosts.wires.protocol import Protocol
from tests.hosts.wires.replies import Called, Said
from tests.hosts.wires.servers import SERVERS, Server
from tests.hosts.wires.vendor_types import event_faults, type_faults

WIRES = {"OpenAI Responses": "responses", "Anthropic": "anthropic", "Gemini": "google"}
REPLIES = (
    Said(text="Yes."),
    Said(text="Cut", ends="length"),
    Said(text="No.", ends="content_filter"),
    Said(thought="Hm.", text="I add.", calls=(Called(name="f", arguments={"a": 1}), Called(name="g"))),
)


def events_in(stream: bytes) -> list[Any]:
    """Return the events of a stream, as JSON."""
    lines = [line.removeprefix(b"data: ") for line in stream.splitlines() if line.startswith(b"data: ")]
    return [json.loads(line) for line in lines if line != b"[DONE]"]


@pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)
def test_events_are_those_of_the_vendor(server: Server) -> None:
    """By the types of its own client, which have no pings."""
    wire = WIRES.get(server.name, "chat")
    for number, said in enumerate(REPLIES):
        for event in events_in(server.protocol.events(said, number)):
            assert event == {"type": "ping"} or "" == event_faults(wire, event), event


HI: dict[str, Any] = {"role": "user", "content": "hi"}
CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
CHAT: dict[str, Any] = {"model": "m", "stream": True, "messages": [HI]}
RESPONSE: dict[str, Any] = {"model": "m", "stream": True, "store": False, "input": [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}]}  # fmt: skip
MESSAGE: dict[str, Any] = {"model": "m", "stream": True, "max_tokens": 9, "messages": [
    {"role": "user", "content": [{"type": "text", "text": "hi"}]}]}  # fmt: skip
CONTENT: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}
GOOD = {"chat": CHAT, "responses": RESPONSE, "anthropic": MESSAGE, "google": CONTENT}


@pytest.mark.parametrize("wire", GOOD)
def test_member_that_the_vendor_does_not_have_is_refused(wire: str) -> None:
    """At the root of a request and deep in it; a plain request is taken."""
    assert "" == type_faults(wire, GOOD[wire])
    assert "unknown" in type_faults(wire, {**GOOD[wire], "unknown": 1})
    (name,) = [name for name in ("messages", "input", "contents") if name in GOOD[wire]]
    deep = [{**GOOD[wire][name][0], "unknown": 1}]
    assert "unknown" in type_faults(wire, {**GOOD[wire], name: deep})


BLANK = {"role": "user", "content": [{"type": "text", "text": " "}]}
BY_NAME: dict[str, Protocol] = {server.name: server.protocol for server in SERVERS}


@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("OpenAI chat", {**CHAT, "messages": []}, "too short"),
        ("OpenAI chat", {**CHAT, "temperature": 0}, "temperature"),
        ("OpenAI chat", {**CHAT, "tool_choice": "auto"}, "only allowed when 'tools'"),
        ("vLLM", {**CHAT, "messages": [HI, {"role": "assistant", "tool_calls": [CALL]}]}, "did not have response"),
        ("vLLM", {**CHAT, "messages": [HI, {"role": "tool", "tool_call_id": "c", "content": ""}]}, "preceding message"),
        ("LM Studio", {**CHAT, "response_format": {"type": "json_object"}}, "must be 'json_schema'"),
        ("OpenAI Responses", {**RESPONSE, "store": True}, "not persisted"),
        ("OpenAI Responses", {**RESPONSE, "input": [*RESPONSE["input"], {
            "type": "function_call_output", "call_id": "c", "output": ""}]}, "No tool call found"),
        ("Anthropic", {**MESSAGE, "messages": MESSAGE["messages"] * 2}, "alternate"),
        ("Anthropic", {**MESSAGE, "messages": [BLANK]}, "non-whitespace"),
        ("Anthropic", {**MESSAGE, "tools": [{"name": "a b", "input_schema": {"type": "object"}}]}, "pattern"),
        ("Gemini", {"contents": [{"role": "user", "parts": []}]}, "must have a text"),
        ("Gemini", {"contents": [*CONTENT["contents"], {"role": "model", "parts": [
            {"functionCall": {"name": "f", "args": {}}}]}]}, "right before its response"),
    ],
)  # fmt: skip
def test_what_is_out_of_order_is_refused(name: str, body: dict[str, Any], said: str) -> None:
    """By the rules that types do not have."""
    assert said in BY_NAME[name].faults(body, [])
