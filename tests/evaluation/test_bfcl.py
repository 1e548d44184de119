"""Categories of BFCL are read in their own form, and judged by its rules for values."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from purestep_hosts.evaluation import EvalCase, RunRecord, SuiteError
from purestep_hosts.evaluation.bfcl import read_bfcl
from purestep_hosts.evaluation.suite import SuiteLine
from purestep_hosts.models.scripted import calls, says
from tests.evaluation.suites import evaluated, plan_of, written

FUNCTION = {
    "name": "rooms.book",
    "description": "Book a room.",
    "parameters": {
        "type": "dict",
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "nights": {"type": "integer", "default": 1},
            "price": {"type": "float"},
            "guests": {"type": "array", "items": {"type": "dict", "properties": {"age": {"type": "any"}}}},
        },
        "required": ["city"],
    },
}
ACCEPTED = {"city": ["St. Ives", "Ives"], "nights": ["", 1], "price": ["", 30.0], "guests": ["", [{"age": [3]}]]}
ANSWER: dict[str, dict[str, Any]] = {"rooms.book": ACCEPTED}


def entry(name: str, **members: Any) -> dict[str, Any]:
    """A question in the form of a category."""
    question = [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Book a room in St. Ives"}]]
    return {"id": name, "question": question, "function": [FUNCTION], **members}


def result_of(tmp_path: Path, name: str, truth: list[Any] | None, *script: str) -> RunRecord:
    """Run one question against a script."""
    suite = written(tmp_path / "BFCL_v4_x.json", [entry(name)])
    (tmp_path / "possible_answer").mkdir(exist_ok=True)
    written(tmp_path / "possible_answer" / suite.name, [] if truth is None else [{"id": name, "ground_truth": truth}])

    def cases() -> Iterator[SuiteLine]:
        for line in read_bfcl(suite):
            source = json.dumps({**json.loads(line.source), "script": list(script)}).encode()
            yield line._replace(case=msgspec.json.decode(source, type=EvalCase), source=source)

    return evaluated(plan_of(suite, cases=cases), tmp_path / "out")[-1]


@pytest.mark.parametrize(
    ("arguments", "cause"),
    [
        ({"city": "st ives"}, ""),
        ({"city": "Ives", "nights": 1, "price": 30}, ""),
        ({"city": "Ives", "guests": [{"age": 3}]}, ""),
        ({"city": "Ives", "guests": [{"age": 4}]}, "wrong_arguments"),
        ({"city": "Ives", "nights": 2}, "wrong_arguments"),
        ({"city": "London"}, "wrong_arguments"),
    ],
)
def test_values_are_compared_by_its_rules(tmp_path: Path, arguments: dict[str, Any], cause: str) -> None:
    """A list of acceptable values for each parameter, of which an empty text lets it be left out."""
    record = result_of(tmp_path, "simple_0", [ANSWER], calls("rooms.book", **arguments), says("done"))
    assert cause == record.cause, record


def test_a_default_that_is_not_said_to_be_optional_is_wanted(tmp_path: Path) -> None:
    """The leaderboard counts on a parameter without an empty text, also where it is the default."""
    truth = {"rooms.book": {**ACCEPTED, "nights": [1]}}
    record = result_of(tmp_path, "simple_0", [truth], calls("rooms.book", city="Ives"), says("done"))
    assert "wrong_arguments" == record.cause


def test_parallel_calls_may_come_in_any_order(tmp_path: Path) -> None:
    """Each expected call once, and none besides."""
    other = {"rooms.book": {"city": ["Rome"]}}
    both = (calls("rooms.book", city="Rome"), calls("rooms.book", city="Ives"))
    assert result_of(tmp_path, "parallel_0", [ANSWER, other], *both, says("done")).right
    more = calls("rooms.book", city="Oslo")
    assert not result_of(tmp_path, "parallel_0", [ANSWER, other], *both, more, says("done")).right


def test_irrelevance_takes_no_call(tmp_path: Path) -> None:
    """Without an answer file, any call is wrong."""
    assert result_of(tmp_path, "irrelevance_0", None, says("I cannot")).right
    record = result_of(tmp_path, "irrelevance_0", None, calls("rooms.book", city="Ives"), says("x"))
    assert "unwanted_call" == record.cause


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"question": [[{"role": "user", "content": "a"}], []]}, "a question of one turn"),
        ({"function": [{**FUNCTION, "parameters": {"type": "HashMap"}}]}, 'the type "HashMap"'),
        ({}, "simple_0 has no answer"),
    ],
)
def test_what_is_not_read_is_refused(tmp_path: Path, members: dict[str, Any], said: str) -> None:
    """Several turns, other languages and missing answers are named with their line."""
    suite = written(tmp_path / "x.json", [entry("simple_0", **members)])
    with pytest.raises(SuiteError, match="line 1, column 1") as caught:
        list(read_bfcl(suite))
    assert said in caught.value.message
