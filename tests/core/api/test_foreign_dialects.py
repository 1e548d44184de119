"""Requirement 40: a dialect whose functions are another language's, and a stream formatter of one's own."""

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.api.foreign_dialects import register_foreign_dialect
from purestep.dialects import dialect_named
from tests.core.agents import agent, said
from tests.core.driver import Driver, assert_replays

NUMBERS = count()


def shout(member: str, given_: str) -> str:
    """The functions of a dialect as a host has them: JSON in, JSON out."""
    arguments = json.loads(given_)
    return json.dumps({"value": MEMBERS[member](**arguments)})


def _read(text: str, tools: Any) -> dict[str, Any]:
    if not text.startswith("CALL "):
        return {"content": text}
    name, _, rest = text[5:].partition(" ")
    return {"calls": [{"tool": name, "params": json.loads(rest or "{}")}]}


def _format(held: str, chunk: str, over: bool) -> dict[str, Any]:
    """Show whole words in capitals."""
    text = held + chunk
    whole = len(text) if over else text.rfind(" ") + 1
    return {"held": text[whole:], "text": text[:whole].upper()}


MEMBERS: dict[str, Callable[..., Any]] = {
    "read": _read,
    "instruct": lambda tools: f"Write CALL NAME JSON. Tools: {', '.join(tool['name'] for tool in tools)}",
    "write": lambda calls, answer: answer or "".join(f"CALL {c['tool']} {json.dumps(c['params'])}" for c in calls),
    "constrain": lambda tools, answer_schema: {"type": "string"},
    "format": _format,
}


def registered(call: Callable[[str, str], str] = shout, functions: tuple[str, ...] = ()) -> str:
    """The name of a dialect that was registered now."""
    name = f"shout{next(NUMBERS)}"
    data = {"name": name, "remind": "Write CALL.", "functions": functions}
    assert {"name": name} == json.loads(register_foreign_dialect(json.dumps(data), call))
    return name


def streamed(dialect: str, *chunks: str) -> str:
    """The text that a reader sees of a streamed output."""
    out = json.loads(purestep.stream_model_output(json.dumps({"dialect": dialect})))
    events = list[Any]()
    for chunk in chunks:
        out = json.loads(purestep.stream_model_output(json.dumps({"stream": out["stream"], "chunk": chunk})))
        events += out["events"]
    events += json.loads(purestep.stream_model_output(json.dumps({"stream": out["stream"]})))["events"]
    return "".join(event.get("text", "") for event in events if event["type"] == "text")


def test_a_dialect_of_another_language_is_read_taught_and_written() -> None:
    """Its calls pass every check, and the log verifies where it is registered."""
    run = Driver(agent(dialect=registered()))
    assert "CALL NAME JSON. Tools: add_numbers, banned, shell" in run.messages[0]["content"]
    assert "unknown_tool" == run.send(said("CALL nothing"))["cause"]
    assert "request_approval" == run.send(said('CALL shell {"command":"ls"}'))["type"]
    run.answer_all(False)
    assert "done" == run.send(said("I did not."))["type"]
    assert_replays(run)


def test_a_formatter_shows_streamed_text_in_its_own_way() -> None:
    """What it holds back is shown with more text, or at the end; the answer itself is as it was."""
    name = registered(functions=("format",))
    assert "HELLO YOU" == streamed(name, "hel", "lo y", "ou")
    assert "" == streamed(name)
    run = Driver(agent(dialect=name))
    assert "hello you" == run.send(said("hello you"))["answer"]


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_split_is_formatted_alike(chunks: list[str]) -> None:
    """A formatter that depends on the text alone gives the same text for every split."""
    assert streamed(FORMATTED, "".join(chunks)) == streamed(FORMATTED, *chunks)


FORMATTED = registered(functions=("format",))


def test_without_a_formatter_text_passes_through() -> None:
    """As it comes, but for the markers that hide."""
    name = f"shout{next(NUMBERS)}"
    data = {"name": name, "remind": "x", "hidden": [["<<", ">>"]]}
    register_foreign_dialect(json.dumps(data), shout)
    assert "a b" == streamed(name, "a <", "<x>", ">b")


def test_a_constraint_of_its_own_is_sent() -> None:
    """Only where the dialect has one."""
    models = [{"name": "m", "supports": ["json_schema"]}]
    run = Driver(agent(dialect=registered(functions=("constrain",)), models=models))
    assert {"type": "string"} == run.decision["response_format"]["json_schema"]["schema"]
    assert "response_format" not in Driver(agent(dialect=registered(), models=models)).decision


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("no JSON", "read gave no JSON"),
        (None, "read gave no JSON"),
        ('{"error":"it broke"}', "read failed: it broke"),
        ('{"value":7}', "read gave something else than its form"),
        ('{"value":{"calls":[{"tool":1,"params":{}}]}}', "/calls/0/tool"),
        ('{"value":{"content":"x","extra":1}}', "extra"),
        ("{}", "expected an object"),
    ],
)
def test_a_function_that_fails_is_an_error_and_changes_nothing(answer: Any, words: str) -> None:
    """The step is refused with the member and why; the run stands where it stood."""

    def broken(member: str, given_: str) -> Any:
        return answer if member == "read" else shout(member, given_)

    run = Driver(agent(dialect=registered(broken)))
    before = run.state
    error = run.send(said("Hello"))
    assert "dialect_failed" == error["code"]
    assert words in error["message"]
    assert before == run.state


def test_a_formatter_that_never_shows_anything_is_stopped() -> None:
    """What it holds back is bounded."""

    def hoard(member: str, given_: str) -> str:
        arguments = json.loads(given_)
        held = {"value": {"held": arguments["held"] + arguments["chunk"], "text": ""}}
        return json.dumps(held) if member == "format" else shout(member, given_)

    name = registered(hoard, ("format",))
    opened = json.loads(purestep.stream_model_output(json.dumps({"dialect": name})))["stream"]
    given_ = {"stream": opened, "chunk": "x" * 70_000}
    error = json.loads(purestep.stream_model_output(json.dumps(given_)))["error"]
    assert "dialect_failed" == error["code"]
    assert "holds back more than" in error["message"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "invalid_input"),
        ({"name": "", "remind": ""}, "invalid_input"),
        ({"name": "x" * 65, "remind": ""}, "invalid_input"),
        ({"name": "odd", "remind": "", "hidden": [["<"]]}, "invalid_input"),
        ({"name": "odd", "remind": "", "hidden": [["", ">"]]}, "invalid_input"),
        ({"name": "odd", "remind": "", "more": 1}, "invalid_input"),
        ({"name": "envelope", "remind": ""}, "unknown_dialect"),
        ([], "invalid_input"),
    ],
)
def test_wrong_data_is_told(data: Any, code: str) -> None:
    """Nothing is registered then."""
    assert code == json.loads(register_foreign_dialect(json.dumps(data), shout))["error"]["code"]
    assert "odd" not in json.loads(purestep.core_info())["dialects"]
    assert "invalid_json" == json.loads(register_foreign_dialect("{", shout))["error"]["code"]


def test_half_of_a_character_is_one_that_is_not_known() -> None:
    """JSON for another language cannot hold it alone, so it gets U+FFFD."""
    assert "\ufffd" == dialect_named(registered()).read("\ud800", None).content
