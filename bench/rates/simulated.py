"""Models that can do a share of each kind of request, which is data, and requests of four kinds.

Whether a model can do a request is drawn once for each: one that cannot fails again after a correction, as models do.
What it says then is mostly seen by the core (arguments that do not fit), and sometimes not: a wrong answer. Of a
request of several steps it does the first and fails at the second, unless it is asked step by step and can do that.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

import purestep
from bench.rates.ways import MIXED_WAYS, STEP_WAYS, WAYS, Outcome, WayFigures, models_of, policies_of
from purestep_formats import RateProfile, rates_of

TRAINING_RUNS: Final = 800
"""Requests of each model from whose logs the profile is folded."""
UNSEEN: Final = 0.1
"""Of the requests that a model cannot do, those whose wrong answer no check finds."""

_NUMBER: Final = {"type": "number"}
_FLAT: Final = {"type": "object", "properties": {"a": _NUMBER, "b": _NUMBER}, "required": ["a", "b"]}
_NESTED: Final = {
    "type": "object",
    "properties": {"sum": {**_FLAT, "additionalProperties": False}},
    "required": ["sum"],
}


class Kind(Struct, frozen=True, kw_only=True):
    """A kind of request: its tools, its words, and the share of such requests that each model can do.

    steps: calls one after another. by_steps: the share that each model can do where it is asked for one at a time.
    """

    name: str
    tools: int
    nested: bool
    words: int
    can: dict[str, float]
    steps: int = 1
    by_steps: dict[str, float] = {}


KINDS: Final = (
    Kind(name="two tools", tools=2, nested=False, words=8, can={"small": 0.97, "medium": 0.98, "large": 0.99}),
    Kind(name="twelve tools", tools=12, nested=False, words=8, can={"small": 0.62, "medium": 0.96, "large": 0.99}),
    Kind(name="nested arguments", tools=2, nested=True, words=8, can={"small": 0.45, "medium": 0.78, "large": 0.98}),
    Kind(name="a long request", tools=2, nested=False, words=300, can={"small": 0.80, "medium": 0.97, "large": 0.99}),
)
STEPS: Final = Kind(
    name="three steps",
    tools=2,
    nested=False,
    words=24,
    can={"small": 0.40, "medium": 0.75, "large": 0.98},
    steps=3,
    by_steps={"small": 0.93, "medium": 0.97, "large": 0.99},
)
MODELS: Final = [
    {"name": name, "supports": ["json_schema"], "price": {"input": price * 1_000_000, "output": 4 * price * 1_000_000}}
    for name, price in (("small", 1), ("medium", 5), ("large", 25))
]


class Request(Struct, frozen=True):
    """A request: its kind, and what each model does with it, drawn before it is asked."""

    kind: Kind
    does: dict[str, str]
    by_steps: dict[str, str]


def request_of(seed: str, kinds: Sequence[Kind] = KINDS) -> Request:
    """Draw a request; the same seed gives the same one for every way."""
    chance = random.Random(seed)
    kind = chance.choice(kinds)
    level = chance.random()  # the same request is hard or easy for all models
    missed = "unseen" if chance.random() < UNSEEN else "fails"
    return Request(
        kind,
        *[
            {name: "right" if level < share else missed for name, share in shares.items()}
            for shares in (kind.can, kind.by_steps or kind.can)
        ],
    )


def measure(number: int, kinds: Sequence[Kind] = KINDS, ways: Sequence[str] = WAYS) -> list[WayFigures]:
    """Fold the profile from runs of each model alone, then run so many other requests in each way."""
    profile = RateProfile()
    for model in MODELS:
        for seed in range(TRAINING_RUNS):
            log, _ = _run(request_of(f"train {model['name']} {seed}", kinds), [model], [])
            profile = rates_of(log, profile)
    return [WayFigures(way=way, outcomes=tuple(_outcomes(way, profile, number, kinds))) for way in ways]


def measure_steps(number: int) -> list[WayFigures]:
    """Run so many requests of several steps, with plans and without."""
    return [WayFigures(way=way, outcomes=tuple(_outcomes(way, None, number, (STEPS,)))) for way in STEP_WAYS]


def measure_mixed(number: int) -> list[WayFigures]:
    """Run so many requests of all kinds, those of several steps among them, by rates with plans and without."""
    return measure(number, (*KINDS, STEPS), MIXED_WAYS)


def _outcomes(way: str, profile: RateProfile | None, number: int, kinds: Sequence[Kind]) -> Iterator[Outcome]:
    models, policies = models_of(way, MODELS), policies_of(way, profile)
    for seed in range(number):
        yield _run(request_of(f"test {seed}", kinds), models, policies)[1]


def _run(request: Request, models: list[dict[str, Any]], policies: list[dict[str, Any]]) -> tuple[str, Outcome]:
    kind = request.kind
    schema = _NESTED if kind.nested else _FLAT
    names = ["add", *(f"other_{index}" for index in range(kind.tools - 1))]
    tools = [{"name": name, "parameters": schema, "annotations": {"readOnlyHint": True}} for name in names]
    agent = purestep.Agent.load({"tools": tools, "models": models, "policies": policies})
    step = purestep.start(agent, purestep.UserMessage(content="add 17 and 25 " * (kind.words // 4)), "run")
    log, asked, made, is_planned = step.log, 0, 0, False
    while not isinstance(step.decision, purestep.Done | purestep.Failed):
        if isinstance(step.decision, purestep.CallModel):
            asked += 1
            is_planned = is_planned or step.decision.reason == "step"
            observation: Any = _said(request, step.decision, made, is_planned)
        else:
            made += 1
            call = step.decision.calls[0]  # type: ignore[union-attr]
            observation = purestep.ToolResults(results=(purestep.ToolResult(call_id=call.call_id, ok=True, output=42),))
        step = purestep.step(step.state, observation)
        log += step.log
    answer = step.decision.answer if isinstance(step.decision, purestep.Done) else ""
    return log, Outcome(right=answer == "42", cost=step.state.exchange.used.cost, model_calls=asked)


def _said(request: Request, decision: purestep.CallModel, made: int, is_planned: bool) -> purestep.ModelOutput:
    """Return what the model says after so many calls; is_planned: it is asked step by step."""
    kind, model = request.kind, str(decision.model)
    if decision.reason == "plan":
        text = "\n".join(f"{number}. Add 17 and 25 with add." for number in range(1, kind.steps - made + 1))
    else:
        does = (request.by_steps if is_planned else request.does)[model]
        text = msgspec.json.encode(_act(kind, does, decision, made, is_planned)).decode()
    size = 120 * kind.tools + kind.words
    return purestep.ModelOutput(
        content=text,
        usage=purestep.Usage(prompt_tokens=size, completion_tokens=20),
        request={"model": model, "constraint": "json_schema"},
    )


def _act(kind: Kind, does: str, decision: purestep.CallModel, made: int, is_planned: bool) -> dict[str, Any]:
    ends_step = is_planned and decision.reason == "tool_results"
    if ends_step or made == kind.steps:
        return {"kind": "final", "content": "42"}
    is_right = does == "right" or (made == 0 and kind.steps > 1)
    if does == "unseen" and not is_right:
        return {"kind": "final", "content": "43"}
    numbers: dict[str, Any] = {"a": 17, "b": 25 + made} if is_right else {"a": 17}
    return {"kind": "tool_call", "tool_name": "add", "arguments": {"sum": numbers} if kind.nested else numbers}
