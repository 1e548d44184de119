"""Postconditions that look for values in texts: as whole words and numbers, in what was said in the exchange."""

from typing import Any

import pytest

from purestep.bounds import MAX_EVIDENCE_QUESTION_CHARS, MAX_EVIDENCE_RESULT_CHARS
from tests.core.agents import call, result, results, said, tool
from tests.core.driver import Driver
from tools.growth import is_linear

LOOK = {"values": "/arguments/what", "in": ["output"]}


def looking(occurs: dict[str, Any], output: Any, query: str = "Hello", **arguments: Any) -> Driver:
    """Return a run in which a tool with one occurrence has given an output."""
    spec = tool("look", {name: {} for name in arguments}, postconditions=[{"occurs": occurs}])
    driver = Driver({"tools": [spec, tool("read")], "guardrails": []}, query)
    driver.send(said(call("look", **arguments)))
    driver.give_all(output)
    return driver


def stands(value: Any, output: Any) -> bool:
    """Whether a value stands in an output."""
    return "accept" == looking(LOOK, output, what=value).events("verdict")[0]["verdict"]


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        (7, "it is 7.", True),
        (7, "it is 17", False),
        (7, "it is 7.5", False),
        (7, "unit A7", False),
        (7.5, "7.5kg of it", True),
        (7, "from 5-7", True),
        (-7, "it was -7 degrees", True),
        (7, "it was -7 degrees", False),
        (1500, "1,500 EUR", True),
        (1500, "1.500 EUR", True),
        (1.5, "1,5 EUR", True),
        (1234.56, "1.234,56", True),
        (1.234, "1234", False),
        (10**23, "1e23 of them", True),
        (0.05, "0,05", True),
        (2, "[1,2,3]", True),
        (5000, ",".join(str(number) for number in range(9000)), True),
        (9000, ",".join(str(number) for number in range(9000)), False),
        ("Ann", "ANN's book", True),
        ("Ann", "the Annual", False),
        ("Acme Inc", "with ACME, Inc.", True),
        ("Acme Ltd", "with ACME, Inc.", False),
        ("Ärger", "ÄRGER hier", True),
        ("7", "7.5", False),
        ("李明", "我是李明。", True),
        ("สมชาย", "คุณสมชายมา", True),
        ("👍", "fine 👍", True),
        ("👍", "fine", False),
        ("", "anything", False),
        (["a b", ["b c", 3]], "a b c 3", True),
        (["a b", ["b d", 3]], "a b c 3", False),
        ([], "anything", True),
        ("a a b", "a a a b", True),
        ("line two", "one\nline two", True),
    ],
)
def test_value_stands_as_whole_words_or_numbers(value: Any, text: str, expected: bool) -> None:
    """Neither the case nor what stands between the words counts; parts of words and numbers do not stand in them."""
    assert expected == stands(value, text)


def test_json_outputs_are_searched_by_what_they_say() -> None:
    """Escapes and punctuation of JSON hide no value, also where a tool gives JSON as text."""
    assert stands("Ann", {"note": "hello\nAnn"})
    assert stands("Ann", '{"note": "hello\\nAnn"}')
    assert stands([3, "name"], [1, {"name": 3}])
    assert not stands("a b", ["a", "b"])


def test_values_of_the_output_stand_in_the_users_words() -> None:
    """An invented value is caught: the check, the value and where it should stand are named."""
    occurs = {"values": "/output/names", "in": ["question"]}
    assert "tool_results" == looking(occurs, {"names": ["Ann"]}, "Write to ANN and Bob").decision["reason"]
    driver = looking(occurs, {"names": ["Ann", "Eve"]}, "Write to Ann and Bob")
    verdict = driver.events("verdict")[0]
    assert "postcondition:occurs" == verdict["check"]
    assert '"Eve" (/output/names) does not stand in the user\'s words' == verdict["reason"]


def test_values_stand_in_named_arguments() -> None:
    """Any of the texts may hold a value."""
    occurs = {"values": "/output", "in": ["/arguments/text", "/arguments/more"]}
    assert "tool_results" == looking(occurs, [1, "x"], text="has 1", more={"x": None}).decision["reason"]
    assert "correction" == looking(occurs, [2], text="has 1", more=None).decision["reason"]


def test_values_stand_in_accepted_results_before() -> None:
    """Results count once they are accepted; the next exchange begins without them."""
    occurs = {"values": "/arguments/id", "in": ["results"]}
    spec = tool("look", {"id": {}}, postconditions=[{"occurs": occurs}])
    read = tool("read", postconditions=[{"excludes": "wrong"}])
    driver = Driver({"tools": [spec, read], "guardrails": [], "limits": {"max_corrections": 3}})
    for output, reason in (("wrong 41", "correction"), ("id 42", "tool_results")):
        driver.send(said(call("read")))
        assert reason == driver.give_all(output)["reason"]
    for wanted, reason in ((41, "correction"), (42, "tool_results")):
        driver.send(said(call("look", id=wanted)))
        assert reason == driver.give_all("found")["reason"]
    assert "id 42\nfound" == (driver.state or {})["exchange"]["evidence"]["results"]
    driver.send(said('{"kind":"final","content":"done"}'))
    assert "evidence" not in driver.state["exchange"]
    driver.send({"type": "user_message", "content": "again"})
    driver.send(said(call("look", id=42)))
    assert "correction" == driver.give_all("found")["reason"]


