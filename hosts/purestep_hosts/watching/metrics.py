"""What runs did, counted for Prometheus: a fold of the lines that are told, with bounded labels.

Labels are names of models, tools, checks, causes and codes. Each label takes so many values as the process meets first;
later ones are counted as `other`, so neither a server that names a new model each time nor a list of tools without end
makes series without end. No label has a run's id or a text.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final
from weakref import WeakSet

from purestep import events
from purestep_hosts.extras import METRICS
from purestep_hosts.watching.watching import WatchedRun, WatchUsage, counted

with METRICS:
    from prometheus_client import CollectorRegistry, Counter, Histogram
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
    from prometheus_client.exposition import choose_encoder

MAX_VALUES: Final = 100
"""Of one label: more tools or models are no table that a person reads."""
MAX_VALUE_CHARS: Final = 100
"""Of one value: as many as the longest names of models."""
OTHER: Final = "other"
"""What stands for the values beyond the bound."""

_SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0)
"""From a tool on this machine up to the longest exchange."""
_WAITS: Final = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0, 14400.0, 86400.0, 604800.0)
"""From a person who looks at the screen up to one who is away for a week."""
_TOKENS: Final = {
    "gen_ai.usage.input_tokens": "input",
    "gen_ai.usage.output_tokens": "output",
    "gen_ai.usage.cache_read.input_tokens": "input_cached",
    "gen_ai.usage.cache_creation.input_tokens": "input_cache_written",
    "gen_ai.usage.reasoning.output_tokens": "output_reasoning",
}
"""The kinds of tokens; those after the first two are parts of these."""
_MILLION: Final = 1_000_000


class LabelValues:
    """The values that one label may have: the first ones, within the bound."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def of(self, value: str) -> str:
        """Return a value, or what stands for it."""
        if value in self._known:
            return value
        if len(self._known) >= MAX_VALUES or len(value) > MAX_VALUE_CHARS:
            return OTHER
        self._known.add(value)
        return value


