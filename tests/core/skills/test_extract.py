"""The skill `extract`: what the core finds by form, and by capitals for carried models."""

from typing import Any

import pytest

import purestep
from purestep import CallModel, Done, ModelOutput, ModelSpec

CARRIED = ModelSpec(name="small", carry="route")


def extracted(text: str, target: str, model: ModelSpec | None = None) -> Any:
    """Give what is extracted without the model; None where it is asked."""
    decision = purestep.begin_skill("extract", {"text": text, "target": target}, model).decision
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
        ("On May 3rd, 2024, 4 June 2025 and July 5.", ["May 3rd, 2024", "4 June 2025", "July 5"]),
        (
            "2024-05-03, 2024/05/03, 3.5.2024, 03/05/24 and 10-Jan-2020",
            ["2024-05-03", "2024/05/03", "3.5.2024", "03/05/24", "10-Jan-2020"],
        ),
        ("Am 5. M\u00e4rz 2025 um 10 Uhr", ["5. M\u00e4rz 2025"]),
        ("le 1er janvier 2020, el 5 de mayo de 2021", ["1er janvier 2020", "5 de mayo de 2021"]),
        ("3 \u043c\u0430\u044f 2024 \u0433\u043e\u0434\u0430", ["3 \u043c\u0430\u044f 2024"]),
        ("2024\u5e745\u67083\u65e5\u306b\u4f1a\u3046", ["2024\u5e745\u67083\u65e5"]),
        ("Version 1.2.3 on 192.168.1.1, 31.13.2020, https://a.example/2024/05/03", []),
        ("See you tomorrow, maybe on Monday.", []),
    ],
)
def test_dates_are_found_by_their_form(text: str, found: list[str]) -> None:
    """In digits and with the name of a month; numbers of other kinds and addresses hold none."""
    assert found == extracted(text, "date", CARRIED)


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


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Anna Kurz of Nordwind GmbH met Dr. Peter Brown in Lisbon.",
            {"people": ["Anna Kurz", "Peter Brown"], "organizations": ["Nordwind GmbH"], "locations": ["Lisbon"]},
        ),
        (
            "The Bank of Ireland hired Ludwig van Beethoven near Lake Como.",
            {"people": ["Ludwig van Beethoven"], "organizations": ["Bank of Ireland"], "locations": ["Lake Como"]},
        ),
        (
            "The CEO of Apple, Tim Cook, flew to New York.",
            {"people": ["Tim Cook"], "organizations": ["Apple"], "locations": ["New York"]},
        ),
        (
            "She went to Eva Lund, who works at Siemens; the mayor of Bergen knows.",
            {"people": ["Eva Lund"], "organizations": ["Siemens"], "locations": ["Bergen"]},
        ),
        ("It rained. The dog slept on Monday.", {"people": [], "organizations": [], "locations": []}),
    ],
)
def test_carried_model_is_spared_names_that_their_words_tell(text: str, found: dict[str, list[str]]) -> None:
    """Titles, words of companies and places, and prepositions say what a name names."""
    assert found == extracted(text, "entity", CARRIED)
    assert found["people"] == extracted(text, "name", CARRIED)
