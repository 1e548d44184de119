"""Spans: the OpenTelemetry SDK takes them, and their attributes are those of the semantic conventions."""

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

from purestep import project
from tests.core.projections.logs import LOGS

KNOWN = {ERROR_TYPE, *(value for name, value in vars(gen_ai).items() if name.startswith("GEN_AI_"))}


class GivenIds(IdGenerator):
    """The ids that the projection gives, instead of random ones."""

    def __init__(self, spans: list[dict[str, Any]]) -> None:
        self.spans: Iterator[dict[str, Any]] = iter(spans)
        self.trace_id = int(spans[0]["trace_id"], 16)

    def generate_span_id(self) -> int:
        """Give the next span's id."""
        return int(next(self.spans)["span_id"], 16)

    def generate_trace_id(self) -> int:
        """Give the trace's id."""
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
            operation = span["attributes"][gen_ai.GEN_AI_OPERATION_NAME]
            assert span["name"].split()[0] == operation, name
            assert operation in ("invoke_agent", "chat", "execute_tool"), name
            assert set(span["attributes"]) <= KNOWN | {"purestep.rejected", "purestep.checks"}, name


def test_spans_are_a_tree_for_each_exchange() -> None:
    """Ids are distinct, each parent is there, and an exchange has one root."""
    for name, log in LOGS.items():
        spans = project(log, "otel")
        ids = [span["span_id"] for span in spans]
        assert len(set(ids)) == len(ids), name
        assert {span["parent_span_id"] for span in spans if "parent_span_id" in span} <= set(ids), name
        roots = [span for span in spans if "parent_span_id" not in span]
        asked = log.count('"kind":"user_message"') + (name == "adopted")
        assert asked == len(roots), name


def test_a_run_that_failed_is_an_error() -> None:
    """Each run_failed of the log is one agent span with its code."""
    for name, log in LOGS.items():
        failed = [s for s in project(log, "otel") if "parent_span_id" not in s and s["status"] == "ERROR"]
        assert log.count('"kind":"run_failed"') == len(failed), name
