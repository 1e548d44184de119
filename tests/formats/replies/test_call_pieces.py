"""Calls in pieces: put together by what the fields mean, however a server numbers, names and identifies them."""

import json
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
import purestep_formats
from purestep_formats.replies.call_pieces import with_calls
from tools.growth import LINEAR, costs_at_most

OSLO, ROME = '{"city":"Oslo"}', '{"city":"Rome"}'
WEATHER, NOW = ("weather", OSLO), ("now", "{}")


def piece(name: str | None = None, arguments: str | None = None, **members: Any) -> dict[str, Any]:
    """Return one entry of `tool_calls`."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    return {**members, "function": function}


def read(*chunks: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the calls of a reply of these chunks."""
    state = purestep.start(None, purestep.UserMessage(content="Hi"), "r").state
    reply = purestep_formats.open_reply(state)
    for chunk in chunks:
        reply, _ = purestep_formats.feed_reply(reply, json.dumps(chunk))
    observation, _ = purestep_formats.close_reply(reply)
    calls = observation.tool_calls if isinstance(observation, purestep.ModelOutput) else None
    return [(call.function.name, str(call.function.arguments)) for call in calls or ()]


def stream(*messages: list[dict[str, Any]], end: str = "tool_calls") -> list[dict[str, Any]]:
    """Return the chunks of a stream whose messages have these entries."""
    chunks = [{"choices": [{"index": 0, "delta": {"tool_calls": entries}}]} for entries in messages]
    return [*chunks, {"choices": [{"index": 0, "delta": {}, "finish_reason": end}]}]


@pytest.mark.parametrize(
    ("chunks", "calls"),
    [
        (stream([piece("wea", "", index=0, id="a")], [piece("ther", OSLO, index=0)]), [WEATHER]),
        (stream([piece("wea")], [piece("ther")], [piece(None, OSLO)]), [WEATHER]),
        (stream([piece("weather", "", index=0)], [piece("weather", OSLO, index=0)]), [WEATHER]),
        (stream([piece("weather", '{"city":', index=0)], [piece("weather", '"Oslo"}', index=0)]), [WEATHER]),
        (stream([piece("weather", OSLO, index=0)], [piece("weather", "", index=0)]), [WEATHER]),
        (
            stream(
                [piece("weather", "", index=0, id="a1")],
                [piece("", '{"city":', index=0, id="a2")],
                [piece("", '"Oslo"}', index=0, id="a3")],
            ),
            [WEATHER],
        ),
        (stream([piece("weather", OSLO, id="c")], [piece("weather", ROME, id="c")]), [WEATHER, ("weather", ROME)]),
        (stream([piece("weather", OSLO, id="c")], [piece("weather", "", id="c")]), [WEATHER]),
        (stream([piece("weather", OSLO)], [piece("weather", "")]), [WEATHER]),
        (stream([piece("weather", OSLO)], [piece("weather")], [piece(None, ROME)]), [WEATHER, ("weather", ROME)]),
        (stream([piece("weather", OSLO)], [piece("weather", ROME)]), [WEATHER, ("weather", ROME)]),
        (stream([piece("weather", OSLO, index=0)], [piece("now", "{}", index=0)]), [WEATHER, NOW]),
        (stream([piece("weather", OSLO, index=0, id="a")], [piece("now", "{}", index=0, id="b")]), [WEATHER, NOW]),
        (stream([piece("weather", OSLO), piece("now", "{}")]), [WEATHER, NOW]),
        (stream([piece("weather", ""), piece("now", "")], [piece(None, OSLO), piece(None, "{}")]), [WEATHER, NOW]),
        (
            stream(
                [piece("weather", "", index=0, id="a")],
                [piece("now", "", index=1, id="b")],
                [piece(None, '{"city":', index=0)],
                [piece(None, "{}", index=1)],
                [piece(None, '"Oslo"}', index=0)],
            ),
            [WEATHER, NOW],
        ),
        (
            stream(
                [piece("weather", "", id="a")],
                [piece("now", "", id="b")],
                [piece(None, OSLO, id="a")],
                [piece(None, "{}", id="b")],
            ),
            [WEATHER, NOW],
        ),
        (stream([piece("now", "{}", index=1)], [piece("weather", OSLO, index=0)]), [WEATHER, NOW]),
        (stream([piece("weather", OSLO, index=3, id=7)], [piece("now", "{}", index=9, id=8)]), [WEATHER, NOW]),
    ],
)
def test_pieces_are_put_together(chunks: list[dict[str, Any]], calls: list[tuple[str, str]]) -> None:
    """By index, id and name, each of which servers leave out, repeat, change or cut."""
    assert calls == read(*chunks)