class RunMetrics:
    """Counts what is told of runs; `text` gives it to a scraper."""

    def __init__(self, waits: Callable[[], Mapping[str, int]] | None = None) -> None:
        """Begin at nothing.

        waits: when each call was asked about that waits for a person, in a store that other processes write too, by
        the run's id, a space and the call's; None: those that this process was told of.
        """
        self.registry = CollectorRegistry()
        self.usage: WatchUsage | None = None
        """What is not counted, as far as somebody knows that."""
        self.waits = waits or self._own_waits
        self._running = WeakSet[WatchedRun]()
        self._waiting: dict[str, dict[str, int]] = {}
        self._models, self._tools, self._codes, self._checks = (LabelValues() for _ in range(4))
        made = self.registry
        self._exchanges = Counter(
            "purestep_exchanges", "Exchanges that ended, by status and code.", ("status", "code"), registry=made
        )
        self._asked = Counter("purestep_approvals_asked", "Calls that had to wait for a person.", registry=made)
        self._answered = Counter(
            "purestep_approvals_answered", "Answers of people to waiting calls.", ("answer",), registry=made
        )
        self._waited = Histogram(
            "purestep_approval_wait_seconds", "From the request to the answer.", buckets=_WAITS, registry=made
        )
        self._tokens = Counter("purestep_tokens", "Tokens, as servers count them.", ("model", "kind"), registry=made)
        self._cost = Counter(
            "purestep_cost", "Cost of model calls, at the definition's prices.", ("model", "unit"), registry=made
        )
        self._corrections = Counter(
            "purestep_corrections", "Outputs of a model that were sent back.", ("cause",), registry=made
        )
        self._refusals = Counter(
            "purestep_refusals",
            "What was refused: calls by a person, calls, outputs and answers by a check or policy.",
            ("kind", "by"),
            registry=made,
        )
        self._requests = Counter(
            "purestep_refused_requests", "Requests that got an error, by its code.", ("code",), registry=made
        )
        self._model_s = Histogram(
            "purestep_model_seconds", "Time of a model call.", ("model", "error"), buckets=_SECONDS, registry=made
        )
        self._tool_s = Histogram(
            "purestep_tool_seconds", "Time of a tool call.", ("tool", "error"), buckets=_SECONDS, registry=made
        )
        made.register(_Gauges(self))

    # --- what it is told ----------------------------------------------------------------------------------

    def began(self, run: WatchedRun) -> None:
        """Count an exchange as running."""
        self._running.add(run)
        self._waiting[run.run_id] = run.waiting

    def told(self, run: WatchedRun, lines: Sequence[events.Event], spans: Sequence[dict[str, Any]]) -> None:
        """Count lines, and the spans that they end."""
        for line in lines:
            self._count(run, counted(line))
        for span in spans:
            match span["attributes"]["gen_ai.operation.name"]:
                case "chat":
                    self._count_model(run, span)
                case "execute_tool":
                    tool = self._tools.of(span["attributes"]["gen_ai.tool.name"])
                    self._observe(self._tool_s, tool, span)

    def ended(self, run: WatchedRun) -> None:
        """Count an exchange as over."""
        self._running.discard(run)
        if not run.waiting:
            self._waiting.pop(run.run_id, None)

    def close(self) -> None:
        """Do nothing: what was not read by now is lost, as with every counter."""

    def refused_request(self, code: str) -> None:
        """Count a request that got an error; called in any thread."""
        self._requests.labels(self._codes.of(code)).inc()

    def _count(self, run: WatchedRun, line: events.Event) -> None:
        match line:
            case events.FinalAnswer(question=asks):
                self._exchanges.labels("question" if asks else "done", "").inc()
            case events.RunFailed(code=code):
                self._exchanges.labels("failed", self._codes.of(code)).inc()
            case events.ApprovalRequestEvent():
                self._asked.inc()
            case events.ApprovalEvent():
                self._count_approval(run, line)
            case events.CorrectionEvent(cause=cause):
                self._corrections.labels(self._codes.of(cause)).inc()
            case events.VerdictEvent(verdict="reject", check=check):
                self._refusals.labels("check", self._checks.of(check)).inc()

    def _count_approval(self, run: WatchedRun, line: events.ApprovalEvent) -> None:
        self._answered.labels("approved" if line.approved else "refused").inc()
        if not line.approved:
            self._refusals.labels("person", "").inc()
        asked_at = run.waiting.get(line.call_id)
        if asked_at and isinstance(line.at, int):
            self._waited.observe(max(0, line.at - asked_at) / 1000)

    def _count_model(self, run: WatchedRun, span: dict[str, Any]) -> None:
        attributes = span["attributes"]
        model = self._models.of(attributes.get("gen_ai.request.model") or attributes.get("gen_ai.response.model") or "")
        self._observe(self._model_s, model, span)
        for name, kind in _TOKENS.items():
            if attributes.get(name):
                self._tokens.labels(model, kind).inc(attributes[name])
        if attributes.get("purestep.cost"):
            self._cost.labels(model, run.unit).inc(attributes["purestep.cost"] / _MILLION)

    def _observe(self, histogram: Histogram, name: str, span: dict[str, Any]) -> None:
        begin, end = span.get("start_time_ms"), span.get("end_time_ms")
        error = self._codes.of(span["attributes"].get("error.type", ""))
        histogram.labels(name, error).observe(0 if begin is None or end is None else (end - begin) / 1000)

    # --- what it tells ------------------------------------------------------------------------------------

    def text(self, accept: str = "") -> tuple[bytes, str]:
        """Return everything in the form that a scraper accepts, and its media type."""
        encode, media_type = choose_encoder(accept)
        return encode(self.registry), media_type

    def gauges(self) -> Iterator[Metric]:
        """Yield what stands now."""
        waits = self.waits()
        times = [at for at in waits.values() if at]
        age_s = max(0.0, time.time() - min(times) / 1000) if times else 0.0
        said = "Exchanges that go on in this process, and runs that wait for a person."
        runs = GaugeMetricFamily("purestep_runs", said, labels=("status",))
        runs.add_metric(("running",), len(self._running))
        runs.add_metric(("waiting",), len({key.partition(" ")[0] for key in waits}))
        yield runs
        yield GaugeMetricFamily("purestep_approvals_open", "Calls that wait for a person.", value=len(waits))
        yield GaugeMetricFamily("purestep_approvals_oldest_seconds", "How long the oldest of them waits.", value=age_s)
        if self.usage is not None:
            lost = CounterMetricFamily("purestep_unwatched", "Exchanges that are counted in part.", labels=("reason",))
            lost.add_metric(("overflow",), self.usage.overflowed)
            lost.add_metric(("unreadable",), self.usage.unreadable)
            yield lost

    def _own_waits(self) -> Mapping[str, int]:
        return {f"{run} {call}": at for run, calls in list(self._waiting.items()) for call, at in list(calls.items())}


class _Gauges:
    """What the registry asks at each scrape."""

    def __init__(self, metrics: RunMetrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[Metric]:
        """Yield the gauges."""
        return self._metrics.gauges()

    def describe(self) -> Sequence[Metric]:
        """Name none before the first scrape."""
        return ()
