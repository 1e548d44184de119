"""The event log: chained, written ahead, raw facts first; folding it gives the run."""

import hashlib
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
    failure,
    final,
    listed,
    native_call,
    ok,
    result,
    results,
    said,
)
from tests.core.driver import Driver, WholeDriver


def rich_run(dialect: str = "envelope", at: int | None = 1000) -> Driver:
    """Give a run with every kind of event in it."""
    driver = Driver(agent(dialect=dialect, limits={"deadline_ms": 10**6}), query="Grüße \u2028 \x85 \x0b 🎉", at=at)
    when = {} if at is None else {"at": at + 5}

    def send(observation: dict[str, Any]) -> None:
        driver.send({**observation, **when})

    def out(*texts: tuple[str, dict[str, Any]]) -> None:
        if dialect == "native":
            send(said("text", tool_calls=[native_call(name, arguments) for name, arguments in texts]))
        else:
            send(said(listed(*[call(name, **arguments) for name, arguments in texts]), usage={"prompt_tokens": 3}))

    send({"type": "model_error", "code": "timeout", "message": "slow", "retryable": True})
    out(("nothing", {}))
    out(("add_numbers", {"a": 1, "b": 2}), ("shell", {"command": "ls"}), ("shell", {"command": "pwd"}))
    first, second = driver.decision["calls"]
    send(approvals(answer(second, False, reason="no")))
    send(approvals(answer(first, True, params={"command": "ls -l"}, by="me")))
    send(ok("call_3", {"lines": [1, 2.5, "x\ny"]}))
    send(results(failure("call_2", "lost")))
    out(("add_numbers", {"a": 1, "b": 3}))
    send(ok("call_5", ""))
    out(("add_numbers", {"a": 1, "b": 4}))
    send(ok("call_6", 5))
    send(said(final("The answer — 3.") if dialect == "envelope" else "The answer — 3."))
    send({"type": "user_message", "content": "More."})
    send({"type": "cancel", "reason": "enough"})
    return driver


DIALECTS = ("envelope", "native")


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
    assert driver.state["seq"] == driver.log.count("\n")
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


# --- damage -----------------------------------------------------------------------------------------------


def _verified(log: str | bytes, head: str | None = None) -> dict[str, Any]:
    verdict: dict[str, Any] = json.loads(purestep.verify_log(log, head))
    return verdict


@pytest.mark.parametrize("dialect", DIALECTS)
def test_untouched_log_verifies(dialect: str) -> None:
    """Section 7: a log as written is right, with and without its head."""
    driver = rich_run(dialect)
    expected = {"ok": True, "lines": driver.state["seq"], "head": driver.state["head"]}
    for head in (None, driver.state["head"]):
        verdict = _verified(driver.log, head)
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
        verdict = _verified(changed, head)
        assert not verdict["ok"]
        last = next((number for number in derived if number > line_of[index]), len(line_of))
        assert line_of[index] <= verdict["line"] + 1
        assert verdict["line"] <= last


