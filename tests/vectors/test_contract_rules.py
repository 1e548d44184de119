"""Every rule of contracts, effects, skills, flow and seals, as the code lists it, is seen in a vector's output.

So each host shows that it has it. A rule that is new in the code, and one whose last vector goes, fails here by name.
"""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from purestep.agent import corrections
from purestep.checks import ANSWER_CHECKS, OUTPUT_CHECKS
from purestep.draft.effects import SAME_EFFECT
from purestep.draft.unknown_outcomes import OUTCOME_UNKNOWN
from purestep.entry.sealed import SealInput
from purestep.skills.skill import FaultKind
from purestep.values import ArgumentOrigin, Check
from purestep.values.definition import ApprovalPolicy
from purestep.values.toolspec import ApprovalRule
from purestep_policies.flow.rules import FlowVerdict
from tools.vectors.files import stored_vectors

FUNCTIONS = ("run_agent_step", "run_skill", "sealed_text")
CORRECTED = {
    "planning": "it says what you are going to do, and you did not do it",
    "echo": "it only repeats the question",
    "obligation": "it needs a result of",
    "observations": "two sections: OBSERVATIONS",
    "values": "which stands neither in a result nor in the request",
}
"""What the correction of each check of answers says."""

SAID = {
    "effect:no_output": corrections.no_output(),
    "approval:deny": corrections.denied_call(""),
    "flow:deny": "takes no text that comes from such a source",
}
"""What a model is told in place of a result, but for the tool's name."""


def _literals(shape: type, member: str) -> tuple[str, ...]:
    """Return the words that a member of a shape may be."""
    return get_args(shape.__annotations__[member])


def _members(shape: type) -> tuple[str, ...]:
    return tuple(field.encode_name for field in msgspec.structs.fields(shape))


RULES: tuple[str, ...] = (
    *[f"output:{name}" for name in OUTPUT_CHECKS],
    *[f"output:{name}" for name in _members(Check) if name not in ("use", "tools", "params", "message")],
    "output:output_schema",
    *[f"answer:{name}" for name in (*ANSWER_CHECKS, "not", "tool")],
    *[f"approval:{rule}" for rule in get_args(ApprovalRule)],
    *[f"unknown_outcome:{rule}" for rule in _literals(ApprovalPolicy, "unknown_outcome")],
    *[f"effect:{rule}" for rule in (SAME_EFFECT, "no_output", "runs_again", "lost_hosts")],
    *[f"skill:{kind}" for kind in get_args(FaultKind)],
    *[f"flow:{verdict}" for verdict in get_args(FlowVerdict) if verdict != "allow"],
    *[f"origin:{source}" for source in _literals(ArgumentOrigin, "source")],
    "seal:sealed",
    *[f"seal:/{name}" for name in _members(SealInput)],
)


@cache
def rules_by_vector() -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the name of each vector with the rules that its output shows."""
    return tuple((vector["name"], frozenset(_shown(vector))) for vector in stored_vectors())


def _shown(vector: dict[str, Any]) -> Iterator[str]:
    output = json.loads(vector["output"]) if vector["function"] in FUNCTIONS else {}
    if vector["function"] == "sealed_text":
        yield f"seal:{output['error']['path']}" if "error" in output else "seal:sealed"
    yield from [f"skill:{kind}" for kind in get_args(FaultKind) if _is_said(kind, output)]
    if vector["function"] != "run_agent_step" or "state" not in output:
        return
    for line in map(json.loads, output["log"].splitlines()):
        yield from _of_line(line)
    for call in output["state"].get("pending", ()):
        yield from _of_call(call)
    for message in output["messages"]:
        yield from [rule for rule, said in SAID.items() if said in json.dumps(message)]
    if output["decision"]["type"] == "invoke_tool":
        yield "approval:auto"


def _is_said(kind: str, output: dict[str, Any]) -> bool:
    return f'"{kind}"' in json.dumps(output) or f'"{kind}\\"' in json.dumps(output) or f"{kind}:" in json.dumps(output)


def _of_line(line: dict[str, Any]) -> Iterator[str]:
    match line["kind"]:
        case "verdict" if line["verdict"] == "reject":
            yield f"output:{line.get('check')}"
        case "correction":
            yield from [f"answer:{name}" for name, said in CORRECTED.items() if said.strip() in line["content"]]
        case "approval_request":
            reasons = {SAME_EFFECT: f"effect:{SAME_EFFECT}", OUTCOME_UNKNOWN: "unknown_outcome:ask"}
            yield reasons.get(line["reason"], "approval:ask")
        case "run_failed":
            yield f"answer:{line.get('detail', {}).get('check')}"
            if line["code"] == OUTCOME_UNKNOWN:
                yield "unknown_outcome:fail"
        case _:
            pass


def _of_call(call: dict[str, Any]) -> Iterator[str]:
    yield from [f"origin:{origin['source']}" for origin in call.get("origins", ())]
    if call.get("lost") and not call.get("checks"):
        yield "effect:runs_again" if call["status"] == "run" and not call.get("approved") else "effect:lost_hosts"
    if call.get("asked_by") == "flow":
        yield "flow:ask"


def missing(shown: Iterable[tuple[str, frozenset[str]]]) -> list[str]:
    """Return the rules that none of the vectors shows."""
    seen = frozenset[str]().union(*(rules for _, rules in shown))
    return [rule for rule in dict.fromkeys(RULES) if rule not in seen]


def test_each_rule_of_the_code_is_seen_in_a_vector() -> None:
    """None is missing."""
    assert [] == missing(rules_by_vector())


def test_each_check_of_outputs_accepts_and_rejects_in_a_vector() -> None:
    """Each tool of the scenario `every-rule`, which has one check, has one output accepted and one rejected."""
    vectors = [each for each in stored_vectors() if each["function"] == "run_agent_step"]
    outputs = [json.loads(each["output"]) for each in vectors if each["name"].startswith("every-rule/")]
    lines = [line for output in outputs for line in map(json.loads, output.get("log", "").splitlines())]
    tools = {line["call_id"]: line["tool_name"] for line in lines if line["kind"] == "tool_call"}
    judged = sorted((tools[line["call_id"]], line["verdict"]) for line in lines if line["kind"] == "verdict")
    assert [(tool, verdict) for tool in sorted({*tools.values()}) for verdict in ("accept", "reject")] == judged


@pytest.mark.parametrize("rule", [*dict.fromkeys(RULES)])
def test_rule_whose_vectors_are_taken_away_is_missed(rule: str) -> None:
    """The check can fail, for each rule: without the vectors that show it, it is named."""
    left = [(name, rules) for name, rules in rules_by_vector() if rule not in rules]
    assert len(left) < len(rules_by_vector())
    assert rule in missing(left)
