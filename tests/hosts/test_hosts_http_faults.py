"""The HTTP model against servers that are wrong, slow, or gone: every one ends in an observation."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts.models.model import ModelRequest
from purestep_hosts.models.openai_http import HttpLimits, HttpModel, completions_url
from tests.hosts.asking import observed

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hi"}])
QUICK = HttpLimits(connect_s=1.0, read_s=0.4, total_s=1.0)
Answer = Callable[[Any, int], None]
Web = Callable[[Answer], str]


def chunk(content: str | None = None, finish: str | None = None, **delta: Any) -> bytes:
    """Return one event of a streamed completion."""
    body = {"choices": [{"index": 0, "delta": {"content": content, **delta}, "finish_reason": finish}]}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def stream(*pieces: bytes) -> Answer:
    """Answer with an event stream that ends by closing the connection."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for piece in pieces:
            handler.wfile.write(piece)

    return answer


def reply(status: int, kind: str, body: bytes, **headers: str) -> Answer:
    """Answer every request alike."""
    return lambda handler, number: handler.reply(status, kind, body, **headers)


def complete(url: str, limits: HttpLimits = QUICK) -> dict[str, Any]:
    """Ask the server at `url` for one completion."""
    return observed(HttpModel(completions_url(url), model="m", api_key="sk-secret-1234", limits=limits), REQUEST)


GOOD = (chunk("Hel"), chunk("lo"), chunk(finish="stop"), b"data: [DONE]\n\n")


@pytest.mark.parametrize(
    ("status", "code", "headers", "wait_ms"),
    [
        (429, "rate_limit", {"Retry_After": "0.01"}, 10),
        (500, "unavailable", {"Retry_After_Ms": "5"}, 5),
        (409, "unavailable", {}, None),
        (503, "unavailable", {"Retry_After": "soon"}, None),
    ],
)
def test_busy_server_is_asked_once(
    web: Web, status: int, code: str, headers: dict[str, str], wait_ms: int | None
) -> None:
    """Whether it is asked again is not the host's decision; how long the server asks to be left alone is told."""
    tries: list[int] = []

    def answer(handler: Any, number: int) -> None:
        tries.append(number)
        handler.reply(status, "text/plain", b"Traceback: secret internals", **headers)

    output = complete(web(answer), HttpLimits())
    assert [0] == tries
    assert (code, True, wait_ms) == (output["code"], output["retryable"], output.get("retry_after_ms"))
    assert "Traceback" not in output["message"]


@pytest.mark.parametrize(
    ("status", "body", "code", "retryable"),
    [
        (400, {"error": {"code": "context_length_exceeded", "message": "too long"}}, "overflow", False),
        (400, {"error": {"type": "exceed_context_size_error", "n_ctx": 8}}, "overflow", False),
        (400, {"error": {"message": "no such option"}}, "refused", False),
        (401, {"error": {"message": "bad key sk-secret-1234"}}, "unavailable", False),
        (403, {"detail": "no"}, "unavailable", False),
        (404, {"error": "no such model"}, "unavailable", False),
        (408, {}, "timeout", True),
        (422, {"detail": "key sk-secret-1234 is odd"}, "refused", False),
        (429, {"error": {"message": "slow down"}}, "rate_limit", True),
        (429, {"error": {"code": "insufficient_quota"}}, "rate_limit", False),
        (503, {"error": {"message": "loading model"}}, "unavailable", True),
    ],
)
def test_status_is_told_as_what_to_do(web: Web, status: int, body: Any, code: str, retryable: bool) -> None:
    """Each kind of refusal has its code, and no message repeats the key."""
    output = complete(web(reply(status, "application/json", json.dumps(body).encode())))
    assert (output["code"], output["retryable"]) == (code, retryable)
    assert "sk-secret" not in output["message"]
    assert output["message"].endswith((".", "?"))


def test_page_instead_of_an_answer(web: Web) -> None:
    """An HTML page with status 200 means a wrong base URL: say so, do not try again."""
    output = complete(web(reply(200, "text/html", b"<html>Welcome</html>")))
    assert (output["code"], output["retryable"]) == ("unavailable", False)
    assert "text/html" in output["message"]
    assert "base URL" in output["message"]


@pytest.mark.parametrize(
    "body",
    [
        b"not json",
        b"[]",
        b"{}",
        b'{"choices": 5}',
        b'{"choices": [5]}',
        b'{"choices": [{"message": "hi"}]}',
        b'{"choices": [{"message": {"content": 5}}]}',
        b'{"choices": [{"message": {"content": "x", "tool_calls": [{"function": 3}]}}]}',
        b'{"choices": [{"message": {"content": "x"}, "finish_reason": 7}]}',
        b"[" * 100_000,
    ],
)
def test_wrong_shape_is_unavailable(web: Web, body: bytes) -> None:
    """A reply of another shape is named as such, whole or streamed."""
    whole = complete(web(reply(200, "application/json", body)))
    streamed = complete(web(stream(b"data: " + body + b"\n\n")))
    for output in (whole, streamed):
        assert output["code"] == "unavailable"
        assert "no chat completion" in output["message"]


