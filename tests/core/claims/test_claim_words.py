"""The short cuts of reading claims: what the words of a text alone decide is what a full reading would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.carry import fold, word_texts, words_of
from purestep.claims.answers import answer_of, may_claim
from purestep.claims.items import ItemsByPart, items_of
from purestep.claims.languages import CLAIM_LANGUAGES, ClaimWords
from purestep.claims.texts import parts_of

TEXTS = st.text(alphabet="aZ9 .,:/@#-\n\"'\u00c9\u4e00")


@pytest.mark.parametrize("language", CLAIM_LANGUAGES, ids=lambda language: language.name)
def test_no_text_that_claims_passes_for_one_that_cannot(language: ClaimWords) -> None:
    """Every form that says that an act was done, and every phrase that says that all is done, is looked at."""
    forms = [form for act in language.acts.values() for form in act.done]
    texts = [f"{text.capitalize()}." for text in (*language.finished, *forms)]
    claiming = [text for text in texts if answer_of(ItemsByPart(text), ()).claims]
    assert [text for text in claiming if not may_claim(text)] == []
    assert len(claiming) > len(language.finished)


def test_an_answer_without_such_a_word_cannot_claim() -> None:
    """Ordinary answers are known to claim nothing, capitals and digits among them."""
    texts = ("The capital of France is Paris.", "It is 21 degrees, so there is no need for an umbrella.")
    assert [may_claim(text) for text in texts] == [False, False]
    assert may_claim("DELETED.")


@given(TEXTS)
def test_items_do_not_depend_on_what_else_a_text_has(text: str) -> None:
    """A text without a sign of an item has none: one that follows changes nothing."""
    assert list(items_of(text)) == list(items_of(f"{text} 7"))[:-1]


@given(TEXTS)
def test_words_are_the_same_without_their_places(text: str) -> None:
    """The texts of words are those of the words with their places, and small letters are the same in every text."""
    assert word_texts(text) == [word.text for word in words_of(text)]
    assert fold(text) == fold(f"{text}\u00c9")[:-1]


@given(st.lists(st.sampled_from(["invoice", "twelve", "is", "gone"]), min_size=1))
def test_a_sentence_of_one_part_has_the_words_of_its_first_part_before_a_comma(words: list[str]) -> None:
    """A sentence that nothing cuts is read as the first part of one that is cut."""
    said = " ".join(words)
    (whole,), (first, _) = parts_of(f"{said}."), parts_of(f"{said}, now.")
    assert (whole.words, whole.start, whole.begins) == (first.words, first.start, first.begins)
