"""Runs of many kinds, made by a random script: what attacks on logs, states and calls are made from."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import purestep

from .mutation import happens

Json = dict[str, Any]

READS: Final = {"readOnlyHint": True}
_NUMBERS: Final = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
}
_TEXT: Final = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
TOOLS: Final[list[Json]] = [
    {"name": "add", "parameters": _NUMBERS, "annotations": READS},
    {"name": "shell", "parameters": _TEXT, "approval": "ask"},
    {"name": "erase", "parameters": _TEXT, "approval": "deny"},
    {
        "name": "mail",
        "parameters": _TEXT,
        "annotations": {"readOnlyHint": False},
        "checks": [{"not": {"pattern": "lost"}}],
    },
]
DEFINITIONS: Final[list[Json | None]] = [
    None,
    {"tools": TOOLS},
    {"tools": TOOLS, "dialect": "native", "limits": {"max_parallel": 2}},
    {"tools": TOOLS, "dialect": "tool_tags", "policies": [{"use": "coerce"}]},
    {"tools": TOOLS, "dialect": "bare", "approval": {"default": "ask", "tools": {"add": "auto"}}},
    {
        "tools": TOOLS,
        "limits": {"deadline_ms": 3000, "max_tool_calls": 6, "max_corrections": 2, "max_output_tokens": 90},
    },
    {
        "tools": TOOLS[:2],
        "models": [{"name": "s", "window_tokens": 100}, {"name": "l"}],
        "limits": {"max_corrections": 0},
    },
    {
        "tools": TOOLS[:1],
        "answer_schema": {"type": "object", "required": ["sum"]},
        "checks": ["planning"],
    },
]


@dataclass(kw_only=True)
class ScriptedRun:
    """One run: its definition, what it was told, and the outcome of each step.

    is_whole: it was driven in the whole-state form. states: after each step, the small state. log, head: as written.
    """

    definition: Json | None
    is_whole: bool
    run_id: str | None
    begun: str = ""
    """The whole state that it began with."""
    observations: list[Json] = field(default_factory=list)
    states: list[Json] = field(default_factory=list)
    decisions: list[Json] = field(default_factory=list)
    inputs: list[Json] = field(default_factory=list)
    log: str = ""

    @property
    def head(self) -> str:
        """The chain's head after the last line."""
        return str(self.states[-1]["head"])

    def take(self, observation: Json) -> bool:
        """Take one observation; tells whether the step did, and leaves the run as it was if not."""
        given = self._input(observation)
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        if "error" in output:
            if output["error"]["code"] == "internal_error":
                raise AssertionError(f"a scripted run was refused: {output} for {given}")
            return False
        self.begun = output.get("state_json", self.begun)
        state = json.loads(self.begun)["run"] if self.is_whole else output["state"]
        self.inputs.append(given)
        self.observations.append(observation)
        self.states.append(state)
        self.decisions.append(output["decision"])
        self.log += output["log"]
        return True

    def _input(self, observation: Json) -> Json:
        if self.is_whole:
            return {"state_json": self.begun, "observation": observation}
        given: Json = {"observation": observation}
        if self.definition is not None:
            given["agent"] = self.definition
        return {**given, "state": self.states[-1]} if self.states else {**given, "run_id": self.run_id}


Observations = Callable[[ScriptedRun], Json | None]
"""Gives the next observation of a run, or None for its end."""


@lru_cache(maxsize=4096)
def scripted_run(seed: int) -> ScriptedRun:
    """Return the run of a seed: another seed, another definition, form and script."""
    chance = random.Random(seed)
    definition = DEFINITIONS[seed % len(DEFINITIONS)]
    run = ScriptedRun(definition=definition, is_whole=happens(chance, 40), run_id=f"run-{seed}")
    clock = chance.choice([None, 1000])
    if run.is_whole:
        run.begun = _begun(run, chance)
    else:
        run.take(_timed({"type": "user_message", "content": f"Question {seed} — 17?"}, clock))
    for step in range(chance.randint(2, 14)):
        now = None if clock is None else clock + 400 * step
        for _ in range(9):
            if run.take(_timed(_next(run, chance), now)):
                break
    return run


def _begun(run: ScriptedRun, chance: random.Random) -> str:
    source = None if run.definition is None else json.dumps(run.definition)
    if run.definition is None and happens(chance, 40):
        history = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
        return json.dumps({"history": history, "is_complete": False, "final_answer": None})
    return purestep.create_agent_state("What is 1 plus 2?", source, chance.choice([None, run.run_id]))