def test_changed_fact_is_found_without_the_head_too() -> None:
    """Section 7: every fact that something was derived from is bound by the next derived line."""
    driver = rich_run()
    lines = driver.log.encode()[:-1].split(b"\n")
    last_derived = max(index for index, line in enumerate(lines) if b'"prev"' in line)
    for index in range(last_derived):
        for at in (8, len(lines[index]) // 2, len(lines[index]) - 2):
            line = lines[index][:at] + bytes([lines[index][at] ^ 1]) + lines[index][at + 1 :]
            assert not _verified(b"\n".join([*lines[:index], line, *lines[index + 1 :]]) + b"\n")["ok"]


@pytest.mark.parametrize("change", ["dropped", "doubled", "swapped"])
def test_moved_lines_are_found(change: str) -> None:
    """Section 7: a line dropped, doubled or swapped with its neighbour is found, whichever it is."""
    driver = rich_run()
    lines = driver.log[:-1].split("\n")
    for index in range(len(lines) - 1):
        pair = lines[index : index + 2]
        new = {"dropped": pair[1:], "doubled": [pair[0], *pair], "swapped": pair[::-1]}[change]
        changed = "\n".join([*lines[:index], *new, *lines[index + 2 :]]) + "\n"
        verdict = _verified(changed, driver.state["head"])
        assert not verdict["ok"]
        assert verdict["line"] >= index
        assert verdict["code"] in purestep.CATALOGUE


def test_difference_shows_what_was_due_and_what_came() -> None:
    """Section 7: the report holds both lines."""
    driver = rich_run()
    verdict = _verified(driver.log.replace('"verdict":"accept"', '"verdict":"reject"', 1))
    line = driver.log.split("\n")[verdict["line"] - 1]
    assert (line, line.replace("accept", "reject")) == (verdict["expected"], verdict["got"])


def test_cut_log_is_found_by_its_head() -> None:
    """Section 7: a log cut at the end of a step is a right log, of a shorter run; the head tells."""
    driver = rich_run()
    lines = driver.log.split("\n")
    shorter = "\n".join(lines[:2]) + "\n"
    assert _verified(shorter)["ok"]
    assert "head_mismatch" == _verified(shorter, driver.state["head"])["code"]


def test_torn_last_line_is_recovered_and_reported() -> None:
    """E30: a torn last line, wherever it was torn, is left out and its length reported; verify names it."""
    driver = rich_run()
    data = driver.log.encode()
    start = data.rindex(b"\n", 0, -1) + 1
    before = json.loads(purestep.replay_log(data[:start]))
    for end in range(start + 1, len(data) - 1):
        folded = json.loads(purestep.replay_log(data[:end]))
        assert (end - start, before["state"]) == (folded["torn_bytes"], folded["state"])
        verdict = _verified(data[:end])
        assert (False, driver.state["seq"]) == (verdict["ok"], verdict["line"])


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
    log = rich_run().log.replace('"schema_version":1', '"schema_version":2', 1)
    assert "unsupported_version" == json.loads(purestep.replay_log(log))["error"]["code"]
    assert not _verified(log)["ok"]


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


def test_forged_result_line_is_no_result() -> None:
    """Section 7: a fact that does not fit the run is an error, never taken."""
    driver = Driver(agent())
    driver.send(said(call("shell", command="ls")))
    forged = json.dumps(
        {
            "seq": driver.state["seq"],
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
            verdict = _verified(forged, head)
            assert not verdict["ok"]
            assert verdict["line"] in (index + 1, index + 2)


def test_changed_first_line_is_found_while_it_stands_alone() -> None:
    """Section 7: a run's first line is compared with what the core writes before any other comes."""
    line = rich_run().log.split("\n")[0]
    head = hashlib.sha256(line.encode()).hexdigest()
    assert _verified(line + "\n", head)["ok"]
    for old, new in (("run-1", "run-2"), ('"seq":0', '"seq":1'), ('":', '": '), ("{", '{"x":1,'), ("envelope", "bare")):
        changed = line.replace(old, new, 1)
        assert changed == line or not _verified(changed + "\n", head)["ok"]
    assert "log_mismatch" == _verified(line.replace('":', '": ', 1) + "\n")["code"]


def test_head_settles_every_byte() -> None:
    """Section 7: with the head, blank lines and a missing last line break are changes; without it they are skipped."""
    driver = rich_run()
    for changed in (driver.log[:-1], "\n" + driver.log, driver.log.replace("\n", "\n \n", 1), driver.log + "\n"):
        assert _verified(changed)["ok"]
        assert "invalid_log" == _verified(changed, driver.state["head"])["code"]


def test_log_that_began_with_messages_that_are_no_text_is_refused() -> None:
    """E30: bytes that are no UTF-8 are named, wherever they stand."""
    log = b'{"seq":0,"kind":"run_started","schema_version":1,"run_id":"r","agent":null,"history":[{"role":"\xfa"}]}\n'
    assert "invalid_utf8" == _verified(log)["code"]
    assert "invalid_utf8" == json.loads(purestep.replay_log(log))["error"]["code"]
