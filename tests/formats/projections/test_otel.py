"""Spans: the OpenTelemetry SDK takes them, and their attributes are those of the semantic conventions."""

import json
from collections.abc import Iterator
from typing import Any

import opentelemetry.semconv._incubating.attributes.gen_ai_attributes as gen_ai
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.semconv.attributes.error_attributes import ERROR_TYPE
from opentelemetry.trace import NonRecordingSpan, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from purestep_formats import close_projection, feed_projection, open_projection, project
from tests.formats.projections.logs import LOGS, own_lines
from tests.formats.projections.runs import asked_log, run_log

KNOWN = {ERROR_TYPE, *(value for name, value in vars(gen_ai).items() if name.startswith("GEN_AI_"))}

ENDS = ("final_answer", "run_failed")
"""The lines that end an exchange; a message in the middle of one begins none."""


class GivenIds(IdGenerator):
    """The ids that the projection gives, instead of random ones."""

    def __init__(self, spans: list[dict[str, Any]]) -> None:
        self.spans: Iterator[dict[str, Any]] = iter(spans)
        self.trace_id = int(spans[0]["trace_id"], 16)

    def generate_span_id(self) -> int:
        """Return the next span's id."""
        return int(next(self.spans)["span_id"], 16)

    def generate_trace_id(self) -> int:
        """Return the trace's id."""
        return self.trace_id


