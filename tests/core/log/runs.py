"""A run with every kind of event in it, for tests of its log."""

import json
from typing import Any

import purestep
from tests.core.agents import (
    agent,
    answer,
    approvals,
    call,
    failure,
    final,
    listed,
    native_call,
    ok,
    results,
    said,
)
from tests.core.driver import Driver


def rich_run(dialect: str = "envelope", at: int | None = 1000) -> Driver:
    """Return a run with every kind of event in it."""
    driver = Driver(agent(dialect=dialect, limits={"deadline_ms": 10**6}), query="Grüße \u2028 \x85 \x0b 🎉", at=at)
    when = {} if at is None else {"at": at + 5}

    def send(observation: dict[str, Any]) -> None:
        driver.send({**observation, **when})

    def out(*texts: tuple[str, dict[str, Any]]) -> None:
        if dialect == "native":
            send(said("text", tool_calls=[native_call(name, arguments) for name, arguments in texts]))
        else:
            send(said(listed(*[call(name, **arguments) for name, arguments in texts]), usage={"prompt_tokens": 3}))

    send({"type": "model_error", "code": "timeout", "message": "slow", "retryable": True})
    out(("nothing", {}))
    out(("add_numbers", {"a": 1, "b": 2}), ("shell", {"command": "ls"}), ("shell", {"command": "pwd"}))
    first, second = driver.decision["calls"]
    send(approvals(answer(second, False, reason="no")))
    send(approvals(answer(first, True, params={"command": "ls -l"}, by="me")))
    send(ok("call_3", {"lines": [1, 2.5, "x\ny"]}))
    send(results(failure("call_2", "lost")))
    out(("add_numbers", {"a": 1, "b": 3}))
    send(ok("call_5", ""))
    out(("add_numbers", {"a": 1, "b": 4}))
    send(ok("call_6", 5))
    send(said(final("The answer — 3.") if dialect == "envelope" else "The answer — 3."))
    send({"type": "user_message", "content": "More."})
    send({"type": "cancel", "reason": "enough"})
    return driver


DIALECTS = ("envelope", "native")


def verified(log: str | bytes, head: str | None = None) -> dict[str, Any]:
    """Return what checking a log finds."""
    verdict: dict[str, Any] = json.loads(purestep.verify_log(log, head))
    return verdict
