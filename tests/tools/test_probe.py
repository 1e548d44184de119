"""The probe: its tasks can be finished, right is told apart from wrong, and its course follows the logs of its runs."""

import json
from typing import Any

import pytest

import purestep
from purestep_tools.json_functions import JSON_FUNCTIONS
from purestep_tools.probe import (
    FAMILIES,
    Measured,
    NextRun,
    Probe,
    Probed,
    ProbeWay,
    RanCall,
    Task,
    as_data,
    begin_probe,
    best_of,
    dialect_for,
    from_data,
    tool_outcome,
    ways_for,
    wrong,
)
from purestep_tools.probe import TASKS as ALL_TASKS

TASKS = {task.id: task for task in ALL_TASKS}
SUM = RanCall("calculator", {"expression": "17 + 25"}, True, 42)
NOTE = RanCall("save_note", {"text": "Buy green paint."}, True, "saved")


def params_of(task: Task) -> list[tuple[str, dict[str, str]]]:
    """Return calls that a task takes."""
    written = {"sum": "17 + 25", "product": "36 * 12", "brackets": "(8 + 4) * 3"}
    return [(each.tool, each.params or {"expression": written[task.id]}) for each in task.calls]


@pytest.mark.parametrize("task", ALL_TASKS, ids=lambda task: task.id)
def test_every_task_can_be_finished(task: Task) -> None:
    """The expected calls succeed in the suite's world, and an answer of their results is right."""
    ran = []
    for tool, params in params_of(task):
        outcome = tool_outcome(tool, params)
        assert outcome["ok"]
        ran.append(RanCall(tool, params, True, outcome["output"]))
    answer = " ".join(str(call.output) for call in ran) or "You are welcome."
    assert "" == wrong(task, ran, answer)


@pytest.mark.parametrize(
    ("task", "ran", "answer", "reason"),
    [
        ("sum", [], "It is 42.", "no right call of calculator"),
        ("sum", [SUM], "It is 43.", "'42' is not in the answer"),
        ("sum", [SUM], "What is 17 plus 25?", "no answer"),
        ("sum", [SUM, NOTE], "It is 42.", "an unwanted call of save_note"),
        ("note", [NOTE, NOTE], "Saved.", "an unwanted call of save_note"),
        ("greeting", [SUM], "Very well.", "an unwanted call of calculator"),
        ("greeting", [], "Good morning, how are you today", ""),
        ("greeting", [], " ", "no answer"),
        ("note", [NOTE], "Saved.", ""),
    ],
)
def test_what_is_not_right_is_named(task: str, ran: list[RanCall], answer: str, reason: str) -> None:
    """A missing call, an unwanted one, a wrong answer and a repeated question each have their words."""
    assert reason == wrong(TASKS[task], ran, answer)


@pytest.mark.parametrize("name", ["nothing", "nowhere"])
def test_unknown_things_are_failures_of_the_tool(name: str) -> None:
    """A look-up that finds nothing tells the model so."""
    for tool, params in (
        ("lookup_order", {"number": name}),
        ("fetch_page", {"url": name}),
        ("calculator", {"expression": name}),
    ):
        assert tool_outcome(tool, params)["ok"] is False


def test_every_way_is_a_definition_that_loads() -> None:
    """Each combination of each family's dialect is one the core takes, and no two are alike."""
    known = set(json.loads(purestep.core_info())["dialects"])
    families = {dialect for _, dialect in FAMILIES} | {dialect_for("a model of nobody")}
    assert families <= known
    for family in sorted(families):
        ways = ways_for(family, quick=False)
        assert len(ways) == len(set(ways))
        for way in ways:
            purestep.Agent.load(way.definition("m"))


def test_quick_ways_are_among_all_ways() -> None:
    """`--quick` leaves ways out and adds none."""
    quick = ways_for("hermes_json", quick=True)
    assert set(quick) < set(ways_for("hermes_json", quick=False))
    assert ProbeWay("envelope", "json_schema", "ground") == quick[0]


@pytest.mark.parametrize("quick", [True, False])
def test_taught_model_is_asked_as_it_was_taught(quick: bool) -> None:
    """It knows no other form; its arguments are copied."""
    (way,) = ways_for("compact", quick=quick)
    assert ("compact", ["grammar", "spans"], "off") == (way.dialect, way.supports(), way.carry)


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("SmolLM2-135M-Instruct.Q4_1", "hermes_json"),
        ("smollm2-135m-tools", "compact"),
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
    """At `ground` two forms finish all; the one that also finishes something at `off` is the better one."""

    def measured(dialect: str, carry: str, right: int, tokens: int) -> Measured:
        tasks = [Probed(task=str(n), wrong="" if n < right else "no answer", prompt_tokens=tokens) for n in range(2)]
        return Measured(ProbeWay(dialect, "none", carry), tuple(tasks))

    ways = [
        measured("native", "ground", 2, 1),
        measured("native", "off", 0, 1),
        measured("envelope", "ground", 2, 9),
        measured("envelope", "off", 1, 9),
    ]
    assert ways[2] is best_of(ways, 2)
    assert ways[0] is best_of(ways[:2], 2)
    assert best_of(ways, 3) is None


