"""Citations: an answer after tool use names the results that it rests on, and what its sentences say stands there."""

import json
from typing import Any

import pytest

from tests.core.agents import ADD, call, final, native_call, result, results, said, tool
from tests.core.driver import Driver, assert_replays, stepped

FIND = tool("find", {"name": {"type": "string"}})
OUTPUT = {
    "name": "Ann Lee",
    "mail": "ann@example.org",
    "born": "1990-05-01",
    "owes": 1500,
    "page": "https://a.example/x?y=1",
    "said": "I will pay.",
    "part": "A-4",
}


def _found(question: str = "Who is Ann? I have 12 euros.", **members: Any) -> Driver:
    driver = Driver({"tools": [FIND], "checks": ["citations"], **members}, question)
    driver.send(said(call("find", name="Ann")))
    driver.send(results(result("call_1", OUTPUT)))
    return driver


def test_an_answer_that_cites_is_done_with_its_citations() -> None:
    """The model is shown the number of a result; `done` and the log say which call each mark names, and where."""
    driver = _found()
    assert "Result of find: [1] {" in driver.messages[-1]["content"]
    driver.send(said(final("Ann owes 1500 [1]. Ask her \u00fc [1].")))
    cited = [
        {"call_id": "call_1", "tool": "find", "at": [14, 17]},
        {"call_id": "call_1", "tool": "find", "at": [29, 32]},
    ]
    assert {
        "type": "done",
        "answer": "Ann owes 1500 [1]. Ask her \u00fc [1].",
        "citations": cited,
        "acts": [{"call_id": "call_1", "tool": "find", "params": {"name": "Ann"}, "status": "succeeded"}],
    } == driver.decision
    assert cited == driver.events("final_answer")[0]["citations"]
    assert ["[1]", "[1]"] == [driver.decision["answer"][begin:end] for begin, end in (each["at"] for each in cited)]
    assert_replays(driver)


@pytest.mark.parametrize(
    "answer",
    [
        "She owes 1,500 [1].",
        "She owes $1500.00. [1]",
        "Her numbers: 1990,1500 [1].",
        "She was born on 1990-05-01 [1] and owes 1500 EUR [1].",
        "She was born on 1 May 1990 [1].".replace("May ", "5 "),
        "Write to ann@example.org, or see https://a.example/x?y=1 [1].",
        'She said "I will pay" [1].',
        "Elle a dit \u00abI will pay.\u00bb [1]",
        "You have 12 euros, and she owes 1500 [1].",
        "Her part is A-4 [1].",
        "1. Ann [1]\n2. nobody else",
        "She owes 99, I guess. Ann Lee [1].",
        "\u5979\u6b20 1500 \u5143\u3002[1]",
        "Ann[1]",
        "Ann owes 1500.[1] Of 7 more I know nothing.",
        "Ann [1, 1]",
        "Ann [1][1]",
    ],
)
def test_a_citation_that_holds_is_accepted(answer: str) -> None:
    """Values are compared as words or by size; a sentence without citations is not looked at."""
    assert "done" == _found().send(said(final(answer)))["type"]


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("Ann owes 1500.", "it cites none of the results [1]"),
        ("Ann owes 1500 [2].", "[2] is no result of this exchange; there are [1]"),
        ("Ann owes 1500 [0].", "[0] is no result"),
        ("Ann owes 1500 [1, 7].", "[7] is no result"),
        ("Ann owes 1501 [1].", '"1501" stands neither in [1] nor in the request'),
        ("Ann owes 150 [1].", '"150" stands'),
        ("Ann owes 1,400 [1].", '"1,400" stands'),  # not the 1 of her day of birth
        ("Ann was born on 1990-05-02 [1].", '"1990-05-02" stands'),
        ("Write to eve@example.org [1].", '"eve@example.org" stands'),
        ("See https://b.example/ [1].", '"https://b.example/" stands'),
        ('She said "I will not pay" [1].', '"I will not pay" stands'),
        ("She said \u201enever\u201c [1].", '"never" stands'),
        ("Her part is A-5 [1].", '"A-5" stands'),
        ("\u5979\u6b20 1501 \u5143\u3002[1]", '"1501" stands'),
        ("Ann owes 1501. [1]", '"1501" stands'),
        ("Ann [1] owes 1501.", '"1501" stands'),
    ],
)
def test_a_citation_that_does_not_hold_is_sent_back_once(answer: str, problem: str) -> None:
    """A wrong mark, a missing one, or a value that stands elsewhere brings one correction, then an open failure."""
    driver = _found()
    driver.send(said(final(answer)))
    assert ("correction", "guardrail") == (driver.decision["reason"], driver.decision["cause"])
    assert problem in driver.messages[-1]["content"]
    driver.send(said(final(answer)))
    assert ("failed", "citations") == (driver.decision["type"], driver.decision["detail"]["check"])
    assert_replays(driver)


