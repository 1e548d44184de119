"""A model that gives nothing: bounded retries, a narrower prompt, a larger model, a failure that says why."""

import json
from typing import Any

import pytest

import purestep
from tests.core.agents import ADD, agent, call, final, ok, said
from tests.core.driver import Driver, altered, stepped

SMALL_TO_LARGE = [
    {"name": "small", "window_tokens": 2000},
    {"name": "same", "window_tokens": 2000},
    {"name": "large", "window_tokens": 9000},
]


def _error(code: str, retryable: bool = False, message: str = "it said no") -> dict[str, Any]:
    return {"type": "model_error", "code": code, "message": message, "retryable": retryable}


OVERFLOW = _error("overflow")


@pytest.mark.parametrize("code", ["rate_limit", "unavailable", "anything"])
def test_retryable_error_is_retried_a_bounded_number_of_times(code: str) -> None:
    """C16: a provider that is gone ends the run, after a few tries."""
    driver = Driver(agent())
    decisions = [driver.send(_error(code, True)) for _ in range(3)]
    assert ["retry", "retry", None] == [decision.get("reason") for decision in decisions]
    assert ("failed", "model_error") == (driver.decision["type"], driver.decision["code"])
    assert "it said no" in driver.decision["message"]


def test_a_timeout_is_retried_once() -> None:
    """A server that is silent has cost minutes already; it is asked twice in all."""
    driver = Driver(agent())
    decisions = [driver.send(_error("timeout", True)) for _ in range(2)]
    assert ["retry", None] == [decision.get("reason") for decision in decisions]
    assert ("failed", "model_error") == (driver.decision["type"], driver.decision["code"])


def test_error_that_is_not_retryable_ends_the_run() -> None:
    """C16: a refusal of the provider is not tried again."""
    driver = Driver(agent())
    assert ("failed", {"code": "refused"}) == (driver.send(_error("refused"))["type"], driver.decision["detail"])


def test_output_in_between_starts_the_count_anew() -> None:
    """C16: errors are counted in a row."""
    driver = Driver(agent())
    for number in range(4):
        driver.send(_error("unavailable", True))
        assert "retry" == driver.send(_error("unavailable", True))["reason"]
        driver.send(said(call("add_numbers", a=number, b=1)))
        driver.give_all(f"{number + 1} sum")


def test_retry_asks_with_the_same_prompt_and_is_no_turn() -> None:
    """A retry sends the same messages and does not count as a turn."""
    driver = Driver(agent())
    before = driver.prompt()
    driver.send(_error("timeout", True))
    assert (before, 0) == (driver.prompt(), driver.state["exchange"]["used"]["turns"])


def test_error_is_in_the_log() -> None:
    """E29: what the model failed with is a fact."""
    driver = Driver(agent())
    driver.send(_error("timeout", True))
    (event,) = driver.events("model_error")
    assert ("timeout", True) == (event["code"], event["retryable"])


def _waited(retry_after_ms: int | None, errors: int = 1, **definition: Any) -> Driver:
    driver = Driver(agent(**definition), at=0)
    for _ in range(errors):
        asked = {} if retry_after_ms is None else {"retry_after_ms": retry_after_ms}
        driver.send({**_error("rate_limit", True), **asked, "at": 100})
    return driver


