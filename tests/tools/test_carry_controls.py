"""The control of `./build.sh bench carry` knows nothing and is deterministic; kept replies are those of the model."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.carry import command, tables
from bench.carry.controls import FirstValue, first_value
from bench.carry.models import KeptReplies
from bench.carry.runs import run_task
from bench.carry.sets import task_set
from bench.carry.toolbox import SimulatedToolbox

import purestep
from purestep_formats import ReplyEnd
from purestep_hosts.models.model import ModelRequest, ReplySink

REQUEST = ModelRequest(messages=[{"role": "user", "content": "hello"}])


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 2}, "aa"),
        ({"type": "string", "pattern": "^(?:17|25)$"}, "17"),
        ({"type": "string", "pattern": "^[0-9]{3}-x?(a|b)+$"}, "000-a"),
        ({"type": "number"}, 0),
        ({"type": "integer", "minimum": 5}, 5),
        ({"type": "number", "exclusiveMinimum": 5}, 6),
        ({"enum": ["on", "off"]}, "on"),
        ({"const": 3}, 3),
        ({"type": "boolean"}, False),
        ({"type": "array", "items": {"const": 1}, "minItems": 2}, [1, 1]),
        ({"anyOf": [{"const": "first"}, {"const": "second"}]}, "first"),
        ({"$defs": {"n": {"const": 4}}, "$ref": "#/$defs/n"}, 4),
        ({"type": "object", "properties": {"a": {"type": "null"}, "b": {}}, "required": ["a"]}, {"a": None}),
    ],
)
def test_control_gives_the_first_value_allowed(schema: dict[str, Any], value: Any) -> None:
    """Each part of a schema has a first value, and it is the least that the schema asks for."""
    assert value == first_value(schema, schema)
    assert json.loads(purestep.check_value(json.dumps({"schema": schema, "value": value})))["ok"]


def test_control_is_deterministic() -> None:
    """Two runs of a task with the control give the same log and the same verdict."""
    for task in (*task_set("plain").tune[:5], *task_set("hard").tune[:5]):
        first, second = (run_task(task, "off", FirstValue()) for _ in range(2))
        assert (first.log, first.wrong, first.ended) == (second.log, second.wrong, second.ended)
        assert first.wrong


def test_a_run_that_fails_is_never_right() -> None:
    """Where no call and no certain word is asked for, a run that ends without an answer is wrong all the same."""
    for task in task_set("none").tune:
        assert run_task(task, "off", FirstValue()).wrong
    task = task_set("none").tune[0]
    outcome = run_task(task, "off", FirstValue(), _Empty(task))
    assert outcome.wrong.startswith("failed: inconclusive; no answer")


class _Empty(SimulatedToolbox):
    """Offers no tool, so that the first value allowed is an empty answer."""

    def specs(self) -> list[dict[str, Any]]:
        """Give none."""
        return []


class _Spoken:
    """Says one text in two chunks and counts how often it was asked."""

    name = "spoken"

    def __init__(self) -> None:
        self.times = 0

    def complete(self, request: ModelRequest, reply: ReplySink) -> ReplyEnd:
        """Give the text and the counts of tokens."""
        self.times += 1
        for content in ('{"kind":"final",', '"content":"Good."}'):
            reply.chunk(json.dumps({"choices": [{"delta": {"content": content}}]}))
        reply.chunk(json.dumps({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 4}}))
        return ReplyEnd()

    def stop(self) -> None:
        """Nothing is awaited."""


def test_kept_replies_are_asked_for_once(tmp_path: Path) -> None:
    """The second run of a task reads its reply from the folder and counts the same tokens; another model does not."""
    task, spoken = task_set("none").tune[0], _Spoken()
    outcomes = [run_task(task, "off", KeptReplies(spoken, "one", tmp_path)) for _ in range(2)]
    assert [("", 11, 4)] * 2 == [(each.wrong, each.prompt_tokens, each.completion_tokens) for each in outcomes]
    assert outcomes[0].asked[0].output == outcomes[1].asked[0].output == '{"kind":"final","content":"Good."}'
    assert 1 == spoken.times
    run_task(task, "off", KeptReplies(spoken, "another", tmp_path))
    run_task(task, "off", KeptReplies(spoken, "one", None))
    assert 3 == spoken.times


def test_table_is_written_between_the_markers(tmp_path: Path) -> None:
    """What stands around the markers stays, and writing twice gives the same page."""
    task = task_set("none").tune[0]
    outcome = run_task(task, "off", KeptReplies(_Spoken(), "one", None))
    page = tmp_path / "carry.md"
    page.write_text(f"before\n{tables.BEGIN}old\n{tables.END}\nafter\n", "utf-8")
    for _ in range(2):
        tables.write_page("Model: spoken.", [tables.Row("none", "off", [outcome], [])], page)
        lines = page.read_text("utf-8").split("\n")
        assert ("before", "after") == (lines[0], lines[-2])
        assert 1 == sum("| none | off | 1 of 1 | 1 |" in line for line in lines)


def test_most_calls_and_tokens_are_said_with_their_set() -> None:
    """Each level has its line; rows of a control alone have none."""
    model = KeptReplies(_Spoken(), "one", None)
    first, second = [run_task(each, "off", model) for each in task_set("none").tune[:2]]
    first.asked.append(first.asked[0])
    rows = [
        tables.Row("none", "off", [first], []),
        tables.Row("talk", "off", [second], []),
        tables.Row("chat", "route", [], [second]),
    ]
    assert ["off: at most 2.00 model calls a task (none) and 22 prompt tokens (none)"] == tables.most(rows)


def test_command_runs_the_control_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a model the command prints what failed and the table, and needs no model file."""
    assert 0 == command.main(["--no-model", "--sets", "own", "--split", "both"])
    printed = capsys.readouterr().out
    assert "0 of 6" in printed
    assert "o01" in printed


@pytest.mark.parametrize("chosen", [["--first", "1"], ["--tasks", "o03"]])
def test_command_runs_chosen_tasks(chosen: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The first tasks of a half, or those named, are all that is run."""
    assert 0 == command.main(["--no-model", "--sets", "own", *chosen])
    assert "0 of 1" in capsys.readouterr().out


def test_command_names_a_set_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    """A wrong name is refused with the names that there are."""
    with pytest.raises(SystemExit):
        command.main(["--sets", "pain"])
    assert "'pain'; expected plain, lean" in capsys.readouterr().err
