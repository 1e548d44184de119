"""Runs whose model scores tools: asked where the words leave a choice, never trusted with an effect (11.carry)."""

import json
from typing import Any

import msgspec
import pytest

from purestep import (
    Agent,
    CallModel,
    InvokeTool,
    Message,
    ModelError,
    ModelOutput,
    PurestepError,
    RequestApproval,
    RunState,
    Step,
    ToolResult,
    ToolResults,
    UserMessage,
    replay,
    start,
    step,
    verify,
)
from purestep.agent.choice_prompt import NO_TOOL_LABEL, labels_of
from purestep.values import ToolSpec

NUMBER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}
READS = {"readOnlyHint": True}


def tool(name: str, description: str, reads: bool = True) -> dict[str, Any]:
    """Give a tool that takes the number of an order."""
    return {
        "name": name,
        "description": description,
        "parameters": NUMBER,
        "annotations": READS if reads else {"readOnlyHint": False},
    }


STATUS = tool("order_status", "Look up an order")
REFUND = tool("order_refund", "Pay an order back", reads=False)
SENT = tool("mail_log", "List what was sent to an address") | {
    "parameters": {
        "type": "object",
        "properties": {"to": {"type": "string", "format": "email"}},
        "required": ["to"],
    }
}
TIED = "my order 77815 please"
SILENT = "anything for ann@example.org"


def asked(question: str = TIED, *tools: dict[str, Any], supports: tuple[str, ...] = ("scores",), **model: Any) -> Step:
    """Give the first step of a run whose model scores."""
    entry = {"name": "small", "carry": "route", "supports": ["json_schema", *supports], **model}
    agent = Agent.load({"tools": list(tools or (STATUS, REFUND, SENT)), "models": [entry]})
    return start(agent, UserMessage(content=question), "r")


def scored(before: Step, **scores: Any) -> Step:
    """Give the step after the model's scores; `none` is that of no tool."""
    told = {"" if name == "none" else name: score for name, score in scores.items()}
    return step(before.state, ModelOutput(content="x", scores=told))


def decided(log: str) -> list[tuple[str, list[str]]]:
    """Give the moves of a log that the model did not ask for."""
    lines = [json.loads(line) for line in log.splitlines()]
    return [(line["reason"], line.get("tools", [])) for line in lines if line["kind"] == "decided"]


def choices(decision: Any) -> dict[str, str]:
    """Give the choices that a decision asks to have scored, by their ids."""
    assert isinstance(decision, CallModel)
    return {choice.id: choice.text for choice in decision.choices or ()}


def test_a_tie_is_scored() -> None:
    """The prompt is a fixed list of examples and the request; nothing constrains it but the choices."""
    first = asked()
    assert isinstance(first.decision, CallModel)
    assert first.decision.reason == "choice"
    assert choices(first.decision) == {"order_refund": "refund", "order_status": "status", "": NO_TOOL_LABEL}
    assert isinstance(first.decision.messages, tuple)
    assert first.decision.messages[-1] == Message(role="user", content=TIED)
    assert not first.decision.response_format
    assert not first.decision.tools


def test_the_prompt_begins_alike_for_every_request() -> None:
    """Only its last message differs, so a server's cache serves all of them."""
    one, other = asked(TIED).decision, asked("my order 5 please").decision
    assert isinstance(one, CallModel)
    assert isinstance(other, CallModel)
    assert isinstance(one.messages, tuple)
    assert isinstance(other.messages, tuple)
    assert one.messages[:-1] == other.messages[:-1]


def test_the_best_score_decides() -> None:
    """The tool runs, since it only reads, and the log says what decided."""
    first = asked()
    then = scored(first, order_status=-0.1, order_refund=-2.5, none=-4.0)
    assert isinstance(then.decision, InvokeTool)
    assert then.decision.tool == "order_status"
    assert decided(then.log) == [("scored", ["order_status"]), ("one_call", ["order_status"])]


def test_scores_alone_let_no_tool_act() -> None:
    """A tool that may act waits for a person, whatever its score."""
    then = scored(asked(), order_status=-9.0, order_refund=-0.0, none=-9.0)
    assert isinstance(then.decision, RequestApproval)
    assert then.decision.calls[0].tool == "order_refund"


def test_a_log_with_scores_replays() -> None:
    """The scores are facts: the same log gives the same run."""
    first = asked()
    then = scored(first, order_status=-0.1, order_refund=-2.5, none=-4.0)
    last = step(then.state, ToolResults(results=(ToolResult(call_id="call_1", ok=True, output="on its way"),)))
    log = first.log + then.log + last.log
    assert replay(log).state == last.state
    assert verify(log).ok


@pytest.mark.parametrize(
    "scores",
    [
        None,
        {},
        {"order_status": -0.1},
        {"order_status": -0.1, "order_refund": float("nan")},
        {"order_status": -0.1, "order_refund": None},
        {"order_status": -0.1, "order_refund": "low"},
        {"order_status": -0.1, "order_refund": True},
        {"order_status": -0.1, "order_refund": 3.0},
        {"order_status": -0.1, "order_refund": -1e300},
        {"status": -0.1, "refund": -0.2, "": -1},
        {"order_status": [], "order_refund": {"a": 1}},
    ],
)
def test_odd_scores_leave_it_to_the_words(scores: dict[str, Any] | None) -> None:
    """Missing, partly missing, of no sense or of unknown names: the run goes on as without scores, and replays."""
    first = asked()
    then = step(first.state, ModelOutput(content="status", scores=scores))
    assert isinstance(then.decision, CallModel)
    assert not then.decision.choices
    assert then.decision.response_format
    assert decided(then.log) == [("routed", ["order_refund", "order_status"])]
    assert replay(first.log + then.log).state == then.state


