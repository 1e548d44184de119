"""The task sets of `./build.sh bench carry`: well-formed, each task can be done, and a wrong course is told apart."""

import json
from collections import Counter
from typing import Any

import msgspec
import pytest
from bench.carry import judge
from bench.carry.controls import ExpectedCalls
from bench.carry.runs import Outcome, run_task
from bench.carry.sets import SETS, SimulatedTool, Task, boxes, catalogue, task_set, tools_of
from bench.carry.simulated import FUNCTIONS
from bench.carry.toolbox import Ran, SimulatedToolbox

import purestep
from purestep_hosts.evaluation.matching import stands_in

LEAST = {
    "plain": 80, "lean": 80, "hard": 40, "none": 30, "german": 20, "own": 6, "wide": 60, "third": 68, "talk": 40,
    "fourth": 60, "chat": 94, "threshold": 72,
}  # fmt: skip
SEEN = {"daily": 80, "daily_none": 60}
"""Sets that were looked at whole: they tell what was learned, and measure nothing any more."""
HALVES = [(name, half) for name in SETS for half in ("tune", "final")]


def played(task: Task) -> Outcome:
    """Run a task with a script of its expected calls."""
    toolbox = SimulatedToolbox(task)
    return run_task(task, "off", ExpectedCalls(task, toolbox), toolbox)


def values_held_right(wanted: Any) -> list[Any]:
    """Give the values that an expected one stands for; none for what an earlier call gave."""
    match wanted:
        case {"any": options} | {"optional": options}:
            return [value for option in options for value in values_held_right(option)]
        case {"holds": words}:
            return [" ".join(words)]
        case {"result": _}:
            return []
        case _:
            return [wanted]


def changed(task: Task, **changes: Any) -> Task:
    """Give a task with other members."""
    return msgspec.structs.replace(task, **changes)


def task(identity: str) -> Task:
    """Find a task by its id."""
    return next(each for name, half in HALVES for each in task_set(name).half(half) if each.id == identity)


def test_sets_are_large_enough_and_halved() -> None:
    """Each set has its number of tasks, half of them kept for the end, and no id or question comes twice."""
    for name, least in LEAST.items():
        halves = task_set(name)
        assert least <= len(halves.tune) + len(halves.final)
        assert least // 2 <= len(halves.final) <= len(halves.tune)
    for name, least in SEEN.items():
        assert (least, 0) == (len(task_set(name).tune), len(task_set(name).final))
    tasks = [each for name, half in HALVES for each in task_set(name).half(half)]
    assert {1} == set(Counter(each.id for each in tasks).values())
    assert {1} == set(Counter((each.box, each.query) for each in tasks).values())


def test_toolboxes_are_many_and_of_many_sizes() -> None:
    """There are toolboxes of two to fourteen tools, each name in them once, and every tool is in one."""
    sizes = {name: len(tools_of(name)) for name in boxes()}
    assert {name: len(tools) for name, tools in boxes().items()} == sizes
    assert len(sizes) >= 8
    assert (2, 14) == (min(sizes.values()), max(sizes.values()))
    assert {tool.does for tool in catalogue().values()} <= set(FUNCTIONS)
    assert all((tool.does == "canned.reply") == (tool.result is not None) for tool in catalogue().values())


def test_canned_tools_say_what_their_data_hold() -> None:
    """Whatever the arguments are called, the result is the one written beside the tool."""
    toolbox = SimulatedToolbox(task("p01"))
    toolbox.tools["fixed"] = SimulatedTool(spec={"name": "fixed"}, does="canned.reply", result={"id": 7})
    assert {"ok": True, "output": {"id": 7}} == toolbox.run("fixed", {"world": 1, "result": 2, "a-b": 3}, "k")
    assert [Ran("fixed", {"world": 1, "result": 2, "a-b": 3}, True, {"id": 7})] == toolbox.ran


