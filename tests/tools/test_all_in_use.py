"""The exchange that is measured with everything in use: it ends right, and everything is in use."""

import json

from bench.all_in_use import USES, Exchange, definition_with

import purestep


def test_exchange_ends_alike_with_each_and_with_all() -> None:
    """What is measured is the same work: an answer after two calls, whatever is in use."""
    for names in ((), *((name,) for name in USES), tuple(USES)):
        assert Exchange(*names).decision["answer"].startswith("Invoice 4711 came to 214.50 [1].")


def test_all_are_in_use() -> None:
    """The verdict of the check, the citations and the labels are there."""
    exchange = Exchange(*USES)
    state = json.loads(dict(exchange.steps)["call that acts"])["state"]
    assert ["call_1", "call_3"] == [mark["call_id"] for mark in exchange.decision["citations"]]
    assert "verdict of a check" in dict(exchange.steps)
    assert ["open"] == json.loads(state["policies"]["flow"])["read"]


def test_each_of_them_would_stop_the_exchange() -> None:
    """With another answer or result, what is in use rejects it: nothing is measured that does not judge."""
    agent = purestep.Agent.load(definition_with(*USES))
    assert {"values", "citations", "not"} <= {each.name for each in agent.answer_checks}
    assert {"schema", "tool"} <= {each.name for each in agent.tools["find_invoice"].checks}
