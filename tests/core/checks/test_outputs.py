"""Named checks of outputs: ordered, one corrective retry, then an explicit failure."""

from typing import Any

import pytest

from purestep.dialects import dialect_names
from tests.core.agents import ADD, agent, call, failure, final, listed, native_call, ok, result, results, said, tool
from tests.core.driver import Driver, WholeDriver

READ = tool("read", {"path": {"type": "string"}}, annotations={"readOnlyHint": True})
PLAUSIBLE = {**READ, "checks": ["plausibility"]}


def _driver(output: Any, path: str = "a", driver: Driver | None = None, **members: Any) -> Driver:
    driver = driver or Driver({"tools": [PLAUSIBLE, ADD], **members})
    driver.send(said(call("read", path=path)))
    driver.give_all(output)
    return driver


EMPTY: list[Any] = ["", " ", "\n\t\r\n", None]
METADATA: list[Any] = [
    "total 0", "total 24\n", "  total 8  ", "TOTAL 3", "total\t12", "total 7,079,928", "total 1.5M", "total 4KiB",
    "$ ls -lS | head -n 1\ntotal 7079928", {"output": "total 8"}, {"stdout": "total 8", "stderr": "", "code": 0},
]  # fmt: skip
NO_METADATA: list[Any] = [
    "total 8 files", "total: 8", "totally 8", "insgesamt 8 Dateien", "total 8\n-rw-r--r-- a",
    {"a": "total 8", "b": "x"}, {"output": "total 8", "files": ["a"]}, "a $ ls\ntotal 8",
]  # fmt: skip
THIN = ["ab", "ok", "é", "...", "---\n***", "!?#", "=====", "[]", "{}", "、。"]


@pytest.mark.parametrize("output", NO_METADATA)
def test_a_total_that_says_more_is_accepted(output: Any) -> None:
    """A sum with a word, or beside what it counts, is a result."""
    assert "guardrail" != _driver(output).decision.get("cause")


@pytest.mark.parametrize("output", EMPTY + METADATA + THIN)
def test_implausible_output_is_rejected(output: Any) -> None:
    """D21: empty, metadata only, under three characters or without a letter or digit: rejected."""
    driver = _driver(output)
    assert ("correction", "guardrail") == (driver.decision["reason"], driver.decision.get("cause"))


@pytest.mark.parametrize(
    "output",
    [
        "42",
        "7",
        "-1",
        "3.5",
        "0",
        "100%",
        "+2",
        0,
        False,
        1.5,
        [],
        {},
        {"files": []},
        ["a"],
        "abc",
        "total 2\na.txt\nb.txt",
        "total of 3 files",
        "日本語",
        "да!",
        "a.b",
        "  yes  ",
        "total",
    ],
)
def test_plausible_output_is_accepted(output: Any) -> None:
    """D21: numbers, structured values and text of any language with substance are accepted."""
    driver = _driver(output)
    assert ("call_model", "tool_results") == (driver.decision["type"], driver.decision["reason"])
    assert ["accept"] == [event["verdict"] for event in driver.events("verdict")]


def test_exactly_one_corrective_retry_then_failure() -> None:
    """D21: one retry with stricter text, then an explicit failure and never a plausible answer."""
    driver = _driver("total 0")
    assert "call_model" == driver.decision["type"]
    _driver("", "b", driver)
    assert ("failed", "guardrail") == (driver.decision["type"], driver.decision["code"])
    assert ["reject", "reject"] == [event["verdict"] for event in driver.events("verdict")]
    assert 1 == len(driver.events("correction"))
    assert [] == driver.events("final_answer")


def test_failure_says_which_check_failed_and_what_to_do() -> None:
    """D21: the check that rejected the output is named, also where another call of the turn came in later."""
    driver = Driver({"tools": [PLAUSIBLE, ADD]})
    for number in (1, 3):
        driver.send(said(f"[{call('read', path='a')},{call('add_numbers', a=1, b=number)}]"))
        driver.send(ok(f"call_{number}", "total 0"))
        driver.send(ok(f"call_{number + 1}", 1 + number))
    decision = driver.decision
    assert ("plausibility", "guardrail") == (decision["detail"]["check"], decision["code"])
    assert decision["message"].endswith("; nothing that read gave was used: look at it, then ask in another way")


