"""A changed log is found: bytes, lines, facts that nobody sent."""

import hashlib
import json

import pytest

import purestep
from tests.core.agents import (
    agent,
    call,
    said,
)
from tests.core.driver import Driver, WholeDriver
from tests.core.log.runs import DIALECTS, rich_run, verified


@pytest.mark.parametrize("dialect", DIALECTS)
def test_untouched_log_verifies(dialect: str) -> None:
    """Section 7: a log as written is right, with and without its head."""
    driver = rich_run(dialect)
    expected = {"ok": True, "lines": driver.state["run"]["seq"], "head": driver.state["head"]}
    for head in (None, driver.state["head"]):
        verdict = verified(driver.log, head)
        assert expected == {key: verdict[key] for key in expected}


def test_byte_changed_anywhere_is_found_and_named() -> None:
    """Section 7: a byte changed in any line is found, at that line or at the next derived one."""
    driver = rich_run()
    data, head = driver.log.encode(), driver.state["head"]
    line_of = [data.count(b"\n", 0, index) + 1 for index in range(len(data))]
    derived = [number for number, line in enumerate(driver.lines(), 1) if "prev" in line]
    # Every seventh byte, each beginning and end of a line: all kinds of places in half a thousand tries.
    places = {*range(0, len(data), 7), *(index for index in range(len(data) - 1) if 10 in data[index : index + 2])}
    for index in sorted(places):
        changed = data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]
        verdict = verified(changed, head)
        assert not verdict["ok"]
        last = next((number for number in derived if number > line_of[index]), len(line_of))
        assert line_of[index] <= verdict["line"] <= last


def test_changed_time_of_the_first_message_is_named_there() -> None:
    """The line before it, which the same step wrote, was not changed."""
    log = purestep.start(None, purestep.UserMessage(content="Hello", at=5), run_id="r").log
    first, second = log.splitlines(keepends=True)
    found = verified(first + second.replace('"at":5', '"at":6'), None)
    assert ("log_mismatch", 2) == (found["code"], found["line"])


def test_changed_fact_is_found_without_the_head_too() -> None:
    """Section 7: every fact that something was derived from is bound by the next derived line."""
    driver = rich_run()
    lines = driver.log.encode()[:-1].split(b"\n")
    last_derived = max(index for index, line in enumerate(lines) if b'"prev"' in line)
    for index in range(last_derived):
        for at in (8, len(lines[index]) // 2, len(lines[index]) - 2):
            line = lines[index][:at] + bytes([lines[index][at] ^ 1]) + lines[index][at + 1 :]
            assert not verified(b"\n".join([*lines[:index], line, *lines[index + 1 :]]) + b"\n")["ok"]


@pytest.mark.parametrize("change", ["dropped", "doubled", "swapped"])
def test_moved_lines_are_found(change: str) -> None:
    """Section 7: a line dropped, doubled or swapped with its neighbour is found, whichever it is."""
    driver = rich_run()
    lines = driver.log[:-1].split("\n")
    for index in range(len(lines) - 1):
        pair = lines[index : index + 2]
        new = {"dropped": pair[1:], "doubled": [pair[0], *pair], "swapped": pair[::-1]}[change]
        changed = "\n".join([*lines[:index], *new, *lines[index + 2 :]]) + "\n"
        verdict = verified(changed, driver.state["head"])
        assert not verdict["ok"]
        assert verdict["line"] >= index
        assert verdict["code"] in purestep.CATALOGUE


def test_difference_shows_what_was_due_and_what_came() -> None:
    """Section 7: the report holds both lines."""
    driver = rich_run()
    verdict = verified(driver.log.replace('"verdict":"accept"', '"verdict":"reject"', 1))
    line = driver.log.split("\n")[verdict["line"] - 1]
    assert (line, line.replace("accept", "reject")) == (verdict["expected"], verdict["got"])


def test_cut_log_is_found_by_its_head() -> None:
    """Section 7: a log cut at the end of a step is a right log, of a shorter run; the head tells."""
    driver = rich_run()
    lines = driver.log.split("\n")
    shorter = "\n".join(lines[:2]) + "\n"
    assert verified(shorter)["ok"]
    assert "head_mismatch" == verified(shorter, driver.state["head"])["code"]


def test_forged_result_line_is_no_result() -> None:
    """Section 7: a fact that does not fit the run is an error, never taken."""
    driver = Driver(agent())
    driver.send(said(call("shell", command="ls")))
    forged = json.dumps(
        {
            "seq": driver.state["run"]["seq"],
            "kind": "tool_result",
            "tool_name": "shell",
            "call_id": "call_1",
            "ok": True,
            "output": "x",
        }
    )
    assert "invalid_log" == json.loads(purestep.replay_log(driver.log + forged + "\n"))["error"]["code"]


def test_a_head_that_is_no_text_differs_like_any_other() -> None:
    """Half of a character, which JSON cannot hold, comes back as U+FFFD."""
    given = {"agent": {}, "run_id": "r", "observation": {"type": "user_message", "content": "hi"}}
    log = json.loads(purestep.run_agent_step(json.dumps(given)))["log"]
    found = json.loads(purestep.verify_log(log, "\ud800"))
    assert ("head_mismatch", "\ufffd") == (found["code"], found["expected"])


# --- facts that nobody sent -------------------------------------------------------------------------------

UNREPORTED = '"kind":"tool_result","tool_name":"a","call_id":"call_1","ok":false,"error_kind":"unreported"}\n'


def test_unreported_result_that_nothing_waited_for_is_found() -> None:
    """Section 7: the line by which the core closes a call of the bare form stands only where a call waits."""
    driver = WholeDriver()
    driver.say('{"tool":"a"}')
    driver.say("Done.")
    lines = driver.log[:-1].split("\n")
    for index in range(1, len(lines) + 1):
        forged = "\n".join([*lines[:index], f'{{"seq":{index},{UNREPORTED}'.rstrip("\n"), *lines[index:]]) + "\n"
        for head in (driver.state["run"]["head"], None):
            verdict = verified(forged, head)
            assert not verdict["ok"]
            assert verdict["line"] in (index + 1, index + 2)


def test_changed_first_line_is_found_while_it_stands_alone() -> None:
    """Section 7: a run's first line is compared with what the core writes before any other comes."""
    line = rich_run().log.split("\n")[0]
    head = hashlib.sha256(line.encode()).hexdigest()
    assert verified(line + "\n", head)["ok"]
    for old, new in (("run-1", "run-2"), ('"seq":0', '"seq":1'), ('":', '": '), ("{", '{"x":1,'), ("envelope", "bare")):
        changed = line.replace(old, new, 1)
        assert changed == line or not verified(changed + "\n", head)["ok"]
    assert "log_mismatch" == verified(line.replace('":', '": ', 1) + "\n")["code"]


def test_head_settles_every_byte() -> None:
    """Section 7: with the head, blank lines and a missing last line break are changes; without it they are skipped."""
    driver = rich_run()
    for changed in (driver.log[:-1], "\n" + driver.log, driver.log.replace("\n", "\n \n", 1), driver.log + "\n"):
        assert verified(changed)["ok"]
        assert "invalid_log" == verified(changed, driver.state["head"])["code"]
