"""Prints a task's requests, outputs, calls and verdict, for looking at what went wrong."""

import json
from typing import Any

from bench.carry.models import Asked
from bench.carry.runs import Outcome


def shown(outcome: Outcome, level: str) -> str:
    """Give the whole course of one task as text."""
    task = outcome.task
    lines = [f"=== {task.id} at {level}: {outcome.wrong or 'right'}", f"question: {task.query}", f"tools: {task.box}"]
    lines += [f"expected: {tool} {json.dumps(arguments, ensure_ascii=False)}" for tool, arguments in task.calls]
    seen: list[Any] = []
    for number, asked in enumerate(outcome.asked, 1):
        lines += _of_request(number, asked, seen)
        seen = asked.request.messages
    lines += [
        f"call: {call.tool} {json.dumps(call.params, ensure_ascii=False)} -> {call.output}" for call in outcome.ran
    ]
    lines += [f"log: {line}" for line in outcome.log.split("\n") if _is_of_note(line)]
    return "\n".join([*lines, f"ended: {outcome.ended}", ""])


def _of_request(number: int, asked: Asked, seen: list[Any]) -> list[str]:
    """Give a request's messages, without those at the start that the request before had too."""
    messages, same = asked.request.messages, 0
    while same < min(len(seen), len(messages)) and seen[same] == messages[same]:
        same += 1
    counts = f"{asked.prompt_tokens} tokens in, {asked.completion_tokens} out, {asked.cpu_s:.2f} s"
    lines = [f"--- model call {number}: {counts}" + (f"; {same} messages as before" if same else "")]
    lines += [f"  {each['role']}: {_content(each)}" for each in messages[same:]]
    if asked.request.response_format:
        held = asked.request.response_format.get("json_schema", {}).get("schema")
        lines.append(f"  constraint: {json.dumps(held, ensure_ascii=False)[:3000]}")
    return [*lines, f"  OUTPUT: {asked.output}"]


def _content(message: dict[str, Any]) -> str:
    return str(message.get("content")).replace("\n", "\n    ")


def _is_of_note(line: str) -> bool:
    return bool(line) and json.loads(line).get("kind") in ("decided", "switched", "correction", "verdict", "run_failed")
