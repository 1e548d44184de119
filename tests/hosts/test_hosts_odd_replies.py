"""Replies that are odd but understood, and what must not come out of them."""

import json
from typing import Any

import msgspec
import pytest

import purestep_formats
from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpModel, completions_url
from tests.hosts.asking import observed


def put_together(*chunks: dict[str, Any]) -> dict[str, Any]:
    """Return the observation of a reply that came in these chunks."""
    reply = purestep_formats.open_reply()
    for chunk in (*map(json.dumps, chunks), "[DONE]"):
        reply, _ = purestep_formats.feed_reply(reply, chunk)
    observation: dict[str, Any] = msgspec.to_builtins(purestep_formats.close_reply(reply)[0])
    return observation


def delta(**piece: Any) -> dict[str, Any]:
    """Return a chunk with one choice."""
    return {"choices": [{"delta": piece}]}


def piece(call_id: str | None, name: str | None, arguments: str, **index: Any) -> dict[str, Any]:
    """Return a chunk with a piece of a tool call."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return delta(tool_calls=[{"function": function, **index} | ({"id": call_id} if call_id else {})])


@pytest.mark.parametrize("index", [{}, {"index": 0}, {"index": None}])
def test_calls_that_are_not_numbered_are_told_apart_by_their_ids(index: dict[str, Any]) -> None:
    """Some servers number no call, or all of them 0."""
    found = put_together(piece("a", "add", '{"x":', **index), piece(None, None, "1}"), piece("b", "sub", "{}", **index))
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in found["tool_calls"]]
    assert [("add", '{"x":1}'), ("sub", "{}")] == calls


@pytest.mark.parametrize("chunk", [{"choices": None, "usage": {}}, {"choices": []}, {"choices": [{"delta": None}]}])
def test_chunks_that_only_report_are_passed_over(chunk: dict[str, Any]) -> None:
    """Usage and filter reports come as chunks without text."""
    assert "hi" == put_together(delta(content="hi"), chunk)["content"]


@pytest.mark.parametrize("count", [True, 10**30, 2**53, -1, "7", 1.5])
def test_impossible_usage_is_left_out(count: Any) -> None:
    """What is no count of tokens is not counted."""
    assert "usage" not in put_together({**delta(content="hi"), "usage": {"prompt_tokens": count}})


def test_key_with_invisible_characters_inside_is_hidden() -> None:
    """F34: a server that repeats the key does not bring it into the log, however it is written."""
    body = json.dumps({"error": {"message": "bad key sk-SEC\u200bRET-123"}})
    end = purestep_formats.ReplyEnd(kind="status", status=400, body=body, secret="sk-SECRET-123")
    assert "bad key [key]" in purestep_formats.read_fault(end).message
    assert "SECRET" not in repr(end)


def test_path_of_the_completions_goes_before_the_query() -> None:
    """A base URL with a query keeps it behind the path."""
    assert "http://h/v1/chat/completions?v=1" == completions_url("http://h/v1/?v=1")


@pytest.mark.parametrize(
    ("name", "value"), [("HTTP_PROXY", "foo://h"), ("ALL_PROXY", "socks5://h:1"), ("OPENAI_ORG_ID", "\u00e9")]
)
def test_environment_that_the_client_cannot_use_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """C16: a proxy or setting that cannot be used is a model that cannot be had, not a defect."""
    monkeypatch.setenv(name, value)
    model = HttpModel("http://purestep.invalid/v1/chat/completions", model="m")
    found = observed(model, ModelRequest(messages=[{"role": "user", "content": "hi"}]))
    assert ("model_error", "unavailable") == (found["type"], found["code"])


def test_host_name_past_every_bound_is_told() -> None:
    """A name that cannot be looked up is a model that cannot be had."""
    model = HttpModel(f"http://{'a' * 300}/v1/chat/completions", model="m")
    found = observed(model, ModelRequest(messages=[{"role": "user", "content": "hi"}]))
    assert ("model_error", "unavailable") == (found["type"], found["code"])
