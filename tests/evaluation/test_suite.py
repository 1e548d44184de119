"""Suites are read strictly: an error names the file, the line and the column."""

import json
from pathlib import Path
from typing import Any

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
        ('{"id": "b", "query": "q"}', "line 2, column 1: expected at least one of calls, end_state"),
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


PATCHED = '{"id": "b", "query": "q", "calls": [], "state": {"a": 1}, "tools": [{"name": "t", "results": [%s], '
PATCHED += '"description": "d", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]}'


@pytest.mark.parametrize(
    ("result", "place", "said"),
    [
        ('{"output": 1, "patch": [{"op": "put", "path": ""}]}', '"op"', "invalid enum value 'put'"),
        ('{"output": 1, "patch": [{"op": "add", "path": "/a"}]}', '{"op"', "expected value with the operation add"),
        ('{"output": 1, "patch": [{"op": "move", "path": "/a", "value": 1}]}', '{"op"', "expected from with"),
        ('{"output": 1, "patch": [{"op": "remove", "path": "a"}]}', '"path"', "'a' is no JSON Pointer"),
        ('{"output": 1, "patch": [{"op": "remove", "path": "/{m}"}]}', '"path"', "'m' is no parameter of the tool"),
        ('{"output": 1, "patch": [{"op": "remove", "path": "/{n"}]}', '"path"', "a brace without its other one"),
        ('{"output": 1, "patch": [{"op": "copy", "from": "/}", "path": "/a"}]}', '"from"', "a brace without"),
        (
            '{"output": 1, "patch": [{"op": "add", "path": "/a", "value": [{"$argument": "m"}]}]}',
            '"$arg',
            "no parameter",
        ),
        ('{"output": {"a": {"$argument": "n", "b": 1}}}', '"$arg', "nothing beside $argument"),
        ('{"output": {"$state": "a"}}', '"$state"', "'a' is no JSON Pointer"),
        ('{"output": {"$compute": 1}}', '"$compute"', "expected an expression such as"),
        ('{"error": "e", "output": 1}', '{"error"', "expected either output or error"),
    ],
)
def test_a_fault_of_a_result_is_named_by_its_place(tmp_path: Path, result: str, place: str, said: str) -> None:
    """What its patch and values name is looked at before anything runs."""
    line = PATCHED % result
    assert f"line 2, column {line.index(place, line.index('results')) + 1}: " in error_of(tmp_path, GOOD, line)
    assert said in error_of(tmp_path, GOOD, line)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"end_state": {}}, "expected a state that it comes of"),
        ({"state": {}, "end_state": [{"op": "remove", "path": "/a"}]}, "there is nothing at /a"),
        ({"state": {}, "end_state": [{"op": "add", "path": "/{n}", "value": 1}]}, "'n' is no parameter"),
        ({"state": "../shop.json", "end_state": {}}, "expected a file with a state below the suite's folder"),
        ({"state": "none.json", "end_state": {}}, "cannot be read (No such file or directory)"),
        ({"state": "list.json", "end_state": {}}, "list.json: expected an object"),
        ({"state": "twice.json", "end_state": {}}, "twice.json, line 3, column 2: the name 'a' stands twice"),
        ({"state": "torn.json", "end_state": {}}, "torn.json, line 2, column 6: "),
        ({"calls": [], "tools": [{"name": "t", "results": [{"output": {"$state": "/a"}}]}]}, "the case has no state"),
    ],
)
def test_a_fault_of_a_state_is_named(tmp_path: Path, members: dict[str, Any], said: str) -> None:
    """Of the case, and of the file that it names."""
    files = {"list.json": "[]", "twice.json": '{\n "a": 1,\n "a": 2\n}\n', "torn.json": '{\n "a" 1}'}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert said in error_of(tmp_path, json.dumps({"id": "a", "query": "q", **members}))


def test_a_tool_that_changes_the_state_does_not_only_read(tmp_path: Path) -> None:
    """A tool that says that it only reads and has a patch is refused; one that says nothing may act."""
    line = PATCHED % '{"output": 1, "patch": [{"op": "remove", "path": "/a"}]}'
    reads = line.replace('"name": "t"', '"name": "t", "annotations": {"readOnlyHint": true}')
    assert "the tool is readOnlyHint and changes the state" in error_of(tmp_path, GOOD, reads)
    suite = tmp_path / "suite.jsonl"
    suite.write_text(line)
    assert [False] == [tool.is_read_only for run in plan_of(suite).runs() for tool in run.tools.values()]


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
