"""A model's reply put together from chunks: any cut, any server, one observation; and what it costs."""

import itertools
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import purestep
import purestep_formats
from purestep import Agent, ModelError, ModelOutput, RunState, StreamCall, StreamEvent, StreamText
from purestep_formats import Reply, ReplyEnd
from tools.growth import Work, costs_at_most

FINAL = '{"kind":"final","content":"S\u00f8 \U0001f600"}'
STOP = '{"choices":[{"delta":{},"finish_reason":"stop"}]}'


def waiting(**definition: Any) -> RunState:
    """Return the state of a run that waits for its model."""
    return purestep.start(Agent.load(definition), purestep.UserMessage(content="Go"), "run-1").state


def delta(content: str) -> str:
    """Return a chunk with text, as JSON that escapes what is not ASCII."""
    return json.dumps({"choices": [{"delta": {"content": content}}]})


ODD = [
    '{"type":"ping"}',
    '{"type": "ping", "cost": "0"}',
    '{"type":"keepalive"}',
    '{"event":"heartbeat","at":7}',
    '{"comment":"OPENROUTER PROCESSING"}',
    '{"status":"queued","position":3}',
    '{"id":"x","object":"chat.completion.chunk","created":1,"model":"m"}',
    '{"timings":{"prompt_n":1}}',
    '{"prompt_filter_results":[{"prompt_index":0}]}',
    '{"x_groq":{"id":"r"}}',
    '{"citations":["https://a.example"]}',
    '{"type":"message_stop"}',
    '{"provider":"A","latency_ms":12}',
    '{"choices":null}',
    '{"choices":[]}',
    '{"choices":[],"usage":null}',
    '{"usage":{"prompt_tokens":5}}',
    '{"error":null,"choices":[]}',
    "{}",
    "[]",
    "null",
    "1",
    '"ping"',
    "true",
]


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("at", range(4))
def test_value_that_is_no_chunk_does_not_end_a_good_reply(odd: str, at: int) -> None:
    """Whether it comes first, between, or after the end that the server names."""
    chunks = [delta("All "), delta("done."), STOP]
    reply, _ = received(purestep_formats.open_reply(None), [*chunks[:at], odd, *chunks[at:], "[DONE]"])
    output, _ = purestep_formats.close_reply(reply)
    assert isinstance(output, ModelOutput), output
    assert ("All done.", "stop") == (output.content, output.finish_reason)


FAILED = [
    '{"object":"error","message":"out of memory","code":500}',
    '{"message":"Internal server error"}',
    '{"detail":"Not found"}',
    '{"code":429,"msg":"slow down"}',
    '{"errors":["no"]}',
    '{"type":"error","message":"overloaded"}',
]


@pytest.mark.parametrize("failed", FAILED)
@pytest.mark.parametrize("end", [[], ["[DONE]"]])
def test_reply_without_an_end_after_a_value_that_is_no_chunk_is_none(failed: str, end: list[str]) -> None:
    """It may have been a failure in the server's own form: nothing of the reply is taken for an answer."""
    reply, _ = received(purestep_formats.open_reply(None), [delta("All "), failed, *end])
    error, _ = purestep_formats.close_reply(reply)
    assert isinstance(error, ModelError)
    assert "choices is missing" in error.message


def received(reply: Reply, chunks: list[str]) -> tuple[Reply, list[StreamEvent]]:
    """Feed chunks; gives the reply after them and all events."""
    events: list[StreamEvent] = []
    for chunk in chunks:
        reply, happened = purestep_formats.feed_reply(reply, chunk)
        events += happened
    return reply, events


def closed(reply: Reply, chunks: list[str], end: Any = None) -> tuple[ModelOutput | ModelError, str]:
    """Feed chunks and close; gives the observation and the text shown."""
    reply, events = received(reply, chunks)
    observation, held_back = purestep_formats.close_reply(reply, end or ReplyEnd())
    return observation, "".join(event.text for event in [*events, *held_back])


