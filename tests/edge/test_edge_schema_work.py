"""Hostile schemas and values, from a client: the service is busy no longer than with an honest request of that size."""

import json
import threading
import time
from typing import Any, Final

import pytest

import purestep
from tests.edge.drivers import Answer, Service

MOST: Final = 20
"""How many honest requests of the same size a hostile one may cost; the worst costs six, and without a budget 200."""
TRIES: Final = 4
"""The least of so many counts: other work on the machine adds to single ones."""

Case = tuple[Any, Any]
"""A schema, and a value for it."""

HONEST: Final[Case] = (
    {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "integer"}}}},
    [*[{"a": number} for number in range(12_000)], {"a": "x"}],
)
"""One value in it is wrong, which is told by the validator that the hostile ones are judged by."""
HOSTILE: Final[dict[str, Case]] = {
    "names against patterns": (
        {"patternProperties": {f"^(a|b)*{n}": True for n in range(500)}, "unevaluatedProperties": False},
        {f"a{number}": 1 for number in range(9_000)},
    ),
    "items against branches": (
        {"allOf": [{"contains": {"const": n}} for n in range(400)], "unevaluatedItems": False},
        list(range(20_000)),
    ),
    "patterns that try every way": (
        {"allOf": [{"pattern": f"(a|b)*a(a|b){{{n}}}$"} for n in range(100, 124)]},
        "ab" * 40_000,
    ),
    "items against each other": ({"uniqueItems": True}, [[number, {}] for number in range(15_000)]),
}


def request_with(case: Case) -> bytes:
    """Return a request with a definition and an output whose call is checked by its schema."""
    schema, value = case
    agent = {"tools": [{"name": "t", "parameters": {"type": "object", "properties": {"x": schema}}}]}
    begun = {"agent": agent, "run_id": "r", "observation": {"type": "user_message", "content": "go"}}
    state = json.loads(purestep.run_agent_step(json.dumps(begun)))["state"]
    call = json.dumps({"kind": "tool_call", "tool_name": "t", "arguments": {"x": value}})
    return json.dumps(
        {"agent": agent, "state": state, "observation": {"type": "model_output", "content": call}}
    ).encode()


def timed(service: Service, body: bytes) -> tuple[float, Answer]:
    """Return how long a step took, and its answer."""
    began = time.monotonic()
    answer = service.send("POST", "/step", body)
    return time.monotonic() - began, answer


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_schema_costs_as_much_as_honest_requests_of_its_size(service: Service, name: str) -> None:
    """Health answers meanwhile or right afterwards, and the answer is the native core's."""
    honest, hostile = request_with(HONEST), request_with(HOSTILE[name])
    timed(service, honest)
    usual = min(timed(service, honest)[0] for _ in range(TRIES))
    health: list[Answer] = []
    asking = threading.Thread(target=lambda: health.append(service.send("GET", "/health")))
    asking.start()
    took, answer = timed(service, hostile)
    asking.join()
    assert purestep.run_agent_step(hostile.decode()) == answer.body.decode()
    assert [200] == [each.status for each in health]
    again = (timed(service, hostile)[0] for _ in range(TRIES - 1))
    assert took < MOST * usual or min(again) < MOST * usual
