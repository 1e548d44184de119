"""Runs whose outputs and answers are judged by tools of the host."""

from typing import Any

from tests.core.agents import call, results, said, tool
from tests.core.agents import result as given
from tests.core.driver import Driver

BALANCE: dict[str, Any] = {
    "name": "balance_ok",
    "annotations": {"readOnlyHint": True},
    "parameters": {
        "type": "object",
        "properties": {"paid": {"type": "number"}, "to": {"type": "string"}, "currency": {"type": "string"}},
        "required": ["paid"],
    },
}
TESTS: dict[str, Any] = {
    "name": "run_tests",
    "annotations": {"readOnlyHint": True},
    "parameters": {"type": "object", "properties": {"said": {}}},
}
RULE: dict[str, Any] = {
    "tool": "balance_ok",
    "params": {"paid": "/output/paid", "to": "/arguments/to", "currency": "EUR"},
}
PAY = tool("pay", {"to": {"type": "string"}}, annotations={"readOnlyHint": False}, checks=[RULE])
ANSWERED: dict[str, Any] = {"tool": "run_tests", "params": {"said": "/output"}}


def checked(*tools: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A definition with these tools and those that check."""
    return {"tools": [*tools, BALANCE, TESTS], **members}


def paid_run(output: Any = None, **members: Any) -> Driver:
    """A run that has paid, with an output that its check is asked about."""
    driver = Driver(checked(PAY, **members), query="Pay Ann 5")
    driver.send(said(call("pay", to="Ann")))
    driver.send(results(given("call_1", {"paid": 5} if output is None else output)))
    return driver


def check_result(call_id: str, accept: bool, **members: Any) -> dict[str, Any]:
    """The result of a check."""
    return results(given(call_id, {"accept": accept, **members}))
