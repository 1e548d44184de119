"""The speed of replaying a long log, with every decision derived again and every byte compared."""

import time
from statistics import median

from bench.figures import Figure
from bench.runs import LongRun
from purestep.log.replay import replay, verify

EVENTS = 100_000


def measure() -> list[Figure]:
    """Replay a log of 100,000 events five times."""
    log = "".join(LongRun(EVENTS // 2 + 10).log)
    events = log.count("\n")
    assert events >= EVENTS, f"the log holds {events} events"
    assert verify(log).ok
    times = []
    for _ in range(5):
        began = time.process_time_ns()
        replay(log)
        times.append((time.process_time_ns() - began) / 1e9)
    return [
        Figure("events in the log", events, ""),
        Figure(
            "replayed, decisions derived again, chain checked", events / median(times), "events/s", at_least=100_000
        ),
    ]