def test_server_that_does_not_stream_is_understood(web: Web) -> None:
    """A whole completion instead of a stream is taken as it is."""
    body = {"model": "big", "choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
    output = complete(web(reply(200, "application/json", json.dumps(body).encode())))
    assert output == {"type": "model_output", "content": "Hello", "finish_reason": "stop", "model": "big"}


@pytest.mark.parametrize("end", [b"", b'data: {"choi', b": ping\n\n"])
def test_cut_stream_may_be_retried_and_tells_only_the_length(web: Web, end: bytes) -> None:
    """A stream without its end is an error that does not repeat what had come."""
    output = complete(web(stream(chunk("Hello"), end)))
    assert (output["code"], output["retryable"]) == ("unavailable", True)
    assert "5 characters" in output["message"]
    assert "Hello" not in output["message"]


def test_connection_cut_inside_a_known_length(web: Web) -> None:
    """A body shorter than announced is a cut reply."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        handler.wfile.write(chunk("Hello"))

    output = complete(web(answer))
    assert (output["code"], output["retryable"]) == ("unavailable", True)


def test_reply_that_names_its_end_needs_no_finish_reason(web: Web) -> None:
    """[DONE] alone ends a reply; the missing reason stays missing."""
    output = complete(web(stream(chunk("Hello"), b"data: [DONE]\n\n")))
    assert (output["content"], output["finish_reason"]) == ("Hello", None)


def test_silent_server_times_out(web: Web) -> None:
    """A server that accepts and says nothing costs no more than the read limit."""

    release, ended = threading.Event(), threading.Event()

    def answer(handler: Any, number: int) -> None:
        release.wait(60)
        ended.set()

    output = complete(web(answer))
    assert not ended.is_set()
    release.set()
    assert (output["code"], output["retryable"]) == ("timeout", True)


@pytest.mark.parametrize("piece", [b": ping\n\n", chunk("x")])
def test_endless_stream_meets_the_total_limit(web: Web, piece: bytes) -> None:
    """Neither comments nor text for ever can hold the host longer than the total limit."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        for _ in range(3000):  # a minute, unless the client leaves
            handler.wfile.write(piece)
            handler.wfile.flush()
            time.sleep(0.02)

    output = complete(web(answer))
    assert output["code"] == "timeout"


def test_endless_line_is_bounded(web: Web) -> None:
    """A line without an end stops being read at its limit."""

    def answer(handler: Any, number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write(b"data: ")
        for _ in range(200):
            handler.wfile.write(b"x" * 65536)

    output = complete(web(answer), HttpLimits())
    assert (output["code"], output["retryable"]) == ("unavailable", False)


def test_error_inside_a_stream(web: Web) -> None:
    """An error object in mid-stream is classified like one in a status reply."""
    error = {"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 8, "n_prompt_tokens": 9}}
    output = complete(web(stream(chunk("He"), b"data: " + json.dumps(error).encode() + b"\n\n")))
    assert output["code"] == "overflow"
    assert "9 tokens" in output["message"]


def test_nothing_listens() -> None:
    """A closed port is named with advice."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    output = complete(f"http://127.0.0.1:{port}/v1")
    assert (output["code"], output["retryable"]) == ("unavailable", True)
    assert f"127.0.0.1:{port}" in output["message"]


def test_unknown_host() -> None:
    """A name that does not resolve is unavailable, not a crash."""
    assert complete("http://no-such-host.invalid/v1")["code"] == "unavailable"


def test_tool_calls_are_put_together_from_deltas(web: Web) -> None:
    """Arguments in pieces, of two calls, interleaved, come out whole and in order."""

    def delta(index: int, arguments: str, **named: str) -> bytes:
        function = {"arguments": arguments, **({"name": named["name"]} if named else {})}
        return chunk(tool_calls=[{"index": index, "id": named.get("id"), "function": function}])

    pieces = (
        delta(0, '{"a":', id="x1", name="add"),
        delta(1, "{}", id="x2", name="now"),
        delta(0, "1}"),
        chunk(finish="tool_calls"),
    )
    output = complete(web(stream(*pieces)))
    assert output["content"] is None
    assert output["tool_calls"] == [
        {"id": "x1", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}},
        {"id": "x2", "type": "function", "function": {"name": "now", "arguments": "{}"}},
    ]


def test_every_cut_of_the_bytes_gives_the_same_reply(web: Web) -> None:
    """Where the network cuts the stream does not matter, not even inside a character."""
    whole = b"".join((chunk("Grüße 🎉"), chunk(finish="stop"), b"data: [DONE]\r\n\r\n")).replace(
        b"\\u00fc", "ü".encode()
    )
    output = complete(web(stream(*(whole[at : at + 1] for at in range(len(whole))))))
    assert output["content"] == "Grüße 🎉"


def test_split_surrogates_are_joined_and_lone_ones_replaced(web: Web) -> None:
    """The content is always text that UTF-8 can hold."""
    output = complete(web(stream(chunk("a\ud83c"), chunk("\udf89b\ud83c"), chunk(finish="stop"))))
    assert output["content"] == "a🎉b\ufffd"


def test_printing_a_model_does_not_show_its_key() -> None:
    """The key is in no representation."""
    model = HttpModel("http://127.0.0.1/v1/chat/completions", model="m", api_key="sk-secret-1234")
    assert "sk-secret" not in repr(model)


@pytest.mark.parametrize(
    ("base", "url"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("http://h/v1/chat/completions", "http://h/v1/chat/completions"),
    ],
)
def test_completions_url(base: str, url: str) -> None:
    """A base URL gains the path once."""
    assert completions_url(base) == url
