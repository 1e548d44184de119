"""Anthropic's Messages API: breakpoints of the prompt's cache, and what a server says that it does not take."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep_hosts import Agent, tool
from purestep_hosts.models.anthropic import anthropic_model
from purestep_hosts.models.model import ModelRequest
from tests.hosts.asking import observed
from tests.hosts.wires.messages import ANTHROPIC, events_of, unmarked
from tests.hosts.wires.protocol import KEY, VendorServer, stream_of
from tests.hosts.wires.replies import Called, Said

Web = Callable[[Any], str]
SCHEMA = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}


@tool(read_only=True)
def find_order(number: int) -> str:
    """Look up the status of an order."""
    return f"order {number} is shipped"


def marked(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return where the breakpoints of a body stand."""
    if isinstance(value, dict):
        own = [at] if "cache_control" in value else []
        return own + [place for name, each in value.items() for place in marked(each, (*at, name))]
    items = enumerate(value) if isinstance(value, list) else ()
    return [place for number, each in items for place in marked(each, (*at, number))]


def blocks_until(body: dict[str, Any], places: list[tuple[Any, ...]]) -> list[str]:
    """Return all that stands before and at the last breakpoint of a message, as the cache compares it."""
    turn, block = max((place[1], place[3]) for place in places if place[0] == "messages")
    plain = unmarked(body)
    turns = plain["messages"][: turn + 1]
    turns[-1] = {**turns[-1], "content": turns[-1]["content"][: block + 1]}
    found = [plain["tools"], plain.get("system")]
    found += [[each["role"], part] for each in turns for part in each["content"]]
    return [json.dumps(each) for each in found]


def test_each_request_begins_with_what_the_one_before_had_at_its_last_breakpoint(web: Web) -> None:
    """And marks that place again, so that it is found however many blocks came since."""
    calls = tuple(Called(name="find_order", arguments={"number": number}) for number in range(30))
    replies = [Said(calls=calls), Said(text="And", calls=calls[:1]), Said(text="A."), Said(text="B.")]
    server = VendorServer(ANTHROPIC, replies)
    model = anthropic_model("claude-test-1", base_url=web(server), api_key=KEY)
    agent = Agent(model, tools=[find_order], instructions="Be short.")
    first = agent.run_sync("Where are they?")
    assert "B." == agent.run_sync("And now?", after=first).answer
    assert [] == server.refused
    places = [marked(body) for body in server.bodies]
    assert [3, 4, 4, 4] == [len(each) for each in places]
    assert [{("tools", 0), ("system", 0)}] * 4 == [
        {place for place in each if place[0] != "messages"} for each in places
    ]
    for before, (body, at) in zip(server.bodies, list(zip(server.bodies, places, strict=True))[1:], strict=False):
        prefix = blocks_until(before, marked(before))
        assert prefix == blocks_until(body, at)[: len(prefix)]
        assert [place for place in marked(before) if place[0] == "messages"][-1] in at


def test_question_alone_is_not_written_into_the_cache(web: Web) -> None:
    """Nothing follows that would read it; with tools a second request is near."""
    for tools, number in (([], 0), ([find_order], 2)):
        server = VendorServer(ANTHROPIC, [Said(text="Yes.")])
        Agent(anthropic_model("claude-test-1", base_url=web(server), api_key=KEY), tools=tools).run_sync("Is it?")
        assert number == len(marked(server.bodies[0]))


@pytest.mark.parametrize(("control", "number"), [(None, 0), ({"type": "ephemeral", "ttl": "1h"}, 2)])
def test_option_says_how_long_the_cache_lives_or_that_there_is_none(web: Web, control: Any, number: int) -> None:
    """It stands at each breakpoint."""
    server = VendorServer(ANTHROPIC, [Said(text="Yes.")])
    options = {"cache_control": control}
    model = anthropic_model("claude-test-1", base_url=web(server), api_key=KEY, options=options)
    Agent(model, tools=[find_order]).run_sync("Is it?")
    found = server.bodies[0]
    assert (number, True) == (len(marked(found)), json.dumps(found).count(json.dumps(control)) >= number)