def test_state_that_names_a_check_without_its_rejection_is_refused() -> None:
    """A state of a client says of no accepted output that a check rejected it."""
    driver = Driver({"tools": [PLAUSIBLE, ADD]})
    driver.send(said(f"[{call('read', path='a')},{call('add_numbers', a=1, b=1)}]"))
    driver.send(ok("call_1", "good output"))
    assert driver.state is not None
    driver.state["pending"][0]["rejected_by"] = "plausibility"
    error = driver.send(ok("call_2", 2))
    assert ("invalid_state", "/state/pending/0/status") == (error["code"], error["path"])


def test_correction_says_what_was_rejected_and_why() -> None:
    """D21: the stricter text names tool and reason, and never shows the rejected output as a result."""
    driver = _driver("total 0")
    text = driver.prompt()[-1]["content"]
    assert "read" in text
    assert "rejected" in text
    assert "total 0" not in text


def test_rejected_output_counts_for_no_answer() -> None:
    """D21: an answer right after a rejected result is never taken, however plausible: the run fails."""
    driver = _driver("")
    decision = driver.send(said(final("The file says hello.")))
    assert ("failed", "guardrail") == (decision["type"], decision["code"])


def test_accepted_output_starts_the_count_anew() -> None:
    """D21: the retry is one in a row: after a good result another rejection gets its own retry."""
    driver = _driver("")
    _driver("good output", "b", driver)
    _driver("", "c", driver)
    assert "call_model" == driver.decision["type"]


def test_retry_path_passes_the_checks_too() -> None:
    """A7: a call on the retry path is checked like any other."""
    driver = _driver("")
    _driver("total 4", "b", driver)
    assert "guardrail" == driver.decision.get("code")


@pytest.mark.parametrize("error", ["", "..", "total 0", "no such file"])
def test_failed_result_is_not_rejected_again(error: str) -> None:
    """D21: a result that already failed goes to the model as an error and is not rejected twice."""
    driver = Driver({"tools": [READ]})
    driver.send(said(call("read", path="a")))
    assert "tool_results" == driver.send(results(failure("call_1", error)))["reason"]
    assert [] == driver.events("verdict")
    assert "Error of read" in driver.prompt()[-1]["content"]


@pytest.mark.parametrize("kind", ["invalid_arguments", "execution", "io"])
def test_error_kinds_are_kept_apart(kind: str) -> None:
    """B9: the kind of an error reaches the model and the log."""
    driver = Driver({"tools": [READ]})
    driver.send(said(call("read", path="a")))
    driver.send(results(failure("call_1", "it broke", kind)))
    assert kind in driver.prompt()[-1]["content"]
    assert [kind] == [event["error_kind"] for event in driver.events("tool_result")]


@pytest.mark.parametrize(
    ("checks", "output", "check"),
    [
        (["not_empty", "has_substance"], "", "not_empty"),
        (["has_substance", "not_empty"], "", "has_substance"),
        (["not_metadata", "plausibility"], "total 0", "not_metadata"),
        (["plausibility", "not_metadata"], "total 0", "plausibility"),
        (["has_substance"], "..", "has_substance"),
    ],
)
def test_first_rejection_in_order_wins_and_is_named(checks: list[str], output: str, check: str) -> None:
    """D22: checks run in the order given; the verdict names the first that rejects, with its reason."""
    driver = _driver(output, tools=[{**READ, "checks": checks}])
    (verdict,) = driver.events("verdict")
    assert ("reject", check, "call_1") == (verdict["verdict"], verdict["check"], verdict["call_id"])
    assert verdict["reason"]


@pytest.mark.parametrize("output", ["", "no", "ok", "[]", "total 0", "...", None])
def test_without_checks_named_what_a_tool_says_is_its_result(output: Any) -> None:
    """A tool that reads may find nothing, or answer in a word."""
    driver = Driver({"tools": [READ]})
    driver.send(said(call("read", path="a")))
    driver.give_all(output)
    assert "tool_results" == driver.decision["reason"]
    assert f"Result of read: {output or 'done, no output'}" == driver.messages[-1]["content"]


