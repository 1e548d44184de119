"""Requirement 38: success measured across runs, folded from their logs by model, way of asking and kind of request."""

import json
from math import sqrt
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep_formats import RateFold, RateProfile, close_rates, feed_rates, open_rates, rate_interval, rates_of
from tests.core.agents import ADD, agent, call, final, said
from tests.core.driver import Driver
from tests.formats.projections.logs import LOGS

MODELS = [{"name": "small"}, {"name": "large"}]


def sent(content: str, model: str = "small", **request: Any) -> dict[str, Any]:
    """An output of a host that tells which model it asked, and how."""
    return said(content, request={"model": model, **request})


def rows(*logs: str) -> list[dict[str, Any]]:
    """The rows of a profile of logs."""
    profile = RateProfile()
    for log in logs:
        profile = rates_of(log, profile)
    built: list[dict[str, Any]] = json.loads(msgspec.json.encode(profile))["rows"]
    return built


def answered(**members: Any) -> Driver:
    """A run that the small model answers at once."""
    run = Driver(agent(models=MODELS, **members), "What is 17 plus 25?")
    run.send(sent(final("42"), constraint="json_schema"))
    return run


def test_an_answer_counts_for_the_model_that_gave_it() -> None:
    """With its dialect, what its output was held to, and the kind of the request."""
    kind = {"tools": "1-3", "arguments": "flat", "attachments": False, "length": "0-200"}
    expected = {"model": "small", "dialect": "envelope", "constraint": "json_schema", "kind": kind}
    assert [{**expected, "runs": 2, "succeeded": 2}] == rows(answered().log, answered().log)


def test_dialect_that_a_profile_names_counts() -> None:
    """Servers are asked natively though their definition names no dialect; what reads logs knows it too."""
    run = Driver({"models": [{"name": "small", "profile": "server"}], "tools": [ADD]}, "What is 17 plus 25?")
    run.send(sent("42"))
    assert [("native", 1)] == [(row["dialect"], row["succeeded"]) for row in rows(run.log)]


def test_a_model_that_needed_a_plan_has_not_succeeded() -> None:
    """It counts as failed with `plan`, and the model that planned does not count; a larger one that takes over does."""
    rules = [{"cause": "unread", "count": 1, "move": "plan"}]
    policies = [{"use": "negotiation", "rules": rules}]
    planned, taken_over = (Driver(agent(models=MODELS, policies=policies), "What is 17 plus 25?") for _ in range(2))
    for run, plan in ((planned, "1. Add.\n2. Say it."), (taken_over, "Add.")):
        run.send(sent("{x}"))
        run.send(sent(plan, model="large"))
    planned.send(sent(final("Added.")))
    planned.send(sent(final("42")))
    taken_over.send(sent(final("42"), model="large"))
    assert [("small", 1, 0, {"plan": 1})] == [
        (row["model"], row["runs"], row.get("succeeded"), row["failed"]) for row in rows(planned.log)
    ]
    assert [("large", 1, {}), ("small", 0, {"parse_error": 1})] == [
        (row["model"], row["succeeded"], row.get("failed", {})) for row in rows(taken_over.log)
    ]


def test_a_failure_counts_with_its_code_and_its_corrections() -> None:
    """The causes are the core's own codes."""
    run = Driver(agent(models=MODELS[:1]), "What is 17 plus 25?")
    run.send(sent("{x}"))
    run.send(sent("{x}"))
    (row,) = rows(run.log)
    assert (1, 0, {"parse_error": 1}, {"parse_error": 1}) == (
        row["runs"],
        row.get("succeeded", 0),
        row["corrected"],
        row["failed"],
    )
    assert "none" == row["constraint"]


TO_LARGE = {"use": "negotiation", "rules": [{"cause": "unread", "count": 2, "move": "model"}]}


@pytest.mark.parametrize("policies", [[], [TO_LARGE]])
def test_a_model_that_another_one_takes_over_from_has_failed(policies: list[Any]) -> None:
    """Both count, for the same kind of request, whether rules of negotiation or used up corrections made the switch."""
    run = Driver(agent(models=MODELS, policies=policies), "What is 17 plus 25?")
    while run.decision["model"] == "small":
        run.send(sent("{x}"))
    run.send(sent(final("42"), "large"))
    found = {row["model"]: (row["runs"], row["succeeded"], sorted(row.get("failed", ()))) for row in rows(run.log)}
    assert {"large": (1, 1, []), "small": (1, 0, ["unread" if policies else "parse_error"])} == found


@pytest.mark.parametrize(
    "observation",
    [
        {"type": "cancel"},
        {"type": "model_error", "code": "unavailable", "message": "no", "retryable": False},
        said(json.dumps({"kind": "ask", "content": "Which?"})),
    ],
)
def test_what_no_output_decided_says_nothing_of_a_model(observation: dict[str, Any]) -> None:
    """A person, a server, or an exchange that is still open."""
    run = Driver(agent(models=MODELS[:1]), "What is 17 plus 25?")
    run.send(sent(call("add_numbers", a=17, b=25)))
    run.send(observation)
    profile = rates_of(run.log)
    assert (1, 1, ()) == (profile.exchanges, profile.undecided, profile.rows)


