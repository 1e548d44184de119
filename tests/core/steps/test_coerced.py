"""Type coercion in a run: what almost fits is taken by the definition's choice, and every change is told."""

import json
from typing import Any

import pytest

import purestep
from purestep import schema
from purestep.steps import calls
from tests.core.agents import ADD, SHELL, answer, approvals, call, final, native_call, said, tool
from tests.core.driver import Driver

COUNT = tool("count", {"number": {"type": "integer", "maximum": 9}, "label": {"type": "string"}})
SUM = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"], "additionalProperties": False}


def gentle(**members: Any) -> dict[str, Any]:
    """Return a definition with type coercion."""
    return {"tools": [ADD, COUNT, SHELL], "policies": [{"use": "coerce"}], **members}


def notes(*messages: str) -> list[dict[str, str]]:
    """Return the problems that say these changes."""
    return [{"code": "repaired", "message": message} for message in messages]


def holds(driver: Driver) -> bool:
    """Whether the log derives the same run again."""
    assert driver.state is not None
    replayed = json.loads(purestep.replay_log(driver.log))
    assert (driver.state, driver.decision) == (replayed["state"], replayed["decision"])
    verified: bool = json.loads(purestep.verify_log(driver.log, driver.state["head"]))["ok"]
    return verified


def test_arguments_that_almost_fit_are_taken_and_told() -> None:
    """The call runs with what was read, under the key of that, and decision and log say what was changed."""
    driver = Driver(gentle())
    decision = driver.send(said(call("count", number="7", label=3)))
    assert {"number": 7, "label": "3"} == decision["params"]
    expected = notes('/label: took 3 for "3"', '/number: took "7" for 7')
    assert expected == decision["calls"][0]["problems"] == driver.events("tool_call")[0]["problems"]
    fitting_call = Driver(gentle()).send(said(call("count", number=7, label="3")))
    assert fitting_call["key"] == decision["key"]
    assert holds(driver)


def test_gentle_reading_is_a_choice() -> None:
    """Without the choice the model is asked to write the arguments anew."""
    driver = Driver({"tools": [COUNT]})
    assert "invalid_arguments" == driver.send(said(call("count", number="7", label="x")))["cause"]


@pytest.mark.parametrize("params", [{"number": "many", "label": 3}, {"number": "12", "label": "x"}, {"number": "7"}])
def test_arguments_with_another_fault_go_back_as_they_came(params: dict[str, Any]) -> None:
    """Nothing is changed by halves: the correction names what the model wrote."""
    driver, strict = Driver(gentle()), Driver({"tools": [ADD, COUNT, SHELL]})
    asked = driver.send(said(call("count", **params)))
    assert "invalid_arguments" == asked["cause"]
    strict.send(said(call("count", **params)))
    assert strict.messages[-1] == driver.messages[-1]
    assert holds(driver)


@pytest.mark.parametrize("text", [call("add_numbers", a=1, b=2.5), call("count", number=3, label="4")])
def test_what_fits_is_the_same_with_and_without_the_choice(text: str) -> None:
    """A call that fits is never changed: not its arguments, not its key, no problem."""
    taken, plain = Driver(gentle()).send(said(text)), Driver({"tools": [ADD, COUNT, SHELL]}).send(said(text))
    assert plain == taken


def test_call_that_fits_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a call that does not fit is read anew."""
    read: list[object] = []
    monkeypatch.setattr(calls, "coerce", lambda *given: read.append(given) or schema.coerce(*given))
    driver = Driver(gentle())
    driver.send(said(call("count", number=7, label="3")))
    assert [] == read
    driver.give_all("seven")
    driver.send(said(call("count", number="8", label="3")))
    assert 1 == len(read)


def test_arguments_of_native_calls_are_coerced_too() -> None:
    """How a call came does not matter."""
    driver = Driver(gentle(dialect="native"))
    decision = driver.send(said(None, tool_calls=[native_call("count", {"number": "7", "label": "x"})]))
    assert ({"number": 7, "label": "x"}, notes('/number: took "7" for 7')) == (
        decision["params"],
        decision["calls"][0]["problems"],
    )


def test_person_sees_what_was_changed() -> None:
    """A call that waits tells its changes; approved it keeps them, edited it has none of them any more."""
    driver = Driver(gentle())
    [entry] = driver.send(said(call("shell", command=5)))["calls"]
    assert ({"command": "5"}, notes('/command: took 5 for "5"')) == (entry["params"], entry["problems"])
    assert driver.state is not None
    edited = Driver(gentle())
    edited.send(said(call("shell", command=5)))
    assert entry["problems"] == driver.send(approvals(answer(entry, True)))["calls"][0]["problems"]
    decision = edited.send(approvals(answer(entry, True, params={"command": "ls"})))
    assert "problems" not in decision["calls"][0]
    assert holds(driver)
    assert holds(edited)


def test_changed_call_counts_as_the_same_call() -> None:
    """The guard against repeats goes by what ran: "7" and 7 are one call."""
    driver = Driver(gentle())
    for number in ("7", 7):
        driver.send(said(call("count", number=number, label="x")))
        driver.give_all("seven")
    assert "repeated_call" == driver.decision["cause"]


@pytest.mark.parametrize(
    ("answer_schema", "content", "data", "change"),
    [
        (SUM, {"sum": "42"}, {"sum": 42}, '/sum: took "42" for 42'),
        ({"type": "integer"}, '"42"', 42, '/: took "42" for 42'),
        ({"type": "boolean"}, "True", True, '/: took "True" for true'),
    ],
)
def test_answer_that_almost_fits_is_taken_and_told(answer_schema: Any, content: Any, data: Any, change: str) -> None:
    """The answer's text stays as it came, its data is what was read, and decision and log say the change."""
    driver = Driver(gentle(answer_schema=answer_schema))
    done = driver.send(said(final(content)))
    assert ("done", data, notes(change)) == (done["type"], done["data"], done["problems"])
    [line] = driver.events("final_answer")
    assert (data, notes(change)) == (line["data"], line["problems"])
    assert holds(driver)
    assert "answer_schema" == Driver({"answer_schema": answer_schema}).send(said(final(content)))["cause"]


def test_answer_that_fits_as_text_stays_text() -> None:
    """What fits as it is, as JSON or as text, is taken before any coercion."""
    done = Driver(gentle(answer_schema={"type": "string"})).send(said(final("42")))
    assert {"type": "done", "answer": "42", "data": "42", "acts": []} == done


def test_next_exchange_begins_without_the_changes_of_the_last() -> None:
    """What was changed in an answer is told with that answer alone."""
    driver = Driver(gentle(answer_schema=SUM))
    driver.send(said(final({"sum": "1"})))
    driver.send({"type": "user_message", "content": "Again"})
    assert driver.state is not None
    assert "problems" not in driver.state["exchange"]
    assert "problems" not in driver.send(said(final({"sum": 1})))
    assert holds(driver)


def test_forged_change_is_no_part_of_the_log() -> None:
    """A log that hides a change, or tells another, is not what its facts lead to."""
    driver = Driver(gentle())
    driver.send(said(call("count", number="7", label="x")))
    for forged in (
        driver.log.replace('took \\"7\\" for 7', 'took \\"8\\" for 7'),
        driver.log.replace("repaired", "fine"),
    ):
        assert forged != driver.log
        assert "log_mismatch" == json.loads(purestep.verify_log(forged))["code"]
