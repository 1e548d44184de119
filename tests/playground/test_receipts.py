"""The log on show held against a receipt: the core in the page derives each decision again."""

from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import Locator, expect

from purestep_hosts.receipts import Statement
from purestep_hosts.receipts.envelopes import signed_envelope
from tests.axe import serious_findings
from tests.playground.driver import Playground
from tests.web.signed_logs import KINDS, lied, paid, public, receipt_of, signer, stated


def add(playground: Playground, **files: bytes | str) -> Locator:
    """Add a receipt, a key or both, by their names, in which `__` is a dot; gives the card that says what was found."""
    given: list[Any] = [
        {
            "name": name.replace("__", "."),
            "mimeType": "application/octet-stream",
            "buffer": data.encode() if isinstance(data, str) else data,
        }
        for name, data in files.items()
    ]
    playground.page.get_by_label("A receipt, and the public key of who signed").set_input_files(files=given)
    return playground.page.get_by_label("What the receipt says")


def held(playground: Playground, log: bytes, said: Statement, kind: str = "ed25519") -> Locator:
    """Open a log and hold it against a receipt of what is said of it."""
    playground.open_log("run.jsonl", log)
    return add(playground, a__receipt=receipt_of(said, kind=kind, issued_at=1_700_000_000), a__pub=public(kind, "ssh"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_receipt_is_shown_and_each_decision_derived_again(playground: Playground, kind: str) -> None:
    """Who signed when by which key, what was done, and what was hidden."""
    card = held(playground, paid(), stated(), kind)
    expect(card).to_contain_text("Signed, and derived again")
    expect(card).to_contain_text("Every decision of its 8 lines was derived again")
    assert [
        "Acme",
        signer(kind).key.uri,
        "2023-11-14 22:13 UTC",
        "pay succeeded (line 8)",
        "1 email, 3 of the host",
        "none",
    ] == card.get_by_role("definition").all_inner_texts()
    assert [] == serious_findings(playground.page)


def test_a_false_decision_that_is_signed_is_named_by_its_line(playground: Playground) -> None:
    """Although its signature and its chain hold."""
    log, said, line = lied()
    card = held(playground, log, said)
    expect(card).to_contain_text(f"Signed, and false at line {line}")
    expect(card).to_contain_text(f"nothing vouches for it: line {line}: ")
    expect(playground.page.locator(".log-lines .marked")).to_have_count(1)
    assert [] == serious_findings(playground.page)


def test_a_log_that_has_grown_meets_its_receipt(playground: Playground) -> None:
    """The lines that came since are derived too."""
    card = held(playground, paid(), stated(is_ended=False))
    expect(card).to_contain_text("2 lines came since, and follow too.")


def test_a_receipt_and_its_key_may_come_one_after_another(playground: Playground) -> None:
    """What is missing is asked for; a key of another is told."""
    playground.open_log("run.jsonl", paid())
    expect(add(playground, a__receipt=receipt_of(stated(), issued_at=1))).to_contain_text("Add the public key")
    expect(add(playground, a__pem=public("p256"))).to_contain_text("The receipt does not hold")
    expect(add(playground, a__pem=public("ed25519"))).to_contain_text("Signed, and derived again")
    playground.button("Dismiss").first.click()
    expect(playground.page.get_by_label("What the receipt says")).to_have_count(0)


def test_a_receipt_of_other_runs_is_told_and_goes_with_its_log(playground: Playground) -> None:
    """What was found of one log is not shown beside another."""
    card = held(playground, paid("run-2"), stated())
    expect(card).to_contain_text("Signed, and not of this log")
    expect(card).to_contain_text("it says nothing of the run of this log")
    playground.open_log("other.jsonl", paid())
    expect(card).to_have_count(0)


def test_text_of_a_receipt_is_text(playground: Playground) -> None:
    """Markup does nothing, and what turns text around is an escape."""
    hostile = "<img src=x onerror=alert(1)>\u202e"
    receipt = signed_envelope([stated().encoded()], "run-1", signer("ed25519"), hostile, 1).encoded()
    playground.open_log("run.jsonl", paid())
    card = add(playground, a__receipt=receipt, a__pub=public("ed25519"))
    assert "<img src=x onerror=alert(1)>\\u202e" == card.get_by_role("definition").first.inner_text()
    acts = replace(stated().acts[0], tool=hostile, status=hostile)
    wrong = replace(stated(), acts=(acts,))
    expect(add(playground, a__receipt=receipt_of(wrong, issued_at=1))).to_contain_text("onerror=alert(1)>\\u202e")