@pytest.mark.parametrize(("errors", "longest"), [(1, 1000), (2, 2000)])
def test_wait_doubles_and_is_up_to_a_quarter_shorter(errors: int, longest: int) -> None:
    """Runs that lost one server do not come back at once, and each tries later than before."""
    waits = []
    for number in range(40):
        driver = Driver(agent(), query=f"question {number}")
        for _ in range(errors):
            driver.send(_error("unavailable", True))
        waits.append(driver.decision["wait_ms"])
    assert all(longest * 3 // 4 < wait <= longest for wait in waits)
    assert len(set(waits)) > 30


@pytest.mark.parametrize(
    ("asked", "wait_ms"), [(1, 1), (2500, 2500), (60_000, 60_000), (60_001, 60_000), (2**53 - 1, 60_000)]
)
def test_server_is_left_alone_as_long_as_it_asks(asked: int, wait_ms: int) -> None:
    """What a server asks for is honoured, up to a minute."""
    assert wait_ms == _waited(asked).decision["wait_ms"]


@pytest.mark.parametrize("asked", [0, None])
def test_no_retry_is_without_a_wait(asked: int | None) -> None:
    """A server that asks for nothing is left alone for the back-off."""
    assert _waited(asked).decision["wait_ms"] >= 750


def test_wait_stands_in_state_and_log() -> None:
    """The decision is read off the state alone, and the log says why the model is asked again and after how long."""
    driver = _waited(2500)
    (event,) = driver.events("decided")
    assert ("retry", 2500, 1) == (event["reason"], event["wait_ms"], event["attempt"])
    assert 2500 == driver.state["exchange"]["wait_ms"]
    assert driver.decision == stepped(agent=driver.definition, state=driver.state)["decision"]
    assert ["model_error", "decided"] == driver.kinds()[-2:]
    verified = json.loads(purestep.verify_log(driver.log, driver.state["head"]))
    assert (True, driver.state) == (verified["ok"], json.loads(purestep.replay_log(driver.log))["state"])


def test_log_without_the_wait_does_not_verify() -> None:
    """A line cut out, or another wait, is found."""
    driver = _waited(2500)
    without = "".join(line for line in driver.log.splitlines(keepends=True) if '"decided"' not in line)
    assert not json.loads(purestep.verify_log(without))["ok"]
    changed = driver.log.replace('"wait_ms":2500', '"wait_ms":2')
    assert "log_mismatch" == json.loads(purestep.verify_log(changed))["code"]


@pytest.mark.parametrize("after", [said(final("x")), said(call("add_numbers", a=1, b=1)), {"type": "cancel"}])
def test_wait_is_over_with_what_comes_after_it(after: dict[str, Any]) -> None:
    """No later decision waits for an error that is past."""
    driver = _waited(2500)
    driver.send(after)
    assert "wait_ms" not in driver.state["exchange"]
    assert "wait_ms" not in driver.decision


def test_overflow_is_tried_again_at_once() -> None:
    """A narrower prompt is another request: nothing has to pass first."""
    driver = _long_run()
    assert "wait_ms" not in driver.send(OVERFLOW)


@pytest.mark.parametrize(("wait_ms", "ends"), [(900, "call_model"), (901, "failed")])
def test_wait_past_the_deadline_is_not_begun(wait_ms: int, ends: str) -> None:
    """A run that would only wait for its own end fails at once, and says how long it would have waited."""
    driver = _waited(wait_ms, limits={"deadline_ms": 1000})
    assert ends == driver.decision["type"]
    if ends == "failed":
        figures = {"deadline_ms": 1000, "elapsed_ms": 100, "wait_ms": 901}
        assert ("deadline", figures) == (driver.decision["code"], driver.decision["detail"])
        assert [] == driver.events("decided")


def test_wait_that_no_step_made_is_refused() -> None:
    """A state may come from a client, which cannot make a host wait for long."""
    driver = Driver(agent())
    output = stepped(agent=driver.definition, state=altered(driver.state, "exchange", wait_ms=60_001))
    assert ("invalid_state", "/state/exchange/wait_ms") == (output["error"]["code"], output["error"]["path"])


def _long_run(**members: Any) -> Driver:
    carried = {"models": [{"name": "m", "carry": "ground"}]}
    driver = Driver(agent(**{**carried, **members}), query="first question")
    driver.send(said(final("first answer")))
    driver.send({"type": "user_message", "content": "second question"})
    for number in range(2):
        driver.send(said(call("add_numbers", a=number, b=1)))
        driver.send(ok(f"call_{number + 1}", f"output {number}"))
    return driver


def test_overflow_narrows_the_prompt_step_by_step() -> None:
    """Section 5: first earlier exchanges go, then middle turns, then examples; system and question stay."""
    driver = _long_run()
    sizes = [len(driver.prompt())]
    for gone in ("first question", "output 0", "What is 2 plus 3?"):
        assert any(gone in message["content"] for message in driver.prompt())
        assert "retry" == driver.send(OVERFLOW)["reason"]
        assert not any(gone in message["content"] for message in driver.prompt())
        sizes.append(len(driver.prompt()))
    assert sorted(sizes, reverse=True) == sizes
    contents = [message["content"] for message in driver.prompt()]
    assert ["system", "user", "assistant", "user"] == [message["role"] for message in driver.prompt()]
    assert ("second question", "Result of add_numbers: output 1") == (contents[1], contents[3])


def test_overflow_of_the_narrowest_prompt_ends_the_run() -> None:
    """Section 5: when nothing is left to drop, the run fails and does not loop."""
    driver = _long_run()
    for _ in range(3):
        driver.send(OVERFLOW)
    assert ("failed", "model_error", {"code": "overflow"}) == (
        driver.send(OVERFLOW)["type"],
        driver.decision["code"],
        driver.decision["detail"],
    )


def test_overflow_then_goes_to_a_model_with_a_larger_window() -> None:
    """Section 4: a model with a window of the same size is passed over."""
    driver = _long_run(models=SMALL_TO_LARGE)
    assert "small" == driver.decision["model"]
    while driver.decision["model"] == "small":
        driver.send(OVERFLOW)
    assert ("escalate", "large") == (driver.decision["reason"], driver.decision["model"])
    while driver.decision["type"] == "call_model":
        driver.send(OVERFLOW)
    assert "window" == driver.decision["code"]


def test_overflow_without_history_has_nothing_to_drop() -> None:
    """Section 5: a question that does not fit ends the bare run at once."""
    assert "failed" == Driver().send(OVERFLOW)["type"]


def test_narrowed_prompt_stays_narrow_and_gets_new_messages() -> None:
    """Section 3: after an overflow the prompt goes on from where it was cut."""
    driver = _long_run()
    driver.send(OVERFLOW)
    driver.send(said(call("add_numbers", a=9, b=9)))
    driver.send(ok("call_3", "output 2"))
    contents = [message["content"] for message in driver.prompt()]
    assert not any("first question" in content for content in contents)
    assert "Result of add_numbers: output 2" == contents[-1]


def test_prompt_ranges_are_well_formed() -> None:
    """Section 3: ranges are in order, do not overlap and stay inside the transcript."""
    driver = _long_run()
    for _ in range(4):
        ranges = driver.decision["prompt"]
        flat = [place for pair in ranges for place in pair]
        assert sorted(set(flat)) == flat
        assert flat[-1] == len(driver.messages)
        driver.send(OVERFLOW)
        if driver.decision["type"] != "call_model":
            break


def test_model_that_does_not_mend_its_output_escalates() -> None:
    """D23: where a correction did not help, the next larger model gets the same feedback."""
    driver = Driver(agent(models=SMALL_TO_LARGE))
    driver.send(said("prose"))
    decision = driver.send(said("prose"))
    assert ("escalate", "parse_error", "same") == (decision["reason"], decision["cause"], decision["model"])
    while driver.decision["type"] == "call_model":
        driver.send(said("prose"))
    assert ("parse_error", 2) == (driver.decision["code"], driver.state["window"]["model"])


def test_rejected_output_does_not_escalate() -> None:
    """D21: a tool's output does not get better with a larger model: exactly one retry."""
    driver = Driver(agent(tools=[{**ADD, "checks": ["plausibility"]}], models=SMALL_TO_LARGE))
    for number in range(2):
        driver.send(said(call("add_numbers", a=number, b=1)))
        driver.give_all("")
    assert ("failed", "guardrail") == (driver.decision["type"], driver.decision["code"])


def test_new_exchange_begins_with_the_small_model() -> None:
    """Section 4: models go from small to large within an exchange."""
    driver = Driver(agent(models=SMALL_TO_LARGE))
    driver.send(said("prose"))
    driver.send(said("prose"))
    driver.send(said(final("x")))
    assert "small" == driver.send({"type": "user_message", "content": "more"})["model"]


@pytest.mark.parametrize("observation", [{"type": "cancel"}, {"type": "cancel", "reason": "enough"}])
def test_cancel_ends_the_run_in_any_phase(observation: dict[str, Any]) -> None:
    """Section 5: a run is cancelled while it waits for model, approval or tools; and may go on after."""
    for text in (None, call("add_numbers", a=1, b=1), call("shell", command="ls")):
        driver = Driver(agent())
        if text:
            driver.send(said(text))
        assert ("failed", "cancelled") == (driver.send(observation)["type"], driver.decision["code"])
        assert 1 == len(driver.events("cancelled"))
        assert "call_model" == driver.send({"type": "user_message", "content": "go on"})["type"]
