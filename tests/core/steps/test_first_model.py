"""Requirement 39: rates of success choose the model of a request before its first call, as data and by data alone."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep_formats import rate_interval, rates_of
from tests.core.agents import agent, call, final, ok, said
from tests.core.driver import Driver, WholeDriver, altered, assert_replays

MODELS = [{"name": "small"}, {"name": "medium"}, {"name": "large"}]
KIND = {"tools": "1-3", "arguments": "flat", "attachments": False, "length": "0-200"}


def row(model: str, succeeded: int, runs: int, dialect: str = "envelope", **kind: Any) -> dict[str, Any]:
    """A row of a profile."""
    way = {"model": model, "dialect": dialect, "constraint": "none"}
    return {**way, "kind": {**KIND, **kind}, "runs": runs, "succeeded": succeeded}


def rated(*rows: dict[str, Any], least: int = 80, **members: Any) -> dict[str, Any]:
    """A definition that names rates."""
    rates = {"use": "rates", "profile": {"rows": list(rows)}, "least": least}
    return agent(models=MODELS, **{"policies": [rates], **members})


def asked(definition: dict[str, Any], query: str = "Hello") -> str:
    """The model that a question is asked first."""
    run = Driver(definition, query)
    assert_replays(run)
    (decided,) = run.events("decided")
    model: str = run.decision["model"]
    assert ("rates", model) == (decided["reason"], decided["model"])
    return model


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row("small", 40, 40), row("large", 40, 40)], "small"),
        ([row("small", 3, 3), row("large", 40, 40)], "large"),
        ([row("small", 20, 40), row("medium", 39, 40), row("large", 40, 40)], "medium"),
        ([], "small"),
        ([row("small", 20, 40)], "medium"),
        ([row("small", 3, 3)], "small"),
        ([row("small", 0, 40), row("medium", 0, 40), row("large", 0, 40)], "large"),
        ([row("small", 40, 40, dialect="native")], "small"),
        ([row("small", 0, 40, dialect="native"), row("medium", 40, 40)], "medium"),
        ([row("other", 40, 40)], "small"),
    ],
)
def test_the_smallest_model_that_surely_succeeds_is_asked(rows: list[dict[str, Any]], expected: str) -> None:
    """By the lower end of the interval; else the smallest of which that can still be, else the last."""
    assert expected == asked(rated(*rows))


def test_without_the_policy_nothing_changes() -> None:
    """Off unless named: the first model is asked, and no line says so."""
    run = Driver(agent(models=MODELS), "Hello")
    assert ("small", []) == (run.decision["model"], run.events("decided"))


def test_the_line_says_why() -> None:
    """With the kind of the request and the figures of each model, as they stand in the profile."""
    (decided,) = Driver(rated(row("small", 20, 40), row("medium", 39, 40)), "Hello").events("decided")
    low, high = rate_interval(20, 40)
    small = {"model": "small", "runs": 40, "succeeded": 20, "low": low, "high": high, "basis": list(KIND)}
    assert KIND == decided["request"]
    assert small == decided["rates"][0]
    assert {"model": "large", "runs": 0, "succeeded": 0, "low": 0, "high": 1000, "basis": []} == decided["rates"][2]


def test_a_wider_kind_counts_where_few_runs_are_of_the_whole_kind() -> None:
    """By less of the kind until there are ten runs; images are never counted with requests that have none."""
    long = row("small", 40, 40, length="1001-4000")
    assert "small" == asked(rated(row("small", 2, 3), long, row("large", 40, 40)))
    assert "large" == asked(rated(row("small", 5, 10), long, row("large", 40, 40)))
    nested = row("small", 40, 40, arguments="nested")
    assert "small" == asked(rated(nested, row("large", 40, 40)))
    seen = row("small", 40, 40, attachments=True)
    assert "large" == asked(rated(seen, row("large", 40, 40)))


def test_each_exchange_is_chosen_for() -> None:
    """A long question after a short one, and one that came in the middle."""
    definition = rated(row("small", 40, 40), row("small", 0, 40, length="201-1000"), row("medium", 40, 40))
    run = Driver(definition, "Hello")
    assert "small" == run.decision["model"]
    run.send({"type": "user_message", "content": "word " * 100})
    run.send(said(final("Yes.")))
    assert "medium" == run.decision["model"]
    run.send(said(final("Yes.")))
    run.send({"type": "user_message", "content": "And now?"})
    assert "small" == run.decision["model"]
    assert ["small", "medium", "small"] == [line["model"] for line in run.events("decided") if "model" in line]
    assert_replays(run)


def test_a_model_that_cannot_read_an_image_is_not_chosen() -> None:
    """Whatever its rates."""
    models = [{"name": "small", "supports": ["json_schema"]}, {"name": "medium", "supports": ["images"]}, MODELS[2]]
    image = {"type": "image", "digest": "0" * 64, "media_type": "image/png", "bytes": 7}
    run = Driver({**rated(row("small", 40, 40, attachments=True)), "models": models}, [image])  # type: ignore[arg-type]
    assert "medium" == run.decision["model"]
    assert ["medium", "large"] == [rate["model"] for rate in run.events("decided")[0]["rates"]]
    assert [] == run.events("switched")


@pytest.mark.parametrize("policies", [[], [{"use": "negotiation"}]])
def test_what_fails_moves_on_from_the_chosen_model(policies: list[dict[str, Any]]) -> None:
    """The choice is the first; negotiation, or corrections that are used up, go on to the next larger model."""
    definition = rated(row("small", 0, 40), row("medium", 40, 40))
    definition["policies"] += policies
    run = Driver(definition, "Hello")
    models = [run.decision["model"]]
    for _ in range(6):
        run.send(said(call("nothing")))
        models.append(run.decision.get("model", "failed"))
    assert ["medium", "large", "failed"] == list(dict.fromkeys(models))
    assert_replays(run)


def test_both_wire_forms_choose_alike() -> None:
    """The whole-state form logs the choice with its first step."""
    definition = rated(row("small", 0, 40), row("medium", 40, 40))
    run = WholeDriver(definition, "Hello")
    assert "medium" == run.decision["model"]
    run.send(said(final("Yes.")))
    assert json.loads(purestep.verify_log(run.log))["ok"]
    assert '"reason":"rates","model":"medium"' in run.log


def test_a_profile_of_logs_is_a_profile_to_choose_by() -> None:
    """What the fold gives is what a definition names; what it then logs can be folded again."""
    profile: Any = None
    for number in range(40):
        run = Driver(agent(models=MODELS[1:]), "Hello")
        run.send(said(final("Yes."), request={"model": "medium"}))
        profile = rates_of(run.log, profile)
        failed = Driver(agent(models=MODELS[:1]), "Hello")
        for _ in range(2 if number % 2 else 0):
            failed.send(said(call("nothing"), request={"model": "small"}))
        profile = rates_of(failed.log, profile)
    rates = {"use": "rates", "profile": json.loads(msgspec.json.encode(profile))}
    definition = agent(models=MODELS, policies=[rates])
    run = Driver(definition, "Hello")
    assert "medium" == run.decision["model"]
    run.send(said(final("Yes.")))
    assert [("medium", 1, 1)] == [(each.model, each.runs, each.succeeded) for each in rates_of(run.log).rows]


@pytest.mark.parametrize(
    ("policy", "path", "words"),
    [
        ({}, "/policies/0", 'missing required property "profile"'),
        ({"profile": "rates.json"}, "/policies/0/profile", "expected an object"),
        ({"profile": {"rows": [{}]}}, "/policies/0/profile/rows/0", "missing required property"),
        ({"profile": {"rows": [row("m", 2, 1)]}}, "/policies/0/profile/rows/0/succeeded", "at most 1 succeeded"),
        ({"profile": {"rows": [row("m", 1, 1)] * 2}}, "/policies/0/profile/rows/1", "add these up"),
        ({"profile": {"rows": [row("m", -1, 1)]}}, "/policies/0/profile/rows/0/succeeded", "at least 0"),
        ({"profile": {"rows": [row("m", 1, 1, tools="many")]}}, "/policies/0/profile/rows/0/kind/tools", "expected"),
        ({"profile": {"rows": [row("m", 1, 1, length="0-9")]}}, "/policies/0/profile/rows/0/kind/length", "expected"),
        ({"profile": {"rows": [row(f"m{n}", 1, 1) for n in range(1025)]}}, "/policies/0/profile/rows", "at most 1024"),
        ({"profile": {}, "least": 0}, "/policies/0/least", "at least 1"),
        ({"profile": {}, "least": 100}, "/policies/0/least", "at most 99"),
        ({"profile": {}, "least": 80.5}, "/policies/0/least", "integer"),
        ({"profile": {}, "most": 1}, "/policies/0/most", "most"),
    ],
)
def test_a_bad_profile_is_a_clear_error(policy: dict[str, Any], path: str, words: str) -> None:
    """It names the place, what was expected and what came."""
    error = json.loads(purestep.load_agent(json.dumps(agent(models=MODELS, policies=[{"use": "rates", **policy}]))))
    assert ("invalid_agent", path) == (error["error"]["code"], error["error"]["path"])
    assert words in error["error"]["message"]


@pytest.mark.parametrize("models", [[], [{"name": "small"}]])
def test_a_choice_has_two_models(models: list[dict[str, Any]]) -> None:
    """With one there is nothing to choose."""
    error = json.loads(purestep.load_agent(json.dumps(rated() | {"models": models})))["error"]
    assert ("invalid_agent", "/policies/0") == (error["code"], error["path"])
    assert f"at least two of them, got {len(models)}" in error["message"]


@given(model=st.integers(-1, 20), phase=st.sampled_from(["model", "done"]))
def test_a_state_that_a_stranger_edits_is_refused_or_goes_on(model: int, phase: str) -> None:
    """Whatever model it names: an index that there is, or an error with a code, never a crash."""
    run = Driver(rated(row("small", 40, 40)), "Hello")
    if phase == "done":
        run.send(said(final("Yes.")))
    run.state = altered(run.state, "window", model=model)
    observation = {"type": "user_message", "content": "x"} if phase == "done" else said(final("Yes."))
    told = run.send(observation)
    assert told.get("code", "") in (("",) if 0 <= model < len(MODELS) else ("invalid_state", "invalid_input"))


def test_an_imported_conversation_is_chosen_for_at_its_next_question() -> None:
    """Its open question is asked of the first model, as a host's history is taken as it is."""
    definition = rated(row("small", 0, 40), row("medium", 40, 40))
    given_ = {"agent": definition, "run_id": "r", "history": [{"role": "user", "content": "a"}]}
    given_["history"].append({"role": "assistant", "content": "b"})
    given_["observation"] = {"type": "user_message", "content": "c"}
    output = json.loads(purestep.run_agent_step(json.dumps(given_)))
    assert "medium" == output["decision"]["model"]


def test_the_agent_that_comes_later_is_chosen_for() -> None:
    """A changed definition chooses at the next question; the open exchange goes on with its first model."""
    run = Driver(agent(models=MODELS), "Hello")
    run.send({"type": "agent_changed", "agent": rated(row("small", 0, 40), row("medium", 40, 40))})
    assert "small" == run.decision["model"]
    run.send(said(call("add_numbers", a=1, b=2)))
    run.send(ok("call_1", 3))
    run.send(said(final("3")))
    run.send({"type": "user_message", "content": "And 4?"})
    assert "medium" == run.decision["model"]
    assert_replays(run)