def test_tool_has_the_checks_that_it_names() -> None:
    """D22: one alone checks only its own, and those of a tool are for none other."""
    assert "tool_results" == _driver("total 0", tools=[{**READ, "checks": ["not_empty"]}]).decision["reason"]
    assert "tool_results" == _driver("", tools=[READ, {**ADD, "checks": ["not_empty"]}]).decision["reason"]


def test_verdict_follows_its_result_in_the_log() -> None:
    """E29: the raw output is a fact, and its verdict stands right behind it."""
    driver = _driver("total 0")
    kinds = driver.kinds()
    at = kinds.index("tool_result")
    assert ["tool_result", "verdict", "correction"] == kinds[at : at + 3]
    assert "total 0" == driver.events("tool_result")[0]["output"]


def test_one_rejected_of_several_results_is_corrected() -> None:
    """D21: the good results of the turn reach the model beside the correction."""
    driver = Driver({"tools": [PLAUSIBLE]})
    driver.send(said(listed(call("read", path="a"), call("read", path="b"))))
    driver.send(results(result("call_2", ""), result("call_1", "contents of a")))
    assert "guardrail" == driver.decision["cause"]
    assert "contents of a" in driver.prompt()[-1]["content"]


def test_no_corrections_fails_at_once() -> None:
    """Section 4: with max_corrections 0 the first rejection is the end."""
    driver = _driver("", limits={"max_corrections": 0})
    assert ("failed", "guardrail") == (driver.decision["type"], driver.decision["code"])


def test_more_corrections_are_counted() -> None:
    """Section 4: max_corrections counts the retries in a row for one cause."""
    driver = _driver("", "0", limits={"max_corrections": 3})
    for number in range(1, 3):
        _driver("", str(number), driver)
        assert "call_model" == driver.decision["type"]
    _driver("", "3", driver)
    assert "failed" == driver.decision["type"]
    assert [1, 2, 3] == [event["attempt"] for event in driver.events("correction")]


def test_checks_hold_in_the_whole_state_form() -> None:
    """A7: checks live in the core, so every form and host has the same."""
    driver = WholeDriver(agent(tools=[{**ADD, "checks": ["plausibility"]}]))
    driver.say(call("add_numbers", a=1, b=2))
    assert "guardrail" == driver.send(ok("call_1", ""))["cause"]


def test_long_output_is_cut_with_a_notice() -> None:
    """B12: output is capped for the model with a notice, and whole in the log; the cap is configurable."""
    long = "word " * 10_000
    driver = _driver(long)
    shown = driver.prompt()[-1]["content"]
    assert len(shown) < 17_000
    assert "16000 of 50000 characters" in shown
    assert long == driver.events("tool_result")[0]["output"]
    driver = Driver({"tools": [{**READ, "max_output_chars": 10}]})
    driver.send(said(call("read", path="a")))
    driver.send(ok("call_1", "0123456789ABC"))
    assert "0123456789\n" in driver.prompt()[-1]["content"]
    assert "ABC" not in driver.prompt()[-1]["content"]


def test_long_error_is_cut_too() -> None:
    """B12: an error text is capped as well."""
    driver = Driver({"tools": [{**READ, "max_output_chars": 10}]})
    driver.send(said(call("read", path="a")))
    driver.send(results(failure("call_1", "x" * 1000)))
    assert "x" * 11 not in driver.prompt()[-1]["content"]


def test_cut_in_the_middle_of_an_emoji_is_no_damage() -> None:
    """B12: the cap counts characters, so no character is torn."""
    driver = Driver({"tools": [{**READ, "max_output_chars": 3}]})
    driver.send(said(call("read", path="a")))
    driver.send(ok("call_1", "🎉🎉🎉🎉🎉"))
    assert "🎉🎉🎉\n" in driver.prompt()[-1]["content"]


def test_structured_output_is_shown_as_canonical_json() -> None:
    """Equal outputs read equal, whatever the order of their keys."""
    driver = _driver({"b": [1, 2.5], "a": None, "ü": "é"})
    assert '{"a":null,"b":[1,2.5],"ü":"é"}' in driver.prompt()[-1]["content"]


