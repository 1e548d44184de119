"""Values of a kind are searched for only in texts that hold what every such value has."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from purestep.carry import clause_of
from purestep.carry.spans import forms, may_hold

PIECES = ("a", "b", "1", "9", ".", "-", "/", "#", "*", "@", ":", '"', "'", "`", "\u201e", "\u201c", " ", "T", "\\", "~")


@given(st.lists(st.sampled_from((*PIECES, "www.", "https://", "pm", "example")), max_size=12).map("".join))
@example("meet at 7 pm, 2026-03-18T10:30")
@example('mail "the plan" to a@b.example')
@example("WWW.example.org and ~/notes or *.py")
def test_no_value_stands_in_a_text_that_may_hold_none(text: str) -> None:
    """Where a form finds something, the text was searched for it."""
    for kind, form in forms():
        if form.search(text) is not None:
            assert may_hold(text, kind), kind


@pytest.mark.parametrize(
    "text",
    [
        '"a"', "\u201ca\u201d", "\u201ea\u201c", "\u00aba\u00bb", "`a`", "'a'", "http://a", "www.abc", "a@b.c",
        "2026-03-18", "18.3.2026", "3/18/2026", "10:30", "7 pm", "*.py", "a/b",
        "C:\\a\\b", "notes.txt", "#a", "a1", "12",
    ],
)  # fmt: skip
def test_a_value_alone_is_found(text: str) -> None:
    """Each sign by itself is enough for its kind to be searched for."""
    assert 0 in [span.start for span in clause_of(text).spans]


def test_texts_without_values_are_not_searched() -> None:
    """A plain sentence may hold no value of any kind, and has none."""
    text = "Tell me about the boat"
    assert not [kind for kind, _ in forms() if may_hold(text, kind)]
    assert () == clause_of(text).spans