@pytest.mark.parametrize(
    ("choices", "calls"),
    [
        ([{"message": {"tool_calls": [piece("weather", OSLO), piece("now", "{}")]}}], [WEATHER, NOW]),
        ([{"message": {"tool_calls": [piece("weather", OSLO, id="c"), piece("now", "{}", id="c")]}}], [WEATHER, NOW]),
        ([{"message": {"tool_calls": [piece("now", "{}"), piece("now", "{}")]}}], [NOW, NOW]),
        ([{"message": {"content": "I look."}}, {"message": {"tool_calls": [piece("weather", OSLO)]}}], [WEATHER]),
        ([{"message": {"tool_calls": [piece("weather", OSLO)]}}, {"message": {"content": "I look."}}], [WEATHER]),
        (
            [{"message": {"tool_calls": [piece("weather", OSLO)]}}, {"message": {"tool_calls": [piece("now", "{}")]}}],
            [WEATHER],
        ),
    ],
)
def test_whole_messages_have_their_calls_in_order(choices: list[dict[str, Any]], calls: list[tuple[str, str]]) -> None:
    """Each entry is a call; of several choices the first that calls counts, since one was asked for."""
    numbered = [{"index": at, "finish_reason": "stop", **choice} for at, choice in enumerate(choices)]
    assert calls == read({"choices": numbered})


def test_text_of_one_choice_stands_beside_the_calls_of_another() -> None:
    """In a stream too, where their chunks alternate."""
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": "I "}}]},
        {"choices": [{"index": 1, "delta": {"tool_calls": [piece("weather", '{"city":', index=0, id="a")]}}]},
        {"choices": [{"index": 0, "delta": {"content": "look."}, "finish_reason": "stop"}]},
        {"choices": [{"index": 1, "delta": {"tool_calls": [piece(None, '"Oslo"}', index=0)]}}]},
        {"choices": [{"index": 1, "delta": {}, "finish_reason": "tool_calls"}]},
    ]
    assert [WEATHER] == read(*chunks)


def test_names_that_do_not_fit_together_run_nothing() -> None:
    """Two names without arguments between them are read as one, which no tool has."""
    assert [("weathernow", "{}")] == read(*stream([piece("weather")], [piece("now", "{}")]))


_CALLS = st.lists(
    st.tuples(
        st.sampled_from(["weather", "now", "find_all"]),
        st.dictionaries(st.sampled_from(["a", "b"]), st.one_of(st.integers(), st.text(max_size=5)), max_size=2),
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def servers(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Draw calls, and a stream of their pieces as some server could send them."""
    given = [(name, json.dumps(arguments)) for name, arguments in draw(_CALLS)]
    numbers, identifies = draw(st.booleans()), draw(st.sampled_from(["never", "first", "each", "anew"]))
    repeats_name, fresh = draw(st.booleans()), count()
    messages = []
    for index, (name, arguments) in enumerate(given):
        cuts = sorted(draw(st.lists(st.integers(1, len(arguments)), max_size=3)))
        parts = [arguments[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(arguments)], strict=True)]
        for at, part in enumerate([*filter(None, parts)]):
            members: dict[str, Any] = {"index": index} if numbers else {}
            if identifies == "each" or (identifies == "first" and not at):
                members["id"] = f"call_{index}"
            elif identifies == "anew" and (numbers or not at):
                members["id"] = f"new_{next(fresh)}"
            named = name if not at else name if repeats_name and identifies != "anew" else None
            messages.append([piece(named, part, **members)])
    return stream(*messages), given


@given(servers())
def test_any_server_is_put_together(drawn: tuple[list[dict[str, Any]], list[tuple[str, str]]]) -> None:
    """Calls one after another, with or without numbers, ids and repeated names, cut at any place."""
    chunks, calls = drawn
    assert calls == read(*chunks)


@pytest.mark.parametrize(
    ("first", "entry"),
    [
        (piece("weather", '{"city":"', index=0), piece("weather", "}" * 500, index=0)),
        (piece("weather", "", index=0), piece("x" * 200, "", index=0)),
    ],
    ids=["arguments", "names"],
)
def test_pieces_with_a_name_each_cost_what_they_hold(first: dict[str, Any], entry: dict[str, Any]) -> None:
    """However many there are: neither are arguments read anew for each, nor does a name grow without an end."""

    def put_together(pieces: int) -> None:
        calls, _ = with_calls((), [first], 0, is_whole=False)
        for _ in range(pieces):
            calls, _ = with_calls(calls, [entry], 0, is_whole=False)

    assert costs_at_most(LINEAR, lambda: put_together(10_000), lambda: put_together(2_500))
