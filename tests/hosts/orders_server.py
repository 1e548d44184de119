"""A server of a shop's orders that refuses some requests; the others it answers with a call, then with the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

Body = dict[str, Any]


def having(member: str) -> Callable[[Body], bool]:
    """Return what tells a request with a member."""
    return lambda body: member in body


def calling(arguments: str) -> bytes:
    """Return the event of a call of the tool, with its arguments as JSON."""
    function = {"name": "find_order", "arguments": arguments}
    calls = [{"index": 0, "id": "c1", "type": "function", "function": function}]
    called = {"choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": None}]}
    return b"data: " + json.dumps(called).encode() + b"\n\n"


def refusing(
    is_refused: Callable[[Body], bool],
    refusal: tuple[int, Body],
    bodies: list[Body],
    *,
    arguments: str,
    answer: str,
) -> Answer:
    """Refuse some requests, with a status and an error; else call the tool as it was asked for, then answer."""

    def answered(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        status, error = refusal
        if is_refused(body):
            handler.reply(status, "application/json", json.dumps({"error": error}).encode())
        elif "shipped" in str(body["messages"]):
            stream(chunk(answer), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)
        elif "tools" in body:
            stream(calling(arguments), chunk(finish="tool_calls"), b"data: [DONE]\n\n")(handler, number)
        else:
            text = f'[TOOL_CALL]{{"name": "find_order", "args": {arguments}}}[/TOOL_CALL]'
            stream(chunk(text), chunk(finish="stop"), b"data: [DONE]\n\n")(handler, number)

    return answered
