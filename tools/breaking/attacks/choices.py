"""Models that do not keep to a tool choice, and that make an effect again: runs of random outputs, results and answers.

A trial plays a run through the JSON function and keeps its own book of what ran: what the choice allows, what an answer
rests on, and which effects a person has let happen twice are judged by the book, not by the state.
"""

import json
import random
from typing import Any, Final

import purestep

from ..attack import Attack

_WORDS: Final = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
_TOOLS: Final = {
    "look": {"readOnlyHint": True},
    "plain": None,
    "wipe": {"destructiveHint": True},
    "send": {"readOnlyHint": False},
    "set": {"destructiveHint": True, "idempotentHint": True},
}
_ONCE: Final = ("wipe", "send")
"""The tools whose effects are not had twice."""
_CHOICES: Final = ("auto", "required", "none", *({"tool": name} for name in _TOOLS))
_SAID: Final = ("wipe ox", "look at ox and send ay", "Good day", "what is ay?", "\u00c4pfel \U0001f44d", "")
_STEPS: Final = 30


class _Book:
    """What happened in an exchange, as an onlooker writes it down."""

    def __init__(self, choice: Any) -> None:
        self.choice = choice
        self.first_done = self.has_result = False
        self.had: set[str] = set()
        """Effects that were had or may have been."""
        self.open: dict[str, tuple[str, str]] = {}
        """Calls of the turn: tool and what tells the call from others."""
        self.approved: set[str] = set()
        self.handed: set[str] = set()

    def judge(self, decision: dict[str, Any]) -> str | None:
        """Return what of a decision breaks a promise."""
        kind = decision["type"]
        if kind == "done" and self.choice not in ("auto", "none") and not self.has_result:
            return f"an answer without a result under {self.choice}"
        return self._judge_calls(kind, decision["calls"]) if kind in ("invoke_tool", "request_approval") else None

    def _judge_calls(self, kind: str, calls: list[dict[str, Any]]) -> str | None:
        if self.choice == "none":
            return "a call was taken where none is allowed"
        named = {call["tool"] for call in calls}
        if isinstance(self.choice, dict) and not self.first_done and named != {self.choice["tool"]}:
            return f"the first calls are {sorted(named)} under {self.choice}"
        for call in calls:
            self.open[call["call_id"]] = call["tool"], call["tool"] + json.dumps(call["params"], sort_keys=True)
            unasked = kind == "invoke_tool" and call["call_id"] not in self.approved | self.handed
            self.handed |= {call["call_id"]} if kind == "invoke_tool" else set()
            if unasked and call["tool"] in _ONCE and self.open[call["call_id"]][1] in self.had:
                return f"the same effect runs again unasked: {self.open[call['call_id']][1]}"
        return None

    def came(self, call_id: str, result: dict[str, Any]) -> None:
        """Write down a result."""
        self.first_done = True
        self.has_result |= result["ok"]
        if result["ok"] or result.get("error_kind") == "interrupted":
            self.had.add(self.open[call_id][1])


def _definition(rng: random.Random) -> dict[str, Any]:
    tools = [
        {"name": name, "description": f"To {name}.", "parameters": _WORDS, "annotations": hints, "approval": "auto"}
        for name, hints in _TOOLS.items()
    ]
    model = {"name": "m", "carry": rng.choice(("off", "ground"))}
    return {
        "dialect": rng.choice(("envelope", "tool_tags", "hermes_json", "native", "auto")),
        "tools": tools,
        "models": [model] if rng.random() < 0.7 else [],  # noqa: PLR2004
        "checks": rng.choice(([], ["planning"])),
        "tool_choice": rng.choice(_CHOICES),
        "limits": {"max_corrections": rng.randint(0, 3), "max_repeats": rng.randint(1, 4)},
        "approval": {"unknown_outcome": rng.choice(("ask", "fail"))},
    }


def _output(rng: random.Random) -> dict[str, Any]:
    """Return an output: calls beside the text, which every dialect takes, an answer, or neither."""
    if rng.random() < 0.3:  # noqa: PLR2004
        content = rng.choice(("It is done.", '{"kind":"final","content":"It is done."}', "", "<tool_call>{"))
        return {"type": "model_output", "content": content}
    calls = [
        {"type": "function", "function": {"name": rng.choice(tuple(_TOOLS)), "arguments": {"word": rng.choice("ab")}}}
        for _ in range(rng.choice((1, 1, 2, 3)))
    ]
    return {"type": "model_output", "tool_calls": calls}


def _results(rng: random.Random, book: _Book, calls: list[dict[str, Any]]) -> dict[str, Any]:
    results = []
    for call in rng.sample(calls, rng.randint(1, len(calls))):
        outcome: dict[str, Any] = rng.choice(
            (
                {"ok": True, "output": rng.choice((None, "ok", "x" * 9, "total 0", 7))},
                {"ok": False, "error": "busy"},
                {"ok": False, "error": "stopped", "error_kind": "interrupted"},
            )
        )
        book.came(call["call_id"], outcome)
        results.append({"call_id": call["call_id"], **outcome})
    return {"type": "tool_results", "results": results}


def _approvals(rng: random.Random, book: _Book, calls: list[dict[str, Any]]) -> dict[str, Any]:
    answers = []
    for call in calls:
        approved = rng.random() < 0.5  # noqa: PLR2004
        if approved:
            book.approved.add(call["call_id"])
        book.first_done = True  # the first call was made, also where it was refused
        answers.append({"call_id": call["call_id"], "key": call["key"], "approved": approved})
    return {"type": "approvals", "approvals": answers}


def _next(rng: random.Random, book: _Book, decision: dict[str, Any]) -> dict[str, Any]:
    match decision["type"]:
        case "call_model":
            return _output(rng)
        case "invoke_tool":
            return {"type": "resumed"} if rng.random() < 0.1 else _results(rng, book, decision["calls"])  # noqa: PLR2004
        case _:
            return _approvals(rng, book, decision["calls"])


def _message(rng: random.Random) -> dict[str, Any]:
    choice = rng.choice((None, *_CHOICES))
    message = {"type": "user_message", "content": rng.choice(_SAID)}
    return message if choice is None else {**message, "tool_choice": choice}


def unruly_run(rng: random.Random) -> str | None:
    """Play a run whose model keeps to nothing."""
    definition, state, log, book = _definition(rng), None, "", _Book("auto")
    observation = _message(rng)
    for _ in range(_STEPS):
        given = {"run_id": "r"} if state is None else {"state": state}
        output = json.loads(
            purestep.run_agent_step(json.dumps({"agent": definition, "observation": observation, **given}))
        )
        if "error" in output:
            return f"{observation} was refused: {output['error']}"
        if observation["type"] == "user_message":
            book = _Book(observation.get("tool_choice", definition["tool_choice"]))
        state, decision = output["state"], output["decision"]
        log += output["log"]
        broken = book.judge(decision)
        if broken is not None:
            return broken
        ended = decision["type"] in ("done", "failed")
        observation = _message(rng) if ended else _next(rng, book, decision)
    replayed = json.loads(purestep.replay_log(log))
    return None if replayed.get("state") == state else "the log gives another state"


ATTACKS: Final = (
    Attack(
        name="tool-choices",
        promise="a tool choice holds, and the same effect does not run twice in an exchange unasked",
        trial=unruly_run,
        least=80,
    ),
)