REFUSED = [
    ("cache_control", "tools.0.cache_control: Extra inputs are not permitted"),
    ("cache_control", "messages.0.content.0.cache_control: Extra inputs are not permitted"),
    ("output_config", "output_config: Extra inputs are not permitted"),
    ("output_config", "This model does not support structured outputs."),
    ("tool_choice", "Thinking may not be enabled when tool_choice forces tool use."),
]


@pytest.mark.parametrize(("member", "message"), REFUSED)
def test_run_ends_right_with_one_more_request(web: Web, member: str, message: str) -> None:
    """What a server of this protocol refuses, in the form of its errors, is left out of all that follows."""
    bodies: list[dict[str, Any]] = []
    wrong: list[str] = []

    def answer(handler: Any, number: int) -> None:
        body = json.loads(handler.body)
        bodies.append(body)
        wrong.append(ANTHROPIC.faults(body, []))
        if f'"{member}"' in json.dumps(body):
            error = {"type": "error", "error": {"type": "invalid_request_error", "message": message}}
            return handler.reply(400, "application/json", json.dumps(error).encode())
        calls = () if "is shipped" in json.dumps(body) else (Called(name="find_order", arguments={"number": 4}),)
        said = Said(calls=calls) if calls else Said(text='{"status": "shipped"}')
        handler.reply(200, "text/event-stream", stream_of(events_of(said, 0), named=True))

    supports = ["tools", "json_schema", "tools_with_json_schema"]
    agent = Agent(
        anthropic_model("claude-test-1", base_url=web(answer), api_key=KEY),
        tools=[find_order],
        answer_schema=SCHEMA,
        models=[{"name": "claude-test-1", "supports": supports}],
        **({"tool_choice": "required"} if member == "tool_choice" else {}),
    )
    result = agent.run_sync("Where is order 4?")
    assert '{"status": "shipped"}' == result.answer
    assert [True, False, False] == [f'"{member}"' in json.dumps(body) for body in bodies]
    assert ["", "", ""] == wrong


def test_thinking_that_is_not_told_goes_back_with_its_signature(web: Web) -> None:
    """As of models whose thinking is omitted by default: the text is empty, and the member is there all the same."""
    thinks = Said(thought=" ", calls=(Called(name="find_order", arguments={"number": 4}),))
    server = VendorServer(ANTHROPIC, [thinks, Said(text="Yes.")])

    def answer(handler: Any, number: int) -> None:
        reply = handler.reply
        untold = (b'"thinking": " "', b'"thinking": ""')
        handler.reply = lambda status, kind, body: reply(status, kind, body.replace(*untold))
        server(handler, number)

    model = anthropic_model("claude-test-1", base_url=web(answer), api_key=KEY)
    assert "Yes." == Agent(model, tools=[find_order]).run_sync("Is it?").answer
    block = server.bodies[1]["messages"][1]["content"][0]
    assert ({"type": "thinking", "thinking": "", "signature": server.given[0]}, []) == (block, server.refused)


@pytest.mark.parametrize(
    ("members", "sent"),
    [
        ({}, 8192),
        ({"sampling": {"max_tokens": 60}}, 60),
        ({"sampling": {"max_completion_tokens": 60}}, 60),
        ({"without": ("max_tokens",)}, 4096),
        ({"without": ("max_tokens",), "sampling": {"max_completion_tokens": 9000}}, 4096),
    ],
)
def test_limit_of_tokens_is_always_sent(web: Web, members: dict[str, Any], sent: int) -> None:
    """The API wants one; a model that refused the usual one is asked for less."""
    server = VendorServer(ANTHROPIC, [Said(text="Yes.")])
    model = anthropic_model("claude-test-1", base_url=web(server), api_key=KEY)
    observed(model, ModelRequest(messages=[{"role": "user", "content": "hi"}], **members))
    assert (sent, False) == (server.bodies[0]["max_tokens"], "max_completion_tokens" in server.bodies[0])


def test_limit_of_tokens_leaves_room_after_thinking(web: Web) -> None:
    """The API refuses a limit that thinking alone would reach."""
    server = VendorServer(ANTHROPIC, [Said(text="Yes.")])
    options = {"thinking": {"type": "enabled", "budget_tokens": 20_000}}
    model = anthropic_model("claude-test-1", base_url=web(server), api_key=KEY, options=options)
    observed(model, ModelRequest(messages=[{"role": "user", "content": "hi"}]))
    assert 28_192 == server.bodies[0]["max_tokens"]