def test_only_successful_calls_of_the_exchange_can_be_cited() -> None:
    """A call that failed, and one of an earlier exchange, are no results to cite."""
    driver = _found()
    driver.send(said(final("Ann [1].")))
    driver.send({"type": "user_message", "content": "And Bob?"})
    driver.send(said(call("find", name="Bob")))
    driver.send({"type": "tool_results", "results": [{"call_id": "call_2", "ok": False, "error": "nobody"}]})
    assert "[2]" not in driver.messages[-1]["content"]
    driver.send(said(final("Ann [1].")))
    assert "[1] is no result of this exchange" in driver.messages[-1]["content"]
    driver.send(said(final("Nobody is named so.")))
    assert ("done", None) == (driver.decision["type"], driver.decision.get("citations"))


def test_an_answer_without_calls_needs_no_citation() -> None:
    """Where nothing was called there is nothing to cite, and a mark is wrong."""
    driver = Driver({"tools": [FIND], "checks": ["citations"]})
    assert "done" == driver.send(said(final("Hello.")))["type"]
    driver = Driver({"tools": [FIND], "checks": ["citations"]})
    driver.send(said(final("Hello [1].")))
    assert "[1] is no result of this exchange." in driver.messages[-1]["content"]


@pytest.mark.parametrize(
    ("members", "calls", "answer"),
    [
        ({"dialect": "native"}, said(None, tool_calls=[native_call("find", {"name": "Ann"})]), "{}"),
        ({"dialect": "tool_tags"}, said('[TOOL_CALL]{"name":"find","args":{"name":"Ann"}}[/TOOL_CALL]'), "{}"),
        ({"dialect": "bare"}, said('{"tool":"find","name":"Ann"}'), "{}"),
        ({"dialect": "envelope"}, said(call("find", name="Ann")), '{{"kind":"final","content":"{}"}}'),
        ({"dialect": "hermes_json"}, said('<tool_call>{"name":"find","arguments":{"name":"Ann"}}</tool_call>'), "{}"),
    ],
)
def test_every_form_shows_the_number_and_takes_the_citation(
    members: dict[str, Any], calls: dict[str, Any], answer: str
) -> None:
    """The number stands before the result in text and in native messages, and the mark is read from the answer."""
    driver = Driver({"tools": [FIND], "checks": ["citations"], **members}, "Who is Ann?")
    driver.send(calls)
    driver.send(results(result("call_1", "Ann Lee, 34")))
    assert "[1] Ann Lee, 34" in driver.messages[-1]["content"]
    driver.send(said(answer.format("She is 34 [1].")))
    assert [{"call_id": "call_1", "tool": "find", "at": [10, 13]}] == driver.decision["citations"]
    assert_replays(driver)


def test_several_results_are_told_apart() -> None:
    """A value has to stand in the results that its own sentence cites, not in others."""
    for answer, kind in (
        ("Ann is 34 [1]. Bob is 51 [2].", "done"),
        ("Ann is 34 [1] and Bob is 51 [2].", "done"),
        ("Ann is 34 [2]. Bob is 51 [1].", "call_model"),
    ):
        definition = {"dialect": "native", "tools": [FIND], "checks": ["citations"]}
        driver = Driver(definition, "How old are they?")
        driver.send(said(None, tool_calls=[native_call("find", {"name": name}) for name in ("Ann", "Bob")]))
        driver.send(results(result("call_2", "Bob, 51"), result("call_1", "Ann, 34")))
        assert kind == driver.send(said(answer))["type"], answer
        assert_replays(driver)


