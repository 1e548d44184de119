"""The default model on ten one-tool tasks of our own, at temperature 0."""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import purestep
from bench.figures import Figure
from purestep.json_text.extract import UNREADABLE, read_json
from purestep_hosts.download import default_model
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.llamacpp import LlamaCppModel
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox


class Task(NamedTuple):
    """A question, the tool it needs and the arguments that are right."""

    query: str
    tool: str
    arguments: tuple[dict[str, Any], ...]


TASKS = (
    Task("What is 17 plus 25?", "add_numbers", ({"a": 17, "b": 25}, {"a": 25, "b": 17})),
    Task("Add 120 and 7.", "add_numbers", ({"a": 120, "b": 7}, {"a": 7, "b": 120})),
    Task("What is 8 plus 91?", "add_numbers", ({"a": 8, "b": 91}, {"a": 91, "b": 8})),
    Task("Echo the text good morning", "echo", ({"text": "good morning"},)),
    Task("Repeat this text: blue river", "echo", ({"text": "blue river"},)),
    Task("Write down a note: buy milk", "session_note_append", ({"note": "buy milk"},)),
    Task(
        "Note that the train leaves at nine.",
        "session_note_append",
        tuple(
            {"note": note}
            for note in ("the train leaves at nine", "The train leaves at nine", "The train leaves at nine.")
        ),
    ),
    Task("Read the file plan.txt", "read_file", ({"path": "plan.txt"},)),
    Task("Show the files in the folder photos", "list_dir", ({"path": "photos"},)),
    Task("Search my notes for garden", "session_note_search", ({"query": "garden"},)),
)
TOOLS = ("add_numbers", "echo", "list_dir", "read_file", "session_note_append", "session_note_search")
FILES = {"plan.txt": "Monday: paint the fence.", "photos/sea.jpg.txt": "The sea at noon."}


class TaskResult(NamedTuple):
    """The result of a task."""

    parsed: bool
    tool: bool
    arguments: bool
    turns: int
    ended: str
    first: str


class Silent:
    """A log and a watcher that keep nothing."""

    def append(self, log: str, head: str) -> None:
        """Drop the lines."""

    def on_step(self, step: purestep.Step) -> None:
        """Show nothing."""

    def on_text(self, text: str) -> None:
        """Show nothing."""

    def on_result(self, call: purestep.ToolCall, result: dict[str, Any]) -> None:
        """Show nothing."""


def measure() -> list[Figure]:
    """Run every task to its end, print the table, and count what was right in the first output."""
    model = LlamaCppModel(default_model())
    outcomes = [_outcome(task, model) for task in TASKS]
    Console().print(_table(outcomes))
    return [
        Figure("outputs that parse", sum(outcome.parsed for outcome in outcomes), "of 10", at_least=10),
        Figure("right tool", sum(outcome.tool for outcome in outcomes), "of 10", at_least=8),
        Figure("right arguments", sum(outcome.arguments for outcome in outcomes), "of 10", at_least=7),
        Figure("most turns of a run", max(outcome.turns for outcome in outcomes), "of 20", at_most=20),
        Figure("runs that ended with an answer", sum(outcome.ended == "done" for outcome in outcomes), "of 10"),
    ]


def _outcome(task: Task, model: LlamaCppModel) -> TaskResult:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "root")
        for name, text in FILES.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        tools = Toolbox(ToolConfig(session_dir=Path(folder), root=root, names=TOOLS))
        agent = purestep.Agent.load({"tools": tools.specs(), "sampling": {"temperature": 0, "max_tokens": 200}})
        silent = Silent()
        ports = Ports(model=model, tools=tools, approve=lambda _calls: (), log=silent, watch=silent)
        run = Run(agent, ports, "bench")
        last = run.ask(task.query)
    first = next(m.content or "" for m in run.messages[last.state.window.user_at :] if m.role == "assistant")
    ended = "done" if isinstance(last.decision, purestep.Done) else getattr(last.decision, "code", "?")
    return _judged(task, first, last.state.exchange.used.turns, ended)


def _judged(task: Task, first: str, turns: int, ended: str) -> TaskResult:
    value = read_json(first)
    parsed = value is not UNREADABLE and isinstance(value, dict) and value.get("kind") in ("tool_call", "final")
    tool = parsed and value.get("tool_name") == task.tool
    return TaskResult(parsed, tool, tool and value.get("arguments") in task.arguments, turns, ended, first)


def _table(outcomes: list[TaskResult]) -> Table:
    made = Table("task", "first output", "parses", "tool", "arguments", "turns", "ended")
    for task, outcome in zip(TASKS, outcomes, strict=True):
        marks = ["yes" if mark else "no" for mark in outcome[:3]]
        made.add_row(task.query, json.dumps(outcome.first)[:90], *marks, str(outcome.turns), outcome.ended)
    return made