def test_examples_are_true() -> None:
    """An example's arguments fit the schema of its tool, and no example asks what a task asks."""
    queries = {each.query.lower() for name, half in HALVES for each in task_set(name).half(half)}
    for tool in catalogue().values():
        for example in tool.spec.get("examples", ()):
            given = {"schema": tool.spec["parameters"], "value": example["arguments"]}
            assert json.loads(purestep.check_value(json.dumps(given)))["ok"], example
            assert example["query"].lower() not in queries


def test_tools_without_examples_and_with_them_stand_beside_each_other() -> None:
    """The wide set's tools are all described, whole sentences and each parameter; few bring an example."""
    wide = [tool.spec for name, tool in catalogue().items() if name.startswith("wide_")]
    described = [part for spec in wide for part in (spec, *spec["parameters"]["properties"].values())]
    assert all(part.get("description") for part in described)
    assert all(spec["description"].endswith(".") for spec in wide)
    assert 0 < sum("examples" in spec for spec in wide) < len(wide) // 4


@pytest.mark.parametrize("name", ["lean", "third", "fourth"])
def test_lean_tools_bring_no_examples(name: str) -> None:
    """What third parties serve has no examples, so the tools of these sets have none."""
    used = {each.box for half in ("tune", "final") for each in task_set(name).half(half)}
    assert not [tool for box in used for tool in tools_of(box).values() if "examples" in tool.spec]


@pytest.mark.parametrize("name", ["third", "fourth"])
def test_halves_of_third_parties_tools_share_no_tool(name: str) -> None:
    """What was tuned on tools of one half says nothing of those of the other, so no toolbox is in both."""
    tune, final = ({each.box for each in task_set(name).half(half)} for half in ("tune", "final"))
    assert tune.isdisjoint(final)


def test_fourth_set_is_of_every_kind() -> None:
    """Either half has ten toolboxes or more of three to nine tools, and about as many tasks of each number of calls."""
    halves = [task_set("fourth").half(half) for half in ("tune", "final")]
    assert all(len({each.box for each in half}) >= 10 for half in halves)
    assert all(3 <= len(tools_of(each.box)) <= 9 for half in halves for each in half)
    assert [{0: 2, 1: 24, 2: 4}, {0: 3, 1: 23, 2: 4}] == [dict(Counter(len(t.calls) for t in half)) for half in halves]


@pytest.mark.parametrize("name", ["talk", "chat"])
def test_talk_needs_no_tool(name: str) -> None:
    """Each message of such a set is answered without a call."""
    assert not [each.id for half in ("tune", "final") for each in task_set(name).half(half) if each.calls]


@pytest.mark.parametrize(("name", "half"), HALVES)
def test_every_task_can_be_done(name: str, half: str) -> None:
    """A script of the expected calls, through the loop and the core, ends right, and the results hold the answer."""
    for each in task_set(name).half(half):
        outcome = played(each)
        assert not outcome.wrong, (each.id, outcome.wrong)
        assert len(each.calls) == len(outcome.ran)
        results = " ".join(judge.as_text(call.output) for call in outcome.ran)
        for wanted in each.answer if each.calls else ():
            texts = [wanted] if isinstance(wanted, str) else wanted
            assert any(stands_in(text, results) for text in texts), (each.id, wanted, results)


@pytest.mark.parametrize(("name", "half"), HALVES)
def test_every_value_held_right_fits_its_schema(name: str, half: str) -> None:
    """Not only the first of several right values fits the parameter that it is for, but each of them does."""
    for each in task_set(name).half(half):
        for index, (tool, _) in enumerate(each.calls):
            properties = tools_of(each.box)[tool].spec["parameters"]["properties"]
            for arguments in judge.expected_arguments(each, index):
                for parameter, wanted in arguments.items():
                    for value in values_held_right(wanted):
                        given = {"schema": properties[parameter], "value": value}
                        assert json.loads(purestep.check_value(json.dumps(given)))["ok"], (each.id, given)


