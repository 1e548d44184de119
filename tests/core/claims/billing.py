"""Runs with tools on invoices, for tests of claims."""

from typing import Any

from tests.core.agents import call, failure, final, results, said, tool
from tests.core.driver import Driver

ACTS = {"annotations": {"readOnlyHint": False, "idempotentHint": True}}
NUMBER = {"number": {"type": "integer"}}
GET = tool("get_invoice", NUMBER, description="Get an invoice.", annotations={"readOnlyHint": True})
DELETE = tool("delete_invoice", NUMBER, description="Delete an invoice.", **ACTS)
SEND = tool("send_invoice", NUMBER, description="Send an invoice to its customer.", **ACTS)
BILLING: dict[str, Any] = {"tools": [DELETE, SEND, GET]}


def outcome(driver: Driver) -> tuple[Any, Any]:
    """Give the type of the decision, and its cause or code."""
    return driver.decision["type"], driver.decision.get("cause") or driver.decision.get("code")


def after(query: str, *calls: tuple[str, int, Any], definition: dict[str, Any] | None = None) -> Driver:
    """Give a run whose calls have had these outputs."""
    driver = Driver(definition or BILLING, query)
    make_calls(driver, calls)
    return driver


def make_calls(driver: Driver, calls: tuple[tuple[str, int, Any], ...]) -> None:
    """Make calls, each with an invoice's number, and give their outputs."""
    for name, number, output in calls:
        driver.send(said(call(name, number=number)))
        driver.give_all(output)


def told(definition: dict[str, Any], query: str, text: str, *calls: tuple[str, dict[str, Any], Any]) -> Any:
    """Give the cause or code of the decision after calls with these outputs, or failures, and an answer."""
    driver = Driver(definition, query)
    for at, (name, params, output) in enumerate(calls, 1):
        driver.send(said(call(name, **params)))
        fails = isinstance(output, Exception)
        driver.send(results(failure(f"call_{at}", str(output)))) if fails else driver.give_all(output)
    driver.send(said(final(text)))
    return outcome(driver)[1]
