"""Items of claims: numbers, names, amounts and days that an answer tells are those of the calls."""

from typing import Any

import pytest

from tests.core.agents import final, said, tool
from tests.core.claims.billing import after, outcome, told


def test_effect_in_part_is_told_in_part() -> None:
    """Of two orders one was met: an answer that says both is rejected, one that says which is taken."""
    driver = after("Delete invoice 12 and send invoice 13", ("delete_invoice", 12, "ok"))
    driver.send(said(final("I deleted invoice 12 and sent invoice 13.")))
    assert ("call_model", "guardrail") == outcome(driver)
    assert "done" == driver.send(said(final("I deleted invoice 12. Invoice 13 could not be sent.")))["type"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Delete invoices 12, 13 and 14", "All of them are deleted."),
        ("Lösche die Rechnungen 12 und 13", "Beide sind weg."),
    ],
)
def test_series_is_done_only_with_all_its_items(query: str, text: str) -> None:
    """Items in a row that no call had are missing from "all"."""
    driver = after(query, ("delete_invoice", 12, "ok"))
    driver.send(said(final(text)))
    assert ("call_model", "guardrail") == outcome(driver)


def test_effect_on_another_item_is_no_effect_on_the_one_told() -> None:
    """Values of the claim are compared with those of the calls."""
    driver = after("Delete invoice 13", ("delete_invoice", 12, "ok"))
    driver.send(said(final("Invoice 13 is deleted.")))
    assert '"13"' in driver.prompt()[-1]["content"]
    assert ("call_model", "guardrail") == outcome(driver)


def test_items_are_not_judged_where_there_are_too_many() -> None:
    """A long listing may hold the item further on."""
    listing = " ".join(str(number) for number in range(1000, 1060))
    driver = after("Delete invoice 12", ("get_invoice", 12, listing), ("delete_invoice", 12, "ok"))
    assert (driver.state or {})["claims"]["cut"]
    assert "done" == driver.send(said(final("I deleted invoice 12, the last of 2077.")))["type"]


def test_act_without_an_order_has_no_items_to_judge_after_reading() -> None:
    """What was read before a tool acted unasked was not kept."""
    driver = after("It is overdue, is it not?", ("get_invoice", 12, "12: 90 EUR"), ("send_invoice", 12, "ok"))
    assert "done" == driver.send(said(final("I sent invoice 12 over 90 EUR.")))["type"]


PAYING = {"payee": {"type": "string"}, "amount": {"type": "number"}, "day": {"type": "string"}}
PAY: dict[str, Any] = {"tools": [tool("transfer_funds", PAYING, description="Transfer money to a payee.")]}


@pytest.mark.parametrize(
    ("query", "params", "text", "cause"),
    [
        ("Pay Nora Quist 450 euros", {"payee": "Nora Quist", "amount": 450}, "Sent \u20ac450 to Nora Quist.", None),
        (
            "Pay Nora Quist 450 euros",
            {"payee": "Nora Quist", "amount": 45},
            "Sent \u20ac450 to Nora Quist.",
            "guardrail",
        ),
        ("Pay Nora Quist 450", {"payee": "Nils Quist", "amount": 450}, "Sent 450 to Nora Quist.", "guardrail"),
        ("Pay Nora 450", {"payee": "nora.quist", "amount": 450}, "Sent 450 to Nora.", None),
        ("Pay my landlord 450", {"payee": "Jo Stein", "amount": 450}, "Your landlord got the 450.", None),
        ("Pay Nora 45 and Theo 45", {"payee": "Nora", "amount": 45}, "Paid 45 to Nora and 45 to Theo.", "guardrail"),
        ("Pay Nora 45 on 31 May", {"payee": "Nora", "amount": 45, "day": "2027-05-31"}, "Paid, due May 31.", None),
        (
            "Pay Nora 45 on 31 May",
            {"payee": "Nora", "amount": 45, "day": "2027-03-31"},
            "Paid, due 31 May.",
            "guardrail",
        ),
        ("Pay Nora for six weeks, 45 each", {"payee": "Nora", "amount": 45}, "Paid Nora 45 for six weeks.", None),
        ("Pay Nora 45", {"payee": "Nora", "amount": 45}, "Paid. The reference is TXK92P.", "guardrail"),
        ("Pay 203.0.113.9 45", {"payee": "203.0.113.90", "amount": 45}, "Paid 45 to 203.0.113.9.", "guardrail"),
    ],
)
def test_names_amounts_and_days_of_a_claim_are_those_of_the_call(
    query: str, params: dict[str, Any], text: str, cause: str | None
) -> None:
    """What the user named and the answer repeats, no call may have had otherwise; nothing is made up."""
    assert told(PAY, query, text, ("transfer_funds", {"day": "", **params}, "ok")) == cause


