"""A log replayed gives the run, also after a crash; lines of other programs are read for printing."""

import json
from typing import Any

import pytest

import purestep
from purestep.log.replay import read_events
from tests.core.agents import (
    agent,
    answer,
    approvals,
    call,
    listed,
    result,
    results,
    said,
)
from tests.core.driver import Driver, WholeDriver
from tests.core.log.runs import DIALECTS, rich_run, verified


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("at", [None, 1000])
def test_replay_equals_live(dialect: str, at: int | None) -> None:
    """E29: folding the log gives the live state, decision and messages."""
    driver = rich_run(dialect, at)
    folded = json.loads(purestep.replay_log(driver.log))
    assert (driver.state, driver.decision, driver.messages) == (folded["state"], folded["decision"], folded["messages"])
    assert ("", 0) == (folded["lost"], folded["torn_bytes"])


def test_replay_equals_live_after_every_step() -> None:
    """E29: at every moment of a run, with results and approvals partly in."""
    whole = rich_run()
    steps = [index + 1 for index, char in enumerate(whole.log) if char == "\n"]
    for end in steps[1:]:
        folded = json.loads(purestep.replay_log(whole.log[:end]))
        completed = whole.log[:end] + folded["lost"]
        assert whole.log.startswith(completed)
        assert json.loads(purestep.verify_log(completed, folded["state"]["head"]))["ok"]


@pytest.mark.parametrize("together", [True, False])
def test_results_of_one_observation_replay(together: bool) -> None:
    """E29: it makes no difference whether results came together or one by one."""
    driver = Driver(agent())
    driver.send(said(listed(*[call("add_numbers", a=n, b=1) for n in range(3)])))
    entries = [result(f"call_{n}", f"output {n}") for n in (3, 1, 2)]
    for observation in [results(*entries)] if together else [results(entry) for entry in entries]:
        driver.send(observation)
    folded = json.loads(purestep.replay_log(driver.log))
    assert (driver.state, driver.decision, driver.messages) == (folded["state"], folded["decision"], folded["messages"])


def _late(observe: Any) -> Driver:
    driver = Driver(agent(limits={"deadline_ms": 10}), at=0)
    observe(driver)
    return driver


def _late_results(driver: Driver) -> None:
    driver.send(said(listed(call("add_numbers", a=1, b=1), call("add_numbers", a=2, b=1)), at=1))
    driver.send(results(result("call_1", "two"), result("call_2", "three"), at=50))


def _late_approvals(driver: Driver) -> None:
    driver.send(said(listed(call("shell", command="a"), call("shell", command="b")), at=1))
    driver.send(approvals(*[answer(entry, True) for entry in driver.decision["calls"]], at=50))


@pytest.mark.parametrize("observe", [_late_results, _late_approvals])
def test_batch_past_the_deadline_replays(observe: Any) -> None:
    """E29: a deadline met by several facts of one observation is met at the same place in the replay."""
    driver = _late(observe)
    folded = json.loads(purestep.replay_log(driver.log))
    assert driver.decision == folded.get("decision")
    assert json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"]


def test_bare_program_that_never_reports_replays() -> None:
    """E29: what a program did with the calls is its own, and the log says so."""
    driver = WholeDriver()
    for text in ('{"tool":"a"}', '{"tool":"b"}', "Done."):
        driver.say(text)
    folded = json.loads(purestep.replay_log(driver.log))
    assert (driver.decision, driver.state["history"]) == (folded["decision"], folded["messages"])


def test_definition_in_another_number_form_replays() -> None:
    """Section 9: the bytes of a log do not depend on which form of a definition a process met first."""

    def form(limit: str) -> str:
        return (
            '{"agent":{"name":"forms","tools":[{"name":"t","parameters":{"type":"object","properties":'
            '{"n":{"type":"number","minimum":'
            + limit
            + '}}}}]},"run_id":"r","observation":{"type":"user_message","content":"q"}}'
        )

    first, second = (json.loads(purestep.run_agent_step(form(limit))) for limit in ("3.0", "3"))
    fresh = json.loads(purestep.run_agent_step(form("3").replace("forms", "other")))
    assert fresh["log"].split("\n")[0].replace("other", "forms") == second["log"].split("\n")[0]
    assert (first["state"]["agent"] == second["state"]["agent"]) == (first["log"] == second["log"])


