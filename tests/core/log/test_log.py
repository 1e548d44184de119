"""The event log as it is written: chained, ahead of every act, raw facts first."""

import hashlib
import json

import pytest

from tests.core.agents import (
    agent,
    call,
    listed,
    said,
)
from tests.core.driver import Driver
from tests.core.log.runs import DIALECTS, rich_run


def test_rich_run_holds_every_kind_of_event() -> None:
    """E29: facts from outside and what the core made of them are all in the log."""
    kinds = {
        "run_started", "user_message", "model_response", "tool_result", "approval", "model_error", "cancelled",
        "tool_call", "approval_request", "correction", "verdict", "decided", "final_answer", "run_failed",
    }  # fmt: skip
    assert kinds == set(rich_run().kinds())


@pytest.mark.parametrize("at", [None, 0, 1_700_000_000_000])
def test_lines_are_numbered_and_carry_the_hosts_clock(at: int | None) -> None:
    """E30: seq counts from 0 without gaps; `at` stands where the host gave one, and nowhere else."""
    lines = rich_run(at=at).lines()
    assert list(range(len(lines))) == [line["seq"] for line in lines]
    assert {None} == {line.get("at") for line in lines} if at is None else all("at" in line for line in lines)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_head_is_the_chain_over_the_line_bytes(dialect: str) -> None:
    """Section 3: head = hex(sha256(head before + line)), over every line, with nothing but a hash function."""
    driver = rich_run(dialect)
    head = ""
    for line in driver.log.encode().split(b"\n")[:-1]:
        derived = json.loads(line)
        assert derived.get("prev", head) == head
        head = hashlib.sha256(head.encode() + line).hexdigest()
    assert head == driver.state["head"]


def test_log_text_is_whole_lines() -> None:
    """Section 3: each step's text can be appended as it is; no line holds a raw line break."""
    driver = rich_run()
    assert driver.log.endswith("\n")
    assert driver.state["run"]["seq"] == driver.log.count("\n")
    assert all(json.loads(line) for line in driver.log[:-1].split("\n"))


def test_raw_output_is_recorded_before_it_is_read() -> None:
    """E29: damaged output stands in the log as it came, ahead of everything made of it."""
    driver = Driver(agent())
    text = '  ```json\n{"kind":"tool_call", broken \u0000\ud800'.replace("\ud800", "")
    driver.send(said(text, finish_reason="stop", model="m", usage={"prompt_tokens": 1, "completion_tokens": 2}))
    assert ["run_started", "user_message", "model_response", "correction"] == driver.kinds()
    (event,) = driver.events("model_response")
    assert (text, "stop", "m", {"prompt_tokens": 1, "completion_tokens": 2}) == (
        event["content"], event["finish_reason"], event["model"], event["usage"],
    )  # fmt: skip


def test_calls_are_logged_before_they_are_handed_out() -> None:
    """Section 3: the log text of a step holds the decision's calls, so it can be written first."""
    driver = Driver(agent())
    driver.send(said(listed(call("add_numbers", a=1, b=2), call("shell", command="ls"))))
    assert ["add_numbers", "shell"] == [event["tool_name"] for event in driver.events("tool_call")]
    assert driver.calls()["call_2"]["key"] == driver.events("tool_call")[1]["key"]


def test_event_names_of_old_logs_are_kept() -> None:
    """E29: user_message, model_response, tool_result and final_answer have the members of old logs."""
    driver = rich_run()
    assert "content" in driver.events("user_message")[0]
    assert "content" in driver.events("model_response")[0]
    assert {"tool_name", "output"} <= set(driver.events("tool_result")[0])
    assert "The answer — 3." == driver.events("final_answer")[0]["content"]


def test_definition_is_in_the_log() -> None:
    """E29: the log alone says under which definition the run was made."""
    driver = rich_run()
    assert ["add_numbers", "shell", "banned"] == [tool["name"] for tool in driver.lines()[0]["agent"]["tools"]]
