"""Texts are ranked by words in whole numbers: names taken apart, every script, ties in their order."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.text import TextIndex
from purestep.text.ranking import _FRACTION_BITS, _rarity, terms_of


def _ranked(texts: list[str], query: str, most: int = 5) -> tuple[int, ...]:
    return TextIndex([[(text, 1)] for text in texts]).rank(query, most)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUserName2", ["get", "user", "name", "2"]),
        ("HTMLParser", ["html", "parser"]),
        ("git__list-files_v3", ["git", "list", "files", "v", "3"]),
        ("größe_ändern", ["größe", "ändern"]),
        ("НайтиПисьма", ["найтиписьма"]),
        ("天气预报", ["天气", "气预", "预报"]),
        ("雨", ["雨"]),
    ],
)
def test_names_are_taken_apart_into_words(name: str, words: list[str]) -> None:
    """At capitals, digits and signs; scripts without blanks by two characters."""
    assert words == [term for term in terms_of(name) if term[0] != " "]


def test_forms_of_a_word_find_each_other() -> None:
    """By their beginnings, with no word list of any language."""
    assert (1,) == _ranked(["mail", "creates issues"], "creating an issue", 1)
    assert (1,) == _ranked(["Dateien", "Rechnungen versenden"], "eine Rechnung", 1)
    assert (0,) == _ranked(["отправить письмо", "погода"], "Письма", 1)
    assert (1,) == _ranked(["发送邮件", "查询天气预报"], "今天的天气", 1)


def test_equal_texts_keep_their_order() -> None:
    """Nothing else decides between them."""
    assert (0, 1, 2) == _ranked(["same", "same", "same"], "same", 3)


def test_a_digit_alone_tells_names_apart() -> None:
    """Of hundreds that are equal but for it."""
    names = [f"query_{number}" for number in range(300)]
    assert (217,) == _ranked(names, "run query 217", 1)


def test_a_rare_word_says_more_than_a_common_one() -> None:
    """And a text that has none of the words is not given at all."""
    assert (3, 0, 1, 2) == _ranked(["list it", "list it", "list it", "find weather", "sing"], "list the weather")
    assert () == _ranked(["a b", ""], "zzz")
    assert () == TextIndex([]).rank("anything", 5)


@given(st.integers(1, 5000).flatmap(lambda texts: st.tuples(st.just(texts), st.integers(1, texts))))
def test_whole_numbers_are_the_logarithm(given: tuple[int, int]) -> None:
    """Cut to the bits that are kept, and so within one of them of what a library says."""
    texts, found = given
    exact = math.log2(Fraction(2 * texts + 2, 2 * found + 1))
    assert abs(_rarity(texts, found) / 2**_FRACTION_BITS - exact) <= 2 / 2**_FRACTION_BITS


@given(st.lists(st.text(max_size=40), max_size=8), st.text(max_size=40))
def test_any_texts_can_be_ranked(texts: list[str], query: str) -> None:
    """Each place is given once, and a text ranks first for itself where no other has its words."""
    found = _ranked(texts, query, len(texts))
    assert len(found) == len(set(found)) <= len(texts)
    assert found == _ranked(texts, query, len(texts))