def test_a_question_back_is_no_answer() -> None:
    """Whether it was needed is nobody's to say."""
    run = Driver(agent(dialect="compact", models=MODELS[:1]), "Add them")
    run.send(sent('{"ask":"Which numbers?"}'))
    profile = rates_of(run.log)
    assert "done" == run.decision["type"]
    assert (1, 1, ()) == (profile.exchanges, profile.undecided, profile.rows)


def test_each_exchange_of_a_run_counts() -> None:
    """Also the one that a message begins which came before the answer."""
    run = answered()
    run.send({"type": "user_message", "content": "And 1 plus 1?"})
    run.send({"type": "user_message", "content": "Hello? " * 100})
    run.send(sent(final("2")))
    run.send(sent(final("Yes.")))
    lengths = sorted(row["kind"]["length"] for row in rows(run.log))
    assert ["0-200", "0-200", "201-1000"] == lengths


def test_the_kind_is_told_by_what_is_offered() -> None:
    """A tool choice leaves one tool or none, a check tool is offered to no model, and arguments count by their form."""
    nested = {"type": "object", "properties": {"to": {"anyOf": [{"$ref": "#/$defs/p"}, {"type": "null"}]}}}
    nested["$defs"] = {"p": {"type": "object", "properties": {"again": {"$ref": "#/$defs/p"}}}}
    forms = {
        "none": {"type": "object"},
        "flat": {"type": "object", "properties": {"a": {"type": "string"}}},
        "enum": {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}},
        "list": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}}}},
        "nested": nested,
    }
    for form, schema in forms.items():
        run = Driver({"tools": [{"name": "do", "parameters": schema}], "models": MODELS}, "Hello")
        run.send(sent(final("Yes.")))
        assert [form] == [row["kind"]["arguments"] for row in rows(run.log)], form
    run = Driver(agent(models=MODELS, tool_choice={"tool": "add_numbers"}), "Hello")
    run.send({"type": "user_message", "content": "x", "tool_choice": "none"})
    run.send(sent(call("add_numbers", a=1, b=2)))
    run.give_all(3)
    run.send(sent(final("3")))
    assert [("1-3", "flat")] == [(row["kind"]["tools"], row["kind"]["arguments"]) for row in rows(run.log)]
    judged = {**ADD, "checks": [{"tool": "judge", "params": {"of": "/output"}}]}
    judge = {"name": "judge", "parameters": forms["nested"], "annotations": {"readOnlyHint": True}, "approval": "auto"}
    judge["parameters"] = {"type": "object", "properties": {"of": {"type": "object"}}}
    run = Driver({"tools": [judged, judge], "models": MODELS}, "Hello")
    run.send(sent(final("Yes.")))
    assert ["flat"] == [row["kind"]["arguments"] for row in rows(run.log)]


def test_the_interval_is_wilson_s() -> None:
    """Equal to the formula in floats, rounded outward; few runs give a wide one."""
    for runs in (1, 2, 3, 7, 20, 100, 12345):
        for succeeded in {0, 1, runs // 3, runs - 1, runs}:
            z, p = 1.96, succeeded / runs
            middle, half = p + z * z / 2 / runs, z * sqrt(p * (1 - p) / runs + z * z / 4 / runs / runs)
            low, high = ((middle - half) / (1 + z * z / runs), (middle + half) / (1 + z * z / runs))
            found = rate_interval(succeeded, runs)
            assert (low * 1000 - 1.01 <= found[0] <= low * 1000 + 1e-6) or found[0] == 0
            assert (high * 1000 - 1e-6 <= found[1] <= high * 1000 + 1.01) or found[1] == 1000
    assert [(438, 1000), (0, 1000), (0, 562)] == [rate_interval(3, 3), rate_interval(0, 0), rate_interval(0, 3)]


@given(data=st.data())
def test_any_split_folds_as_the_whole_log_does(data: st.DataObject) -> None:
    """Each part by itself, with the fold written as JSON in between."""
    log = LOGS[data.draw(st.sampled_from(sorted(LOGS)))]
    lines = log.splitlines(keepends=True)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=4)))
    fold = open_rates()
    for begin, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
        before = msgspec.json.encode(fold)
        following = feed_rates(fold, "".join(lines[begin:end]))
        assert before == msgspec.json.encode(fold)
        fold = msgspec.json.decode(msgspec.json.encode(following), type=RateFold)
    assert rates_of(log) == close_rates(fold)


def test_the_order_of_logs_does_not_matter() -> None:
    """A profile is a sum."""
    logs = [LOGS[name] for name in sorted(LOGS)]
    forth = back = RateProfile()
    for one, other in zip(logs, reversed(logs), strict=True):
        forth, back = rates_of(one, forth), rates_of(other, back)
    assert forth == back
    assert len(logs) == forth.logs


