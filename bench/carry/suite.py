"""Writes a task set as a suite for `purestep eval`: python -m bench.carry.suite SET HALF [NUMBER] > suite.jsonl

The tools come along as data: what the expected calls give is computed once, and any other call has no result.
"""

import json
import sys
from typing import Any

from bench.carry.sets import SimulatedTool, Task, task_set
from bench.carry.toolbox import SimulatedToolbox

_WORDS = ("any", "optional", "holds", "result")


def case_of(task: Task) -> dict[str, Any]:
    """Give the case of a task."""
    toolbox = SimulatedToolbox(task)
    calls: list[dict[str, Any]] = []
    results: dict[str, list[dict[str, Any]]] = {}
    outputs: list[Any] = []
    for tool, given in task.calls:
        several = given if isinstance(given, list) else [given]
        wanted = [{name: _wanted(value) for name, value in each.items()} for each in several]
        calls.append({"tool": tool, "arguments": wanted if len(wanted) > 1 else wanted[0]})
        params = {name: _first(value, outputs) for name, value in several[0].items() if value != {"optional": []}}
        came = toolbox.run(tool, params, "")
        outputs.append(came.get("output"))
        kept = {"output": came["output"]} if came["ok"] else {"error": came["error"]}
        results.setdefault(tool, []).extend({"arguments": _plain(each, outputs), **kept} for each in wanted)
    return {
        "id": task.id,
        "query": task.query,
        "tools": [_tool(tool, results.get(name, [])) for name, tool in toolbox.tools.items()],
        "calls": calls,
        **_answer(task),
    }


def _answer(task: Task) -> dict[str, Any]:
    wanted = {"contains": list(task.answer), "lacks": list(task.answer_not)}
    return {"answer": {name: value for name, value in wanted.items() if value}}


def _tool(tool: SimulatedTool, results: list[dict[str, Any]]) -> dict[str, Any]:
    hints = {**tool.spec.get("annotations", {}), "readOnlyHint": not tool.has_effects}
    return {**tool.spec, "annotations": hints, "results": results}


def _wanted(value: Any) -> Any:
    """Give an expected value as a suite has it: a text of words is compared without case and outer marks."""
    match value:
        case {"holds": words}:
            return {"$contains": words}
        case dict() if len(value) == 1 and (name := next(iter(value))) in _WORDS:
            inner = value[name]
            return {f"${name}": [_wanted(each) for each in inner] if isinstance(inner, list) else inner}
        case str() if " " in value or value.isalpha():
            return {"$text": value}
        case list():
            return [_wanted(each) for each in value]
    return value


def _first(value: Any, outputs: list[Any]) -> Any:
    """Give a value that an expected one allows."""
    match value:
        case {"any": [first, *_]} | {"optional": [first, *_]}:
            return _first(first, outputs)
        case {"holds": words}:
            return " ".join([words] if isinstance(words, str) else words)
        case {"result": number}:
            return outputs[number - 1]
        case list():
            return [_first(each, outputs) for each in value]
    return value


def _plain(arguments: dict[str, Any], outputs: list[Any]) -> dict[str, Any]:
    """Give the arguments of a canned result, in which no earlier result is named."""
    text: dict[str, Any] = json.loads(json.dumps(arguments))
    return {name: _resolved(value, outputs) for name, value in text.items()}


def _resolved(value: Any, outputs: list[Any]) -> Any:
    match value:
        case {"$result": int(number)}:
            return {"$any": [outputs[number - 1], str(outputs[number - 1])]}
        case dict():
            return {name: _resolved(each, outputs) for name, each in value.items()}
        case list():
            return [_resolved(each, outputs) for each in value]
    return value


if __name__ == "__main__":
    name, half, *more = sys.argv[1:]
    tasks = task_set(name).half("final" if half == "final" else "tune")
    for each in tasks[: int(more[0]) if more else None]:
        print(json.dumps(case_of(each), ensure_ascii=False))