@pytest.mark.parametrize(
    ("check", "path"),
    [
        ("nope", ""),
        ({"use": "nope"}, "/use"),
        ("planning", ""),
        ({"use": "not_empty", "tools": ["read"]}, "/tools"),
        ({"use": "not_empty", "pattern": "a"}, ""),
        ({}, ""),
        (7, ""),
    ],
)
def test_unknown_checks_are_refused_with_their_path(check: Any, path: str) -> None:
    """Section 4: what is not known is refused, never ignored; so is what looks at answers."""
    error = Driver({"tools": [{**READ, "checks": [check]}]}).send({"type": "user_message", "content": "x"})
    assert ("invalid_agent", f"/tools/0/checks/0{path}") == (error["code"], error["path"])


# --- tools that act ---------------------------------------------------------------------------------------

NOTHINGS: list[Any] = [None, "", " \n"]
DONES = ["ok", "Done!", "\u597d\u7684"]
ACTS: dict[str, Any] = {"annotations": {"readOnlyHint": False}}


def _acted(output: Any, spec: dict[str, Any], **members: Any) -> Driver:
    driver = Driver({"tools": [spec], **members})
    driver.send(said(call(spec["name"])))
    driver.give_all(output)
    return driver


@pytest.mark.parametrize("output", [*NOTHINGS, *DONES, "total 0"])
@pytest.mark.parametrize("members", [ACTS, {"annotations": {"destructiveHint": True}, "approval": "auto"}, {}])
def test_what_acts_is_not_sent_to_act_again(output: Any, members: dict[str, Any]) -> None:
    """A rejection has the model call the tool again: a tool that names no check is not judged."""
    driver = _acted(output, tool("remove", **members))
    assert ["accept"] == [event["verdict"] for event in driver.events("verdict")]
    assert f"Result of remove: {'done, no output' if output in NOTHINGS else output}" == driver.messages[-1]["content"]


@pytest.mark.parametrize("output", NOTHINGS)
@pytest.mark.parametrize("dialect", ["native", *dialect_names()])
def test_an_effect_without_an_output_is_done_in_every_dialect(output: Any, dialect: str) -> None:
    """Whatever form a result has there, it says that the call is done."""
    driver = Driver({"dialect": dialect, "tools": [tool("remove", **ACTS)]})
    driver.send(said(None, tool_calls=[native_call("remove", {})]))
    driver.give_all(output)
    assert ("model", "tool_results") == (driver.state["phase"], driver.decision["reason"])  # type: ignore[index]
    assert "done, no output" in driver.messages[-1]["content"]


@pytest.mark.parametrize("output", ["no", "\u274c", "\u5931\u8d25", "ok 3", "7", 0, False, [], "\u597d\u5427"])
def test_an_effect_that_says_anything_else_is_told_as_it_is(output: Any) -> None:
    """A short text may say that nothing was done."""
    assert "done, no output" not in _acted(output, tool("remove", **ACTS)).messages[-1]["content"]


def test_check_judges_what_acts_where_it_is_named() -> None:
    """A tool that acts is held to what it names itself."""
    assert "guardrail" == _acted("", tool("remove", checks=["not_empty"], **ACTS)).decision.get("cause")


def test_rejected_call_of_an_unknown_tool_is_not_said_to_be_harmless() -> None:
    """Its annotations do not say whether it acts: the same call is not asked for again, another one may be made."""
    driver = _acted("it was lost", tool("remove", checks=[{"not": {"pattern": "lost"}}]))
    assert "may have taken effect: do not make it again. Use other arguments" in driver.messages[-1]["content"]


def test_rejected_act_is_not_asked_for_again() -> None:
    """What a check rejects has taken effect all the same, and the model is told so."""
    driver = _acted("it was lost", tool("remove", checks=[{"not": {"pattern": "lost"}}], **ACTS))
    assert "do not make it again" in driver.messages[-1]["content"]
    assert "Call the tool again" not in driver.messages[-1]["content"]
