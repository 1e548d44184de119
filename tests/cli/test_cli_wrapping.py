"""Lines of a terminal: broken between words in every script, while a text is being written, and at any width."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from purestep_hosts.show.printer import lines_of
from purestep_hosts.show.wrapping import LineWrapper, wrapped

TEXTS = [
    "The quick brown fox jumps over the lazy dog, and keeps on running.",
    "- a list item that is long\n  1. one within it that is long as well\n\n    code(that, goes, on, and, on)",
    "今天天气很好，我们去公园散步（请把这份文件翻译成英文）。機械学習モデルーー！",
    "오늘은 날씨가 아주 좋아서 공원으로 산책하러 갑니다",
    "الطقس جميل اليوم وسنذهب في نزهة إلى الحديقة من فضلك أرسل التقرير",
    "ok 👨\u200d👩\u200d👧\u200d👦 🇩🇪🇫🇷👍🏽 hello🙂world ❤\ufe0f 🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀🚀",
    "see https://example.com/a/long/address/that/no/line/holds and go on",
    "a\tb\tccc\tdddddddd\te\n\n\n  \nend",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("width", [1, 9, 20, 30, 60])
def test_pieces_are_broken_as_the_whole_is(text: str, width: int) -> None:
    """However a text comes, its lines are the same, and nothing but blanks is lost or added."""
    lines = wrapped(text, width)
    for size in (1, 2, 3, 7):
        wrapper = LineWrapper()
        pieces = [wrapper.feed(text[at : at + size], width) for at in range(0, len(text), size)]
        assert "\n".join(lines) == "".join(pieces) + wrapper.flush(width)
        assert [cell_len(line) for line in lines] == wrapper.lines
    assert "".join(text.split()) == "".join("".join(lines).split())


@pytest.mark.parametrize("text", TEXTS)
def test_no_word_is_broken(text: str) -> None:
    """Words stand whole, and a line is wider than the terminal only where a word is."""
    lines = wrapped(text, 20)
    assert [] == [line for line in lines if cell_len(line) > 20 and "example" not in line]
    shown = " ".join(lines).split()
    assert [] == [word for word in text.split() if cell_len(word) <= 20 and word.isascii() and word not in shown]


def test_wide_characters_are_parted_where_their_scripts_allow_it() -> None:
    """No closing sign begins a line and no opening one ends it; flags, families and Hangul words stay whole."""
    assert ["今天天气很好，", "我们去公园。"] == wrapped("今天天气很好，我们去公园。", 14)
    assert ["很好吗", "（请把）"] == wrapped("很好吗（请把）", 8)
    assert ["공원으로", "산책하러"] == wrapped("공원으로 산책하러", 13)
    assert ["ab", "🇩🇪"] == wrapped("ab 🇩🇪", 4)
    assert ["a👍🏽", "👍🏽"] == wrapped("a👍🏽👍🏽", cell_len("a👍🏽"))


def test_a_line_goes_on_where_it_began() -> None:
    """Lists and code keep their column; on a terminal that is too narrow for that, they do not."""
    assert ["- one two", "  three"] == wrapped("- one two three", 10)
    assert ["    four", "    five"] == wrapped("    four five", 10)
    assert ["    four", "fivesix"] == wrapped("    four fivesix", 10)


def test_rows_keep_their_styles_when_they_are_broken() -> None:
    """What is bold stays so, on whatever line it stands."""
    lines = lines_of(Text.assemble(("calculate", "bold"), " first=17 second=25"), 12)
    assert ["calculate", "first=17", "second=25"] == [line.plain for line in lines]
    assert [["bold"], [], []] == [[str(span.style) for span in line.spans] for line in lines]


def test_word_that_no_row_holds_is_cut() -> None:
    """Its parts stay in the column of the row."""
    assert ["to xxxxxxx", "x" * 10, "xxxxxxxx"] == [line.plain for line in lines_of(Text(f"to {'x' * 25}"), 10)]