def test_an_error_leaves_it_to_the_words() -> None:
    """A server that cannot score does not end the run."""
    then = step(asked().state, ModelError(code="refused", message="unknown field logit_bias"))
    assert isinstance(then.decision, CallModel)
    assert not then.decision.choices


def test_a_score_is_asked_for_once_a_step() -> None:
    """What was not decided is not asked again."""
    then = step(asked().state, ModelOutput(content="x"))
    again = step(then.state, ModelOutput(content="no call at all"))
    assert isinstance(again.decision, CallModel) is False or not choices(again.decision)


def test_a_model_that_does_not_score_is_not_asked() -> None:
    """Without `scores` in what it supports, a step is what it was."""
    first = asked(TIED, supports=())
    assert isinstance(first.decision, CallModel)
    assert first.decision.reason == "start"
    assert not first.decision.choices


def test_a_clear_request_is_not_scored() -> None:
    """One tool that the words ask for needs no model."""
    assert isinstance(asked("what is the status of order 5").decision, InvokeTool)


def test_too_many_tools_are_not_scored() -> None:
    """The examples of forty tools are no short prompt."""
    many = [tool(f"order_{number}", "Look up an order") for number in range(40)]
    assert not choices(asked(TIED, *many).decision)


def test_a_small_window_is_kept() -> None:
    """A prompt that would not fit is not sent: the words decide."""
    others = [tool(f"garden{number}", "Water all the plants around the house, " * 3) for number in range(25)]
    wide, narrow = (asked(TIED, STATUS, REFUND, *others, window_tokens=tokens) for tokens in (16_000, 1200))
    assert choices(wide.decision)
    assert not isinstance(narrow.decision, CallModel) or not choices(narrow.decision)


# --- where the words are silent ---------------------------------------------------------------------------


def test_a_request_with_a_value_and_without_telling_words_is_scored() -> None:
    """Only tools whose values are there are asked about, and no tool."""
    assert set(choices(asked(SILENT).decision)) == {"", "mail_log"}
    then = scored(asked(SILENT), mail_log=-0.1, none=-3.0)
    assert isinstance(then.decision, InvokeTool)
    assert then.decision.params == {"to": "ann@example.org"}


def test_no_tool_is_the_choice_where_none_stands_out() -> None:
    """A score that hardly passes that of no tool gives an answer without one."""
    then = scored(asked(SILENT), mail_log=-0.5, none=-1.5)
    assert isinstance(then.decision, CallModel)
    assert decided(then.log) == [("scored", []), ("routed", [])]
    assert not then.decision.choices


@pytest.mark.parametrize("request_", ["hi", "What is the capital of France?", 'why "so"'])
def test_talk_is_not_scored(request_: str) -> None:
    """Greetings, questions without a value and opinions are answered at once."""
    decision = asked(request_).decision
    assert isinstance(decision, CallModel)
    assert decision.reason == "start"


MAIL = SENT | {"name": "notify", "description": "Reach a person", "annotations": {"readOnlyHint": False}}


@pytest.mark.parametrize("request_", ["please don't bother ann@example.org", "never mind ann@example.org"])
def test_what_the_words_forbid_or_take_back_is_not_scored(request_: str) -> None:
    """No score has a tool act that the request says not to."""
    assert "notify" in choices(asked("anything for ann@example.org", STATUS, MAIL).decision)
    assert "notify" not in choices(asked(request_, STATUS, MAIL).decision)


# --- bounds -----------------------------------------------------------------------------------------------


def test_labels_differ_in_their_beginning() -> None:
    """The first token tells them apart, and none is that of no tool."""
    names = ("note_add", "note_search", "none_left", "notice", "getUser", "get_users", "天気", "x")
    labels = labels_of({name: ToolSpec(name=name) for name in names})
    begins = [label[:3] for label in (*labels.values(), NO_TOOL_LABEL)]
    assert labels["note_search"] == "search"
    assert len(set(labels.values())) == len(names)
    assert len(set(begins)) >= len(begins) - 2


@pytest.mark.parametrize(
    "carried",
    [
        {"task": TIED, "scoring": ["erase"]},
        {"task": TIED, "scoring": ["order_status", "order_refund"]},
        {"task": TIED, "scored": 7},
        {"task": TIED, "chosen": "erase"},
    ],
)
def test_a_forged_choice_is_refused(carried: dict[str, Any]) -> None:
    """A state names only tools that there are, in order."""
    state = msgspec.to_builtins(asked().state)
    forged = msgspec.convert({**state, "carried": carried}, RunState)
    with pytest.raises(PurestepError) as caught:
        step(forged, ModelOutput(content="x"))
    assert caught.value.code == "invalid_state"


def test_a_larger_model_that_does_not_score_is_asked_in_words() -> None:
    """A state whose model changed meanwhile gives an ordinary question."""
    entry = {"name": "small", "carry": "route", "supports": ["json_schema", "scores"]}
    agent = Agent.load({"tools": [STATUS, REFUND], "models": [entry, {"name": "big"}]})
    first = start(agent, UserMessage(content=TIED), "r")
    state = msgspec.structs.replace(first.state, model=1)
    then = step(state, ModelOutput(content='{"kind":"final","content":"so"}'))
    assert then.decision.__class__.__name__ == "Done"
