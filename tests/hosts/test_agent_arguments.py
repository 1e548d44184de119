"""Arguments of agents and runs that cannot be used: errors that say which, before anything is asked."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import purestep
from purestep_hosts import Agent, ScriptedModel, approved, calls, says, tool
from purestep_hosts.settings import SettingsError


@tool(approval="ask")
def pay(amount: int) -> str:
    """Pay an amount."""
    return f"{amount} paid"


PAYS = [calls("pay", amount=5), says("5 paid, as you asked.")]

ARGUMENTS = [
    ({"nosuch": 1}, "run has no argument nosuch; its arguments are query, deps, after"),
    ({"after": 5}, "after is int; expected a result, or the text of a log"),
    ({"session": "abc"}, "session is str; expected an open Session, or a RunStore of your own"),
    ({"history": "Hello"}, "history is str; expected a list of messages"),
    ({"history": [{}], "after": "{}"}, "give `after` without `history`"),
    ({"approvals": [True]}, "approvals has bool; expected what `approved` or `refused` gives"),
    ({"approvals": True}, "approvals is bool; expected what `approved` or `refused` gives in a list"),
    ({"approve": True}, "approve is bool; expected a function of the call"),
    ({"input": "Go"}, "run has no argument input; write query"),
    ({"pinned": "yes"}, "pinned is str; expected True or False"),
    ({"max_turns": 3}, "write Agent(..., limits={'max_turns': ...})"),
]


@pytest.mark.parametrize(("given", "said"), ARGUMENTS)
def test_an_argument_that_cannot_be_used_is_named(given: dict[str, Any], said: str) -> None:
    """The error comes before anything is asked, also from a stream, whose run has not begun."""
    agent = Agent(ScriptedModel([]))
    for begin in (agent.run_sync, agent.stream):
        with pytest.raises(TypeError, match=re.escape(said)):
            begin("Go", **given)


@pytest.mark.parametrize("query", [b"Go", 5, date(2026, 1, 2), ["Go"], Path("go.txt")])
def test_what_is_no_text_is_no_query(query: Any) -> None:
    """Bytes would reach the model in base64, and a date as a text."""
    agent, told = Agent(ScriptedModel([says("Hello")])), f"query is {type(query).__name__}; expected a text"
    for begin in (agent.run_sync, agent.stream):
        with pytest.raises(TypeError, match=re.escape(told)):
            begin(query)
    with pytest.raises(TypeError, match=f"the text to steer with is {type(query).__name__}; expected a text"):
        agent.stream("Go").steer(query)


WRONG_PARTS = [
    ({"approve": True}, "approve is bool; expected a function of the call, such as lambda call: True"),
    ({"approve": "all"}, "approve is str; expected a function of the call"),
    ({"instructions": ["Be short."]}, "instructions is list; expected a text"),
    ({"instructions": lambda: "Be short."}, "instructions is function; expected a text"),
    ({"base_url": "http://127.0.0.1:8080/v1"}, "base_url goes with a model's name; give it to the model"),
    ({"api_key": "sk-of-some-server"}, "api_key goes with a model's name; give it to the model"),
]


@pytest.mark.parametrize(("given", "said"), WRONG_PARTS)
def test_a_part_that_cannot_be_used_is_named_where_the_agent_is_made(given: dict[str, Any], said: str) -> None:
    """Not in the middle of a run, and nothing that was given is left unused."""
    with pytest.raises(TypeError, match=re.escape(said)):
        Agent(ScriptedModel([]), **given)


@pytest.mark.parametrize("name", ["", " bundled", "http://user:word@127.0.0.1:8080/v1"])
def test_what_is_no_model_name_is_told_as_that(name: str) -> None:
    """No server is named for it, and an address, which may hold a password, is not shown."""
    with pytest.raises(SettingsError, match=r"is no model's name|is an address") as raised:
        Agent(name)
    assert "SERVER" not in raised.value.message
    assert "word@" not in raised.value.message


def test_approvals_of_nothing_are_refused() -> None:
    """Answers to a run that was not given would be lost."""
    waiting = Agent(ScriptedModel(PAYS), tools=[pay]).run_sync("Pay 5")
    with pytest.raises(TypeError, match="give it as `after` or `session`"):
        Agent(ScriptedModel(PAYS), tools=[pay]).run_sync("Go", approvals=[approved(waiting.approvals[0])])


@pytest.mark.parametrize("model", [5, ScriptedModel, object()])
def test_what_is_no_model_is_refused_where_the_agent_is_made(model: Any) -> None:
    """Not in the middle of its first run."""
    with pytest.raises(TypeError, match=r"expected an object of purestep_hosts\.models, or a model's name"):
        Agent(model)


def test_one_tool_in_place_of_a_list_is_refused() -> None:
    """The error says what a list holds."""
    with pytest.raises(TypeError, match="tools is <tool pay>; expected a list of tools"):
        Agent(ScriptedModel([]), tools=pay)  # type: ignore[call-overload]


def test_missing_parts_are_said_before_anything_runs() -> None:
    """A query that is missing, and a log and a session at once, are errors of the program."""
    agent, done = Agent(ScriptedModel([says("Hi.")])), Agent(ScriptedModel([says("Hi.")])).run_sync("Hello")
    with pytest.raises(TypeError, match="a query is missing"):
        agent.run_sync()
    with pytest.raises(TypeError, match="give `after` without `run_id`"):
        agent.run_sync("Go", after=done, run_id="x")
    with pytest.raises(purestep.PurestepError, match="expected a log that begins with run_started"):
        agent.run_sync("Go", after="nonsense")


def test_model_without_a_name_is_refused() -> None:
    """It is said as the agent is made, not in the middle of a run."""

    class Nameless:
        def complete(self, request: Any, reply: Any) -> Any:
            raise NotImplementedError

    with pytest.raises(TypeError, match="model is Nameless, which has no name"):
        Agent(Nameless())  # type: ignore[arg-type]
