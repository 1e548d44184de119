"""The bundled model beside a scripted one that knows the keys: tasks of strangers, one half for the profile.

The scripted model stands for a capable one: it makes the calls of a task's key, asks where a value lacks, and answers.
What is right is judged by the keys, for the profile too, as an evaluation does.
"""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from typing import Any, Final

import purestep
from bench.rates.ways import STEP_WAYS, WAYS, Outcome, WayFigures, models_of, policies_of
from bench.small_model.runs import run_logged
from bench.small_model.tasks import SETS, Task, read_set
from purestep import ModelOutput, Usage
from purestep.agent import corrections
from purestep.bounds import MAX_PLAN_STEPS, MIN_PLAN_STEPS
from purestep_formats import RateProfile, rates_of
from purestep_hosts.download import default_model
from purestep_hosts.models.adapters import adapted_model, adapter_file
from purestep_hosts.models.llamacpp import LlamaCppModel, LlamaCppOptions
from purestep_hosts.models.model import Model, ModelRequest, ReplySink
from purestep_hosts.models.named import BUNDLED, named_model
from purestep_hosts.models.scripted import ScriptedModel

CAPABLE: Final = "capable"
_PRICES: Final = {
    "small": {"input": 1_000_000, "output": 4_000_000},
    CAPABLE: {"input": 25_000_000, "output": 100_000_000},
}
"""One asks 25 times as much as the other, as the largest models of a vendor do of its smallest."""


_ASKS_PLAN: Final = corrections.ask_plan(MIN_PLAN_STEPS, MAX_PLAN_STEPS)


class TwoModels:
    """Asks the model that a request names: the bundled one, or the script of the task at hand."""

    name = "two"

    def __init__(self, bundled: Model) -> None:
        self._bundled = bundled
        self.script = ScriptedModel([])
        self.plan = ModelOutput()

    def complete(self, request: ModelRequest, reply: ReplySink) -> Any:
        """Ask once."""
        if request.model == CAPABLE:
            is_plan = str(request.messages[-1].get("content")) == _ASKS_PLAN
            return (ScriptedModel([self.plan]) if is_plan else self.script).complete(request, reply)
        return self._bundled.complete(request, reply)

    def stop(self) -> None:
        """Give up the reply that is awaited."""
        self._bundled.stop()


def measure(limit: int) -> Iterator[tuple[str, list[WayFigures]]]:
    """Yield a title and the figures of each way, over the second half of so many tasks twice."""
    tasks = [task for path in sorted(SETS.glob("*.jsonl")) for task in read_set(path)]
    random.Random(0).shuffle(tasks)
    train, test = tasks[:limit], tasks[limit : 2 * limit]
    named = named_model(BUNDLED)
    agent = purestep.Agent.load(named.defined({}))
    path, options = default_model(), LlamaCppOptions(n_threads=1)
    adapted = adapted_model(agent)
    assert adapted is not None  # the bundled model is asked as it was taught
    with closing(LlamaCppModel(path, options, name=adapted.name, adapter=adapter_file(adapted, path))) as bundled:
        model = TwoModels(bundled)
        profile = RateProfile()
        for way in (WAYS[0], WAYS[2]):
            for task in train:
                run, log = _run(task, model, way, named, None)
                profile = rates_of(log, profile, right=run.right)
        figures = []
        for way in WAYS:
            outcomes = tuple([_run(task, model, way, named, profile)[0] for task in test])
            figures.append(WayFigures(way=way, outcomes=outcomes))
        yield f"{len(test)} tasks of strangers, {len(train)} others for the profile", figures
        several = [task for task in tasks if len(task.calls) > 1][:limit]
        yield (
            f"{len(several)} tasks of several calls",
            [
                WayFigures(way=way, outcomes=tuple([_run(task, model, way, named, None)[0] for task in several]))
                for way in STEP_WAYS
            ],
        )


def _run(task: Task, model: TwoModels, way: str, named: Any, profile: RateProfile | None) -> tuple[Outcome, str]:
    model.script, model.plan = ScriptedModel(_key_of(task)), _plan_of(task)

    def defined(members: dict[str, Any]) -> dict[str, Any]:
        made = named.defined(members)
        small = {**made["models"][0], "price": _PRICES["small"]}
        capable = {"name": CAPABLE, "supports": [], "price": _PRICES[CAPABLE]}
        policies = [*made.get("policies", ()), *policies_of(way, profile)]
        return {**made, "models": models_of(way, [small, capable]), "policies": policies}

    run, log, cost = run_logged(task, model, defined)
    return Outcome(right=run.ending == "finished", cost=cost, model_calls=run.decisions), log


def _key_of(task: Task) -> list[ModelOutput]:
    """Return what a model says that does a task by its key, in the dialect of the bundled one."""
    said: list[Any] = [
        {"tool": call.tool, "args": {name: _first(each) for name, each in call.args.items()}} for call in task.calls
    ]
    answer = " ".join(options[0] for options in task.answer) or "Done."
    said.append({"ask": "Which one do you mean?"} if task.needs == "ask" else {"answer": answer})
    size = len(json.dumps([tool.input_schema for tool in task.tools])) // 4 + len(task.user) // 4 + 200
    usage = Usage(prompt_tokens=size, completion_tokens=30)
    return [ModelOutput(content=json.dumps(each, ensure_ascii=False), usage=usage) for each in said]


def _plan_of(task: Task) -> ModelOutput:
    """Return the steps of a task by its key, as the scripted model gives them."""
    steps = [
        f"Call {call.tool} with {json.dumps({name: _first(each) for name, each in call.args.items()})}."
        for call in task.calls
    ]
    text = "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))
    usage = Usage(prompt_tokens=len(task.user) // 4 + 200, completion_tokens=len(text) // 4)
    return ModelOutput(content=text, usage=usage)


def _first(acceptable: Any) -> Any:
    return " ".join(acceptable["has"]) if isinstance(acceptable, dict) else acceptable[0]