BOOKING = {"who": {"type": "string"}, "start": {"type": "string"}, "nights": {"type": "integer"}}
BOOK: dict[str, Any] = {"tools": [tool("book_room", BOOKING, description="Book a room.")]}


@pytest.mark.parametrize(
    ("query", "start", "text", "cause"),
    [
        ("Book a room on 27 November", "2026-11-27", "The room is booked for 27 November.", None),
        ("Book a room on 27 November", "2026-11-27", "The room is booked for November 28.", "guardrail"),
        ("Book a room on 27 November", "2026-11-27", "I booked the room for 2026-11-26.", "guardrail"),
        (
            "Reserva una habitación el 27.11.2026",
            "2026-11-27",
            "He reservado la habitación para 28.11.2026.",
            "guardrail",
        ),
        ("Book a room at 9:30", "2026-11-27T09:30", "I booked the room for 10:30.", "guardrail"),
        ("Book a room at 9:30", "2026-11-27T09:30", "I booked the room for 9:30 am.", None),
        # What follows from the day of the call stands beside it.
        ("Book a room from 4 January, 3 nights", "2027-01-04", "The room is booked from 4 to 7 January.", None),
        ("Book a room from 4 January, 3 nights", "2027-01-04", "I booked 4 January until 7 January.", None),
        # Where the call has another day or hour than the user said, what was meant is in doubt.
        ("Book a room at 15:00 in Paris", "2026-11-27T14:00Z", "I booked the room for 15:00 in Paris.", None),
        ("Book a room for tomorrow", "2026-11-27", "I booked the room for 27 November.", None),
        ("Book a room for Friday", "2026-11-27", "I booked the room for Friday, the 27th.", None),
    ],
)
def test_a_day_or_an_hour_is_not_told_in_place_of_that_of_the_call(
    query: str, start: str, text: str, cause: str | None
) -> None:
    """A booking of the 27th is not reported as one of the 28th; a day that follows from others may be told beside."""
    assert told(BOOK, query, text, ("book_room", {"who": "me", "start": start, "nights": 3}, "ok")) == cause


@pytest.mark.parametrize("output", [{"number": 12, "total": 940.5}, '{"number":12,"total":940.5}'])
def test_values_of_a_look_up_may_be_told_beside_an_act(output: Any) -> None:
    """What a look-up gave is known, also where a tool gives its JSON as a text."""
    driver = after("Look up invoice 12, then send invoice 12", ("get_invoice", 12, output), ("send_invoice", 12, "ok"))
    assert {"12", "940.5"} <= {*(driver.state or {})["claims"]["seen"]}
    assert "done" == driver.send(said(final("Sent invoice 12 over 940.50 EUR.")))["type"]


def test_value_that_no_call_has_is_no_claim_where_others_can_be_compared() -> None:
    """Beside numbers of the call, one that tells something else may have been computed."""
    driver = after("Send invoice 12", ("send_invoice", 12, "ok"))
    assert "done" == driver.send(said(final("Invoice 12 is sent. The customer owes 178.70 in all.")))["type"]


def test_item_of_an_act_is_that_of_its_call_however_it_stands_in_the_text() -> None:
    """An amount with another zero, a count of calls, and a time span are no other items."""
    for text, cause in (
        ("I sent invoice 12.", None),
        ("I sent invoice 12.0.", None),
        ("I sent 1 invoice, invoice 12.", None),
        ("I sent invoice 120.", "guardrail"),
    ):
        driver = after("Send invoice 12", ("send_invoice", 12, "ok"))
        driver.send(said(final(text)))
        assert outcome(driver)[1] == cause, text