@given(data=st.data())
def test_a_damaged_log_is_an_error_that_names_the_line(data: st.DataObject) -> None:
    """Or counts as it did; nothing else comes of a changed, lost or doubled line."""
    log = LOGS[data.draw(st.sampled_from(sorted(LOGS)))]
    lines = log.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    change = data.draw(st.sampled_from(["drop", "double", "cut", "other"]))
    changed = {
        "drop": lines[:at] + lines[at + 1 :],
        "double": lines[: at + 1] + lines[at:],
        "cut": [*lines[:at], lines[at][: len(lines[at]) // 2] + "\n", *lines[at + 1 :]],
        "other": [*lines[:at], lines[at].replace('"', "'", 3), *lines[at + 1 :]],
    }[change]
    found = folded(log="".join(changed)).get("error", {"code": "invalid_log", "path": "/1"})
    assert found["code"] in ("invalid_log", "log_mismatch")
    assert found["path"].strip("/").isdigit()


def test_hostile_names_and_causes_are_bounded() -> None:
    """What a made-up log calls its causes is counted as other, and a long name is cut."""
    run = answered()
    lines = run.log.splitlines()
    start, rest = json.loads(lines[0]), lines[1:]
    start["agent"]["models"][0]["name"] = "x" * 10_000
    lines = [json.dumps(start), *rest[:2]]
    for number in range(100):
        lines.append(json.dumps({"seq": 3 + number, "kind": "correction", "cause": f"c{number}", "attempt": 1}))
    chained, head = list[str](), ""
    for line in lines:
        value = json.loads(line)
        if "prev" in value or value["kind"] == "correction":
            value |= {"prev": head, "content": ""}
        text = json.dumps(value)
        head = purestep.events.chain(head, text.encode())
        chained.append(text)
    end = {"seq": len(chained), "kind": "run_failed", "code": "\x1b[2J" * 99, "message": "", "prev": head}
    profile = rates_of("\n".join([*chained, json.dumps(end)]) + "\n")
    (row,) = profile.rows
    assert 256 == len(row.model)
    assert {"other": 100} == row.corrected
    assert {"other": 1} == row.failed


def folded(**members: Any) -> dict[str, Any]:
    """What the JSON function gives."""
    output: dict[str, Any] = json.loads(purestep.fold_rates(json.dumps(members)))
    return output


def test_the_json_function_folds_logs_into_a_profile() -> None:
    """A log in two parts, and another one into the same profile."""
    log = answered().log
    first, second = log.splitlines(keepends=True)[:2], log.splitlines(keepends=True)[2:]
    fold = folded(log="".join(first))["fold"]
    fold = folded(fold=fold, log="".join(second))["fold"]
    profile = folded(fold=fold)["profile"]
    profile = folded(fold=folded(log=log)["fold"], profile=profile)["profile"]
    assert json.loads(msgspec.json.encode(rates_of(log, rates_of(log)))) == profile


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({}, "invalid_input"),
        ({"log": "", "profile": {}}, "invalid_input"),
        ({"fold": {}, "profile": {"rows": [1]}}, "invalid_input"),
        ({"fold": {"seq": "1"}}, "invalid_input"),
        ({"log": '{"kind":"nonsense"}\n'}, "invalid_log"),
        ({"log": '{"seq":0,"kind":"user_message","content":"q"}\n'}, "invalid_log"),
        (
            {"log": '{"seq":0,"kind":"run_started","schema_version":2,"run_id":"r","agent":null}\n'},
            "unsupported_version",
        ),
    ],
)
def test_wrong_input_is_told(given: dict[str, Any], code: str) -> None:
    """With the code of what is wrong."""
    assert code == folded(**given)["error"]["code"]


def test_more_kinds_than_are_kept_are_counted_as_left_out() -> None:
    """A profile is bounded."""
    profile = RateProfile()
    for number in range(1030):
        run = Driver({"models": [{"name": f"m{number}"}]}, "Hello")
        run.send(said(final("Yes.")))
        profile = rates_of(run.log, profile)
    assert (1024, 6, 1030) == (len(profile.rows), profile.left_out, profile.exchanges)


def test_answers_that_the_host_knows_to_be_wrong_count_as_failed() -> None:
    """An evaluation tells it; the other logs of a profile are counted as ever, and the fold stays a value."""
    log = answered().log
    fold = feed_rates(open_rates(), log)
    wrong, right = close_rates(fold, right=False), close_rates(fold, right=True)
    assert [(1, 0, {"wrong_answer": 1})] == [(each.runs, each.succeeded, each.failed) for each in wrong.rows]
    assert close_rates(fold) == right
    told = folded(fold=folded(log=log)["fold"], right=False)["profile"]
    assert {"wrong_answer": 1} == told["rows"][0]["failed"]
    failed = Driver(agent(models=MODELS[:1]), "Hello")
    failed.send(sent("{x}"))
    failed.send(sent("{x}"))
    assert rates_of(failed.log) == rates_of(failed.log, right=False)