def exported(spans: list[dict[str, Any]]) -> tuple[ReadableSpan, ...]:
    """Hand spans to the SDK, as a host does that exports them, and give what its exporter got."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(id_generator=GivenIds(spans), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("purestep")
    for span in spans:
        parent = int(span.get("parent_span_id", "0"), 16)
        context = SpanContext(int(span["trace_id"], 16), parent, is_remote=False, trace_flags=TraceFlags(1))
        started = tracer.start_span(
            span["name"],
            context=trace.set_span_in_context(NonRecordingSpan(context)) if parent else None,
            kind=SpanKind[span["kind"]],
            attributes=span["attributes"],
            start_time=span.get("start_time_ms", 0) * 1_000_000,
        )
        started.set_status(Status(StatusCode[span["status"]], span.get("status_message")))
        started.end(end_time=span.get("end_time_ms", 0) * 1_000_000)
    return exporter.get_finished_spans()


def test_the_sdk_exports_the_spans_as_they_are() -> None:
    """Ids, parents, times and attributes come out as they went in."""
    for name, log in LOGS.items():
        spans = project(log, "otel")
        for span, found in zip(spans, exported(spans), strict=True):
            assert span["span_id"] == f"{found.context.span_id:016x}", name
            assert span["trace_id"] == f"{found.context.trace_id:032x}", name
            parent = None if found.parent is None else f"{found.parent.span_id:016x}"
            assert span.get("parent_span_id") == parent, name
            given = {key: tuple(each) if isinstance(each, list) else each for key, each in span["attributes"].items()}
            assert given == dict(found.attributes or {}), name
            assert (found.status.status_code is StatusCode.ERROR) == (ERROR_TYPE in span["attributes"]), name
            assert (found.start_time or 0) <= (found.end_time or 0) or "end_time_ms" not in span, name


def test_attributes_are_those_of_the_conventions() -> None:
    """What has no attribute there is named after this package."""
    for name, log in LOGS.items():
        for span in project(log, "otel"):
            own = {
                f"purestep.{each}" for each in ("rejected", "checks", "parts", "acts", "question", "cost", "log.seq")
            }
            operation = span["attributes"][gen_ai.GEN_AI_OPERATION_NAME]
            assert span["name"].split()[0] == operation, name
            assert operation in ("invoke_agent", "chat", "execute_tool"), name
            assert set(span["attributes"]) <= KNOWN | own, name


def test_spans_are_a_tree_for_each_exchange() -> None:
    """Ids are distinct, each parent is there, and an exchange has one root."""
    for name, log in LOGS.items():
        spans = project(log, "otel")
        ids = [span["span_id"] for span in spans]
        assert len(set(ids)) == len(ids), name
        assert {span["parent_span_id"] for span in spans if "parent_span_id" in span} <= set(ids), name
        roots = [span for span in spans if "parent_span_id" not in span]
        kinds = [json.loads(line)["kind"] for line in log.splitlines()]
        ended = sum(kind in ENDS for kind in kinds)
        assert ended + (kinds[-1] not in ENDS) == len(roots), name


def test_a_run_that_failed_is_an_error() -> None:
    """Each run_failed of the log is one agent span with its code."""
    for name, log in LOGS.items():
        failed = [s for s in project(log, "otel") if "parent_span_id" not in s and s["status"] == "ERROR"]
        assert own_lines(log).count('"kind":"run_failed"') == len(failed), name


def test_a_span_that_was_open_comes_again_with_its_end() -> None:
    """Closed in the middle of an exchange and fed on, a projection has each span with an end once, and loses none."""
    log = asked_log()
    lines = log.splitlines(keepends=True)
    for cut in range(1, len(lines)):
        begun, before = feed_projection(open_projection("otel"), "".join(lines[:cut]))
        closed, open_spans = close_projection(begun)
        spans = before + open_spans + feed_projection(closed, "".join(lines[cut:]))[1]
        ended = [span["span_id"] for span in spans if "end_time_ms" in span]
        assert [span["span_id"] for span in project(log, "otel")] == ended, cut


# --- what hosts tell beside outputs ---------------------------------------------------------------------------

REQUEST = {
    "model": "big", "temperature": 0, "top_p": 0.5, "top_k": 40, "frequency_penalty": 0.25, "presence_penalty": -1,
    "max_completion_tokens": 64, "seed": 7, "n": 1, "stop": ["a", "b"], "constraint": "json_schema", "min_p": 0.1,
}  # fmt: skip


def chat(**facts: Any) -> dict[str, Any]:
    """Return the span of an output with these facts, whose line has the time 2."""
    log = run_log({"type": "user_message", "content": "Go"}, {"type": "model_output", "content": "It is 42.", **facts})
    span: dict[str, Any] = project(log, "otel")[0]
    return span


def test_a_request_is_in_the_attributes_that_the_conventions_have() -> None:
    """With their types; what has no attribute there is in none."""
    span = chat(request=REQUEST, response_id="chatcmpl-1", asked_at=1, first_token_at=2)
    expected = {
        gen_ai.GEN_AI_REQUEST_MODEL: "big", gen_ai.GEN_AI_REQUEST_TEMPERATURE: 0.0, gen_ai.GEN_AI_REQUEST_TOP_P: 0.5,
        gen_ai.GEN_AI_REQUEST_TOP_K: 40.0, gen_ai.GEN_AI_REQUEST_FREQUENCY_PENALTY: 0.25,
        gen_ai.GEN_AI_REQUEST_PRESENCE_PENALTY: -1.0, gen_ai.GEN_AI_REQUEST_MAX_TOKENS: 64,
        gen_ai.GEN_AI_REQUEST_SEED: 7, gen_ai.GEN_AI_REQUEST_CHOICE_COUNT: 1,
        gen_ai.GEN_AI_REQUEST_STOP_SEQUENCES: ["a", "b"], gen_ai.GEN_AI_OUTPUT_TYPE: "json",
        gen_ai.GEN_AI_RESPONSE_ID: "chatcmpl-1", gen_ai.GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK: 0.001,
    }  # fmt: skip
    found = {name: value for name, value in span["attributes"].items() if name in expected}
    assert expected == found
    assert [type(value) for value in expected.values()] == [type(found[name]) for name in expected]
    assert "chat big" == span["name"]
    assert not any("min_p" in name for name in span["attributes"])
    [exported_chat, *_] = exported([span])
    assert expected["gen_ai.request.temperature"] == (exported_chat.attributes or {})["gen_ai.request.temperature"]


def test_a_parameter_of_another_type_has_no_attribute() -> None:
    """Such as a setting that a server takes as text; a number past what JSON can carry is none either."""
    odd = {"temperature": "hot", "seed": 1.5, "stop": [1], "max_tokens": True, "top_p": 2**60, "model": 5, "n": [1]}
    assert set(chat()["attributes"]) == set(chat(request=odd)["attributes"])


def test_the_first_token_is_timed_from_the_request() -> None:
    """From the line before where nobody said when it was sent; a clock that ran backwards times nothing."""
    name = gen_ai.GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK
    assert 0.25 == chat(asked_at=1_000, first_token_at=1_250)["attributes"][name]
    assert 0.249 == chat(first_token_at=250)["attributes"][name]
    assert name not in chat(asked_at=1_000, first_token_at=999)["attributes"]
    assert name not in chat(asked_at=1_000)["attributes"]
    assert 1 == chat()["start_time_ms"]
    assert 2 == chat(asked_at=2)["start_time_ms"]


def test_calls_that_ran_beside_each_other_end_at_their_own_ends() -> None:
    """Their results came together, and one of them a check rejects later."""
    spans = {span["attributes"][gen_ai.GEN_AI_TOOL_CALL_ID]: span for span in project(LOGS["recorded"], "otel")
             if span["name"].startswith("execute_tool")}  # fmt: skip
    assert {"call_1": 1_900, "call_2": 1_600} == {name: span["end_time_ms"] for name, span in spans.items()}


def test_a_reply_that_broke_off_has_a_span_with_what_it_used() -> None:
    """An error, and a run that was stopped while the model answered; one that was stopped elsewhere has none."""
    spans = [span for span in project(LOGS["recorded-stops"], "otel") if span["name"].startswith("chat")]
    assert ["unavailable", "cancelled"] == [span["attributes"][ERROR_TYPE] for span in spans]
    assert [9, None] == [span["attributes"].get(gen_ai.GEN_AI_USAGE_INPUT_TOKENS) for span in spans]
    assert [None, 3] == [span["attributes"].get(gen_ai.GEN_AI_USAGE_OUTPUT_TOKENS) for span in spans]
    finished = [event for event in project(LOGS["recorded-stops"], "ag-ui") if event["type"] == "RUN_FINISHED"]
    assert [[{"model": "big", "inputTokens": 9, "outputTokens": 3}], None] == [end.get("usage") for end in finished]
