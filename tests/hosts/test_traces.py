"""Spans while a run goes on: the same as those of its log afterwards, whatever happened to the process in between."""

from __future__ import annotations

import http.server
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.testclient import TestClient

from purestep_formats import feed_projection, open_projection, project
from purestep_hosts import Agent, ScriptedModel, calls, says, tool
from purestep_hosts.serve import Admission, create_app
from purestep_hosts.watching import Watching
from purestep_hosts.watching.traces import Traces, otlp_processor
from tests.formats.projections.logs import LOGS
from tests.serve.conftest import TOKEN

OWN = {"Authorization": f"Bearer {TOKEN}"}


def as_told(log: str, stops: tuple[int, ...] = ()) -> list[ReadableSpan]:
    """Return the spans of a log that is told line by line; stops: the lines after which another process goes on."""
    exporter, lines = InMemorySpanExporter(), log.splitlines(keepends=True)
    for begin, end in zip((0, *stops), (*stops, len(lines)), strict=True):
        watching = Watching([Traces(SimpleSpanProcessor(exporter))])
        exchange = watching.exchange("r", "".join(lines[:begin]))
        for line in lines[begin:end]:
            exchange.step(line)
        exchange.end()
        assert watching.flush(60)
        assert (0, 0) == (watching.usage.overflowed, watching.usage.unreadable)
    return list(exporter.get_finished_spans())


def tree(spans: list[ReadableSpan]) -> list[dict[str, Any]]:
    """Return spans in the projection's form."""
    found = []
    for span in spans:
        made: dict[str, Any] = {
            "trace_id": f"{span.context.trace_id:032x}", "span_id": f"{span.context.span_id:016x}",
            "name": span.name, "kind": span.kind.name, "status": span.status.status_code.name,
            "attributes": {name: list(each) if isinstance(each, tuple) else each
                           for name, each in (span.attributes or {}).items()},
        }  # fmt: skip
        if span.parent is not None:
            made["parent_span_id"] = f"{span.parent.span_id:016x}"
        if span.status.description:
            made["status_message"] = span.status.description
        made["times"] = ((span.start_time or 0) // 1_000_000, (span.end_time or 0) // 1_000_000)
        found.append(made)
    return found


def ended(log: str) -> list[dict[str, Any]]:
    """Return the projection of a log, without the spans of an exchange that has not ended."""
    _, spans = feed_projection(open_projection("otel"), log)
    for span in spans:
        if not span.get("status_message"):
            span.pop("status_message", None)
        span["times"] = (span.pop("start_time_ms", None), span.pop("end_time_ms", None))
    return spans


def without_unknown(spans: list[dict[str, Any]], known: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out the times that a log does not have: the SDK takes its own clock's."""
    for span, other in zip(spans, known, strict=True):
        span["times"] = tuple(
            [None if theirs is None else own for own, theirs in zip(span["times"], other["times"], strict=True)]
        )
    return spans


@pytest.mark.parametrize("name", LOGS)
def test_the_spans_of_a_run_are_those_of_its_log(name: str) -> None:
    """Ids, parents, names, attributes, times and errors, each span once."""
    expected = ended(LOGS[name])
    assert expected == without_unknown(tree(as_told(LOGS[name])), expected)


@pytest.mark.parametrize("name", ["recorded", "recorded-stops"])
def test_another_process_ends_what_one_began(name: str) -> None:
    """After a kill at any line, no span is lost, comes twice, or under another id."""
    expected = ended(LOGS[name])
    for stop in range(1, len(LOGS[name].splitlines())):
        assert expected == without_unknown(tree(as_told(LOGS[name], (stop,))), expected), stop


@tool(approval="ask", destructive=True)
def refund(number: int) -> str:
    """Refund an order."""
    return f"Order {number} is refunded."


def refunded(folder: Path, processor: SpanProcessor) -> tuple[str, float]:
    """Have a service with a processor refund an order, with an approval; return the log, and the seconds it took."""
    watching = Watching([Traces(processor, "shop")])
    model = ScriptedModel([calls("refund", number=7), says("Done.")])
    app = create_app(Agent(model, tools=[refund]), folder, Admission({"": TOKEN}), watching=watching)
    begin = time.monotonic()
    with TestClient(app) as client:
        run = client.post("/runs", json={"query": "Refund 7"}, headers=OWN).json()
        answers = [{"call_id": each["call_id"], "key": each["key"], "approved": True} for each in run["approvals"]]
        done = client.post(f"/runs/{run['run']}", json={"approvals": answers}, headers=OWN).json()
        log = client.get(f"/runs/{run['run']}/log", headers=OWN).text
    assert "Done." == done["answer"]
    watching.close()
    return log, time.monotonic() - begin


class Starts(SpanProcessor):
    """Notes which spans begin and end, in order."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        """Note it."""
        self.seen.append(f"+ {span.name}")

    def on_end(self, span: ReadableSpan) -> None:
        """Note it."""
        self.seen.append(f"- {span.name}")


def test_spans_begin_with_what_they_are_of(tmp_path: Path) -> None:
    """The agent's with the question, and again when somebody has answered; a tool's with its call, not with its end."""
    starts = Starts()
    refunded(tmp_path, starts)
    chat, call, agent = "chat script", "execute_tool refund", "invoke_agent"
    expected = [
        f"+ {agent}",
        f"+ {chat}",
        f"- {chat}",
        f"+ {agent}",
        f"+ {call}",
        f"- {call}",
        f"+ {chat}",
        f"- {chat}",
    ]
    assert [*expected, f"- {agent}"] == starts.seen


class Collector(http.server.BaseHTTPRequestHandler):
    """Takes spans by OTLP, and decodes them as any receiver does."""

    taken: list[ExportTraceServiceRequest]

    def do_POST(self) -> None:
        """Take one batch."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.taken.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def collecting() -> Iterator[tuple[str, list[ExportTraceServiceRequest]]]:
    """Run a collector; gives its address and what it takes."""
    taken: list[ExportTraceServiceRequest] = []
    handler = type("Taking", (Collector,), {"taken": taken})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", taken
        server.shutdown()
        thread.join()


def test_a_collector_gets_the_spans_by_otlp(tmp_path: Path) -> None:
    """Those of the log, with the service's name; nothing of what was said."""
    with collecting() as (url, taken):
        log, _ = refunded(tmp_path, otlp_processor(url))
    resources = [each for batch in taken for each in batch.resource_spans]
    spans = [span for each in resources for scope in each.scope_spans for span in scope.spans]
    names = {
        attribute.key: attribute.value.string_value for each in resources for attribute in each.resource.attributes
    }
    assert "shop" == names["service.name"]
    assert [span["span_id"] for span in project(log, "otel")] == [span.span_id.hex() for span in spans]
    assert not [word for word in ("Refund 7", "refunded", TOKEN) if word in str(taken)]


def test_a_collector_that_is_away_or_hangs_fails_no_run(tmp_path: Path) -> None:
    """The run is answered, and the process ends, although nobody takes its spans."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()  # takes connections, and says nothing
        refunded(tmp_path / "hangs", otlp_processor(f"http://127.0.0.1:{silent.getsockname()[1]}"))
    refunded(tmp_path / "away", otlp_processor("http://127.0.0.1:9"))
