"""What a server's cache of a prompt's beginning lives on: tools and messages are only added to, at every level."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.agents import call, native_call, result, results, said, tool
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