def test_broken_tasks_are_found() -> None:
    """A task with an unknown argument, a wrong value, a missing file or another answer does not end right."""
    right = task("p01")
    assert "call 1 was not made" in played(changed(right, calls=[("add_numbers", {"a": 17, "c": 25})])).wrong
    assert "call 1 was not made" in played(changed(task("p15"), calls=[("read_file", {"path": "plans.txt"})])).wrong
    listed = changed(task("p35"), calls=[("list_events", {"date": "2026-03-19"})])
    results = played(listed).ran[0].output
    assert "the answer lacks" in judge.wrong(listed, tools_of("office"), played(listed).ran, results)


@pytest.mark.parametrize(
    ("wanted", "value", "same"),
    [
        (25, 25.0, True),
        (1, True, False),
        ("plan.txt", "Plan.txt", False),
        ("buy stamps", ' "Buy stamps." ', True),
        ("buy stamps", "buy stamps today", False),
        ("garden", "Garden", True),
        ({"any": [1, 2]}, 2, True),
        ({"any": [1, 2]}, 3, False),
        ({"holds": ["42"]}, "the sum is 42", True),
        ({"holds": ["42"]}, "the sum is 142", False),
        ({"result": 1}, "7", True),
        ({"result": 1}, 7, True),
        ({"result": 1}, "17", False),
        (["a.py"], ["a.py", "b.py"], False),
    ],
)
def test_arguments_are_compared_by_kind(wanted: Any, value: Any, same: bool) -> None:
    """Numbers by value, phrases by their words, paths exactly, and objects stand for several values."""
    asked = changed(task("p01"), calls=[("tool", {}), ("tool", {"value": wanted})])
    tool = msgspec.structs.replace(catalogue()["echo"], spec={"parameters": {"properties": {"value": {}}}})
    ran = [Ran("tool", {}, True, 7), Ran("tool", {"value": value}, True, "")]
    assert same == (not judge.wrong_calls(asked, {"tool": tool}, ran))


@pytest.mark.parametrize(
    ("text", "answer", "stands"),
    [
        ("42", "It is 42.", True),
        ("42", "It is 142.", False),
        ("42", "It is 42.5.", False),
        ("42", "It is 42.0.", True),
        ("1680", "That makes 1,680.", True),
        ("Paris", "paris, of course", True),
        ("GOOD DAY", "good day", False),
    ],
)
def test_answers_hold_whole_numbers(text: str, answer: str, stands: bool) -> None:
    """A number stands in an answer as a whole number only; a text in any case."""
    assert stands == stands_in(text, answer)


def test_further_calls_with_effects_are_wrong() -> None:
    """Reading once more does no harm; writing once more does; where no tool is needed, reading is wrong too."""
    note, tools = task("p09"), tools_of("desk")
    written = Ran("note_add", note.calls[0][1], True, "")
    read = Ran("list_folder", {"path": "photos"}, True, "sea.jpg")
    assert "" == judge.wrong_calls(note, tools, [read, written, read])
    assert "with effects" in judge.wrong_calls(note, tools, [written, written])
    assert "none was needed" in judge.wrong_calls(task("n01"), tools, [read])


@pytest.mark.parametrize(
    "answer",
    [
        None,
        " ",
        "Write down a note: buy stamps on the way home",
        "I noted: the keys are in the drawer",
        "It has 10 characters.",
    ],
)
def test_answers_that_say_nothing_are_wrong(answer: str | None) -> None:
    """No answer, the question again, an example's answer, and words about something else are wrong."""
    note = task("p09")
    written = Ran("note_add", note.calls[0][1], True, "noted: buy stamps on the way home")
    assert judge.wrong(note, tools_of("desk"), [written], answer)
    assert not judge.wrong(note, tools_of("desk"), [written], "I wrote down the stamps.")
