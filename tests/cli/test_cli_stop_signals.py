"""A signal ends a command that serves, wherever the main thread is when it comes."""

import subprocess
import sys

import pytest

PATIENCE_S = 300

_PROGRAM = """
import os, signal, sys, threading, time
from purestep_hosts.stop_signals import StopSignals

lines = 0

def trace(frame, event, argument):
    global lines
    lines += event == "line"
    if event == "line" and lines == int(sys.argv[1]):
        signal.raise_signal(signal.SIGTERM)
    return trace

def later():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGTERM)

signals = StopSignals()
threading.Thread(target=later, daemon=True).start()
others = [threading.Thread(target=signals.wait) for _ in range(2)]
for thread in others:
    thread.start()
sys.settrace(trace)
signals.wait()
sys.settrace(None)
for thread in others:
    thread.join()
print("ended")
"""
"""Waits, and has a signal come at one of the lines that waiting runs through, and another one a while later."""


@pytest.mark.parametrize("line", range(1, 9))
def test_a_signal_at_any_line_ends_all_waits(line: int) -> None:
    """No lock that the waiting code holds is needed to hear it."""
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(line)], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ("ended\n", 0) == (done.stdout, done.returncode), done.stderr


_MANY = """
import os, signal, threading
from purestep_hosts.stop_signals import StopSignals

def send(gate):
    gate.wait()
    os.kill(os.getpid(), signal.SIGTERM)

for _ in range(2000):
    gate = threading.Event()
    with StopSignals() as signals:
        others = [threading.Thread(target=signals.wait), threading.Thread(target=send, args=(gate,))]
        for thread in others:
            thread.start()
        gate.set()
        signals.wait()
        for thread in others:
            thread.join()
print("ended")
"""
"""Has a signal come while the main thread is about to sleep, which no line of Python falls into."""


def test_no_signal_is_missed_by_a_wait_that_begins() -> None:
    """A signal that comes between the last look and the sleep ends the wait, each time of many."""
    done = subprocess.run(
        [sys.executable, "-c", _MANY], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ("ended\n", 0) == (done.stdout, done.returncode), done.stderr
