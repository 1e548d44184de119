"""Runs as they are watched from outside: metrics, lines for a collector of logs, and spans.

    a step, whose lines are stored ── Watching (a queue and one thread) ──┬─ RunMetrics    counted, read on /metrics
                                                                          ├─ JsonLog       a line for each line
                                                                          └─ Traces        spans, sent by OTLP

All three are folds of the log's lines and of nothing else, so what they say is what the log says. A run never waits for
them: its step puts its lines into a bounded queue and goes on. Where the queue is full, the exchange is left unwatched
from there on and counted as such. No text of a user, a model or a tool leaves here.
"""

from purestep_hosts.watching.watching import RunWatch, WatchedRun, Watching, WatchUsage

__all__ = ["RunWatch", "WatchUsage", "WatchedRun", "Watching"]
