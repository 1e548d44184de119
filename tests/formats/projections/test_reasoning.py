"""Reasoning in projections: folded from the log, streamed before the log has it, and never that of rejected outputs."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import purestep
from purestep import StreamReasoning, StreamRetract, StreamText
from purestep.dialects import Sample, dialect_named, dialect_names
from purestep.scanner import REASONING
from purestep.values import ReadCall
from purestep_formats import feed_projection, open_projection, project
from tests.core.driver import Driver
from tests.formats.projections.logs import LOGS
from tests.formats.projections.runs import AGENT, answer_log
from tests.formats.projections.test_streamed import shown

TOOL = {"name": "add_numbers", "parameters": {"type": "object"}}


def parts(log: str) -> list[str]:
    """The reasoning of the messages that a chat is stored as."""
    messages = project(log, "ai-sdk-messages")
    return [part["text"] for message in messages for part in message["parts"] if part["type"] == "reasoning"]


def deltas(events: list[dict[str, Any]]) -> list[str]:
    """The reasoning in the parts of a stream, each part whole."""
    found: dict[str, str] = {}
    for event in events:
        if event["type"] in ("reasoning-delta", "REASONING_MESSAGE_CONTENT"):
            name = event.get("id") or event["messageId"]
            found[name] = found.get(name, "") + event["delta"]
    return list(found.values())


def explained(log: str) -> dict[int, str]:
    """The reasoning of each output, as the core reads it that makes the steps again."""
    return {each["seq"]: each["reasoning"] for each in json.loads(purestep.explain_log(log)).get("outputs", ())}


def led_on(log: str) -> list[str]:
    """The reasoning of outputs that were not sent back."""
    lines, read = [json.loads(line) for line in log.splitlines()], explained(log)
    rejected = {line["seq"] for line, after in pairwise(lines) if after["kind"] in ("correction", "run_failed")}
    return [reasoning for seq, reasoning in read.items() if seq not in rejected]


@pytest.mark.parametrize("name", LOGS)
def test_every_form_reads_reasoning_as_a_step_does(name: str) -> None:
    """A projection knows no tools and makes no step, and finds the same."""
    log = LOGS[name]
    expected = led_on(log)
    assert [expected, expected, expected] == [
        parts(log),
        deltas(project(log, "ai-sdk")),
        deltas(project(log, "ag-ui")),
    ]


THOUGHT = "I add them. [1] {2}"


@pytest.mark.parametrize("dialect", dialect_names())
@pytest.mark.parametrize("tags", [("<think>", "</think>"), *REASONING[1:4], ("", "</think>")])
def test_every_dialect_has_its_reasoning_read(dialect: str, tags: tuple[str, str]) -> None:
    """Before a call and before an answer, also where the chat template opened it."""
    call = dialect_named(dialect).write(Sample(calls=(ReadCall(tool="add_numbers", params={"a": 1}),)))
    models = [{"name": "m", "reasoning": "opened"}] if not tags[0] else []
    run = Driver({"dialect": dialect, "tools": [TOOL], **({"models": models} if models else {})})
    for text in (call, dialect_named(dialect).write(Sample(answer="It is three.")) or "It is three."):
        run.send({"type": "model_output", "content": f"{tags[0]}{THOUGHT}{tags[1]}{text}"})
        run.send({"type": "tool_results", "results": [{"call_id": "call_1", "ok": True, "output": 3}]})
    assert led_on(run.log) == parts(run.log)
    if run.state is not None and run.state["phase"] == "done":
        assert THOUGHT in parts(run.log)


def test_a_dialect_that_only_the_runs_host_has_is_read_as_any() -> None:
    """The log says its name, and its output has the tags that everybody writes."""
    log = LOGS["reasoning-beside"].replace('"dialect":"auto"', '"dialect":"only_there"')
    lines = log.splitlines(keepends=True)[:3]
    _, events = feed_projection(open_projection("ai-sdk"), "".join(lines))
    assert "start-step" == events[-1]["type"]


def test_reasoning_of_a_model_that_the_request_names_is_read_as_its_template_opens_it() -> None:
    """The definition's first model does not open it, and the one that was asked does."""
    models = [{"name": "small"}, {"name": "large", "reasoning": "opened"}]
    run = Driver({"dialect": "bare", "models": models})
    run.send({"type": "model_output", "content": "Hm\n</think>\nIt is 42.", "request": {"model": "large"}})
    assert ["Hm"] == parts(run.log)


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_streamed_reasoning_is_said_once(form: str) -> None:
    """What the log has of it is not said again, and what it has more is added."""
    lines = answer_log("<think>I know it.</think>It is 42.")
    for streamed, expected in (
        (["I ", "know it."], ["I know it."]),
        (["I know it.\n"], ["I know it.\n"]),
        (["I kn"], ["I kn", "ow it."]),
        (["[hidden] knows it."], ["[hidden] knows it."]),
        ([], ["I know it."]),
    ):
        told: list[purestep.StreamEvent] = [StreamReasoning(reasoning=piece) for piece in streamed]
        events = shown(form, lines, told)
        assert expected == deltas(events), streamed
        starts = [event["type"] for event in events].count("reasoning-start" if form == "ai-sdk" else "REASONING_START")
        assert len(expected) == starts


@pytest.mark.parametrize("form", ["ag-ui", "ai-sdk"])
def test_reasoning_ends_before_text_begins(form: str) -> None:
    """And before the step ends, however the output goes on."""
    told: list[purestep.StreamEvent] = [StreamReasoning(reasoning="Hm"), StreamText(text="It")]
    kinds = [event["type"] for event in shown(form, answer_log("<think>Hm</think>It is 42."), told)]
    end, begin = ("reasoning-end", "text-start") if form == "ai-sdk" else ("REASONING_END", "TEXT_MESSAGE_START")
    assert kinds.index(end) < kinds.index(begin)


def test_text_that_the_filter_takes_back_comes_again_as_reasoning() -> None:
    """With the log's line at the latest; a host that shows it before that has it once all the same."""
    told: list[purestep.StreamEvent] = [StreamText(text="Hm, "), StreamText(text="so"), StreamRetract()]
    for more in ([], [StreamReasoning(reasoning="Hm, so")]):
        events = shown("ai-sdk", answer_log("Hm, so</think>It is 42."), [*told, *more])
        assert ["Hm, so"] == deltas(events)
        assert 1 == sum(event.get("providerMetadata") is not None for event in events)


def test_reasoning_of_an_output_that_was_sent_back_is_in_no_form() -> None:
    """It may repeat what a check rejected."""
    for form in ("ag-ui", "ai-sdk", "ai-sdk-messages", "openai", "otel"):
        assert "4711" not in json.dumps(project(LOGS["reasoning-rejected"], form))


@given(extra=st.recursive(st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks", "text", "summary"]),
    inner,
)))  # fmt: skip
def test_what_a_provider_sends_is_read_whatever_it_is(extra: Any) -> None:
    """Any JSON value is no more than a text without reasoning."""
    run = Driver({**AGENT, "tools": []})
    run.send({"type": "model_output", "content": "It is 42.", "extra": extra})
    assert explained(run.log).get(2, "") == "".join(parts(run.log))
