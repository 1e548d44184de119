"""Runs as spans of OpenTelemetry: opened and ended as steps happen, and the same that the projection `otel` gives.

Ids, names, times and attributes are the projection's, which come from the log, so a trace can be made again from the
log at any time, and an exchange that waited for a person ends, in another process, the span that it began. A model's
span is given once its output is there: what it was asked for stands in that line.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from purestep import events
from purestep_formats import open_spans
from purestep_hosts.extras import TRACES
from purestep_hosts.watching.watching import WatchedRun

with TRACES:
    from opentelemetry import trace
    from opentelemetry.context import Context
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor
    from opentelemetry.sdk.trace.id_generator import IdGenerator
    from opentelemetry.sdk.trace.sampling import Decision

_PATH: Final = "/v1/traces"
"""Where a collector takes spans, by the protocol."""
_SEND_S: Final = 5.0
"""How long a collector may take for a batch."""
_CLOSE_S: Final = 3.0
"""How long a process that ends waits for a collector."""
_NS_IN_MS: Final = 1_000_000


class _Opened:
    """A span that has begun, and the time that it began with."""

    def __init__(self, span: trace.Span, begin: int | None) -> None:
        self.span = span
        self.begin = begin


class Traces:
    """Gives the spans of runs to a processor of the SDK."""

    def __init__(self, processor: SpanProcessor, service: str = "") -> None:
        """Begin with no span.

        processor: gets each span, in one thread. service: the name of the service, unless OTEL_SERVICE_NAME has one.
        Of the SDK's variables, those of sampling and of resources hold as well.
        """
        named = {} if os.environ.get("OTEL_SERVICE_NAME") else {SERVICE_NAME: service or "purestep"}
        self._ids = _GivenIds()
        self._provider = TracerProvider(id_generator=self._ids, resource=Resource.create(named), shutdown_on_exit=False)
        self._provider.add_span_processor(processor)
        self._tracer = self._provider.get_tracer("purestep")
        self._opened = WeakKeyDictionary[WatchedRun, dict[str, _Opened]]()

    def began(self, run: WatchedRun) -> None:
        """Open what the log before left open."""
        self._opened[run] = {}
        self._open(run)

    def told(self, run: WatchedRun, lines: Sequence[events.Event], spans: Sequence[dict[str, Any]]) -> None:
        """End spans, and open those that have begun."""
        last = next((line.at for line in reversed(lines) if isinstance(line.at, int)), None)
        for span in spans:
            self._end(run, span, last)
        self._open(run)

    def ended(self, run: WatchedRun) -> None:
        """Forget what is open: the exchange that goes on ends it."""
        self._opened.pop(run, None)

    def close(self) -> None:
        """Send what has ended, for a short time; a collector that is away is not waited for."""
        closing = threading.Thread(target=self._provider.shutdown, name="purestep-traces", daemon=True)
        closing.start()
        closing.join(_CLOSE_S)

    def _open(self, run: WatchedRun) -> None:
        opened = self._opened[run]
        for span in open_spans(run.projection):
            if span["span_id"] not in opened:
                opened[span["span_id"]] = self._started(span)

    def _end(self, run: WatchedRun, span: dict[str, Any], last: int | None) -> None:
        found = self._opened[run].pop(span["span_id"], None)
        if found is None or found.begin != span.get("start_time_ms"):  # the clock ran backwards
            found = self._started(span)
        found.span.update_name(span["name"])
        found.span.set_attributes(span["attributes"])
        found.span.set_status(trace.Status(trace.StatusCode[span["status"]], span.get("status_message")))
        found.span.end(_ns(span.get("end_time_ms", last)))

    def _started(self, span: dict[str, Any]) -> _Opened:
        trace_id, begin = int(span["trace_id"], 16), span.get("start_time_ms")
        self._ids.trace_id, self._ids.span_id = trace_id, int(span["span_id"], 16)
        around = Context()
        if "parent_span_id" in span:
            parent = trace.SpanContext(trace_id, int(span["parent_span_id"], 16), False, self._flags(trace_id))
            around = trace.set_span_in_context(trace.NonRecordingSpan(parent), around)
        kind = trace.SpanKind[span["kind"]]
        return _Opened(self._tracer.start_span(span["name"], around, kind, start_time=_ns(begin)), begin)

    def _flags(self, trace_id: int) -> trace.TraceFlags:
        """Return whether a trace is sampled: decided for the trace alone, so in each process and step the same."""
        decided = self._provider.sampler.should_sample(None, trace_id, "invoke_agent").decision
        is_sampled = decided is Decision.RECORD_AND_SAMPLE
        return trace.TraceFlags(trace.TraceFlags.SAMPLED if is_sampled else trace.TraceFlags.DEFAULT)


class _GivenIds(IdGenerator):
    """The ids that the projection gives, instead of random ones."""

    trace_id = 0
    span_id = 0

    def generate_trace_id(self) -> int:
        """Return that of the span which is started."""
        return self.trace_id

    def generate_span_id(self) -> int:
        """Return that of the span which is started."""
        return self.span_id


def otlp_processor(url: str) -> SpanProcessor:
    """Return what sends spans to a collector by OTLP over HTTP, in batches and in a thread of its own.

    url: the collector's, such as `http://127.0.0.1:4318`, or one with a path. Headers, such as a key, come from
    OTEL_EXPORTER_OTLP_HEADERS. What a collector does not take in time is dropped.
    """
    endpoint = url if urlsplit(url).path.strip("/") else url.rstrip("/") + _PATH
    return BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=_SEND_S))


def _ns(at: int | None) -> int | None:
    return None if at is None else at * _NS_IN_MS
