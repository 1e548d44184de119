"""The skill `extract`: what the core finds by form, and what the model is asked for."""

from typing import Any

import pytest

import purestep
from purestep import CallModel, Done, ModelOutput


def extracted(text: str, target: str) -> Any:
    """Return what is extracted without the model; None where it is asked."""
    decision = purestep.begin_skill("extract", {"text": text, "target": target}).decision
    if isinstance(decision, CallModel):
        return None
    assert isinstance(decision, Done)
    return decision.data[target]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Write to jane.doe@example.com or (Bob <bob@mail.example.co.uk>).",
            ["jane.doe@example.com", "bob@mail.example.co.uk"],
        ),
        ("müller@bäcker.example und MÜLLER", ["müller@bäcker.example"]),
        ("mailto:a+b@x-y.example, a+b@x-y.example.", ["a+b@x-y.example"]),
        ("No address here: @jane, jane@, jane at example dot com.", []),
    ],
)
def test_email_addresses_are_found_by_their_form(text: str, found: list[str]) -> None:
    """In brackets, beside punctuation, with letters beyond ASCII; each once; no model is asked."""
    assert found == extracted(text, "email")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "See https://example.org/a_(b), (http://x.example/?q=1&r=2).",
            ["https://example.org/a_(b)", "http://x.example/?q=1&r=2"],
        ),
        (
            "www.example.com, example.com/path and shop.example.de.",
            ["www.example.com", "example.com/path", "shop.example.de"],
        ),
        (
            "\u201chttps://a.example/b\u201d und \u00abhttps://c.example\u00bb",
            ["https://a.example/b", "https://c.example"],
        ),
        ("\u8bf7\u770bhttps://a.example/b\u3002", ["https://a.example/b"]),
        ("Mail jane@example.com about README.md, and/or v1.2.", []),
    ],
)
def test_web_addresses_are_found_by_their_form(text: str, found: list[str]) -> None:
    """With a scheme, `www` or a known ending; a mailbox and a file are none."""
    assert found == extracted(text, "url")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "2024-05-03, 2024/05/03, 3.5.2024, 03/05/24 and 31. 12. 99",
            ["2024-05-03", "2024/05/03", "3.5.2024", "03/05/24", "31. 12. 99"],
        ),
        ("at 2024-05-03T10:30:00Z, seen 2024-05-04T10:30.", ["2024-05-03T10:30:00Z", "2024-05-04T10:30"]),
        ("Version 1.2.3 on 192.168.1.1, 31.13.2020, https://a.example/2024/05/03", []),
        ("See you tomorrow, maybe on Monday.", []),
    ],
)
def test_dates_are_found_by_their_form(text: str, found: list[str]) -> None:
    """In digits; numbers of other kinds and addresses hold none."""
    assert found == extracted(text, "date")


def test_model_is_asked_for_dates_where_a_number_is_left() -> None:
    """A form that is not known may hold it; what form tells stays, and no part of it is a date of its own."""
    assert extracted("Due 2024-05-03.", "date") == ["2024-05-03"]
    params = {"text": "Due 2024-05-03 and 7 toukokuuta 2025.", "target": "date"}
    begun = purestep.begin_skill("extract", params)
    assert isinstance(begun.decision, CallModel)
    said = ModelOutput(content='{"date":["05-03","7 toukokuuta 2025"]}')
    ended = purestep.step_skill(begun.state, said).decision
    assert isinstance(ended, Done)
    assert {"date": ["2024-05-03", "7 toukokuuta 2025"]} == ended.data


@pytest.mark.parametrize("target", ["name", "entity"])
def test_model_is_asked_for_names(target: str) -> None:
    """What is a name is told by meaning."""
    assert extracted("Anna Kurz left.", target) is None


@pytest.mark.parametrize("text", ["On May 3rd.", "3 \u043c\u0430\u044f 2024", "2024\u5e745\u67083\u65e5"])
def test_model_is_asked_for_dates_in_words(text: str) -> None:
    """What a month is called is told by meaning, in any language."""
    assert extracted(text, "date") is None
