"""Suites are read strictly: an error names the file, the line and the column."""

import json
from pathlib import Path

import pytest

from purestep_hosts.evaluation import SuiteError, read_suite
from tests.evaluation.suites import plan_of, sum_case, written

GOOD = '{"id": "a", "query": "q", "calls": []}'


def error_of(tmp_path: Path, *lines: str) -> str:
    """Return what is said of a suite with these lines, without the folder."""
    suite = tmp_path / "suite.jsonl"
    suite.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with pytest.raises(SuiteError) as caught:
        list(plan_of(suite).runs())
    return caught.value.message.replace(f"{suite.parent}/", "")


@pytest.mark.parametrize(
    ("line", "place"),
    [
        ('{"id": "b", "query": "q", "calls": [],}', "line 2, column 39: expected a name in double quotes"),
        ('{"id": "b", "query": "q", "call": []}', "line 2, column 27: the object contains unknown field `call`"),
        ('{"id": "b", "query": 7, "calls": []}', "line 2, column 13: expected `str | null`, got `int`"),
        ('{"id": "b", "query": "q", "calls": [{"tool": 1}]}', "line 2, column 38: expected `str`, got `int`"),
        ('{"id": "b", "query": "q", "calls": [], "id": "c"}', "line 2, column 40: the name 'id' stands twice"),
        ('{"id": "a", "query": "q", "calls": []}', "line 2, column 1: the id 'a' is that of line 1 too"),
        ('{"id": "b", "calls": []}', "line 2, column 1: expected either query or turns"),
        ('{"id": "b", "query": "q"}', "line 2, column 1: expected at least one of calls, answer"),
        ('{"id": "b", "query": "q", "answer": {"pattern": "(("}}', "line 2, column 38: the pattern has a ("),
        ('{"id": "b", "query": "q", "answer": {"schema": {"type": 1}}}', "line 2, column 38: "),
        ('{"id": "b", "query": "q", "checks": [{"occur": 1}]}', "line 2, column 39: "),
        (
            '{"id": "b", "query": "q", "calls": [], "tools": ["shell"]}',
            "column 50: 'shell' is no built-in tool",
        ),
        ('{"id": "b", "query": "q", "calls": [], "tools": [{"name": "t", "description": "d"}]}', "column 50: expected"),
        ('{"id": "b", "query": "q", "calls": [], "agent": "../x.json"}', "line 2, column 40: expected an agent file"),
        ('{"id": "b", "query": "q", "calls": [], "agent": {"dialekt": 1}}', "line 2, column 50: "),
        ('{"id": "b", "query": "q", "calls": [], "script": [7]}', "line 2, column 51: the output: expected a JSON"),
        ('{"id": "b", "query": "q", "calls": [{"tool": "t"}]}', "line 2, column 38: a call of 't' is expected"),
        ('{"id": "b", "query": "\\ud800", "calls": []}', "line 2: a text holds half of a character"),
        ("[]", "line 2, column 1: expected `object`, got `array`"),
        ('{"id": "b", "answer": "x", "user": ["a"]}', "line 2, column 1: expected either query or turns; only a user"),
        ('{"id": "b", "query": "q", "answer": "x", "user": []}', "line 2, column 42: expected at least one reply"),
        ('{"id": "b", "query": "q", "answer": "x", "user": [" "]}', "line 2, column 51: expected what the user says"),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": [{"say": "a", "when": {"pattern": "(("}}]}',
            "line 2, column 73: the pattern has a (",
        ),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": [{"say": "a", "times": 0}]}',
            "line 2, column 64: expected `int` >= 1",
        ),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": {"goal": "g", "modell": "m"}}',
            "line 2, column 64: the object contains unknown field `modell`",
        ),
        ('{"id": "b", "query": "q", "answer": "x", "user": {"goal": ""}}', "line 2, column 51: expected a goal"),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": {"goal": "g"}}',
            "line 2, column 42: a model plays",
        ),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": {"goal": "g", "model": "m"}}',
            "line 2, column 64: 'm' plays the user; allow that it is asked with --user",
        ),
        (
            '{"id": "b", "query": "q", "answer": "x", "user": {"goal": "g", "model": "script", "script": [7]}}',
            "line 2, column 94: the output: expected a JSON",
        ),
    ],
)
def test_a_fault_is_named_by_its_place(tmp_path: Path, line: str, place: str) -> None:
    """What is wrong in the second line is said with its column, before anything runs."""
    assert place in error_of(tmp_path, GOOD, line)
    assert error_of(tmp_path, GOOD, line).startswith("suite.jsonl, line 2")


def test_a_mark_of_byte_order_is_passed_over(tmp_path: Path) -> None:
    """Editors of Windows write one, and line ends of two characters."""
    suite = tmp_path / "suite.jsonl"
    suite.write_bytes(b"\xef\xbb\xbf" + GOOD.encode() + b"\r\n")
    assert ["a"] == [line.case.id for line in read_suite(suite)]


def test_a_suite_without_cases_is_no_suite(tmp_path: Path) -> None:
    """A file with empty lines only, and one that is not there, are refused."""
    assert "has no case" in error_of(tmp_path, "", " ")
    with pytest.raises(SuiteError, match="cannot be read"):
        list(read_suite(tmp_path / "none.jsonl"))


def test_a_key_is_made_of_all_that_a_run_depends_on(tmp_path: Path) -> None:
    """White space of a line changes no key; the question, the definition, the repeat and the model do."""
    suite = written(tmp_path / "suite.jsonl", [sum_case(1)])
    key = next(plan_of(suite).runs()).key
    suite.write_text(json.dumps(sum_case(1), indent=None, separators=(" , ", " : ")) + "\n")
    assert key == next(plan_of(suite).runs()).key
    others = [next(plan_of(suite, agent={"dialect": "envelope"}).runs()).key]
    others += [run.key for run in plan_of(suite, repeats=2).runs()][1:]
    others += [next(plan_of(written(suite, [sum_case(1, query="1+1?")])).runs()).key]
    assert len({key, *others}) == 4
