"""The tasks of a set: a person's words, the tools at hand, and what a right run does with them.

A task needs a call, needs none, or lacks a value that has to be asked for. Its key is strict: a call of another tool
that acts is wrong, as are an argument and a value that its author does not accept. Texts are compared without case,
outer quotation marks and end punctuation.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from purestep_hosts.evaluation.matching import fits, same_arguments, same_value

SETS: Final = Path(__file__).parent / "sets"
Need = Literal["call", "none", "ask"]
Acceptable = list[Any] | dict[Literal["has"], list[str]]
"""The values that an argument may have, or the words that a composed text must hold."""


class TaskError(Exception):
    """A set cannot be used; the message names the file, the task and what was expected."""


class KeyCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A call of a right run: arguments that must be given, and those that may be."""

    tool: str
    args: dict[str, Acceptable] = {}
    optional: dict[str, Acceptable] = {}

    def matches(self, tool: str, params: dict[str, Any]) -> bool:
        """Whether a call is this one."""
        if tool != self.tool:
            return False
        wanted = {name: {"$any": _options(each)} for name, each in self.args.items()}
        wanted |= {name: {"$any": _options(each), "$optional": _options(each)} for name, each in self.optional.items()}
        return same_arguments(wanted, params, {}, ())


class KeyResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tool gives for these arguments, or for any where there are none."""

    tool: str
    result: Any
    args: dict[str, Any] | None = None


class TaskTool(msgspec.Struct, frozen=True, rename="camel"):
    """A tool as an MCP server lists it."""

    name: str
    input_schema: dict[str, Any]
    description: str = ""
    annotations: dict[str, bool] = {}

    @property
    def acts(self) -> bool:
        """Whether a call of it may change something."""
        return not self.annotations.get("readOnlyHint", False)

    def spec(self) -> dict[str, Any]:
        """Return its entry of a definition, with the approval that tools of MCP servers have."""
        listed: dict[str, Any] = msgspec.to_builtins(self)
        return {**listed, "approval": "ask" if self.acts else "auto"}


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One task with its key."""

    id: str
    lang: Literal["en", "de", "fr", "es", "it", "nl"]
    tools: tuple[TaskTool, ...]
    user: str
    needs: Need
    calls: tuple[KeyCall, ...] = ()
    answer: tuple[tuple[str, ...], ...] = ()
    results: tuple[KeyResult, ...] = ()

    def output(self, tool: str, params: dict[str, Any]) -> Any:
        """Return what a call gives: the result of the right call that it is, else that of the same arguments, else any.

        A tool that acts and has no result says that it is done.
        """
        own = [each for each in self.results if each.tool == tool]
        for each in own:
            if each.args is not None and (self._are_one_call(tool, each.args, params) or _holds(params, each.args)):
                return each.result
        return next((each.result for each in own if each.args is None), "done")

    def answers(self, text: str) -> bool:
        """Whether an answer holds all that it has to."""
        return all(any(_stands_in(each.casefold(), text.casefold()) for each in options) for options in self.answer)

    def _are_one_call(self, tool: str, one: dict[str, Any], other: dict[str, Any]) -> bool:
        return any(call.matches(tool, one) and call.matches(tool, other) for call in self.calls)


def _stands_in(wanted: str, text: str) -> bool:
    """Whether a text stands in an answer, a number not in the digits of another: 9:22 in 09:22, and 9 not in 19."""
    lead = r"(?<![0-9])0*" if wanted[:1].isdigit() else ""
    end = r"(?![0-9])" if wanted[-1:].isdigit() else ""
    if "." in wanted or "," in wanted:
        end = "0*" + end
    return re.search(lead + re.escape(wanted) + end, text) is not None


def _holds(params: dict[str, Any], args: dict[str, Any]) -> bool:
    """Whether all these arguments stand among those of a call."""
    return all(name in params and same_value({"$any": _options([value])}, params[name]) for name, value in args.items())


def _options(acceptable: Acceptable) -> list[Any]:
    """Return acceptable values as the evaluation's matching has them."""
    if isinstance(acceptable, dict):
        return [{"$contains": acceptable["has"]}]
    return [{"$text": value} if isinstance(value, str) else _in_any_order(value) for value in acceptable]


def _in_any_order(value: Any) -> Any:
    return [{"$text": each} if isinstance(each, str) else each for each in value] if isinstance(value, list) else value


def read_set(path: Path) -> list[Task]:
    """Return the tasks of a file of JSON lines; raises TaskError."""
    found = list(_read(path))
    names = [task.id for task in found]
    for name in names:
        if names.count(name) > 1:
            raise TaskError(f"{path.name}: two tasks are named {name}")
    return found


def _read(path: Path) -> Iterator[Task]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            task = msgspec.json.decode(line, type=Task)
        except msgspec.MsgspecError as error:
            raise TaskError(f"{path.name}, line {number}: {error}") from None
        faults = list(_faults(task))
        if faults:
            raise TaskError(f"{path.name}, {task.id}: {faults[0]}")
        yield task


def _faults(task: Task) -> Iterator[str]:
    """Yield what of a key could not be met by any run."""
    tools = {tool.name: tool for tool in task.tools}
    if len(tools) < len(task.tools):
        yield "two of its tools have one name"
    if bool(task.calls) is not (task.needs == "call"):
        yield f"it needs {task.needs} and has {len(task.calls)} calls"
    for call in task.calls:
        if call.tool not in tools:
            yield f"no tool is named {call.tool}"
            continue
        yield from _call_faults(call, tools[call.tool].input_schema)
    for result in task.results:
        if result.tool not in tools:
            yield f"a result is of the tool {result.tool}, which is not there"


def _call_faults(call: KeyCall, schema: dict[str, Any]) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in (*call.args, *call.optional):
        if name not in properties:
            yield f"{call.tool} has no parameter {name}"
    for name in schema.get("required", ()):
        if name not in call.args:
            yield f"{call.tool} requires {name}, which is not among its arguments"
    for name, options in (*call.args.items(), *call.optional.items()):
        if isinstance(options, list):
            yield from _value_faults(call.tool, name, options, properties.get(name, {}))


def _value_faults(tool: str, name: str, options: Sequence[Any], schema: Any) -> Iterator[str]:
    if not any(fits(schema, value) for value in options):
        yield f"no value of {tool}.{name} fits its schema: {json.dumps(options, ensure_ascii=False)}"
