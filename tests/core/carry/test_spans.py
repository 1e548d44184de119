"""Values of a kind are searched for only in texts that hold what every such value has."""

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


def test_texts_without_values_are_not_searched() -> None:
    """A plain sentence may hold no value of any kind, and has none."""
    text = "Tell me about the boat"
    assert not [kind for kind, _ in forms() if may_hold(text, kind)]
    assert () == clause_of(text).spans
