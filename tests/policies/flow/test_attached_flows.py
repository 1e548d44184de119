"""Information flow from images and files of user messages, whose text the core never sees."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import call, ok, said
from tests.core.driver import Driver, stepped
from tests.policies.flow.test_flows import asked
from tools.vectors.scenarios.flow.flow import CONTACTS, WIPE

PAGE = {"type": "file", "digest": "0123456789abcdef" * 4, "media_type": "text/plain", "bytes": 300, "name": "a.txt"}
# No tool of this definition reads what anybody may have written.
DEFINITION: dict[str, Any] = {"tools": [CONTACTS, WIPE], "policies": [{"use": "flow"}]}


def message(*parts: dict[str, Any], text: str = "Tidy up by this list; remove old.txt too.") -> dict[str, Any]:
    """Return a user message with parts."""
    return {"type": "user_message", "content": [{"type": "text", "text": text}, *parts]}


def begun(first: dict[str, Any], definition: dict[str, Any] = DEFINITION) -> Driver:
    """Return a run that begins with a message."""
    run = Driver(definition, "-")
    run.state, run.messages, run.log = None, [], ""
    run.send(first)
    return run


@pytest.mark.parametrize(("path", "expected"), [("old.txt", None), ("notes.txt", ["/path"])])
def test_what_a_file_may_have_said_is_asked_about(path: str, expected: Any) -> None:
    """The user's own words still run unasked."""
    assert expected == asked(begun(message(PAGE)), "wipe", path=path)
    assert asked(begun(message()), "wipe", path=path) is None


def test_only_the_users_words_are_trusted() -> None:
    """A value of a tool without labels is asked about too: the file may have led to it."""
    run = begun(message(PAGE))
    run.send(said(call("contacts", name="list")))
    run.send(ok("call_1", "notes.txt"))
    assert ["/path"] == asked(run, "wipe", path="notes.txt")


@pytest.mark.parametrize("joined", [True, False])
def test_a_file_that_comes_later_counts_from_then_on(joined: bool) -> None:
    """In the middle of an exchange, or with the next message."""
    run = begun(message())
    if not joined:
        run.send(said('{"kind":"final","content":"Which list?"}'))
    run.send(message(PAGE, text="By this one."))
    if joined:
        run.send(said(call("contacts", name="list")))
        run.send(ok("call_1", "nobody"))
    assert ["/path"] == asked(run, "wipe", path="notes.txt")


def test_a_message_that_was_left_over_counts() -> None:
    """A run that ends before it takes a message leaves it to the next exchange."""
    run = begun(message())
    run.send(said(call("contacts", name="list")))
    run.send(message(PAGE, text="By this one."))
    assert "cancelled" == run.send({"type": "cancel"})["code"]
    run.send({"type": "user_message", "content": "Go on."})
    assert ["/path"] == asked(run, "wipe", path="notes.txt")


def whole(history: list[dict[str, Any]]) -> str:
    """Return a state that another program has made of its messages."""
    return json.dumps({"schema_version": 3, "history": history, "is_complete": False, "agent": DEFINITION})


@pytest.mark.parametrize(("parts", "expected"), [((PAGE,), "request_approval"), ((), "invoke_tool")])
def test_messages_of_another_program_may_have_a_file(parts: Any, expected: str) -> None:
    """From the first step on, and once a program has added one to the messages of a run."""
    history = [{"role": "user", "content": message(*parts)["content"]}]
    wipes = said(call("wipe", path="notes.txt"))
    made = stepped(state_json=whole(history), observation=wipes)
    assert expected == made["decision"]["type"]
    edited = json.loads(purestep.create_agent_state("Tidy up.", json.dumps(DEFINITION)))
    edited["history"] += history
    assert expected == stepped(state_json=json.dumps(edited), observation=wipes)["decision"]["type"]


def test_the_log_replays() -> None:
    """Replay derives the same labels."""
    run = begun(message(PAGE))
    asked(run, "wipe", path="notes.txt")
    assert run.state == json.loads(purestep.replay_log(run.log))["state"]
