"""Prompts of a run only grow at their end: a server's cache has all of the request before, byte for byte."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

import purestep
from purestep_hosts.models.model import ModelRequest
from tests.examples import ARE_ALL_WANTED
from tests.report.random_definitions import random_definition
from tests.report.random_runs import RandomRun, run_of
from tools.prompt_prefixes import Asked, Conversation, bodies_of, written

_decision = msgspec.json.Decoder(purestep.Decision).decode
_messages = msgspec.json.Decoder(list[purestep.Message]).decode

BODIES = bodies_of()
_RUNS = 4000 if ARE_ALL_WANTED else 400


def a_run(seed: int, *, native: bool) -> RandomRun | None:
    """Return a random run, in the dialect `native` or another one; None where its definition is not for that.

    A model that is carried is offered other tools for each request, which is what carries it.
    """
    chance = random.Random(f"caching {seed}")
    definition = random_definition(chance)
    for model in definition.get("models", ()):
        model.pop("carry", None)
    given = {**definition, "dialect": "native"} if native else definition
    return None if purestep.load_agent(json.dumps(given)).startswith("{") else run_of(given, seed, chance)


def requests(run: RandomRun) -> Iterator[Asked]:
    """Yield the requests of a run's conversation."""
    conversation = Conversation()
    for step in run.steps:
        parts = step.output.split("\n")
        if len(parts) > 1:
            asked = conversation.asked(tuple(_messages(parts[1])), json.loads(parts[2]), _decision(parts[3]))
            if asked is not None:
                yield asked


@pytest.mark.parametrize("native", [True, False], ids=["native", "text"])
def test_a_request_begins_with_the_one_before(native: bool) -> None:
    """For each protocol: tools, schema, system and messages, unless a line of the log says why not.

    Where calls are written in the text, a constraint is part of no prompt: it is only for servers in which it is none.
    """
    seen: Counter[str] = Counter()
    for seed in range(_RUNS):
        run = a_run(seed, native=native)
        before: dict[str, str] = {}
        model: str | None = None
        for asked in [] if run is None else requests(run):
            same, model = model == asked.request.model, asked.request.model
            for name, body in BODIES.items():
                text = written(name, body(asked.request), with_schema=native)
                held = name in before and same and not asked.begins and not asked.may_differ
                assert not held or text.startswith(before[name]), f"seed {seed}, {name}: {text[:2000]}"
                before[name] = text
                seen["held" if held else "told" if asked.may_differ else "first"] += 1
    assert seen["held"] > _RUNS
    assert seen["told"] > _RUNS // 4


@pytest.mark.parametrize("name", BODIES)
def test_what_is_compared_has_all_that_a_cache_has(name: str) -> None:
    """Another tool, a word more in the system text, or another schema is another beginning."""
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    answer = {"type": "json_schema", "json_schema": {"name": "answer", "schema": {"type": "object"}}}

    def text(*, system: str = "Be brief.", tools: Any = (tool,), said: str = "Hi", schema: Any = None) -> str:
        messages = [{"role": "system", "content": system}, {"role": "user", "content": said}]
        request = ModelRequest(messages=messages, tools=[*tools], response_format=schema)
        return written(name, BODIES[name](request))

    first = text()
    assert first == text()
    others = [text(system="Be brief!"), text(tools=(tool, {**tool, "function": {"name": "b"}})), text(said="Ho")]
    assert [] == [other for other in others if other.startswith(first)]
    if name != "google":
        assert not text(schema=answer).startswith(first)
