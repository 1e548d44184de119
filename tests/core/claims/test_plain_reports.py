"""Plain reports: what is accepted at a glance is what the whole judgement accepts, however an answer is written."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from purestep.claims import effects_of, false_claim, judge
from purestep.claims.done import DoneActs
from purestep.claims.items import ItemsByPart
from purestep.claims.plain_report import is_plain_report
from purestep.values import Claims, OrderedAct, ToolSpec

MAIL = ToolSpec(name="send_mail", description="Send a mail.", parameters={"properties": {"to": {}, "days": {}}})
DELETE = ToolSpec(name="delete_file", description="Delete a file.", parameters={"properties": {"path": {}}})
EFFECTS = effects_of({"send_mail": MAIL, "delete_file": DELETE})
ORDER = OrderedAct(kinds=("send",), tools=("send_mail",), items=("ann@example.com",), series=())
HAD = ("ann@example.com", "4711", "214.5", "notes.txt", "2027-05-03", "web-1")
CLAIMS = Claims(ordered=(ORDER,), acted=("send_mail",), items=HAD[:1], seen=HAD[1:], request=True, results="some")
SUCCEEDED = ("send_mail",)
PIECES = [
    *HAD, "214.50", "5", "1", "99", "web-2", "bob@example.com", "other.txt", "5:and", "-5:", "May 3", "+49 30 1234567",
    "The mail", "I", "was", "sent", "have", "deleted", "removed", "moved", "verschickt", "nicht", "not", "and", "or",
    "but", "two", "days", "Done", "All done", "I could", "will be", "if", "Invoice", "paid", "enviado", "gelöscht",
]  # fmt: skip
JOINS = [
    " ", " ", " ", ", ", ". ", ".", ": ", ":", "; ", "! ", "!", "? ", "-", " - ", "/", "\n", " (", ") ", '"', "=", "+",
]  # fmt: skip


def _text(pieces: list[tuple[str, str]]) -> str:
    return "".join([part for piece in pieces for part in piece])


TEXTS = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(JOINS)), max_size=9).map(_text)


@pytest.fixture
def whole_judgement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every answer apart."""
    monkeypatch.setattr(judge, "is_plain_report", lambda *_: False)


def _is_plain(text: str) -> bool:
    names = frozenset(SUCCEEDED)
    return is_plain_report(ItemsByPart(text), EFFECTS, CLAIMS, DoneActs(names, names, False, False))


@pytest.mark.usefixtures("whole_judgement")
@settings(max_examples=400)
@given(TEXTS)
def test_what_is_accepted_at_a_glance_is_accepted_taken_apart(text: str) -> None:
    """No text of words, items and signs in any order is a plain report and a false claim."""
    assert not _is_plain(text) or false_claim(ItemsByPart(text), EFFECTS, CLAIMS, SUCCEEDED, None) is None


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The mail to ann@example.com was sent.", True),
        ("Invoice 4711 came to 214.50. I have sent the mail to ann@example.com.", True),
        ("Done.", True),
        ("I have sent 1 mail.", True),
        ("I have sent the mail to bob@example.com.", False),
        ("I have sent the mail and deleted notes.txt.", False),
        ("I have sent two mails.", False),
        ("I have sent the mail to ann@example.com; 5:and 99 more.", False),
        ("The mail is out since May 3.", False),
        ('I have sent "4711".', False),
    ],
)
def test_report_is_plain_where_each_word_and_item_is_of_what_was_done(text: str, plain: bool) -> None:
    """Another act, an item that nothing had, a count in words, a quote or a day in words is looked at closely."""
    assert plain == _is_plain(text)
