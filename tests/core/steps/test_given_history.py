"""Messages that another program kept are taken over in a form that a strict server takes."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep.steps.given_history import with_own_names
from tests.core.driver import stepped
from tools.breaking.attacks.pieces import refusal

FIND = {
    "name": "orders.find",
    "parameters": {"type": "object", "properties": {"q": {"type": "string"}}},
    "annotations": {"readOnlyHint": True, "openWorldHint": True},
}
SENT = "orders_find_cc4ca2ef"
ASKED = {"type": "user_message", "content": "And B?"}


def call(name: str, call_id: str | None = "x", arguments: Any = '{"q":"A"}') -> dict[str, Any]:
    """Return one call of a message."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def told(*calls: dict[str, Any], results: tuple[str, ...] = ("x",)) -> list[dict[str, Any]]:
    """Return a chat with these calls, and results under these ids."""
    return [
        {"role": "user", "content": "Find A."},
        {"role": "assistant", "content": None, "tool_calls": list(calls)},
        *[{"role": "tool", "tool_call_id": each, "content": "1 order"} for each in results],
        {"role": "assistant", "content": "There is one."},
    ]


def begun(history: list[dict[str, Any]], **members: Any) -> dict[str, Any]:
    """Return the first step of a run with this history."""
    agent = {"tools": [FIND], "dialect": "native", **members}
    return stepped(agent=agent, run_id="r", history=history, observation=ASKED)


def begun_messages(history: list[dict[str, Any]]) -> list[purestep.Message]:
    """Return messages as the core has them."""
    return msgspec.convert(history, list[purestep.Message])


def text_of(message: dict[str, Any]) -> str:
    """Return the words of a message."""
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def names_of(step: dict[str, Any]) -> list[str]:
    """Return the names of the calls in a step's messages."""
    calls = [each for message in step["messages"] for each in message.get("tool_calls") or ()]
    return [each["function"]["name"] for each in calls]


