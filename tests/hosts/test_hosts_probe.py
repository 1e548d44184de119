"""The suite of `purestep probe`: its tasks can be finished, and what is wrong is told apart from what is right."""

import json

import pytest

import purestep
from purestep_hosts.probe import (
    Combination,
    Measured,
    Probed,
    ProbeToolbox,
    Ran,
    Task,
    best_of,
    combinations,
    dialect_for,
    probe_suite,
    wrong,
)

TASKS = {task.id: task for task in probe_suite().tasks}
SUM = Ran("calculator", {"expression": "17 + 25"}, True, 42)
NOTE = Ran("save_note", {"text": "Buy green paint."}, True, "saved")


def params_of(task: Task) -> list[tuple[str, dict[str, str]]]:
    """Give calls that a task takes."""
    written = {"sum": "17 + 25", "product": "36 * 12", "brackets": "(8 + 4) * 3"}
    return [(each.tool, each.params or {"expression": written[task.id]}) for each in task.calls]


@pytest.mark.parametrize("task", probe_suite().tasks, ids=lambda task: task.id)
def test_every_task_can_be_finished(task: Task) -> None:
    """The expected calls succeed in the suite's world, and an answer of their results is right."""
    toolbox = ProbeToolbox(probe_suite())
    for tool, params in params_of(task):
        assert toolbox.run(tool, params, "key")["ok"]
    answer = " ".join(str(call.output) for call in toolbox.ran) or "You are welcome."
    assert "" == wrong(task, toolbox.ran, answer)


@pytest.mark.parametrize(
    ("task", "ran", "answer", "reason"),
    [
        ("sum", [], "It is 42.", "no right call of calculator"),
        ("sum", [SUM], "It is 43.", "'42' is not in the answer"),
        ("sum", [SUM], "What is 17 plus 25?", "no answer"),
        ("sum", [SUM, NOTE], "It is 42.", "an unwanted call of save_note"),
        ("note", [NOTE, NOTE], "Saved.", "an unwanted call of save_note"),
        ("greeting", [SUM], "Very well.", "an unwanted call of calculator"),
        ("greeting", [], "Good morning, how are you today", "no answer"),
        ("note", [NOTE], "Saved.", ""),
    ],
)
def test_what_is_not_right_is_named(task: str, ran: list[Ran], answer: str, reason: str) -> None:
    """A missing call, an unwanted one, a wrong answer and a repeated question each have their words."""
    assert reason == wrong(TASKS[task], ran, answer)


@pytest.mark.parametrize("name", ["nothing", "nowhere"])
def test_unknown_things_are_failures_of_the_tool(name: str) -> None:
    """A look-up that finds nothing tells the model so."""
    toolbox = ProbeToolbox(probe_suite())
    for tool, params in (
        ("lookup_order", {"number": name}),
        ("fetch_page", {"url": name}),
        ("calculator", {"expression": name}),
    ):
        assert toolbox.run(tool, params, "key")["ok"] is False


def test_every_way_is_a_definition_that_loads() -> None:
    """Each combination of each family's dialect is one the core takes, and no two are alike."""
    known = set(json.loads(purestep.core_info())["dialects"])
    families = {dialect for _, dialect in probe_suite().families} | {dialect_for("a model of nobody")}
    assert families <= known
    for family in sorted(families):
        ways = combinations(family, quick=False)
        assert len(ways) == len(set(ways))
        for way in ways:
            purestep.Agent.load(way.definition("m"))


def test_quick_ways_are_among_all_ways() -> None:
    """`--quick` leaves ways out and adds none."""
    quick = combinations("hermes_json", quick=True)
    assert set(quick) < set(combinations("hermes_json", quick=False))
    assert Combination("envelope", "json_schema", "route") == quick[0]


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("SmolLM2-135M-Instruct.Q4_1", "hermes_json"),
        ("Qwen/Qwen3-Coder-30B", "qwen_xml"),
        ("Llama_3.2_3B", "pythonic"),
        ("meta-llama/Llama-3.1-8B", "llama3_json"),
        ("nobody", "generic_json"),
    ],
)
def test_family_is_told_by_the_name(name: str, dialect: str) -> None:
    """The more exact name comes first; an unknown one has the dialect of models without a form of their own."""
    assert dialect == dialect_for(name)


def test_of_equal_ways_the_form_that_does_best_without_help_is_taken() -> None:
    """At `route` two forms finish all; the one that also finishes something at `off` is the better one."""

    def measured(dialect: str, carry: str, right: int, tokens: int) -> Measured:
        tasks = [Probed(task=str(n), wrong="" if n < right else "no answer", prompt_tokens=tokens) for n in range(2)]
        return Measured(combination=Combination(dialect, "none", carry), tasks=tuple(tasks))  # type: ignore[arg-type]

    ways = [
        measured("native", "route", 2, 1),
        measured("native", "off", 0, 1),
        measured("envelope", "route", 2, 9),
        measured("envelope", "off", 1, 9),
    ]
    assert ways[2] is best_of(ways, 2)
    assert ways[0] is best_of(ways[:2], 2)
    assert best_of(ways, 3) is None