def _timed(observation: Json, at: int | None) -> Json:
    return observation if at is None else {**observation, "at": at}


def _next(run: ScriptedRun, chance: random.Random) -> Json:
    """Return an observation that the run takes now, most of the time."""
    if not run.decisions:
        return _output(run, chance)
    decision = run.decisions[-1]
    if happens(chance, 4):
        return {"type": "cancel", "reason": chance.choice([None, "enough"])}
    match decision["type"]:
        case "request_approval":
            return {
                "type": "approvals",
                "approvals": [_approval(call, chance) for call in _some(decision["calls"], chance)],
            }
        case "invoke_tool":
            if run.definition is None and run.is_whole and happens(chance, 40):
                return _output(run, chance)
            return {
                "type": "tool_results",
                "results": [_result(call, chance) for call in _some(decision["calls"], chance)],
            }
        case "done" | "failed":
            return {"type": "user_message", "content": chance.choice(["More.", "And 3?", ""])}
        case _:
            return _output(run, chance)


def _some(calls: list[Json], chance: random.Random) -> list[Json]:
    chosen = chance.sample(calls, chance.randint(1, len(calls)))
    return chosen


def _approval(call: Json, chance: random.Random) -> Json:
    answer: Json = {"call_id": call["call_id"], "key": call["key"], "approved": happens(chance, 70)}
    if happens(chance, 30):
        answer["params"] = {**call["params"], "text": "edited"}
    return answer if answer["approved"] else {**answer, "reason": "no"}


def _result(call: Json, chance: random.Random) -> Json:
    if happens(chance, 20):
        return {"call_id": call["call_id"], "ok": False, "error": "broken", "error_kind": chance.choice([None, "io"])}
    output = chance.choice(["", None, "ok", 3, "total 0", "a long enough text", {"sum": 3}, ["x", 1.5], "it was lost"])
    return {"call_id": call["call_id"], "ok": True, "output": output}


def _output(run: ScriptedRun, chance: random.Random) -> Json:
    """Return what a model says next: a call, several, an answer, or something wrong."""
    act = chance.random()
    if act < 0.08:  # noqa: PLR2004
        code = chance.choice(["timeout", "overflow", "rate_limit"])
        return {"type": "model_error", "code": code, "message": "busy", "retryable": happens(chance, 80)}
    if act < 0.2:  # noqa: PLR2004
        return _said(
            chance.choice(["", "I will now add.", "{", '{"tool":"add"', "[TOOL_CALL]{", "Fine: 3.", '{"sum":3}'])
        )
    if act < 0.35:  # noqa: PLR2004
        return _said(_answer(run, chance))
    calls = [_call(chance) for _ in range(chance.choice([1, 1, 2, 3]))]
    usage = chance.choice([None, {"prompt_tokens": 9, "completion_tokens": 7}])
    if _dialect(run) == "native":
        functions = [{"type": "function", "function": {"name": n, "arguments": json.dumps(a)}} for n, a in calls]
        return {"type": "model_output", "content": None, "tool_calls": functions, "usage": usage}
    return {**_said(_written(_dialect(run), calls)), "finish_reason": "stop", "usage": usage}


def _dialect(run: ScriptedRun) -> str:
    return "bare" if run.definition is None else str(run.definition.get("dialect", "envelope"))


def _said(text: str) -> Json:
    return {"type": "model_output", "content": text}


def _answer(run: ScriptedRun, chance: random.Random) -> str:
    answer = chance.choice(["The sum is 3.", '{"sum": 3}'])
    return json.dumps({"kind": "final", "content": answer}) if _dialect(run) == "envelope" else answer


def _call(chance: random.Random) -> tuple[str, Json]:
    name = chance.choice(
        ["add", "add", "shell", "mail", "erase", "nothing"] if happens(chance, 30) else ["add", "shell", "mail"]
    )
    if name == "add":
        return name, {"a": chance.choice([1, 2, 2.5, "2"]), "b": chance.choice([1, 2**60])}
    return name, {"text": chance.choice(["ls", "pwd", "ls"])}


def _written(dialect: str, calls: list[tuple[str, Json]]) -> str:
    match dialect:
        case "bare":
            return json.dumps({"tool": calls[0][0], **calls[0][1]})
        case "tool_tags":
            return "\n".join(f"[TOOL_CALL]{json.dumps({'name': n, 'args': a})}[/TOOL_CALL]" for n, a in calls)
        case _:
            return json.dumps([{"kind": "tool_call", "tool_name": n, "arguments": a} for n, a in calls])
