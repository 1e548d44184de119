"""Runs of the scenarios, played against the core of this checkout."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from .modules import agents, histories, step_scenarios
from .observations import WholeScenario
from .record import Vector, called, compact


class PlayedRun(NamedTuple):
    """The steps of a run of the delta form, and what it left."""

    steps: tuple[Vector, ...]
    definition: dict[str, Any] | None
    state: dict[str, Any] | None
    log: str
    last: tuple[str, str]
    """The log of the last step, and the state before it."""


@cache
def played(name: str) -> PlayedRun:
    """Play a run of the delta form."""
    agent, observations = step_scenarios()[name]
    definition, state, log, last = agents()[agent], None, "", ("", "")
    steps: list[Vector] = []
    for number, observation in enumerate(observations, 1):
        given: dict[str, Any] = {"agent": definition, "observation": with_keys(observation, state)}
        if state is None:
            given |= {"run_id": name, **({"history": histories()[name]} if name in histories() else {})}
        else:
            given["state"] = state
        steps.append(called(f"{name}/{number}", "run_agent_step", compact(given)))
        output = json.loads(steps[-1].output)
        if "error" not in output:
            last = (output["log"], compact(state))
            state, log = output["state"], log + output["log"]
            if observation["type"] == "agent_changed":
                definition = observation["agent"]
    return PlayedRun(tuple(steps), definition, state, log, last)


def with_keys(observation: dict[str, Any], state: dict[str, Any] | None) -> dict[str, Any]:
    """Fill in the keys of pending calls, which a scenario names as $call_N; those of an agent as $desk/call_N.

    Its run is $desk.
    """
    text = json.dumps(observation)
    for name, key in _names(state or {}, "$"):
        text = text.replace(f'"{name}"', f'"{key}"')
    filled: dict[str, Any] = json.loads(text)
    return filled


def _names(state: dict[str, Any], before: str) -> Iterator[tuple[str, str]]:
    for pending in state.get("pending", ()):
        yield f"{before}{pending['call_id']}", pending["key"]
        if child := pending.get("child"):
            yield f"{before}{pending['tool']}", child["run_id"]
            yield from _names(child, f"{before}{pending['tool']}/")


def step_vectors(name: str) -> Iterator[Vector]:
    """Yield the steps of a run, and its last decision asked again."""
    run = played(name)
    yield from run.steps
    given = compact({"agent": run.definition, "state": run.state})
    yield called(f"{name}/again", "run_agent_step", given)
    yield called(f"{name}/again-lines", "run_agent_step_lines", given)


def replay_vectors(name: str, explained: bool) -> Iterator[Vector]:
    """Yield what is asked of the log of a run: replayed, verified, verified with a change, redriven and explained."""
    run = played(name)
    yield called(f"{name}/replay", "replay_log", run.log)
    yield called(f"{name}/replay-lines", "replay_log_lines", run.log)
    yield called(f"{name}/verify", "verify_log", run.log, (run.state or {}).get("head", ""))
    if explained:
        yield called(f"{name}/redrive", "redrive_log", run.log)
        yield called(f"{name}/redrive-bare", "redrive_log", run.log, "{}")
        yield called(f"{name}/check-change", "check_change", compact(run.state), compact(run.definition), "{}")
        yield called(f"{name}/cache", "project_log", compact({"form": "cache", "log": run.log}))
        yield called(f"{name}/policy-diff", "policy_diff_log", run.log, "{}")
        yield called(f"{name}/explain", "explain_log", run.log)
        yield called(f"{name}/explain-last", "explain_log", *run.last)
    yield called(f"{name}/changed", "verify_log", run.log.replace("Add", "add", 1).replace("17", "18", 1))


def whole_vectors(name: str, scenario: WholeScenario) -> Iterator[Vector]:
    """Play a run of the whole-state form."""
    query, agent, steps = scenario
    definition = agents()[agent]
    created = called(
        f"{name}/create", "create_agent_state", *([query] if definition is None else [query, compact(definition)])
    )
    yield created
    state_json = created.output
    for number, step in enumerate(steps, 1):
        run = json.loads(state_json).get("run") if "observation" in step else None
        filled = {**step, "observation": with_keys(step["observation"], run)} if run else step
        vector = called(f"{name}/{number}", "run_agent_step", compact({"state_json": state_json, **filled}))
        yield vector
        state_json = json.loads(vector.output).get("state_json", state_json)
    yield called(f"{name}/again", "run_agent_step", compact({"state_json": state_json}))