def units(text: str) -> list[str]:
    """Return a text in pieces that may be halves of characters."""
    data = text.encode("utf-16-le")
    return [data[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(data), 2)]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 6}}, {"cached_tokens": 6}),
        ({"prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 7}}, {"cache_write_tokens": 7}),
        ({"prompt_cache_hit_tokens": 6, "prompt_cache_miss_tokens": 3}, {"cached_tokens": 6}),
        ({"cache_read_input_tokens": 6}, {"cached_tokens": 6}),
        (
            {"cache_read_input_tokens": 6, "cache_creation_input_tokens": 2},
            {"cached_tokens": 6, "cache_write_tokens": 2},
        ),
        ({"cached_tokens": 6}, {"cached_tokens": 6}),
        ({"completion_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 17}, {"reasoning_tokens": 3}),
        (
            {"completion_tokens_details": {"reasoning_tokens": 3}, "total_tokens": 20},
            {"reasoning_tokens": 3, "completion_tokens": 11},
        ),
        ({"prompt_cache_hit_tokens": -1, "cached_tokens": "6"}, {}),
    ],
    ids=[
        "OpenAI",
        "written",
        "DeepSeek",
        "Databricks",
        "LiteLLM",
        "beside",
        "reasoning inside",
        "reasoning beside",
        "no counts",
    ],
)
def test_counts_of_tokens_are_read_as_each_server_tells_them(told: dict[str, Any], expected: dict[str, int]) -> None:
    """What a cache had is a part of the prompt, and reasoning a part of the output."""
    usage = {"prompt_tokens": 9, "completion_tokens": 8, **told}
    observation, _ = closed(purestep_formats.open_reply(), [json.dumps({"choices": [], "usage": usage})])
    found = msgspec.to_builtins(observation.usage)  # type: ignore[union-attr]
    assert {"prompt_tokens": 9, "completion_tokens": 8, **expected} == {k: v for k, v in found.items() if v}


def test_cache_that_llama_cpp_tells_beside_the_usage_is_read() -> None:
    """Its server counts the whole prompt there, and what its cache had in the timings."""
    chunk = {
        "choices": [],
        "usage": {"prompt_tokens": 9, "completion_tokens": 8},
        "timings": {"prompt_n": 4, "cache_n": 5, "predicted_n": 8},
    }
    observation, _ = closed(purestep_formats.open_reply(), [json.dumps(chunk)])
    usage = observation.usage  # type: ignore[union-attr]
    assert (9, 5) == (usage.prompt_tokens, usage.cached_tokens)  # type: ignore[union-attr]


@given(text=st.text(max_size=40), cuts=st.lists(st.integers(0, 80)))
def test_every_cut_gives_the_same_output(text: str, cuts: list[int]) -> None:
    """A text may be cut anywhere, also between the halves of a character."""
    halves = units(text)
    places = sorted({0, len(halves), *(cut % (len(halves) + 1) for cut in cuts)})
    pieces = ["".join(halves[a:b]) for a, b in itertools.pairwise(places)]
    expected = closed(purestep_formats.open_reply(), [delta(text), STOP])
    assert expected == closed(purestep_formats.open_reply(), [*map(delta, pieces), STOP])
    assert text == expected[0].content  # type: ignore[union-attr]


def test_half_a_character_that_is_never_completed_is_replaced() -> None:
    """The content is always text that UTF-8 can hold."""
    observation, _ = closed(purestep_formats.open_reply(), [delta("a\ud83c"), delta("b\ud83c"), STOP])
    assert "a\ufffdb\ufffd" == observation.content  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["\ufffed83c", "\ufffe", "\ufffed83c\\ud83c"])
def test_text_that_looks_like_half_a_character_stays(text: str) -> None:
    """The core's own mark for a half means nothing in a text."""
    observation, _ = closed(purestep_formats.open_reply(), [delta(text), STOP])
    assert text == observation.content  # type: ignore[union-attr]


def test_arguments_cut_inside_a_character_are_joined() -> None:
    """Arguments are a text that grows too."""
    pieces = [
        {
            "choices": [
                {"delta": {"tool_calls": [{"index": 0, "id": "x", "function": {"name": "f", "arguments": part}}]}}
            ]
        }
        for part in ('{"a":"\ud83c', '\udf89"}')
    ]
    observation, _ = closed(purestep_formats.open_reply(), [*map(json.dumps, pieces), STOP])
    (call,) = observation.tool_calls  # type: ignore[union-attr,misc]
    assert '{"a":"\U0001f389"}' == call.function.arguments


chunk_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "message", "content", "tool_calls", "index", "id", "function", "name", "arguments",
                 "finish_reason", "usage", "prompt_tokens", "model", "error", "code", "type"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@settings(deadline=None)
@given(chunks=st.lists(chunk_values.map(json.dumps) | st.text(max_size=8) | st.just("[DONE]"), max_size=4))
def test_whatever_a_server_sends_ends_in_an_observation(chunks: list[str]) -> None:
    """No chunk raises, and the run takes what comes of it."""
    state = waiting()
    observation, _ = closed(purestep_formats.open_reply(state, "m"), chunks)
    assert purestep.step(state, observation).decision


@pytest.mark.parametrize("cut", [1, 3, 1000])
def test_json_function_gives_what_the_typed_form_gives(cut: int) -> None:
    """The JSON form keeps the text with the host, and comes to the same."""
    state = waiting()
    text = FINAL + " and more \U0001f600"
    chunks = [delta(text[at : at + cut]) for at in range(0, len(text), cut)]
    opened = {"state": json.loads(msgspec.json.encode(state)), "model": "m"}
    found = json.loads(purestep.receive_model_reply(json.dumps(opened)))
    said = shown = ""
    for chunk in chunks:
        found = json.loads(purestep.receive_model_reply(json.dumps({"reply": found["reply"], "chunks": [chunk]})))
        said += found.get("text", "")
        shown += "".join(event.get("text", "") for event in found.get("events", ()))
        assert len(said) < 20 or said not in json.dumps(found["reply"]["completion"])
    ending = {"reply": found["reply"], "text": said, "end": {"type": "reply_end"}}
    end = json.loads(purestep.receive_model_reply(json.dumps(ending)))
    observation, typed = closed(purestep_formats.open_reply(state, "m"), chunks)
    shown += "".join(event.get("text", "") for event in end.get("events", ()))
    assert json.loads(msgspec.json.encode(observation)) == end["observation"]
    assert (typed, True) == (shown, found["is_settled"])


def test_calls_are_told_and_what_comes_after_the_stop_is_not() -> None:
    """A call that is complete is told; the text after the stop is neither shown nor part of the output."""
    call = '{"kind":"tool_call","tool_name":"t","arguments":{"a":1}}'
    state = waiting(tools=[{"name": "t", "parameters": {"type": "object"}}])
    reply, events = received(purestep_formats.open_reply(state), [delta(call + " Done. "), delta("more")])
    assert [StreamCall(tool="t", params={"a": 1})] == [event for event in events if isinstance(event, StreamCall)]
    assert (True, True) == (reply.is_over, reply.is_settled)
    assert call == purestep_formats.close_reply(reply)[0].content  # type: ignore[union-attr]


def test_model_that_ends_at_the_stop_is_let() -> None:
    """Its finish reason and its count of tokens come after the text."""
    usage = '{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}'
    reply, events = received(purestep_formats.open_reply(waiting()), [delta(FINAL)])
    assert (False, False) == (reply.is_over, reply.is_settled)
    observation, _ = closed(reply, [STOP, usage, "[DONE]"])
    assert "Stopped" not in str(events)
    assert isinstance(observation, ModelOutput)
    assert 5 == observation.usage.completion_tokens  # type: ignore[union-attr]


def test_definition_says_which_model_is_asked() -> None:
    """The name in the log is the definition's where it has one, else the host's."""
    named = waiting(models=[{"name": "small"}])
    assert ["small", "host's"] == [purestep_formats.open_reply(state, "host's").asked for state in (named, waiting())]


def test_chunks_after_the_end_are_let_pass() -> None:
    """What a server sends after its end, or after an error, changes nothing."""
    for last in ("[DONE]", '{"error":"gone"}', "no JSON"):
        reply, _ = received(purestep_formats.open_reply(), [delta("a"), last])
        assert (True, reply) == (reply.is_over, received(reply, [delta("b"), "[]"])[0])


def test_reply_without_a_run_shows_nothing() -> None:
    """Without a run nobody says what may be shown; the text is in the observation."""
    reply, events = received(purestep_formats.open_reply(), [delta("a <think>b</think>")])
    assert ([], 18) == ([event for event in events if isinstance(event, StreamText)], reply.chars)


@pytest.mark.parametrize("dialect", ["tool_tags", "envelope"])
def test_chunk_costs_the_same_however_much_came_before(dialect: str) -> None:
    """A reply of n chunks costs as much as its text: four megabytes before them make a thousand chunks no dearer."""
    state = waiting(dialect=dialect)
    chunks = [delta(" word")] * 1000

    def fed(chars_before: int) -> Work:
        head = '{"kind":"final","content":"' + "x" * chars_before
        reply, _ = received(purestep_formats.open_reply(state), [delta(head), delta("y")])
        return lambda: received(reply, chunks)

    assert costs_at_most(4, fed(4_000_000), fed(10))


def test_endless_reply_is_bounded() -> None:
    """A server that is stuck in a loop is not read for ever, nor asked again."""
    reply = purestep_formats.open_reply()
    chunk, fed = delta("x" * 100_000), 0
    while not reply.is_over:
        reply, _ = purestep_formats.feed_reply(reply, chunk)
        fed += 1
    observation, _ = purestep_formats.close_reply(reply)
    assert 51 == fed
    assert isinstance(observation, ModelError)
    assert not observation.retryable


_PARTS = st.sampled_from(
    [FINAL, '{"kind":"tool_call","tool_name":"add","arguments":{"a":"}{"}}', '{"tool":"add","a":1}', '{"kind":"other"}',
     '{"kind":"final","content":"\ud83d"}', "<think>", "</think>", " ", "\n", "{", "}", "[", '"', "a", "```json\n"]
)  # fmt: skip
_ENDS = st.sampled_from(
    [ReplyEnd(), ReplyEnd(kind="cut"), ModelError(code="timeout"), ModelOutput(content="{"), "its own"]
)


@given(
    dialect=st.sampled_from(["envelope", "bare", "auto", "tool_tags"]),
    pieces=st.lists(st.lists(_PARTS, max_size=3).map("".join), max_size=3),
    end=_ENDS,
)
def test_a_reply_that_nobody_looks_at_comes_to_the_same(dialect: str, pieces: list[str], end: Any) -> None:
    """What is not shown is read later or not at all; the observation and the moment to stop are the same."""
    state = waiting(dialect=dialect, tools=[{"name": "add"}])
    shown, unseen = purestep_formats.open_reply(state), purestep_formats.open_reply(state, is_shown=False)
    for piece in pieces:
        shown, _ = purestep_formats.feed_reply(shown, delta(piece))
        unseen, _ = purestep_formats.feed_reply(unseen, piece, is_text=True)
        assert shown.is_over == unseen.is_over
    ended = ModelOutput(content="".join(pieces)) if end == "its own" else end
    assert purestep_formats.close_reply(shown, ended)[0] == purestep_formats.close_reply(unseen, ended)[0]


def test_an_object_that_nobody_looks_at_is_not_filtered() -> None:
    """A whole output costs a decoding; the filter reads it once more comes, and then the reply is over."""
    reply = purestep_formats.open_reply(waiting(), is_shown=False)
    opened = reply.stream
    reply, _ = purestep_formats.feed_reply(reply, FINAL, is_text=True)
    assert (opened, FINAL, False) == (reply.stream, reply.unread, reply.is_over)
    reply, _ = purestep_formats.feed_reply(reply, " more", is_text=True)
    assert ("", True) == (reply.unread, reply.is_over)
    assert purestep_formats.close_reply(reply)[0] == ModelOutput(content=FINAL, finish_reason="stop")


def test_a_piece_that_is_no_text_is_a_flaw_of_the_reply() -> None:
    """An adapter of the host's own may pass anything on; the run is told as of a server that does."""
    reply, _ = purestep_formats.feed_reply(purestep_formats.open_reply(), 7, is_text=True)  # type: ignore[arg-type]
    observation, _ = purestep_formats.close_reply(reply)
    assert isinstance(observation, ModelError)
    assert "content is a number" in observation.message


def test_refusal_of_the_model_is_its_text_and_no_answer() -> None:
    """OpenAI sends it under a name of its own, and says that the reply has stopped; nothing is asked again."""
    pieces = [json.dumps({"choices": [{"delta": {"content": None, "refusal": piece}}]}) for piece in ("I can", "not.")]
    observation, shown = closed(purestep_formats.open_reply(waiting(dialect="native")), [*pieces, STOP])
    assert isinstance(observation, ModelOutput)
    assert ("I cannot.", "I cannot.", "content_filter") == (observation.content, shown, observation.finish_reason)
    decision = purestep.step(waiting(dialect="native"), observation).decision
    assert isinstance(decision, purestep.Failed)
    assert ("model_error", "refused") == (decision.code, msgspec.to_builtins(decision)["detail"]["code"])


@pytest.mark.parametrize("refusal", [None, ""])
def test_refusal_that_says_nothing_is_none(refusal: str | None) -> None:
    """As in each chunk of a plain answer."""
    chunk = json.dumps({"choices": [{"delta": {"content": "Yes.", "refusal": refusal}}]})
    observation, _ = closed(purestep_formats.open_reply(), [chunk, STOP])
    assert isinstance(observation, ModelOutput)
    assert ("Yes.", "stop") == (observation.content, observation.finish_reason)
