"""The options by which a service is watched: `--metrics`, `--log-format` and `--traces`."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import typer
from msgspec.structs import replace

from purestep_hosts.cli.error_report import UsageError
from purestep_hosts.extras import METRICS, TRACES
from purestep_hosts.watching import RunWatch, Watching
from purestep_hosts.watching.json_log import json_logging

if TYPE_CHECKING:
    from purestep_hosts.agents.served_agent import ServedAgent

METRICS_TOKEN: Final = "PURESTEP_METRICS_TOKEN"
"""The variable with the token of who reads /metrics and nothing else."""


class MetricsReaders(StrEnum):
    """Who may read /metrics."""

    TOKEN = "token"
    OPEN = "open"


class LogFormat(StrEnum):
    """How a service writes its log."""

    TEXT = "text"
    JSON = "json"


MetricsOption = Annotated[
    MetricsReaders | None,
    typer.Option("--metrics", help=f"Answer /metrics: with {METRICS_TOKEN} or the service's token, or to everybody."),
]
LogFormatOption = Annotated[
    LogFormat, typer.Option("--log-format", help="How the log is written: for people, or a JSON object a line.")
]
TracesOption = Annotated[
    str | None,
    typer.Option("--traces", metavar="URL", help="Send spans to this OTLP collector, as http://127.0.0.1:4318."),
]


class WatchOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a service is watched."""

    metrics: MetricsReaders | None = None
    log_format: LogFormat = LogFormat.TEXT
    traces: str | None = None

    @property
    def is_json(self) -> bool:
        """Whether the log is JSON."""
        return self.log_format is LogFormat.JSON

    def require(self) -> None:
        """Raise MissingExtraError or UsageError, before a model is loaded for nothing."""
        if self.metrics is not None:
            METRICS.require()
        if self.traces is not None:
            TRACES.require()
            if not self.traces.startswith(("http://", "https://")):
                raise UsageError(f"--traces is {self.traces!r:.80}; expected an address such as http://127.0.0.1:4318")


def metrics_token() -> str:
    """Return the token of who reads the metrics, "" for none."""
    return os.environ.get(METRICS_TOKEN, "").strip()


def use_root_loggers(*names: str) -> None:
    """Have loggers that a library has set up for itself write as all others do."""
    for name in names:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True


@contextmanager
def watched_agent(agent: ServedAgent, options: WatchOptions) -> Iterator[ServedAgent]:
    """Give the agent with what watches its runs, and end that afterwards."""
    watches = list(_watches(agent, options))
    if not watches:
        yield agent
        return
    watching = Watching(watches)
    try:
        yield replace(agent, watching=watching)
    finally:
        watching.close()


def _watches(agent: ServedAgent, options: WatchOptions) -> Iterator[RunWatch]:
    if options.metrics is not None:
        from prometheus_client import disable_created_metrics

        from purestep_hosts.watching.metrics import RunMetrics

        # Beside each other series one that says when this process began.
        disable_created_metrics()  # type: ignore[no-untyped-call]
        yield RunMetrics()
    if options.is_json:
        yield json_logging(agent.mask)
    if options.traces is not None:
        from purestep_hosts.watching.traces import Traces, otlp_processor

        yield Traces(otlp_processor(options.traces), agent.definition.definition.name)
