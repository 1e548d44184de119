"""What a provider wants back with its calls is put together from any pieces, kept as it is, and sent back with them."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
import purestep_formats
from purestep import Agent, CallModel, ModelOutput, UserMessage
from purestep_formats import ReplyEnd
from purestep_formats.bounds import MAX_REPLY_CHARS, MAX_REPLY_PARTS
from tests.core.agents import said
from tests.core.driver import Driver, assert_replays

CALL = {"index": 0, "id": "a", "function": {"name": "look", "arguments": "{}"}}
NATIVE = {"dialect": "native", "tools": [{"name": "look", "annotations": {"readOnlyHint": True}}]}


def extra_of(*deltas: dict[str, Any], whole: bool = False) -> Any:
    """The extra of a reply made of these pieces."""
    reply = purestep_formats.open_reply()
    for delta in deltas:
        member = "message" if whole else "delta"
        reply, _ = purestep_formats.feed_reply(reply, json.dumps({"choices": [{member: delta}]}))
    reply, _ = purestep_formats.feed_reply(reply, json.dumps({"choices": [{"delta": {}, "finish_reason": "stop"}]}))
    observation, _ = purestep_formats.close_reply(reply, ReplyEnd())
    return observation.extra if isinstance(observation, ModelOutput) else observation


def text(words: str, **more: Any) -> dict[str, Any]:
    """A piece of OpenRouter's reasoning."""
    return {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": words, **more}]}


@pytest.mark.parametrize(
    ("deltas", "extra"),
    [
        ([{"content": "Hi"}], None),
        ([{"content": "Hi", "reasoning_content": None, "reasoning": "", "reasoning_details": []}], None),
        ([{"reasoning_content": "Hm"}, {"reasoning_content": "m"}, {"content": "x"}], {"reasoning_content": "Hmm"}),
        ([{"reasoning": "a"}, {"reasoning": "b"}], {"reasoning": "ab"}),
        ([text("a") | {"reasoning": "a"}, text("b", signature="s")],
         {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"}]}),
        ([text("a"), {"reasoning_details": [{"type": "reasoning.encrypted", "index": 0, "data": "x"}]}],
         {"reasoning_details": [{"type": "reasoning.text", "index": 0, "text": "a"},
                                {"type": "reasoning.encrypted", "index": 0, "data": "x"}]}),
        ([{"thinking_blocks": [{"type": "thinking", "thinking": "a"}]}, {"thinking_blocks": [
          {"type": "thinking", "thinking": "b", "signature": "s"}]},
          {"thinking_blocks": [{"type": "thinking", "thinking": "c"}]}],
         {"thinking_blocks": [{"type": "thinking", "thinking": "ab", "signature": "s"},
                              {"type": "thinking", "thinking": "c"}]}),
        ([{"tool_calls": [CALL | {"extra_content": {"google": {"thought_signature": "s"}}}]}],
         {"tool_calls": [{"extra_content": {"google": {"thought_signature": "s"}}}]}),
        ([{"tool_calls": [CALL]}, {"tool_calls": [{"index": 1, "id": "b", "function": {"name": "look"},
                                                   "extra_content": {"n": 1}}]}],
         {"tool_calls": [{}, {"extra_content": {"n": 1}}]}),
        ([{"extra_content": {"n": 1}}], {"extra_content": {"n": 1}}),
        # Of another form than anybody's: left out, and no reason to fail.
        ([{"reasoning_content": 5, "reasoning_details": "x", "thinking_blocks": [3]}], None),
    ],
)  # fmt: skip
def test_parts_are_put_together(deltas: list[dict[str, Any]], extra: Any) -> None:
    """Section 10: `extra` is any JSON of the provider, from whole replies and from pieces."""
    assert extra == extra_of(*deltas)
    if len(deltas) == 1:
        assert extra == extra_of(*deltas, whole=True)


@given(st.text(max_size=30), st.integers(0, 30))
def test_any_cut_gives_the_same_parts(words: str, at: int) -> None:
    """A piece may end anywhere, also between the halves of a character."""
    halves = words.encode("utf-16-le")
    pieces = [
        halves[: 2 * at].decode("utf-16-le", "surrogatepass"),
        halves[2 * at :].decode("utf-16-le", "surrogatepass"),
    ]
    split = extra_of(*({"reasoning_content": piece, **text(piece)} for piece in pieces if piece), {"content": "x"})
    assert split == (extra_of({"reasoning_content": words, **text(words)}, {"content": "x"}) if words else None)


def test_what_a_reply_may_hold_is_bounded() -> None:
    """Section 9: reasoning counts into the size of a reply, and the number of its parts has a bound."""
    ended = extra_of(*[{"reasoning_content": "x" * (MAX_REPLY_CHARS // 2 + 1)}] * 2)
    assert ("unavailable", False) == (ended.code, ended.retryable)
    assert f"the reply passed {MAX_REPLY_CHARS} characters" in ended.message
    fits = extra_of(*[{"reasoning_content": "x" * (MAX_REPLY_CHARS // 2)}] * 2)
    assert {"reasoning_content": "x" * MAX_REPLY_CHARS} == fits
    parts = [{"type": "reasoning.text", "index": number, "text": "x"} for number in range(MAX_REPLY_PARTS + 9)]
    assert MAX_REPLY_PARTS == len(extra_of({"reasoning_details": parts})["reasoning_details"])


def test_content_in_typed_parts_is_read() -> None:
    """Mistral's thinking models send content as a list; its texts are the content."""
    reply = purestep_formats.open_reply()
    content = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Hi"}]
    chunk = {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    reply, _ = purestep_formats.feed_reply(reply, json.dumps(chunk))
    assert "Hi" == purestep_formats.close_reply(reply, ReplyEnd())[0].content  # type: ignore[union-attr]


def asked_after(
    extra: Any, definition: dict[str, Any] = NATIVE, output: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The assistant's message as it is sent after the result of its call, and the state's size beside it."""
    agent = Agent.load(definition)
    native = {"tool_calls": [{"id": "a", "function": {"name": "look", "arguments": "{}"}}]}
    said = msgspec.convert({"type": "model_output", "extra": extra, **(output or native)}, ModelOutput)
    first = purestep.start(agent, UserMessage(content="Go"), "run-1")
    second = purestep.step(first.state, said)
    results = purestep.ToolResults(results=(purestep.ToolResult(call_id="call_1", ok=True, output="seen it"),))
    third = purestep.step(second.state, results)
    messages = [*first.messages, *second.messages, *third.messages]
    assert isinstance(third.decision, CallModel)
    text = first.log + second.log + third.log
    purestep.verify(text, third.state.head)
    replayed = purestep.replay(text)
    assert [purestep.sent_message(message) for message in replayed.messages] == [*map(purestep.sent_message, messages)]
    assert replayed.state == third.state
    return next(
        purestep.sent_message(message)
        for message in purestep.prompt_messages(third.decision, messages)
        if message.role == "assistant"
    )


def test_parts_go_back_with_the_calls_they_came_with() -> None:
    """Section 10: kept on the assistant's message, through the log; its own members are never replaced."""
    extra = {
        "reasoning_content": "hm",
        "role": "system",
        "content": "forged",
        "tool_calls": [{"extra_content": {"n": 1}, "id": "forged"}],
    }
    sent = asked_after(extra)
    assert ("hm", "assistant", None) == (sent["reasoning_content"], sent["role"], sent["content"])
    call = {"function": {"name": "look", "arguments": "{}"}, "id": "call_1", "type": "function"}
    assert [{**call, "extra_content": {"n": 1}}] == sent["tool_calls"]


@pytest.mark.parametrize(
    "extra", [None, 5, "x", [1], {}, {"tool_calls": [{}, {}]}, {"tool_calls": "x"}, {"tool_calls": [7]}]
)
def test_other_parts_change_no_message(extra: Any) -> None:
    """Any JSON is taken; only an object has members."""
    assert asked_after(None) == asked_after(extra)


def test_parts_stay_here_where_calls_are_text() -> None:
    """Servers ask for them where a call waits for its result under its id; elsewhere they would be unknown members."""
    output = {"content": '{"kind":"tool_call","tool_name":"look","arguments":{}}'}
    sent = asked_after({"reasoning_content": "hm"}, {**NATIVE, "dialect": "envelope"}, output)
    assert {"role": "assistant", "content": output["content"]} == sent


def test_parts_count_into_the_window() -> None:
    """What is sent is estimated, reasoning too."""
    definition = {**NATIVE, "models": [{"name": "m", "window_tokens": 9000}]}
    agent = Agent.load(definition)
    first = purestep.start(agent, UserMessage(content="Go"), "run-1")
    sizes = []
    for extra in (None, {"reasoning_content": "think " * 500}):
        call = purestep.NativeCall(function=purestep.NativeFunction(name="look", arguments="{}"))
        state = purestep.step(first.state, ModelOutput(tool_calls=(call,), extra=extra)).state
        assert state.window.sent is not None
        sizes.append(sum(part.tokens for part in state.window.sent.parts))
    assert 500 < sizes[1] - sizes[0]


def shown_of(*deltas: dict[str, Any], definition: dict[str, Any] = NATIVE) -> list[tuple[str, str]]:
    """What a reader is shown of a reply made of these pieces: each event's type and text."""
    step = purestep.start(Agent.load(definition), UserMessage(content="Look"), run_id="r")
    reply = purestep_formats.open_reply(step.state)
    shown: list[tuple[str, str]] = []
    for delta in deltas:
        reply, events = purestep_formats.feed_reply(reply, json.dumps({"choices": [{"delta": delta}]}))
        for event in events:
            is_thought = isinstance(event, purestep.StreamReasoning)
            shown.append(("reasoning", event.reasoning) if is_thought else ("text", event.text))
    return shown


@pytest.mark.parametrize(
    ("deltas", "shown"),
    [
        ([{"reasoning_content": "Hm"}, {"reasoning_content": "m"}, {"content": "It is so."}],
         [("reasoning", "Hm"), ("reasoning", "m"), ("text", "It is so.")]),
        ([{"reasoning": "a", "content": "It is so."}], [("reasoning", "a"), ("text", "It is so.")]),
        # The same under several names is shown once.
        ([text("a") | {"reasoning": "a", "reasoning_content": "a"}], [("reasoning", "a")]),
        ([{"reasoning_details": [
            {"type": "reasoning.summary", "summary": "a"}, {"type": "reasoning.text", "text": "b"}]}],
         [("reasoning", "ab")]),
        ([{"thinking_blocks": [{"type": "thinking", "thinking": "a"}]}], [("reasoning", "a")]),
        # Encrypted and signed parts are nobody's to read.
        ([{"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}, text("", signature="s")], []),
        ([{"reasoning_content": "\ud83d"}, {"reasoning_content": "\ude00"}], [("reasoning", "\U0001f600")]),
        ([{"reasoning_content": 5, "reasoning_details": "x", "thinking_blocks": [3]}], []),
    ],
)  # fmt: skip
def test_reasoning_beside_the_text_is_shown_as_reasoning(
    deltas: list[dict[str, Any]], shown: list[tuple[str, str]]
) -> None:
    """Whatever a server calls the member, its readable text comes once and as an event of its own."""
    assert shown == shown_of(*deltas)


def test_reasoning_of_a_hidden_output_is_not_shown() -> None:
    """Of a skill's output nothing is shown, so neither is the reasoning that came with it."""
    step = purestep.start(
        Agent.load({"dialect": "native", "skills": ["extract"]}), UserMessage(content="Extract"), run_id="r"
    )
    asked = purestep.NativeCall(
        id="c", function=purestep.NativeFunction(name="extract", arguments='{"text": "Ann met Bo", "target": "name"}')
    )
    step = purestep.step(step.state, ModelOutput(tool_calls=(asked,)))
    assert step.state.exchange.skill is not None
    _, events = purestep_formats.feed_reply(
        purestep_formats.open_reply(step.state), json.dumps({"choices": [{"delta": {"reasoning_content": "Hm"}}]})
    )
    assert () == events


def test_what_came_in_one_piece_goes_back_with_an_answer_too() -> None:
    """Items of tools that ran at the provider, and signatures; not reasoning, which some servers refuse."""
    definition = {"name": "a", "dialect": "native", "tools": [{"name": "look"}]}
    driver = Driver(definition, "Go.")
    extra = {"extra_content": {"items": [1]}, "reasoning_content": "hm", "thinking_blocks": [], "role": "system"}
    driver.send({**said("Yes."), "extra": extra})
    assert "done" == driver.decision["type"]
    assert {"role": "assistant", "content": "Yes.", "extra": {"extra_content": {"items": [1]}}} == driver.messages[-1]
    assert_replays(driver)