def test_torn_last_line_is_recovered_and_reported() -> None:
    """E30: a torn last line, wherever it was torn, is left out and its length reported; verify names it."""
    driver = rich_run()
    data = driver.log.encode()
    start = data.rindex(b"\n", 0, -1) + 1
    before = json.loads(purestep.replay_log(data[:start]))
    for end in range(start + 1, len(data) - 1):
        folded = json.loads(purestep.replay_log(data[:end]))
        assert (end - start, before["state"]) == (folded["torn_bytes"], folded["state"])
        verdict = verified(data[:end])
        assert (False, driver.state["run"]["seq"]) == (verdict["ok"], verdict["line"])


def test_last_line_without_its_newline_is_whole() -> None:
    """E30: a line that lacks only its newline is read."""
    driver = rich_run()
    assert driver.state == json.loads(purestep.replay_log(driver.log[:-1]))["state"]


def test_derived_lines_lost_in_a_crash_are_given_back() -> None:
    """E30: when a crash cut a step's derived lines off, replay says which to append."""
    driver = Driver(agent())
    driver.send(said(listed(call("add_numbers", a=1, b=2), call("shell", command="ls"))))
    lines = driver.log[:-1].split("\n")
    kept = "\n".join(lines[:3]) + "\n"
    folded = json.loads(purestep.replay_log(kept))
    assert driver.log == kept + folded["lost"]
    assert (driver.state, driver.decision) == (folded["state"], folded["decision"])


def test_malformed_line_in_the_middle_names_its_line() -> None:
    """E30: a malformed line is an error that names its line."""
    lines = rich_run().log.split("\n")
    for bad in ("{", "[]", "null", '{"kind":"unknown_kind"}', '{"kind":7}', "{}", "\x00", '{"kind":"user_message"}'):
        error = json.loads(purestep.replay_log("\n".join([*lines[:4], bad, *lines[4:]])))["error"]
        assert "invalid_log" == error["code"]
        assert "line 5" in error["message"]


def test_blank_lines_are_skipped_and_counted() -> None:
    """E30: blank lines are skipped; line numbers still are those of the file."""
    driver = rich_run()
    spaced = "\n\n" + driver.log.replace("\n", "\n \n\r\n")
    assert driver.state == json.loads(purestep.replay_log(spaced))["state"]
    error = json.loads(purestep.replay_log("\n\n{\n" + driver.log))["error"]
    assert "line 3" in error["message"]


@pytest.mark.parametrize(
    "log", ["", "\n", "   ", '{"kind":"user_message","content":"x"}\n', "garbage\n", b"\xff\xfe\n", "[]\n"]
)
def test_log_of_no_run_is_an_error(log: str | bytes) -> None:
    """E30: what is no log of a run gives an error as data."""
    assert "invalid_log" == json.loads(purestep.replay_log(log))["error"]["code"]


def test_log_of_another_version_is_refused() -> None:
    """Section 7: another schema version is named."""
    log = rich_run().log.replace('"schema_version":3', '"schema_version":2', 1)
    assert "unsupported_version" == json.loads(purestep.replay_log(log))["error"]["code"]
    assert not verified(log)["ok"]


OLD = (
    '{"kind":"user_message","content":"hi"}\n'
    "\n"
    '{"at":17,"kind":"model_response","content":"{}"}\n'
    '{"kind":"tool_result","tool_name":"echo","output":"hi"}\n'
    '{"kind":"tool_result","tool_name":"echo","output":{"a":1},"extra":true}\n'
    '{"kind":"final_answer","content":"bye"}'
)


def test_old_lines_are_readable_for_printing() -> None:
    """Section 7: lines without seq and at are read, with their line numbers."""
    events = list(read_events(OLD))
    assert [1, 3, 4, 5, 6] == [number for number, _ in events]
    assert "bye" == events[-1][1].content  # type: ignore[union-attr]


def test_old_lines_that_cannot_be_read_name_their_line() -> None:
    """E30: a malformed line names its line in printing too."""
    with pytest.raises(purestep.PurestepError) as caught:
        list(read_events(OLD.replace('{"kind":"tool_result","tool_name":"echo","output":"hi"}', "{nope")))
    assert ("invalid_log", True) == (caught.value.code, "line 4" in caught.value.message)


def test_log_that_began_with_messages_that_are_no_text_is_refused() -> None:
    """E30: bytes that are no UTF-8 are named, wherever they stand."""
    log = b'{"seq":0,"kind":"run_started","schema_version":3,"run_id":"r","agent":null,"history":[{"role":"\xfa"}]}\n'
    assert "invalid_utf8" == verified(log)["code"]
    assert "invalid_utf8" == json.loads(purestep.replay_log(log))["error"]["code"]