def test_results_of_one_turn_count_in_their_order() -> None:
    """A result that came before in the same turn is an earlier result."""
    spec = tool("look", {"id": {}}, postconditions=[{"occurs": {"values": "/arguments/id", "in": ["results"]}}])
    driver = Driver({"tools": [spec, tool("read")], "guardrails": []})
    driver.send(said(f"[{call('look', id=7)},{call('read')}]"))
    driver.send(results(result("call_2", "id 7"), result("call_1", "found")))
    assert ["accept", "accept"] == [event["verdict"] for event in driver.events("verdict")]


@pytest.mark.parametrize("value", [None, True, {"a": 1}, ["a", [None]]])
def test_only_texts_and_numbers_can_stand_somewhere(value: Any) -> None:
    """Anything else fails the check in words."""
    driver = looking(LOOK, "null true a", what=value)
    assert "expected texts, numbers or arrays of them" in driver.events("verdict")[0]["reason"]


def test_pointer_to_no_values_fails_in_words() -> None:
    """What is not there stands nowhere."""
    driver = looking({"values": "/output/names", "in": ["question"]}, {"name": "x"})
    assert "/output/names names nothing that is there" == driver.events("verdict")[0]["reason"]


def test_text_that_was_cut_is_not_held_against_a_value() -> None:
    """What lay beyond the bound is not known, so a value that may stand there is accepted, one before it too."""
    occurs = {"values": "/output", "in": ["question"]}
    long = "word " * MAX_EVIDENCE_QUESTION_CHARS + "Eve"
    driver = looking(occurs, "Eve", long)
    assert ["accept"] == [event["verdict"] for event in driver.events("verdict")]
    state = driver.state or {}
    assert (MAX_EVIDENCE_QUESTION_CHARS, True) == (
        len(state["exchange"]["evidence"]["question"]),
        state["exchange"]["evidence"]["question_cut"],
    )


@pytest.mark.parametrize("wrap", ["not", "any", "all"])
def test_what_is_not_known_stays_so_inside_of_other_checks(wrap: str) -> None:
    """A value that may stand beyond the bound is neither there nor not there."""
    inner: Any = {"occurs": {"values": "/output", "in": ["question"]}}
    check = {wrap: inner if wrap == "not" else [inner]}
    driver = Driver({"tools": [tool("look", postconditions=[check])]}, "word " * MAX_EVIDENCE_QUESTION_CHARS)
    driver.send(said(call("look")))
    driver.give_all("Adam")
    assert ["accept"] == [event["verdict"] for event in driver.events("verdict")]


def test_results_are_kept_to_their_bound() -> None:
    """However much the tools say, the state keeps a bounded part of it."""
    driver = looking({"values": "/arguments/id", "in": ["results", "output"]}, "7 x " * 9_000, id=7)
    kept = (driver.state or {})["exchange"]["evidence"]
    assert (MAX_EVIDENCE_RESULT_CHARS, True) == (len(kept["results"]), kept["results_cut"])
    driver.send(said(call("look", id=8)))
    driver.give_all("z" * 100_000)
    assert ["accept", "accept"] == [event["verdict"] for event in driver.events("verdict")]
    assert MAX_EVIDENCE_RESULT_CHARS == len((driver.state or {})["exchange"]["evidence"]["results"])


def test_nothing_is_kept_where_no_check_names_it() -> None:
    """The state of other definitions stays as it was, and of two texts only the named one is kept."""
    assert "evidence" not in (looking(LOOK, "x", what="x").state or {})["exchange"]
    kept = (looking({"values": "/output", "in": ["question"]}, "hello").state or {})["exchange"]["evidence"]
    assert {"question": "Hello"} == kept


@pytest.mark.parametrize(
    ("occurs", "path"),
    [
        ({"values": "/output", "in": []}, "in"),
        ({"values": "/output", "in": ["answer"]}, "in/0"),
        ({"values": "/output", "in": ["output", "/arguments/other"]}, "in/1"),
        ({"values": "names", "in": ["output"]}, "values"),
        ({"in": ["output"]}, ""),
    ],
)
def test_occurrence_that_cannot_be_checked_is_refused_with_its_path(occurs: dict[str, Any], path: str) -> None:
    """A definition error names the path, what was expected and what came."""
    spec = tool("look", {"city": {}}, postconditions=[{"occurs": occurs}])
    error = Driver({"tools": [spec]}).send({"type": "user_message", "content": "x"})
    assert "invalid_agent" == error["code"]
    assert error["path"].startswith(f"/tools/0/postconditions/0/occurs/{path}".rstrip("/"))


@pytest.mark.parametrize("unit", ["a ", "1,", "1.", "-", "7 ", "a1.2", "é,", "[", '{"a":', "1e5 ", "李"])
def test_hostile_texts_are_searched_in_linear_time(unit: str) -> None:
    """Four times the text takes about four times as long, whatever it is made of, as a text and as a value."""
    from purestep.text import first_absent, said_texts

    assert is_linear(lambda text: first_absent(["a a a b", 7, text], list(said_texts(text))), unit)


def test_many_values_are_searched_in_linear_time() -> None:
    """All values are looked for at once, so their number does not multiply with the length of the text."""
    from purestep.text import first_absent

    def work(text: str) -> object:
        words = text.split(" ")
        return first_absent([" ".join(words[at : at + 5]) for at in range(len(words))] + ["none"], [text])

    assert is_linear(work, "a b a c ")


def test_texts_too_long_to_be_searched_are_rejected() -> None:
    """A search takes its share of the steps and no more."""
    driver = looking(LOOK, "a " * 2_000_000, what="a")
    assert "too long" in driver.events("verdict")[0]["reason"]
