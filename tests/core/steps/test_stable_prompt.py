"""What a server's cache of a prompt's beginning lives on: tools and messages are only added to, at every level."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.agents import call, failure, final, native_call, result, results, said, tool
from tests.core.driver import Driver

FETCH = tool("fetch_page", {"url": {"type": "string", "format": "uri"}})
MAIL = tool("find_mail", {"email": {"type": "string", "format": "email"}})
READ = tool("read_part", {"at": {"type": "integer"}})
TOOLS = [{**each, "annotations": {"readOnlyHint": True}} for each in (FETCH, MAIL, READ)]
LINKS = ("https://a.example/", "https://b.example/x?y=1", "ann@example.org", "bob@example.com")
TEXTS = st.lists(st.sampled_from([*LINKS, "and", "Rome", "12", "\u00fc"]), max_size=5).map(" ".join)
OUTPUTS = st.lists(st.one_of(TEXTS, st.just("word " * 600)), min_size=1, max_size=6)


def _called(dialect: str, number: int) -> dict[str, Any]:
    if dialect == "native":
        return said(None, tool_calls=[native_call("read_part", {"at": number})])
    return said(call("read_part", at=number))


@pytest.mark.parametrize("dialect", ["native", "envelope"])
@pytest.mark.parametrize("level", ["off", "ground"])
@given(asked=TEXTS, outputs=OUTPUTS)
def test_prompt_and_tools_are_only_added_to(level: str, dialect: str, asked: str, outputs: list[str]) -> None:
    """Whatever links come up in results: what is sent begins as it did, unless a line says that it was shrunk."""
    model = {"name": "m", "carry": level, "window_tokens": 4000}
    driver = Driver({"dialect": dialect, "tools": TOOLS, "models": [model], "limits": {"max_turns": 50}}, asked)
    for number, output in enumerate(outputs, 1):
        before, tools, shrunk = driver.prompt(), driver.decision.get("tools"), len(driver.events("switched"))
        driver.send(_called(dialect, number))
        driver.send(results(result(f"call_{number}", f"Part {number}. {output}")))
        assert tools == driver.decision.get("tools")
        assert before == driver.prompt()[: len(before)] or len(driver.events("switched")) > shrunk


def test_a_native_model_is_offered_the_same_tools_at_ground_as_at_off() -> None:
    """Values are no part of them, so their size is the one that the window counts."""
    tools = []
    for level in ("off", "ground"):
        definition = {"dialect": "native", "tools": TOOLS, "models": [{"name": "m", "carry": level}]}
        tools.append(Driver(definition, f"Fetch {LINKS[0]}").decision["tools"])
    assert tools[0] == tools[1]


ROUTED = {"name": "m", "carry": "route", "supports": ["json_schema"]}


def _routed(query: str, *tools: dict[str, Any], **members: Any) -> Driver:
    return Driver({"tools": list(tools or TOOLS), "models": [ROUTED], **members}, query)


@given(first=TEXTS, second=TEXTS)
def test_fresh_prompts_for_the_same_tools_differ_in_their_end_alone(first: str, second: str) -> None:
    """At `route` only the last message has the request: what comes before it is the same bytes, run by run."""
    heads: dict[str, list[dict[str, Any]]] = {}
    for query in (first, second, f"{first} or {second}?"):
        driver = _routed(f"Hm, {query}")
        if driver.decision["type"] == "call_model":
            tools = json.dumps(driver.state["carried"].get("tools", []))  # type: ignore[index]
            *head, _ = driver.prompt()
            assert heads.setdefault(tools, head) == head


def test_a_question_asked_in_another_exchange_keeps_the_beginning() -> None:
    """Of a later exchange the questions before come after what does not change."""
    driver = _routed("Hello")
    head = driver.prompt()[:-1]
    driver.send(said(final("Hello.")))
    driver.send({"type": "user_message", "content": "Why is the sky blue?"})
    assert head == driver.prompt()[: len(head)]


STATUS = tool("order_status", {"number": {"type": "integer"}}, description="Look up an order.")
TRACK = tool("order_track", {"number": {"type": "integer"}}, description="Look up where an order is.")
ORDERS = [{**each, "annotations": {"readOnlyHint": True}} for each in (STATUS, TRACK)]


def test_a_call_that_was_just_made_is_not_offered_again() -> None:
    """A step that failed is left to the other tool; the call that failed is in no constraint any more."""
    driver = _routed("order 7?", *ORDERS)
    assert ["order_status", "order_track"] == driver.state["carried"]["tools"]  # type: ignore[index]
    driver.send(said(call("order_status", number=7)))
    driver.send(results(failure("call_1", "no such order")))
    assert ("invoke_tool", "order_track") == (driver.decision["type"], driver.decision["tool"])
    driver.send(results(failure("call_2", "no such order")))
    assert ("failed", "tool_failed") == (driver.decision["type"], driver.decision["code"])
