"""The loop waits as it is told before a model is asked again, and asks no more often than the core says."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from purestep import Agent, Done, Failed
from purestep_hosts.loop import Ports, Run
from purestep_hosts.models.openai_http import HttpModel, completions_url
from tests.hosts.test_hosts_http_faults import Answer, chunk, stream

FINAL = '{"kind":"final","content":"Here after all."}'
GOOD = stream(chunk(FINAL), chunk(finish="stop"), b"data: [DONE]\n\n")

Web = Callable[[Answer], str]


class Kept:
    """A log, a watcher and a clock of which the test is the master."""

    def __init__(self) -> None:
        self.log = ""
        self.slept: list[float] = []
        self.now = 0

    def append(self, log: str, head: str) -> None:
        """Keep the lines."""
        self.log += log

    def on_text(self, text: str) -> None:
        """Nothing is kept of a text."""

    def on_retract(self) -> None:
        """Nothing is taken back."""

    def on_step(self, step: Any) -> None:
        """Nothing is kept of a step."""

    def on_result(self, call: Any, result: Any) -> None:
        """Nothing is kept of a result."""

    def run(self, tool: str, params: dict[str, Any], key: str) -> dict[str, Any]:
        """No tool is called."""
        raise AssertionError(tool)

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.slept.append(seconds)
        self.now += round(seconds * 1000)

    def ports(self, model: Any) -> Ports:
        """Return the ports of a run whose every adapter but the model is this."""
        return Ports(
            model=model,
            tools=self,
            approve=lambda calls: (),
            log=self,
            watch=self,
            clock=lambda: self.now,
            sleep=self.sleep,
        )

    def decided(self) -> list[int]:
        """Return the waits that the log tells of."""
        events = [json.loads(line) for line in self.log.splitlines()]
        return [event["wait_ms"] for event in events if event["kind"] == "decided"]


def asked(url: str, kept: Kept, **definition: Any) -> Any:
    """Ask one thing of a model behind a server; gives how it ended."""
    model = HttpModel(completions_url(url), model="m")
    ports = kept.ports(model)
    try:
        return Run(Agent.load(definition), ports, "run-1").ask("Go").decision
    finally:
        model.close()


def busy(times: int, tries: list[int], **headers: str) -> Answer:
    """Answer 503 so many times, then well."""

    def answer(handler: Any, number: int) -> None:
        tries.append(number)
        if number < times:
            handler.reply(503, "application/json", b'{"error":{"message":"loading"}}', **headers)
        else:
            GOOD(handler, number)

    return answer


def test_busy_server_is_asked_again_after_a_wait(web: Web) -> None:
    """Two errors bring two waits, which the log tells of, and then the answer."""
    tries: list[int] = []
    kept = Kept()
    assert Done(answer="Here after all.") == asked(web(busy(2, tries)), kept)
    assert ([0, 1, 2], [wait / 1000 for wait in kept.decided()]) == (tries, kept.slept)
    assert 0.75 <= kept.slept[0] <= 1 < kept.slept[1] <= 2


def test_server_that_is_gone_is_asked_three_times_in_all(web: Web) -> None:
    """No layer tries again by itself: three requests, not nine."""
    tries: list[int] = []
    ended = asked(web(busy(99, tries)), Kept())
    assert isinstance(ended, Failed)
    assert ("model_error", [0, 1, 2]) == (ended.code, tries)


def test_wait_is_what_the_server_asks_for(web: Web) -> None:
    """The header Retry-After comes through adapter, core and loop."""
    kept = Kept()
    asked(web(busy(1, [], Retry_After="7")), kept)
    assert [7.0] == kept.slept


def test_wait_past_the_deadline_is_not_begun(web: Web) -> None:
    """The run ends at once, without another request."""
    tries: list[int] = []
    kept = Kept()
    ended = asked(web(busy(9, tries, Retry_After="7")), kept, limits={"deadline_ms": 5000})
    assert isinstance(ended, Failed)
    assert ("deadline", [], [0]) == (ended.code, kept.slept, tries)


def test_interrupt_during_a_wait_cancels_the_run(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C does not have to wait for the wait."""
    tries: list[int] = []
    kept = Kept()

    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(kept, "sleep", interrupted)
    ended = asked(web(busy(9, tries)), kept)
    assert isinstance(ended, Failed)
    assert ("cancelled", [0]) == (ended.code, tries)
