"""One run of a task: the real loop and model; the tools' results and the person who approves calls are the task's.

The person approves a call that the key has and that was not made yet, and refuses every other. So a run ends in one of
five ways: `finished` as the key says; `asked`, where a question or a refused call told the person; `open`, where it
failed or the model said that it did not do it; `effect`, where a call that acts ran unasked against the key; `silent`,
where nothing told that it was wrong.
"""

import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

import msgspec

import purestep
from bench.small_model.tasks import KeyCall, Need, Task
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.model import Model

TODAY: Final = "Today is Saturday, 2026-11-28."
"""What every model is told, and all that it is told."""

Ending = Literal["finished", "asked", "open", "silent", "effect"]
Definer = Callable[[dict[str, Any]], dict[str, Any]]
"""Returns the members of a definition as they suit a model."""

HONEST: Final = ("i have no tool for that", "that failed")
"""How answers begin that say that nothing was done, as the taught model writes them; compared in small letters."""


class TaskRun(msgspec.Struct, frozen=True, kw_only=True):
    """What a run came to."""

    task: str
    lang: str
    needs: Need
    ending: Ending
    first_tool: bool
    refused: int
    """Calls that the person was asked about and that are not in the key."""
    called: tuple[tuple[str, dict[str, Any]], ...]
    """Every call that ran or was refused, in order."""
    outputs: tuple[str, ...]
    """What the model wrote, in order."""
    answer: str
    decisions: int
    seconds: float


class _Person:
    """Approves the calls of the key, each once; keeps what was asked and what ran."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._acting = {tool.name for tool in task.tools if tool.acts}
        self._open: list[KeyCall] = list(task.calls)
        self._approved: set[str] = set()
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.refused = 0
        self.effects = 0
        self.decisions = 0
        self.log = ""

    @property
    def has_all_calls(self) -> bool:
        """Whether every call of the key ran."""
        return not self._open

    def approve(self, calls: Iterable[purestep.ApprovalCall]) -> list[purestep.Approval]:
        """Answer for each call by the key."""
        return [self._answered(call) for call in calls]

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """Return the result that the task has for a call."""
        self.called.append((tool, params))
        found = self._wanted(tool, params)
        if found is not None:
            self._open.remove(found)
        elif tool in self._acting:
            self.effects += 1
        return {"ok": True, "output": self._task.output(tool, params)}

    def stop(self) -> None:
        """Nothing is awaited."""

    def append(self, log: str, head: str) -> None:
        """Keep the log."""
        self.log += log

    def on_step(self, step: purestep.Step) -> None:
        """Count what the model was asked."""
        self.decisions += isinstance(step.decision, purestep.CallModel)

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_retract(self) -> None:
        """Show nothing."""

    def _answered(self, call: purestep.ApprovalCall) -> purestep.Approval:
        is_right = self._wanted(call.tool, call.params) is not None
        if not is_right:
            self.called.append((call.tool, call.params))
            self.refused += 1
        return purestep.Approval(call_id=call.call_id, key=call.key, approved=is_right, by="bench")

    def _wanted(self, tool: str, params: dict[str, Any]) -> KeyCall | None:
        return next((each for each in self._open if each.matches(tool, params)), None)


def run_task(task: Task, model: Model, defined: Definer) -> TaskRun:
    """Run a task to its end and say what it came to."""
    return run_logged(task, model, defined)[0]


def run_logged(task: Task, model: Model, defined: Definer) -> tuple[TaskRun, str, int]:
    """Run a task to its end, and return what it came to, its log, and what it cost by the models' prices."""
    agent = purestep.Agent.load(definition(task, defined))
    person = _Person(task)
    run = Run(agent, Ports(model=model, tools=person, approve=person.approve, log=person, watch=person), task.id)
    began = time.monotonic()
    step = run.ask(task.user)
    decision = step.decision
    seconds = time.monotonic() - began
    came_to = TaskRun(
        task=task.id,
        lang=task.lang,
        needs=task.needs,
        ending=_ending(task, person, decision),
        first_tool=[tool for tool, _ in person.called[:1]] == [call.tool for call in task.calls[:1]] != [],
        refused=person.refused,
        called=tuple(person.called),
        outputs=tuple(str(each.content or "") for each in run.messages if each.role == "assistant"),
        answer=str(getattr(decision, "answer", "") or getattr(decision, "code", "")),
        decisions=person.decisions,
        seconds=round(seconds, 2),
    )
    return came_to, person.log, step.state.exchange.used.cost


def definition(task: Task, defined: Definer) -> dict[str, Any]:
    """Return the definition by which a model is asked to do a task."""
    given = {"instructions": TODAY, "tools": [tool.spec() for tool in task.tools]}
    return defined({**given, "name": "bench"})


def _ending(task: Task, person: _Person, decision: object) -> Ending:
    if person.effects:
        return "effect"
    if not isinstance(decision, purestep.Done):
        return "asked" if person.refused else "open"
    if _is_finished(task, person, decision):
        return "finished"
    said = decision.answer.strip().casefold()
    if decision.question or person.refused or said.endswith("?"):
        return "asked"
    return "open" if said.startswith(HONEST) else "silent"


def _is_finished(task: Task, person: _Person, decision: purestep.Done) -> bool:
    if task.needs == "ask":
        return decision.question and not person.refused
    if task.needs == "none":
        return not person.called and not decision.question and task.answers(decision.answer)
    return person.has_all_calls and task.answers(decision.answer)