def log_of(due: NextRun) -> str:
    """Return the log of a run whose model, where it is asked, says good morning and nothing else."""
    agent = purestep.Agent.load(due.way.definition("m"))
    step = purestep.start(agent, purestep.UserMessage(content=due.task.query, at=1), "run")
    log = step.log
    while not isinstance(step.decision, purestep.Done | purestep.Failed):
        step = purestep.step(step.state, observed(step.decision))
        log += step.log
    return log


def observed(decision: Any) -> Any:
    """Return what comes of a decision."""
    match decision:
        case purestep.InvokeTool(calls=calls):
            outcomes = [(call.call_id, tool_outcome(call.tool, call.params)) for call in calls]
            results = [purestep.ToolResult(call_id=call_id, **outcome) for call_id, outcome in outcomes]
            return purestep.ToolResults(results=tuple(results), at=1)
        case purestep.RequestApproval(calls=calls):
            given = [purestep.Approval(call_id=call.call_id, key=call.key, approved=True) for call in calls]
            return purestep.Approvals(approvals=tuple(given), at=1)
        case _:
            usage = purestep.Usage(prompt_tokens=10, completion_tokens=3)
            said = json.dumps({"kind": "final", "content": "Good morning to you!"})
            return purestep.ModelOutput(content=said, usage=usage, at=1)


def measured_to_its_end(probe: Probe) -> Probe:
    """Make all runs of a probe, each a second long."""
    while (due := probe.next_run()) is not None:
        probe = probe.with_log(log_of(due), 1)
    return probe


def test_course_of_a_probe_counts_what_the_logs_say() -> None:
    """The thanks alone are what this model finishes, at each level; of equals the one with the least help is taken."""
    ended = measured_to_its_end(begin_probe("m", quick=True, window_tokens=4096))
    ground, off, native = (measured.row() for measured in ended.found)
    assert [1, 1, 1] == [row["right"] for row in (ground, off, native)]
    assert {"sum", "note", "order"} == set(ground["wrong"]) == set(off["wrong"])
    assert (12, 12) == ended.runs()
    profile = ended.profile()
    assert profile is not None
    assert ("m", "envelope", ["json_schema"], "off", 4096, 1) == (
        *(profile[name] for name in ("name", "dialect", "supports", "carry", "window_tokens")),
        profile["figures"]["right"],
    )


def test_refusal_ends_its_way_and_counts_its_runs_as_over() -> None:
    """A model that gives nothing is asked once in each way, and no way is the best."""
    failed = {"kind": "run_failed", "code": "model_error", "message": "refused"}
    lines = [{"kind": "model_error", "code": "refused"}, failed]
    probe = begin_probe("m", quick=True)
    counts = []
    while probe.next_run() is not None:
        probe = probe.with_log("".join(f"{json.dumps(line)}\n" for line in lines), 0.5)
        counts.append(probe.runs()[0])
    assert ([4, 8, 12], ["refused"] * 3, None) == (
        counts,
        [measured.refusal() for measured in probe.found],
        probe.profile(),
    )


def test_probe_crosses_as_json_and_comes_back() -> None:
    """At each step the JSON function stands where the typed value does."""
    probe = begin_probe("m", quick=True)
    step = json.loads(JSON_FUNCTIONS["run_probe_step"]('{"model": "m", "quick": true}'))["value"]
    for _ in range(5):
        due = probe.next_run()
        assert due is not None
        assert (due.task.id, due.task.query, due.way.definition("m")) == (
            step["next"]["task"],
            step["next"]["query"],
            step["next"]["definition"],
        )
        log = log_of(due)
        probe = probe.with_log(log, 0.25)
        given = json.dumps({"probe": step["probe"], "log": log, "seconds": 0.25})
        step = json.loads(JSON_FUNCTIONS["run_probe_step"](given))["value"]
        assert (probe, 12) == (from_data(step["probe"]), step["runs"])
        assert json.loads(json.dumps(as_data(probe))) == step["probe"]
    assert [measured.row() for measured in probe.found] == step["rows"]


@pytest.mark.parametrize(
    "given",
    ["", "[]", "{}", '{"model": "m", "size": 1}', '{"probe": {}, "log": "", "seconds": 0}', '{"model": 1}'],
)
def test_wrong_input_of_a_probe_is_an_error_as_data(given: str) -> None:
    """Nothing is raised across the boundary."""
    error = json.loads(JSON_FUNCTIONS["run_probe_step"](given))["error"]
    assert "invalid_input" == error["code"]


def test_log_of_a_run_that_has_not_ended_is_refused() -> None:
    """What is no log of a whole run does not count as one."""
    step = json.loads(JSON_FUNCTIONS["run_probe_step"]('{"model": "m"}'))["value"]
    for log in ("", '{"kind": "run_started"}\n', "no log"):
        given = json.dumps({"probe": step["probe"], "log": log, "seconds": 0})
        assert "invalid_input" == json.loads(JSON_FUNCTIONS["run_probe_step"](given))["error"]["code"]
