"""Every rule that judges an output or an answer has a vector, so that every host shows that it has it."""

import json
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from purestep.agent.guardrails import OUTPUT_CHECKS
from purestep.values.postconditions import Relation
from tools.vectors.files import stored_vectors


def _lines(scenario: str = "") -> Iterator[dict[str, Any]]:
    """Yield the lines of logs that steps of the vectors give, of all or of one scenario."""
    for vector in stored_vectors():
        if vector["function"] == "run_agent_step" and vector["name"].startswith(scenario):
            output = json.loads(vector["output"])
            yield from map(json.loads, output.get("log", "").splitlines())


@pytest.fixture(scope="module")
def logged() -> list[dict[str, Any]]:
    """All of these lines."""
    return list(_lines())


MEMBERS = (
    "schema", "contains", "excludes", "pattern", "mentions", "lines", "items", "not_metadata", "compare", "occurs",
    "check", "all", "any", "not",
)  # fmt: skip
KINDS = ("EmptyInput", "InvalidTarget", "MalformedOutput", "SchemaViolation", "HallucinationDetected")


@pytest.mark.parametrize("check", [*OUTPUT_CHECKS, *[f"postcondition:{member}" for member in MEMBERS], "output_schema"])
def test_each_check_of_an_output_rejects_in_a_vector(logged: list[dict[str, Any]], check: str) -> None:
    """R12: its verdict is in a log."""
    assert check in {line.get("check") for line in logged if line.get("verdict") == "reject"}


def test_each_rule_and_relation_accepts_and_rejects_in_a_vector() -> None:
    """Each tool of the scenario `every-rule`, which has one rule, has one output accepted and one rejected."""
    lines = list(_lines("every-rule/"))
    tools = {line["call_id"]: line["tool_name"] for line in lines if line["kind"] == "tool_call"}
    judged = sorted((tools[line["call_id"]], line["verdict"]) for line in lines if line["kind"] == "verdict")
    assert [(tool, verdict) for tool in sorted({*tools.values()}) for verdict in ("accept", "reject")] == judged
    assert set(typing.get_args(Relation)) <= {*tools.values()}


@pytest.mark.parametrize("check", ["values", "citations", "postcondition:occurs", "postcondition:check"])
def test_each_check_of_an_answer_ends_a_run_in_a_vector(logged: list[dict[str, Any]], check: str) -> None:
    """The failure names it."""
    failed = [line for line in logged if line["kind"] == "run_failed"]
    assert check in {each for line in failed for each in line.get("detail", {}).get("checks", ())}


@pytest.mark.parametrize("kind", KINDS)
def test_each_fault_of_a_skill_ends_one_in_a_vector(logged: list[dict[str, Any]], kind: str) -> None:
    """R12: the log has its kind."""
    assert kind in {line.get("error_kind") for line in logged if line["kind"] == "skill_ended"}
