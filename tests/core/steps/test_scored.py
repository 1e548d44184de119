"""Runs whose model scores its tools: once for each exchange, and its scores alone choose what is offered (11.carry)."""

import json
from typing import Any

import pytest

from purestep.agent.choice_prompt import NO_TOOL_LABEL, labels_of
from purestep.values import ToolSpec
from tests.core.agents import call, final, ok, said, tool
from tests.core.driver import Driver, assert_replays, stepped

READS = {"readOnlyHint": True}
NUMBER = {"number": {"type": "integer"}}
STATUS = tool("order_status", NUMBER, description="Look up an order", annotations=READS)
REFUND = tool("order_refund", NUMBER, description="Pay an order back", annotations={"readOnlyHint": False})
SENT = tool("mail_log", {"to": {"type": "string"}}, description="List what was sent", annotations=READS)
QUESTION = "my order 77815 please"


def asked(query: str = QUESTION, *tools: dict[str, Any], **members: Any) -> Driver:
    """Return a run whose model scores texts."""
    model = {"name": "small", "carry": "ground", "supports": ["json_schema", "scores"], **members.pop("model", {})}
    return Driver({"tools": list(tools or (STATUS, REFUND, SENT)), "models": [model], **members}, query)


def scored(driver: Driver, **scores: Any) -> dict[str, Any]:
    """Send scores; `none` is that of no tool."""
    told = {"" if name == "none" else name: score for name, score in scores.items()}
    return driver.send(said("x", scores=told))


def offered(driver: Driver) -> list[str]:
    """Return the tools that the constraint allows."""
    text = json.dumps(driver.decision["response_format"])
    return [name for name in ("mail_log", "order_refund", "order_status") if f'"{name}"' in text]


def test_the_model_is_asked_to_score_the_tools_and_none_of_them() -> None:
    """With examples of each, before the user's message; its reply is no turn of the transcript."""
    driver = asked()
    assert ("call_model", "choice", [[7, 8]]) == tuple(driver.decision[key] for key in ("type", "reason", "prompt"))
    labels = {each["id"]: each["text"] for each in driver.decision["choices"]}
    assert {"": "none", "mail_log": "mail", "order_refund": "refund", "order_status": "status"} == labels
    assert QUESTION == driver.prompt()[-1]["content"]
    messages = len(driver.messages)
    scored(driver, none=-3, order_status=-1, order_refund=-4, mail_log=-5)
    assert (messages, "scored") == (len(driver.messages), driver.decision["reason"])
    assert_replays(driver)


def test_the_tools_that_are_likelier_than_none_are_offered() -> None:
    """For the whole exchange, an answer beside them; the log says what was chosen."""
    driver = asked()
    scored(driver, none=-3, order_status=-1, order_refund=-2, mail_log=-5)
    assert ["order_refund", "order_status"] == offered(driver)
    assert [("scored", ["order_refund", "order_status"])] == [
        (each["reason"], each.get("tools", [])) for each in driver.events("decided")
    ]
    driver.send(said(call("order_status", number=77815)))
    driver.send(ok("call_1", "sent"))
    assert ["order_refund", "order_status"] == offered(driver)
    assert "done" == driver.send(said(final("It was sent.")))["type"]
    driver.send({"type": "user_message", "content": "and the other one?"})
    assert "choice" == driver.decision["reason"]
    assert_replays(driver)


def test_without_a_tool_that_is_likelier_the_model_is_asked_for_an_answer() -> None:
    """It chose that."""
    driver = asked()
    scored(driver, none=-1, order_status=-1, order_refund=-2, mail_log=-5)
    assert [] == offered(driver)
    assert "done" == driver.send(said(final("Hello.")))["type"]


def test_a_call_of_another_tool_is_taken_all_the_same() -> None:
    """What is offered narrows what the model writes, never what may run."""
    driver = asked()
    scored(driver, none=-3, order_status=-1, order_refund=-4, mail_log=-5)
    assert "invoke_tool" == driver.send(said(call("mail_log", to="ann")))["type"]


@pytest.mark.parametrize(
    "scores",
    [
        None,
        {},
        {"": -1, "order_status": -2, "order_refund": -3},
        {"": -1, "order_status": "-2", "order_refund": -3, "mail_log": -4},
        {"": -1, "order_status": True, "order_refund": -3, "mail_log": -4},
        {"": -1, "order_status": 0.5, "order_refund": -3, "mail_log": -4},
        {"": -1e9, "order_status": -2, "order_refund": -3, "mail_log": -4},
        {"": None, "order_status": -2, "order_refund": -3, "mail_log": -4},
    ],
)
def test_odd_scores_choose_nothing(scores: Any) -> None:
    """All tools are offered."""
    driver = asked()
    driver.send(said("x") if scores is None else said("x", scores=scores))
    assert ["mail_log", "order_refund", "order_status"] == offered(driver)
    assert [] == driver.events("decided")
    assert_replays(driver)


def test_an_error_chooses_nothing() -> None:
    """The model is asked without scores."""
    driver = asked()
    driver.send({"type": "model_error", "code": "unavailable", "message": "x", "retryable": True})
    assert ("scored", 3) == (driver.decision["reason"], len(offered(driver)))
    assert_replays(driver)


@pytest.mark.parametrize(
    "members",
    [
        {"model": {"supports": ["json_schema"]}},
        {"model": {"carry": "off"}},
        {"tool_choice": "required"},
        {"tool_choice": "none"},
        {"tools": [STATUS]},
        {"tools": [{**STATUS, "name": f"tool_{number}"} for number in range(33)]},
    ],
)
def test_nothing_is_scored_where_there_is_no_choice_or_no_room(members: dict[str, Any]) -> None:
    """The model is asked as it is."""
    assert "start" == asked(QUESTION, **members).decision["reason"]


def test_labels_differ_in_their_beginning() -> None:
    """The first token tells them apart."""
    names = ["get_user", "get_order", "getParcels", "mail.send"]
    labels = labels_of({name: ToolSpec(name=name) for name in names})
    assert len(names) + 1 == len({label[:3] for label in (*labels.values(), NO_TOOL_LABEL)})


def test_a_larger_model_that_does_not_score_is_asked_as_it_is() -> None:
    """What the smaller one chose is offered to it no longer."""
    small = {"name": "small", "carry": "ground", "supports": ["json_schema", "scores"]}
    driver = Driver({"tools": [STATUS, REFUND, SENT], "models": [small, {"name": "large"}]}, QUESTION)
    scored(driver, none=-3, order_status=-1, order_refund=-4, mail_log=-5)
    for _ in range(2):
        driver.send(said("{"))
    assert ("large", 3) == (driver.decision["model"], len(offered(driver)))


@pytest.mark.parametrize("kept", [{"scoring": ["order_status", "mail_log"]}, {"scoring": ["rm"]}])
def test_a_forged_choice_is_refused(kept: dict[str, Any]) -> None:
    """A state may come from a client."""
    driver = asked()
    output = stepped(state={**driver.state, "carried": kept}, agent=driver.definition)  # type: ignore[dict-item]
    assert "/state/carried" == output["error"]["path"]
