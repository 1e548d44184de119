"""Runs tasks with a simulated model through the step function, and counts their outcomes."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

import purestep
from bench.negotiation.flaky_model import FlakyModel, Task, output_of, request_of, simulated
from purestep.values import DEFAULT_RULES

WAYS: dict[str, dict[str, Any]] = {
    "without": {},
    "more corrections": {"limits": {"max_corrections": 4}},
    "moves without carry": {
        "policies": [
            {
                "use": "negotiation",
                "rules": [rule for rule in msgspec.to_builtins(DEFAULT_RULES) if rule["move"] != "carry"],
            }
        ]
    },
    "negotiation": {"policies": [{"use": "negotiation"}]},
}
"""What is compared: the definition as it is; with more tries but nothing changed; with rules that hold no arguments to
what was said; and with the default rules."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of one run. right: all calls in order, nothing else done, and the answer says what it must."""

    right: bool
    model_calls: int
    failed: int
    """Outputs that led to nothing."""
    switches: tuple[str, ...]


def definition_of(model: FlakyModel, way: str) -> dict[str, Any]:
    """Return the agent definition of a model's runs."""
    return {"tools": list(simulated().tools), "checks": ["echo"], **model.definition, **WAYS[way]}


def run_model(model: FlakyModel, way: str, number: int) -> Iterator[Outcome]:
    """Run so many tasks; each has its own seed, the same for every way."""
    definition = definition_of(model, way)
    for seed in range(number):
        chance = random.Random(f"{model.name} {seed}")
        yield run_task(model, definition, chance.choice(simulated().tasks), chance)


def run_task(model: FlakyModel, definition: dict[str, Any], task: Task, chance: random.Random) -> Outcome:
    """Run one task to its end."""
    agent = purestep.Agent.load(definition)
    step = purestep.start(agent, purestep.UserMessage(content=task.query), "run")
    transcript, log = list(step.messages), step.log
    done, extra, asked = 0, 0, 0
    while not isinstance(step.decision, purestep.Done | purestep.Failed):
        decision = json.loads(msgspec.json.encode(step.decision))
        if isinstance(step.decision, purestep.CallModel):
            asked += 1
            messages = msgspec.to_builtins(purestep.prompt_messages(step.decision, transcript))
            said = output_of(model, task, done, request_of(decision, messages), chance)
            observation: dict[str, Any] = {"type": "model_output", **said}
        elif isinstance(step.decision, purestep.RequestApproval):
            given = [{"call_id": call["call_id"], "key": call["key"], "approved": True} for call in decision["calls"]]
            observation = {"type": "approvals", "approvals": given}
        else:
            results = []
            for call in decision["calls"]:
                result, done, more = _result(task, done, call)
                extra += more
                results.append({"call_id": call["call_id"], **result})
            observation = {"type": "tool_results", "results": results}
        step = purestep.step(step.state, msgspec.convert(observation, purestep.Observation))
        transcript += step.messages
        log += step.log
    answer = step.decision.answer if isinstance(step.decision, purestep.Done) else ""
    right = done == len(task.calls) and not extra and task.answer.casefold() in answer.casefold()
    failed = sum(count for kind, count in _counted(log).items() if kind in ("correction", "run_failed", "tool_failed"))
    return Outcome(right=right, model_calls=asked, failed=failed, switches=_switches(log))


def _result(task: Task, done: int, call: dict[str, Any]) -> tuple[dict[str, Any], int, int]:
    """Return the result of a call, how many calls of the task are done, and whether it did what was not asked."""
    if done < len(task.calls):
        tool, arguments, output = task.calls[done]
        if call["tool"] == tool and call["params"] == arguments:
            return {"ok": True, "output": output}, done + 1, 0
    if call["tool"] == "save_note":
        return {"ok": True, "output": "saved"}, done, 1
    if call["tool"] == "list_files":
        return {"ok": True, "output": "a.txt, b.txt"}, done, 0
    error = f"{call['tool']} knows nothing of {', '.join(map(str, call['params'].values()))}"
    return {"ok": False, "error": error, "error_kind": "execution"}, done, 0


def _counted(log: str) -> Counter[str]:
    events = [json.loads(line) for line in log.split("\n") if line]
    return Counter("tool_failed" if event.get("ok") is False else event["kind"] for event in events)


def _switches(log: str) -> tuple[str, ...]:
    events = [json.loads(line) for line in log.split("\n") if '"kind":"switched"' in line]
    return tuple([event["what"] for event in events])
