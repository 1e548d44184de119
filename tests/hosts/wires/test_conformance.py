"""The table of wires: what each server is asked for and gives, against the rules of its vendor."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import pytest

from purestep_hosts import tool
from tests.event_loops import run_in_loop
from tests.hosts.test_agent_loops import cancelled_in
from tests.hosts.test_attachments import png
from tests.hosts.wires.asked import Asked
from tests.hosts.wires.replies import CACHED, PROMPT, THOUGHT, WRITTEN, Called, Said
from tests.hosts.wires.servers import SERVERS, Server

each_server = pytest.mark.parametrize("server", SERVERS, ids=lambda server: server.name)


@tool
def pay(amount: int) -> str:
    """Pay an amount."""
    return f"paid {amount}"


ADDS = Called(name="add_numbers", arguments={"a": 17, "b": 25})
FINDS = Called(name="find_order", arguments={"number": 4})
ANSWER = Said(text="It is done.")


Ask = Callable[..., Asked]


@each_server
def test_two_tools(server: Server, ask: Ask) -> None:
    """One after the other, each result in the next request."""
    asked = ask(server, Said(text="First.", calls=(ADDS,)), Said(calls=(FINDS,)), ANSWER, instructions="Be short.")
    assert "It is done." == asked.answered().answer
    last = json.dumps(asked.vendor.bodies[-1])
    assert all(text in last for text in ("Be short.", "Do it.", "First.", "42", "order 4 is shipped"))


@each_server
def test_parallel_calls(server: Server, ask: Ask) -> None:
    """Both calls of a reply run, and both results go back at once."""
    twice = Called(name="add_numbers", arguments={"a": 1, "b": 2})
    asked = ask(server, Said(calls=(ADDS, twice, FINDS)), ANSWER)
    assert "It is done." == asked.answered().answer
    last = json.dumps(asked.vendor.bodies[-1])
    assert all(text in last for text in ("42", "order 4 is shipped"))


@each_server
def test_correction(server: Server, ask: Ask) -> None:
    """Arguments that do not fit are told to the model, which calls again."""
    wrong = Called(name="add_numbers", arguments={"a": "many", "b": 25})
    asked = ask(server, Said(calls=(wrong,)), Said(calls=(ADDS,)), ANSWER)
    result = asked.answered()
    assert ["invalid_arguments"] == [
        line["cause"] for line in map(json.loads, result.log.splitlines()) if line["kind"] == "correction"
    ]


@each_server
def test_approval(server: Server, ask: Ask) -> None:
    """A call that acts waits for a person, and what was said of it goes back."""
    asked = ask(
        server,
        Said(calls=(Called(name="pay", arguments={"amount": 5}),)),
        Said(calls=(Called(name="pay", arguments={"amount": 3}),)),
        ANSWER,
        tools=[pay],
        approval={"default": "ask"},
        approve=lambda call: call.params["amount"] < 5,
    )
    result = asked.answered()
    assert [("refused", 5), ("succeeded", 3)] == [(act.status, act.params["amount"]) for act in result.acts]


@each_server
def test_images(server: Server, ask: Ask) -> None:
    """An image goes with the question, in the vendor's own form, and again with the next one."""
    asked = ask(server, Said(calls=(ADDS,)), ANSWER)
    asked.answered("What is this?", attachments=[png()])
    encoded = base64.b64encode(png()).decode()
    assert [True, True] == [encoded in json.dumps(body) for body in asked.vendor.bodies]


@tool(read_only=True)
def look(at: str) -> list[str | bytes]:
    """Look at something."""
    return [f"a picture of {at}", png(), b"%PDF-1.4 a paper"]


@each_server
def test_images_of_results(server: Server, ask: Ask) -> None:
    """An image and a file that a tool gives go to the model, in the vendor's own form, and again with what follows."""
    looks = [Called(name="look", arguments={"at": what}) for what in ("Oslo", "Rome", "Bonn")]
    asked = ask(server, Said(calls=tuple(looks[:2])), Said(calls=(looks[2],)), ANSWER, tools=[look])
    result = asked.answered()
    found = [json.dumps(body) for body in asked.vendor.bodies]
    for data in (png(), b"%PDF-1.4 a paper"):
        encoded = base64.b64encode(data).decode()
        assert [0, 2, 3] == [body.count(encoded) for body in found]
        assert encoded not in result.log
    assert all(text in found[-1] for text in ("a picture of Oslo", "a picture of Rome", "a picture of Bonn"))


@each_server
def test_structured_output(server: Server, ask: Ask) -> None:
    """The schema of the answer goes to the server, and the answer is read by it."""
    schema = {
        "type": "object",
        "properties": {"total": {"type": "integer"}},
        "required": ["total"],
        "additionalProperties": False,
    }
    supports = ["tools", "json_schema", "tools_with_json_schema"]
    models = [{"name": server.model.partition(":")[2], "supports": supports}]
    asked = ask(server, Said(calls=(ADDS,)), Said(text='{"total": 42}'), answer_schema=schema, models=models)
    assert {"total": 42} == json.loads(asked.answered().answer)
    assert '"total"' in json.dumps(asked.vendor.bodies[0])


@each_server
def test_reasoning_sent_back(server: Server, ask: Ask) -> None:
    """What the model thought before a call goes back with it as it came, which the server checks; it is shown too."""
    thought = "The tool knows: S\u00f8."
    replies = (Said(thought=thought, text="I add.", calls=(ADDS,)), Said(thought=thought, calls=(FINDS,)), ANSWER)
    lines = map(json.loads, ask(server, *replies).answered().log.splitlines())
    told = [line for line in lines if thought in json.dumps(line, ensure_ascii=False)]
    assert (0 if server.name == "OpenAI chat" else 2) == len(told)  # chat completions of OpenAI tell nothing of it


@each_server
def test_cancel(server: Server, ask: Ask) -> None:
    """The connection is closed at once, in the middle of a reply, and the run says so."""
    asked = ask(server, Said(text="A long answer that goes on"), waits=True)
    log: list[str] = []

    run_in_loop(cancelled_in(asked.agent, asked.vendor.began.is_set, log))
    assert asked.vendor.left.wait(10)
    assert ["cancelled", "run_failed"] == [json.loads(line)["kind"] for line in "".join(log).splitlines()[-2:]]


@each_server
def test_usage(server: Server, ask: Ask) -> None:
    """Tokens of the prompt, of a cache, of the reply and of its thoughts, of both requests together."""
    usage = ask(server, Said(calls=(ADDS,)), ANSWER).answered().usage
    thought = 0 if server.name == "Anthropic" else 2 * THOUGHT
    told = (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.reasoning_tokens)
    assert (2 * PROMPT, 2 * WRITTEN, 2 * CACHED, thought) == told
