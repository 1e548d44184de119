"""Items of texts and of their parts, and whether one is known that is written in another way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.bounds import MAX_ITEM_TEXT_CHARS
from purestep.carry import WrittenValues
from purestep.claims.items import ItemsByPart, items_of, items_said
from purestep.claims.known import Known, value_nowhere
from purestep.claims.phrases import PhraseIndex
from purestep.claims.texts import parts_of, unquoted

WORDS = (
    "invoice", "12", "4711,", "214.50", "1,250.5", "ann@example.com", "and/or", "may", "5", "31", "31.", "+44 20 7946",
    "0958", "2027-05-03", "[3]", "a/b.txt", "19:00", "7pm", "#12", "sent.", "so", "and", "then,", "5th", "12k", ";",
    "x5",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(
    st.sampled_from("ab 15.,:/@#+-\n\u2026!?"), max_size=30
)


@given(TEXTS)
def test_items_of_a_part_are_those_of_its_text_alone(text: str) -> None:
    """Reading the whole once gives what reading each part by itself does."""
    items = ItemsByPart(text)
    for part in parts_of(unquoted(text)):
        assert items_of(text[part.start : part.end]) == items.of(part.start, part.end)


@given(TEXTS)
def test_item_that_stands_there_as_it_is_is_known(text: str) -> None:
    """No other way of writing is tried for it."""
    items = items_of(text)
    known = Known([item.text for item in items])
    assert [] == [item.text for item in items if not known.holds(item)]
    assert value_nowhere(ItemsByPart(text), (text,)) is None


@given(TEXTS, TEXTS, st.lists(TEXTS, max_size=4))
def test_short_cuts_do_not_change_which_value_is_found(text: str, question: str, results: list[str]) -> None:
    """Values that are all of a line, or stand in the first text, are found as in a reading of everything."""
    texts = (question, "\n".join(results))
    known = Known([item.text for other in texts for item in items_of(other)])
    values = [item for item in items_of(text) if item.kind != "number" or sum(map(str.isdecimal, item.text)) > 1]
    assert value_nowhere(ItemsByPart(text), texts) == next((v.text for v in values if not known.holds(v)), None)


@given(st.lists(TEXTS, max_size=6), st.integers(0, 4))
def test_items_of_several_texts_are_those_of_each(texts: list[str], limit: int) -> None:
    """Short texts are read together; which items they have, and whether these are too many, does not change."""
    items = list(dict.fromkeys([item.text for text in texts for item in items_of(text)]))
    assert items_said(texts, limit) == (items[:limit], len(items) > limit)


def test_items_after_a_text_that_is_too_long_are_not_read() -> None:
    """What is cut off is told, with the items before."""
    assert items_said(["7", f"8{' ' * MAX_ITEM_TEXT_CHARS}", "9"], 5) == (["7", "8"], True)
    assert items_said(["7", " " * MAX_ITEM_TEXT_CHARS, "8", "x +49 30 123456"], 5) == (["7", "8", "+4930123456"], False)


_HASH = "6dcb09b5b57875f334f61aebed695e2e4193db5e"


@pytest.mark.parametrize(
    ("written", "had"),
    [
        ("214.50", "214.5"), ("12.0", "12"), ("1.250,50", "1250.5"), ("7pm", "19:00"), ("December 1", "2026-12-01"),
        ("12k", "12000"), ("5550199", "555-0199"), ("foo.dev", "www.foo.dev"), ("#12", "12"), ("6dcb09b", _HASH),
        (_HASH[-8:], f"{_HASH[-8:]}{_HASH}"),
    ],
)  # fmt: skip
def test_item_is_known_however_it_is_written(written: str, had: str) -> None:
    """Answers write amounts, times, days and names in ways of their own."""
    assert value_nowhere(ItemsByPart(f"It is {written}."), (f"It is {had}.",)) is None


@pytest.mark.parametrize(
    ("written", "had"),
    [
        ("214.05", "214.5"),
        ("120", "12"),
        ("May 3", "2026-12-01"),
        ("47", "4711"),
        ("6dcb09c", _HASH),
        ("6dcb09", _HASH),
    ],
)
def test_other_item_is_not_known(written: str, had: str) -> None:
    """A part of a number, or one near it, is another one."""
    assert value_nowhere(ItemsByPart(f"It is {written}."), (f"It is {had}.",)) is not None


def test_a_cited_hash_may_be_written_in_short() -> None:
    """As commits are: with seven characters or more of its beginning."""
    written = WrittenValues(f"sha f{_HASH}")
    assert written.has("f6dcb09")
    assert not written.has("f6dcb0")
    assert not written.has("f6dcb0a")


def test_phrases_are_found_by_whole_words_the_longest_first() -> None:
    """What stands before and after a phrase does not become its neighbour."""
    index = PhraseIndex(["no", "no problem", "not at all"])
    assert ("no", "problem") == index.find(("well", "no", "problem"))
    assert () == index.find(("not", "at", "once", "nobody"))
    assert ("a", "", "b", "") == index.without(("a", "no", "problem", "b", "no"))
    assert 3 == index.words_from(("no", "no", "problem", "so"))


def test_a_number_after_a_month_is_a_day_only_as_one() -> None:
    """Amounts stand after months in lists of them."""
    assert [("number", "48,210"), ("date", "--08-03"), ("number", "45")] == [
        (item.kind, item.text) for item in items_of("July 48,210, August 3, May 45")
    ]
