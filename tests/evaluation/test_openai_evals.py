"""Evals of a registry are read in their own form, and judged by that project's rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep_hosts.evaluation import EvalCase, SuiteError
from purestep_hosts.evaluation.openai_evals import read_openai_evals
from purestep_hosts.evaluation.suite import SuiteLine
from purestep_hosts.models.scripted import says
from tests.evaluation.suites import evaluated, plan_of, written

MATCH = "evals.elsuite.basic.match:Match"
INCLUDES = "evals.elsuite.basic.includes:Includes"
CHAT = [{"role": "system", "content": "One word."}, {"role": "user", "content": "Is 7 odd?"}]


def registry(folder: Path, *samples: dict[str, Any], name: str = MATCH, **arguments: Any) -> Path:
    """A registry with one eval."""
    for each in ("evals", "data/odd"):
        (folder / each).mkdir(parents=True, exist_ok=True)
    written(folder / "data" / "odd" / "samples.jsonl", samples)
    given = json.dumps({"samples_jsonl": "odd/samples.jsonl", **arguments})
    (folder / "evals" / "odd.yaml").write_text(
        f"odd:\n  id: odd.dev.v0\n  metrics: [accuracy]\n\nodd.dev.v0:\n  class: {name}\n  args: {given}\n"
    )
    return folder / "evals" / "odd.yaml"


@pytest.mark.parametrize(
    ("name", "ideal", "answer", "right"),
    [
        (MATCH, "Yes", "Yes, it is.", True),
        (MATCH, "Yes", "It is: Yes", False),
        (MATCH, "Yes", "yes", False),
        (MATCH, ["No", "Yes"], "Yes", True),
        (MATCH, "a|b", "a", False),
        (MATCH, "(1.5)* [x]{2}/$^?+\\", "(1.5)* [x]{2}/$^?+\\ and more", True),
        (MATCH, "1.5", "1x5", False),
        (INCLUDES, "Yes", "It is: Yes", True),
        (INCLUDES, "es", "Yes", True),
        (INCLUDES, "Yes", "yes", False),
        (INCLUDES, ["q", "d\ne"], "d\ne", True),
    ],
)
def test_an_answer_is_judged_by_the_rule_of_its_class(
    tmp_path: Path, name: str, ideal: Any, answer: str, right: bool
) -> None:
    """Match: it begins with one; Includes: it has one in it; both take the texts as they are."""
    suite = registry(tmp_path, {"input": CHAT, "ideal": ideal}, name=name)
    assert right == is_right(suite, answer, tmp_path)


def is_right(suite: Path, answer: str, folder: Path) -> bool:
    """Run an eval against a script."""

    def cases() -> Iterator[SuiteLine]:
        for line in read_openai_evals(suite):
            source = json.dumps({**json.loads(line.source), "script": [says(answer)]}).encode()
            yield line._replace(case=msgspec.json.decode(source, type=EvalCase), source=source)

    [record] = evaluated(plan_of(suite, cases=cases), folder / "out")
    assert record.cause in ("", "wrong_answer")
    return record.right


def test_case_is_ignored_where_the_eval_says_so(tmp_path: Path) -> None:
    """Of letters that have two."""
    suite = registry(tmp_path, {"input": "Odd?", "ideal": "Yes [1]"}, name=INCLUDES, ignore_case=True)
    assert is_right(suite, "so yES [1]", tmp_path)


def test_a_chat_becomes_instructions_and_a_message(tmp_path: Path) -> None:
    """What the system says first are the instructions; all that follows, and a chat without a user, is asked."""
    user = {"role": "user", "content": "And 8?"}
    chats = ["Odd?", CHAT, [*CHAT, CHAT[0], user], [CHAT[0], CHAT[0]]]
    suite = registry(tmp_path, *[{"input": chat, "ideal": "Yes"} for chat in chats])
    found = list(read_openai_evals(suite))
    asked = ["Odd?", "Is 7 odd?", "Is 7 odd?\n\nOne word.\n\nAnd 8?", "One word.\n\nOne word."]
    assert asked == [line.case.query for line in found]
    instructions = [{}, {"instructions": "One word."}, {"instructions": "One word."}, {}]
    assert instructions == [line.case.agent for line in found]
    assert ["odd.dev.v0 1", "odd.dev.v0 2", "odd.dev.v0 3", "odd.dev.v0 4"] == [line.case.id for line in found]
    assert 2 == len(list(read_openai_evals(suite, 2)))
    assert 4 == len({run.key for run in plan_of(suite, cases=lambda: read_openai_evals(suite)).runs()})


@pytest.mark.parametrize(
    ("sample", "arguments", "said"),
    [
        ({}, {"name": "evals.elsuite.mmmu.eval:MMMU"}, "the classes that are read are Match, Includes"),
        ({}, {"num_few_shot": 2}, "odd.dev.v0 has examples (num_few_shot), which is not read"),
        ({}, {"eval_type": "x"}, "has the argument 'eval_type', which is not read"),
        ({}, {"samples_jsonl": "../evals/odd.yaml"}, "do not lie in the folder"),
        ({}, {"samples_jsonl": "odd/none.jsonl"}, "none.jsonl cannot be read"),
        (
            {"input": [{"role": "assistant", "content": "a"}]},
            {},
            "samples.jsonl, line 1, column 1: the chat has answers",
        ),
        ({"input": [{"role": "user", "content": []}]}, {}, "samples.jsonl, line 1, column 1: expected {"),
        ({"ideal": 7}, {}, "samples.jsonl, line 1, column 1: expected {"),
    ],
)
def test_what_is_not_read_is_said(tmp_path: Path, sample: dict[str, Any], arguments: dict[str, Any], said: str) -> None:
    """By its file, and where it is a sample by its line."""
    suite = registry(tmp_path, {"input": CHAT, "ideal": "Yes", **sample}, **arguments)
    with pytest.raises(SuiteError) as caught:
        list(read_openai_evals(suite))
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"), [("a: [", "is no YAML"), ("[]", "has no eval"), ("a: {b: 1}", "has no eval")]
)
def test_a_file_that_is_no_eval_is_said(tmp_path: Path, text: str, said: str) -> None:
    """Whatever stands in it."""
    (tmp_path / "a.yaml").write_text(text)
    with pytest.raises(SuiteError, match=said):
        list(read_openai_evals(tmp_path / "a.yaml"))
    with pytest.raises(SuiteError, match="cannot be read"):
        list(read_openai_evals(tmp_path / "none.yaml"))