NAMES = [
    *("orders.find", "orders/find", "orders find", "functions.orders.find", "mcp:orders:find", "orders__find!", "1st"),
    *("\u67e5\u627e", "zn\u00e1jdi", "find\n", "a" * 65, "a" * 500, "", " ", "-x", "\U0001f50e", "a\u0000b", "x.y.z"),
    *("orders find", "find(q)", "orders|find", "default_api.find"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dialect", ["native", "envelope", "tool_tags"])
def test_name_that_no_server_takes_is_written_as_the_definitions_own_are(name: str, dialect: str) -> None:
    """The rest of the call stays."""
    step = begun(told(call(name)), dialect=dialect)
    assert refusal([message for message in step["messages"] if message["role"] != "system"]) is None
    assert "x" == step["messages"][-4]["tool_calls"][0]["id"]


def test_name_of_a_tool_is_the_one_that_the_server_is_given() -> None:
    """So that the model calls again what it reads, and its own tool runs."""
    agent = {"tools": [FIND], "dialect": "native"}
    step = begun(told(call("orders.find")))
    assert [SENT] == names_of(step)
    assert SENT == step["decision"]["tools"][0]["function"]["name"]
    output = {"type": "model_output", "tool_calls": [call(SENT, "y", '{"q":"B"}')]}
    after = stepped(agent=agent, state=step["state"], observation=output)
    assert ("invoke_tool", "orders.find") == (after["decision"]["type"], after["decision"]["tool"])


def test_name_that_fits_stays() -> None:
    """Byte for byte, as the arguments do."""
    step = begun(told(call("find", arguments='{"q" : "A"}')))
    assert [call("find", arguments='{"q" : "A"}')] == [
        {**each, "type": "function"} for message in step["messages"] for each in message.get("tool_calls") or ()
    ]


def test_policies_see_the_tools_own_names() -> None:
    """Whatever stands in a history that this program wrote."""
    agent = purestep.Agent.load({"tools": [FIND], "dialect": "native"})
    seen = with_own_names(agent, begun_messages(told(call(SENT), call("find", "y"), results=("x", "y"))))
    assert ["orders.find", "find"] == [each.function.name for each in seen[1].tool_calls or ()]


@pytest.mark.parametrize("arguments", ['{"q": "A', "[1]", "", None, '"A"', {"q": "A"}, "null", "{}}"])
def test_arguments_of_a_past_call_are_an_object(arguments: Any) -> None:
    """What was no object is an empty one."""
    assert refusal(begun(told(call("find", arguments=arguments)))["messages"]) is None


def test_call_ids_are_unique_and_none_is_one_of_the_runs_own() -> None:
    """Each result stands under the id of its call."""
    calls = (call("find", "call_1"), call("find", None), call("find", "x"), call("find", "x"))
    step = begun([*told(*calls, results=("call_1", "", "x", "x")), *told(call("find", "x"))])
    ids = [each["id"] for message in step["messages"] for each in message.get("tool_calls") or ()]
    assert ["past_1", "past_2", "x", "past_3", "past_4"] == ids
    assert ids == [message["tool_call_id"] for message in step["messages"] if message["role"] == "tool"]


def test_call_without_a_result_has_a_word_in_its_place() -> None:
    """Servers refuse a call that nothing answers."""
    step = begun(told(call("find", "x"), call("find", "y")))
    assert ["1 order", "(no result)"] == [each["content"] for each in step["messages"] if each["role"] == "tool"]


def test_messages_in_a_row_are_one_and_an_empty_answer_is_told_in_words() -> None:
    """Nothing of what was said is lost."""
    users = [{"role": "user", "content": "A"}, {"role": "user", "content": [{"type": "text", "text": "B"}]}]
    answers = [{"role": "assistant", "content": "C"}, {"role": "assistant", "content": "D"}]
    step = begun([*users, {"role": "assistant", "content": " "}, *users, *answers, answers[0]])
    both = [{"type": "text", "text": "A"}, {"type": "text", "text": "B"}]
    assert [both, "(nothing)", both, "C\n\nD\n\nC", "And B?"] == [each["content"] for each in step["messages"]]


def test_words_before_calls_stand_in_the_message_of_the_calls() -> None:
    """Other programs keep what a model said and what it called as two messages."""
    history = told(call("find"))
    history.insert(1, {"role": "assistant", "content": "I look."})
    assert ("I look.", ["find"]) == (begun(history)["messages"][1]["content"], names_of(begun(history)))


def test_signature_beside_a_call_stays_with_it() -> None:
    """Under the name and the id that the call has now."""
    signed = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
    history = told(call("orders.find", "call_1"), results=("call_1",))
    history[1]["extra"] = {"tool_calls": [signed]}
    extra = begun(history)["messages"][1]["extra"]
    assert [{**call(SENT, "past_1"), **signed}] == extra["tool_calls"]


def test_replay_gives_the_messages_and_the_state_of_the_run() -> None:
    """The log has the messages as they are sent."""
    step = begun([{"role": "user", "content": "Hi"}, *told(call("orders.find", "call_1"), results=())])
    replayed = json.loads(purestep.replay_log(step["log"]))
    assert (step["messages"], step["state"]) == (replayed["messages"], replayed["state"])
    assert json.loads(purestep.verify_log(step["log"]))["ok"]


_TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
_CALLS = st.builds(
    call,
    st.one_of(_TEXTS, st.just("orders.find")),
    st.one_of(st.none(), _TEXTS, st.sampled_from(["call_1", "call_2", "x", "past_1"])),
    st.one_of(_TEXTS, st.just('{"q":"A"}'), st.just({"q": "A"}), st.none()),
)
_SAID = st.builds(lambda role, text: {"role": role, "content": text}, st.sampled_from(["user", "assistant"]), _TEXTS)
_TURNS = st.builds(
    lambda calls: [
        {"role": "assistant", "content": None, "tool_calls": calls},
        *[{"role": "tool", "tool_call_id": each["id"] or "", "content": "1"} for each in calls[:-1]],
    ],
    st.lists(_CALLS, min_size=1, max_size=3),
)


@given(st.lists(st.one_of(_SAID.map(lambda message: [message]), _TURNS), max_size=8))
def test_whatever_a_history_has_is_taken_by_a_strict_server(turns: list[list[dict[str, Any]]]) -> None:
    """Names, arguments, ids, results and roles."""
    history = [*[message for turn in turns for message in turn], {"role": "assistant", "content": "Well."}]
    step = begun(history)
    assert refusal([{**each, "content": text_of(each)} for each in step["messages"]]) is None
    waiting: list[str] = []
    seen: list[str] = []
    for message in step["messages"]:
        if message["role"] == "tool":
            waiting.remove(message["tool_call_id"])
            continue
        assert not waiting
        waiting = [each["id"] for each in message.get("tool_calls") or ()]
        seen += waiting
    assert len(seen) == len(set(seen))
    assert not [each for each in seen if each.startswith("call_") and each.removeprefix("call_").isdecimal()]
