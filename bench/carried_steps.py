"""What a step costs where the model is carried, with 30 tools: beside `off`, and against the length of the run."""

import json
import time
from collections.abc import Callable
from statistics import mean, median, quantiles
from typing import Any

import purestep
from bench.carry.sets import catalogue, task_set
from bench.figures import Figure, cpu_us

TOOLS = 30
REQUEST = "What is the weather in Oslo today, and how many days are there between 2026-03-16 and 2026-04-01?"
"""Its words leave no choice, so the run goes on without a model."""
OPEN_REQUEST = "Please convert 80 EUR to USD and save the result as a note"
"""Its words leave a choice, so the model is asked, with a prompt and a constraint of its own."""

SETS = ("plain", "lean", "hard", "daily", "third")
EVERY = 5
"""Each fifth request of these sets, some fifty in all: what people ask for, in one step and in several."""
ROUNDS = 21


class CarriedRun:
    """A run that is asked the same again and again, until its transcript has the length wanted."""

    def __init__(self, level: str, messages: int = 0) -> None:
        self._agent = {"tools": _tools(), "models": [{"name": "m", "carry": level}]}
        self.decision: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self._take(agent=self._agent, run_id="bench", observation=_said(REQUEST))
        while self.decision["type"] == "invoke_tool" or self.state["messages"] < messages:
            self._take(state=self.state, observation=self.observation())

    def _take(self, **given: Any) -> None:
        output = json.loads(purestep.run_agent_step(json.dumps(given)))
        self.state, self.decision = output["state"], output["decision"]

    def observation(self) -> dict[str, Any]:
        """Give what comes next: results, or the same request."""
        if self.decision["type"] != "invoke_tool":
            return _said(REQUEST)
        results = [{"call_id": call["call_id"], "ok": True, "output": 42} for call in self.decision["calls"]]
        return {"type": "tool_results", "results": results}

    def asked(self, request: str = REQUEST) -> str:
        """Give the input of a step in which a run that has ended is asked something."""
        return json.dumps({"state": self.state, "observation": _said(request)})


def _tools() -> list[dict[str, Any]]:
    known = catalogue()
    wanted = ("get_weather", "convert_currency", "note_add")
    others = [name for name in sorted(known) if known[name].spec["name"] not in wanted]
    first = [name for name in sorted(known) if known[name].spec["name"] in wanted]
    specs = {known[name].spec["name"]: known[name].spec for name in (*first, *others)}
    return list(specs.values())[:TOOLS]


def _said(request: str) -> dict[str, Any]:
    return {"type": "user_message", "content": request}


def measure() -> list[Figure]:
    """Measure the step that takes a request, at `off` and `route`, at two lengths, and of requests not read before."""
    step = purestep.run_agent_step
    off, route, long = CarriedRun("off"), CarriedRun("route"), CarriedRun("route", 10_000)
    first, last, asked = route.asked(), long.asked(), route.asked(OPEN_REQUEST)
    answered = json.dumps({"state": off.state, "observation": {"type": "model_output", "content": "42"}})
    plain = json.dumps({"state": json.loads(step(answered))["state"], "observation": _said(REQUEST)})
    calls: list[Callable[[], object]] = [
        lambda: step(plain),
        lambda: step(first),
        lambda: step(last),
        lambda: step(asked),
    ]
    at_off, at_first, at_last, at_asked = cpu_us(calls, 50)
    unread = unread_us(route)
    return [
        Figure(f"a request with {TOOLS} tools at `off`", at_off, "µs"),
        Figure("at `route`, decided by its words", at_first, "µs", at_most=1000),
        Figure("at `route` and 10,000 messages to the beginning", at_last / at_first, "times", at_most=1.5),
        Figure("at `route`, with a choice left to the model", at_asked, "µs", at_most=1000),
        Figure(f"at `route`, mean of {len(unread)} requests not read before", mean(unread), "µs", at_most=1000),
        Figure("at `route`, nine of ten of these take less than", quantiles(unread, n=10)[-1], "µs"),
    ]


def unread_us(run: CarriedRun) -> list[float]:
    """Give the median CPU microseconds of the step that takes each of many requests, which it never saw as they are."""
    requests = [task.query for name in SETS for task in task_set(name).tune][::EVERY]
    taken: list[list[float]] = [[] for _ in requests]
    for more in range(ROUNDS):
        for request, times in zip(requests, taken, strict=True):
            asked = run.asked(request + " " * more)  # another text with the same words
            began = time.process_time_ns()
            purestep.run_agent_step(asked)
            times.append((time.process_time_ns() - began) / 1000)
    return [median(times) for times in taken]
