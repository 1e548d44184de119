"""The measurement of small models on strangers' tasks: what is right, how a run ended, and what is counted."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bench.small_model.command import main
from bench.small_model.report import counted
from bench.small_model.runs import TaskRun, run_task
from bench.small_model.tasks import SETS, Task, TaskError, read_set

from purestep_hosts.models.scripted import ScriptedModel, calls, says

STOCK = {
    "name": "stock.get",
    "description": "Pieces of an article.",
    "inputSchema": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
    "annotations": {"readOnlyHint": True},
}
ORDER = {
    "name": "order-now",
    "inputSchema": {
        "type": "object",
        "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}, "note": {"type": "string"}},
        "required": ["sku", "count"],
    },
    "annotations": {"readOnlyHint": False},
}
RESULTS = [
    {"tool": "stock.get", "args": {"sku": "A-1"}, "result": {"pieces": 4}},
    {"tool": "stock.get", "result": "no such article"},
]
READING = {"calls": [{"tool": "stock.get", "args": {"sku": ["A-1"]}}], "answer": [["4", "four"]]}
ACTING = {
    "calls": [{"tool": "order-now", "args": {"sku": ["A-1"], "count": [2]}, "optional": {"note": {"has": ["red"]}}}]
}


def line(**members: Any) -> str:
    """A line of a set."""
    given = {"id": "t1", "lang": "en", "tools": [STOCK, ORDER], "user": "do it", "needs": "call", "results": RESULTS}
    return json.dumps({**given, **members})


@pytest.fixture
def one_task(tmp_path: Path) -> Any:
    """Read a set of one task."""

    def read(**members: Any) -> Task:
        path = tmp_path / "set.jsonl"
        path.write_text(line(**members))
        return read_set(path)[0]

    return read


def run_of(task: Task, outputs: Sequence[str]) -> TaskRun:
    """The run of a task with a model that writes these outputs."""
    return run_task(task, ScriptedModel(outputs), lambda members: members)


def test_the_sets_are_whole() -> None:
    """Three sets of 60 tasks in six languages, with ids of their own."""
    sets = [read_set(path) for path in sorted(SETS.glob("*.jsonl"))]
    tasks = [task for each in sets for task in each]
    assert [60, 60, 60] == [len(each) for each in sets]
    assert (180, 6) == (len({task.id for task in tasks}), len({task.lang for task in tasks}))


READ, ANSWER = calls("stock.get", sku="a-1"), says("There are 4 pieces.")


@pytest.mark.parametrize(
    ("members", "outputs", "ending"),
    [
        (READING, [READ, ANSWER], "finished"),
        (READING, [calls("stock.get", sku="A-2"), READ, ANSWER], "finished"),
        (READING, [READ, says("There are 14 pieces.")], "silent"),
        (READING, [READ, says("Of which?")], "asked"),
        (READING, [READ, says("That failed: no such article.")], "open"),
        (READING, [calls("stock.get", sku="A-2"), says("It has 4.")], "silent"),
        (READING, [READ, says("I have no tool for that.")], "open"),
        (READING, [], "open"),
        (ACTING, [calls("order-now", sku="A-1", count=2), says("done")], "finished"),
        (ACTING, [calls("order-now", sku="A-1", count=2, note="the red one"), says("done")], "finished"),
        (ACTING, [calls("order-now", sku="A-1", count=2, note="blue"), says("done")], "asked"),
        (ACTING, [calls("order-now", sku="A-1", count=3), says("done")], "asked"),
        (ACTING, [says("done")], "silent"),
        ({"needs": "none", "answer": [["paris"]]}, [says("It is Paris.")], "finished"),
        ({"needs": "none", "answer": [["paris"]]}, [says("It is Rome.")], "silent"),
        ({"needs": "none"}, [READ, says("Hello.")], "silent"),
        ({"needs": "ask"}, [says("Which article?")], "asked"),
        ({"needs": "ask"}, [calls("order-now", sku="A-1", count=1), says("done")], "asked"),
    ],
)
def test_ending_of_a_run(one_task: Any, members: dict[str, Any], outputs: list[str], ending: str) -> None:
    """A run is finished as its key says, or asked, open or silent."""
    assert ending == run_of(one_task(**members), outputs).ending


def test_question_ends_a_task_that_lacks_a_value(one_task: Any) -> None:
    """What a model asks in the compact dialect is a question."""
    model = ScriptedModel(['{"ask": "Which article?"}'])
    assert "finished" == run_task(one_task(needs="ask"), model, lambda given: {**given, "dialect": "compact"}).ending


def test_acting_call_that_nobody_was_asked_about_is_an_effect(one_task: Any) -> None:
    """It counts whatever the answer says."""

    def unasked(members: dict[str, Any]) -> dict[str, Any]:
        return {**members, "approval": {"tools": {"order-now": "auto"}}}

    model = ScriptedModel([calls("order-now", sku="A-1", count=9), READ, ANSWER])
    assert "effect" == run_task(one_task(**READING), model, unasked).ending


def test_counts_add_up(one_task: Any) -> None:
    """First tools are counted of the tasks that need a call, refused calls of all."""
    runs = [
        run_of(one_task(**READING), [READ, ANSWER]),
        run_of(one_task(**READING), [calls("order-now", sku="A-1", count=2), says("no")]),
        run_of(one_task(needs="none"), [says("Hello.")]),
    ]
    found = counted(runs)
    assert (3, 1, 2, 1) == (found.tasks, found.first_tool, found.first_tool_of, found.refused)
    assert {"finished": 2, "asked": 1, "open": 0, "silent": 0, "effect": 0} == found.endings


@pytest.mark.parametrize(
    ("wanted", "answer", "stands"),
    [
        ("9:22", "It leaves at 09:22.", True),
        ("9", "19 pieces", False),
        ("19", "19.2 spoons", True),
        ("14,5", "14,50 euro", True),
        ("Tuesday", "on TUESDAY", True),
        ("147", "1470", False),
    ],
)
def test_numbers_are_not_found_in_others(one_task: Any, wanted: str, answer: str, stands: bool) -> None:
    """A zero before a number or after its decimals changes nothing."""
    assert stands is one_task(**{**READING, "answer": [[wanted]]}).answers(answer)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"needs": "call"}, "needs call and has 0 calls"),
        ({**READING, "needs": "none"}, "needs none and has 1 calls"),
        ({"calls": [{"tool": "stock", "args": {}}]}, "no tool is named stock"),
        ({"calls": [{"tool": "stock.get", "args": {}}]}, "stock.get requires sku"),
        ({"calls": [{"tool": "stock.get", "args": {"sku": ["A"], "site": ["B"]}}]}, "has no parameter site"),
        ({"calls": [{"tool": "stock.get", "args": {"sku": [7]}}]}, "no value of stock.get.sku fits its schema"),
        ({**READING, "results": [{"tool": "stock", "result": 1}]}, "a result is of the tool stock"),
        ({**READING, "tools": [STOCK, STOCK]}, "two of its tools have one name"),
        ({**READING, "lang": "pt"}, "set.jsonl, line 1: Invalid enum value 'pt'"),
    ],
)
def test_fault_of_a_set_is_named(one_task: Any, members: dict[str, Any], said: str) -> None:
    """A key that no run could meet is an error, not a task that no model does."""
    with pytest.raises(TaskError, match=said):
        one_task(**members)


def test_two_tasks_of_one_name_are_named(tmp_path: Path) -> None:
    """Runs are told apart by their ids."""
    path = tmp_path / "set.jsonl"
    path.write_text(f"{line(**READING)}\n{line(**READING)}\n")
    with pytest.raises(TaskError, match="two tasks are named t1"):
        read_set(path)


def test_missing_set_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A set that is not there is a wrong option."""
    assert 2 == main(["z"])
    assert "bench: z is no file of tasks; expected a, b, c or a file\n" == capsys.readouterr().err


def test_server_needs_the_name_of_its_model(capsys: pytest.CaptureFixture[str]) -> None:
    """An address alone does not say whom to ask."""
    assert 2 == main(["a", "--server", "http://127.0.0.1:9/v1"])
    assert "bench: --server and --model go together\n" == capsys.readouterr().err
