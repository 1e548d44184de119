"""Claims over a run: earlier exchanges, failures, other programs, states that a client holds."""

from typing import Any

import pytest

from tests.core.agents import call, failure, final, results, said, tool
from tests.core.claims.billing import BILLING, GET, after, make_calls, outcome
from tests.core.driver import Driver, WholeDriver, stepped


def test_effect_of_an_earlier_exchange_is_not_told_as_new() -> None:
    """An order of this exchange needs a call of this exchange; a question about the earlier one is answered."""
    driver = after("Delete invoice 12", ("delete_invoice", 12, "ok"))
    driver.send(said(final("Done.")))
    assert {"earlier": ["delete_invoice"]} == (driver.state or {})["claims"]
    driver.send({"type": "user_message", "content": "Did you delete it?"})
    assert "done" == driver.send(said(final("Yes, I deleted invoice 12.")))["type"]
    driver.send({"type": "user_message", "content": "Delete invoice 13 too."})
    driver.send(said(final("Invoice 13 is deleted.")))
    assert ("call_model", "guardrail") == outcome(driver)


def test_failed_call_is_no_effect_and_its_reason_may_be_told() -> None:
    """A failure is not told as a success; what repeats its words is open."""
    driver = Driver(BILLING, "Delete invoice 12")
    driver.send(said(call("delete_invoice", number=12)))
    driver.send(results(failure("call_1", "held by the tax office")))
    driver.send(said(final("Invoice 12 is deleted.")))
    assert ("call_model", "guardrail") == outcome(driver)
    assert "done" == driver.send(said(final("It is held by the tax office.")))["type"]


def test_call_after_a_correction_gives_the_next_claim_a_correction_of_its_own() -> None:
    """An accepted result is progress; the counter begins anew."""
    driver = Driver(BILLING, "Delete invoice 12 and send invoice 13")
    driver.send(said(final("Both are done.")))
    make_calls(driver, (("delete_invoice", 12, "ok"),))
    driver.send(said(final("I sent invoice 13.")))
    assert ("call_model", "guardrail") == outcome(driver)


def test_shell_may_have_done_anything() -> None:
    """A tool whose act is not known covers every claim once it has run."""
    shell = {"tools": [tool("shell", {"command": {"type": "string"}}, description="Run a command.")]}
    driver = Driver(shell, "Delete the folder build")
    driver.send(said(final("I deleted the folder build.")))
    assert ("call_model", "guardrail") == outcome(driver)
    driver.send(said(call("shell", command="rm -r build")))
    driver.give_all("")
    assert "done" == driver.send(said(final("I deleted the folder build.")))["type"]


def test_run_of_another_program_may_have_acted_before() -> None:
    """What a foreign history did is not known, so it may be told; a new order needs a call."""
    driver = WholeDriver(BILLING, "Delete invoice 13")
    whole = driver.state
    question = {"role": "user", "content": "Did you delete invoice 12?"}
    earlier = [{"role": "user", "content": "Delete invoice 12"}, {"role": "assistant", "content": "Deleted."}]
    foreign = {**whole, "history": [*earlier, question]}
    del foreign["run"]
    assert "done" == WholeDriver.of(foreign).say(final("Yes, I deleted invoice 12."))["type"]
    assert "guardrail" == driver.say(final("I have deleted invoice 13."))["cause"]


@pytest.mark.parametrize(
    "claims",
    [
        {},
        {"ordered": [{"kinds": ["delete"], "tools": ["get_invoice"]}]},
        {"ordered": [{"kinds": ["delete"]}] * 9},
        {"earlier": ["send_invoice", "delete_invoice"]},
        {"earlier": ["nothing"]},
        {"items": ["x" * 81]},
        {"seen": ["1"] * 49},
    ],
)
def test_state_with_claims_that_no_step_makes_is_refused(claims: dict[str, Any]) -> None:
    """A state may come from a client."""
    driver = Driver(BILLING, "Delete invoice 12")
    output = stepped(agent=BILLING, state={**(driver.state or {}), "claims": claims}, observation=said(final("Done.")))
    assert ("invalid_state", "/state/claims") == (output["error"]["code"], output["error"]["path"])


def test_claims_in_a_state_without_tools_that_act_are_refused() -> None:
    """A definition that only reads keeps none."""
    driver = Driver({"tools": [GET]}, "Hello")
    output = stepped(agent={"tools": [GET]}, state={**(driver.state or {}), "claims": {"is_plain": True}})
    assert ("invalid_state", "/state/claims") == (output["error"]["code"], output["error"]["path"])
