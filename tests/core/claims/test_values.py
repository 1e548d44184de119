"""The guardrail `values`: a value of an answer needs a source."""

from typing import Any

import pytest

from tests.core.agents import final, said
from tests.core.claims.billing import GET, SEND, after
from tests.core.driver import Driver

CITED: dict[str, Any] = {"tools": [GET], "guardrails": ["values"]}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("It is 940.50.", None),
        ("It is 940,50 EUR, due on January 15, 2026.", None),
        ("It has 2 parts.", None),
        ("It is 904.50.", "guardrail"),
        ("It is due on 2026-01-25.", "guardrail"),
        ("See invoices/2026/12.pdf.", "guardrail"),
        ("Write to bills@acme.example.", "guardrail"),
    ],
)
def test_value_of_an_answer_stands_in_a_result_or_the_question(text: str, cause: str | None) -> None:
    """With `values`, a number, date, path or address that nobody has said is sent back."""
    driver = after(
        "What is the total of invoice 12?", ("get_invoice", 12, {"total": 940.5, "due": "2026-01-15"}), definition=CITED
    )
    assert cause == driver.send(said(final(text))).get("cause")


def test_values_are_not_judged_without_a_result() -> None:
    """What the model knows by itself is not held against it."""
    assert "done" == Driver(CITED, "What is 12 times 12?").send(said(final("144")))["type"]


def test_number_of_a_cited_call_is_no_value() -> None:
    """Citations name results by number; where answers cite, such a number needs no source and is no claimed item."""
    definition = {
        "tools": [GET, SEND], "citations": "required", "guardrails": ["claims", "values"], "limits": {"max_turns": 30}
    }  # fmt: skip
    reads = [("get_invoice", 500 + number, {"total": 7}) for number in range(12)]
    driver = after("Send invoice 55, after a look at others", *reads, ("send_invoice", 55, "ok"), definition=definition)
    assert "done" == driver.send(said(final("Invoice 55 is sent [13].")))["type"]
    driver = after("Send invoice 55, after a look at others", *reads, ("send_invoice", 55, "ok"), definition=definition)
    assert "call_model" == driver.send(said(final("Invoice 55 is sent, and invoice 13 [13].")))["type"]