def test_what_is_not_known_is_not_held_against_an_answer() -> None:
    """Of a result past what the state keeps nobody knows what it says; others before it are still checked."""
    for answer, kind in (("It says 7 [2].", "done"), ("It says 7 [1].", "call_model")):
        driver = Driver({"tools": [FIND], "checks": ["citations"]}, "What does it say?")
        for number, output in ((1, "little"), (2, "much " * 8000)):
            driver.send(said(call("find", name=str(number))))
            driver.send(results(result(f"call_{number}", output)))
        assert kind == driver.send(said(final(answer)))["type"]
        assert_replays(driver)


def test_the_number_is_kept_apart_from_the_output() -> None:
    """Repeats are counted by the output alone, and a long output is shortened behind its number."""
    driver = _found(limits={"max_repeats": 1})
    for number in (2, 3):
        driver.send(said(call("find", name="Ann")))
        if number == 2:
            driver.send(results(result("call_2", OUTPUT)))
    assert "repeated_call" == driver.decision["cause"]
    definition = {"dialect": "native", "tools": [FIND], "checks": ["citations"]}
    definition["models"] = [{"name": "m", "window_tokens": 3000}]
    driver = Driver(definition)
    for number in range(1, 9):
        driver.send(said(None, tool_calls=[native_call("find", {"name": str(number)})]))
        driver.send(results(result(f"call_{number}", f"entry {number} " * 120)))
        assert_replays(driver)
    assert any(isinstance(entry, dict) for entry in driver.decision["prompt"])


def test_the_prompt_says_how_to_cite() -> None:
    """The system text and an example's answer show the marks."""
    driver = Driver({"tools": [ADD], "checks": ["citations"], "models": [{"name": "m", "carry": "ground"}]})
    texts = [message["content"] for message in driver.messages]
    assert "Each result has a number, such as [1]." in texts[0]
    assert "Result of add_numbers: [1] 5" in texts
    assert final("5 [1]") in texts
    assert "[1]" not in json.dumps(Driver({"tools": [ADD]}).messages)


def test_very_many_values_are_refused() -> None:
    """An answer with more values in cited sentences than are checked is not accepted."""
    driver = _found()
    driver.send(said(final(" ".join(["12"] * 2001) + " [1]")))
    assert "it says more than 2000 values with citations" in driver.messages[-1]["content"]


def test_a_check_and_citations_go_together() -> None:
    """An answer that waits for its check keeps its citations; a rejected output cannot be cited."""
    bank = {"name": "bank", "annotations": {"readOnlyHint": True}}
    find = {**FIND, "checks": [{"tool": "bank"}]}
    definition = {"tools": [find, bank], "checks": [{"tool": "bank"}, "citations"]}
    driver = Driver(definition, "Who is Ann?")
    driver.send(said(call("find", name="Ann")))
    driver.send(results(result("call_1", "Ann Lee")))
    driver.send(results(result("call_2", {"accept": True})))
    driver.send(said(final("Ann Lee [1]")))
    driver.send(results(result("call_3", {"accept": True})))
    assert "call_1" == driver.decision["citations"][0]["call_id"]
    assert_replays(driver)


@pytest.mark.parametrize(
    ("members", "path"),
    [
        ({"citations": "required"}, "/citations"),
        ({"checks": ["citations"], "answer_schema": {"type": "object"}}, "/checks/0"),
    ],
)
def test_citations_that_cannot_be_are_refused(members: dict[str, Any], path: str) -> None:
    """JSON has no place for marks."""
    error = stepped(agent=members, observation={"type": "user_message", "content": "x"})["error"]
    assert ("invalid_agent", path) == (error["code"], error["path"])
