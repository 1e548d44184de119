"""A page is reduced to what a reader sees of it, whatever its markup, in time proportional to its length."""

import html
from html.entities import html5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep_tools import html_text
from purestep_tools.character_references import unescaped
from tools.growth import is_linear
from tools.pages.character_references import TARGET, named_characters_py


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<p>b<br>c", "a\nb\nc"),
        ("a\n  b\t c", "a b c"),
        ("<script>evil()</script>x<style>y</style>", "x"),
        ("<head><title>T</title><meta x></head><body>b", "T\nb"),
        ("<head><title>T</title><body>b", "T\nb"),
        ("<svg><text>no</text></svg>yes", "yes"),
        ("&lt;b&gt; &eacute; &#33;", "<b> é !"),
        ("<ul><li>1<li>2</ul>", "1\n2"),
        ("<b>bo</b>ld", "bold"),
        ("x<unclosed", "x"),
        ("1 < 2 <3", "1 < 2 <3"),
        ("<a title='<b>'>x</a>", "x"),
        ("<a title='never closed>x</a>", "x"),
        ("a<!-- <p>hidden --> b", "a b"),
        ("<script>if (a<b) '</p>'</script>x", "x"),
        ("<SCRIPT>no</Script>yes", "yes"),
        ("<script>never closed", ""),
        ("<noscript>no</svg></noscript>yes", "yes"),
        ("&#" + "9" * 5000 + ";", "\ufffd"),
        ("", ""),
    ],
)
def test_html_is_reduced_to_what_is_seen(html: str, text: str) -> None:
    """Blocks become lines, unseen parts and markup go."""
    assert html_text(html) == text


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<",
            "<!",
            "<!--",
            "<a ",
            "<a '",
            '<a "',
            "<a '>",
            "<a =",
            '<a ">" ',
            "<a '>' ",
            """<a ">" '>' """,
            """<a "'>" """,
            "</",
            "</a",
            "&",
            "&#",
            "&#9",
            "&a",
        ),
        *(
            "<script>",
            "<script>x</script",
            "<title>",
            "<svg>",
            "<svg></svg>",
            "<div>",
            "<![CDATA[",
            "<?",
            "\n",
            " ",
        ),
    ],
)
def test_html_made_to_be_slow_is_read_in_linear_time(piece: str) -> None:
    """Hostile markup costs no more than its length."""
    assert is_linear(html_text, piece)


def test_references_are_read_as_pythons_own_reader_reads_them() -> None:
    """Every name, with and without its semicolon and with letters behind it, and every kind of number."""
    names = [form.format(name) for name in html5 for form in ("&{}", "&{};", "&{}x", "&{} ", "&x{}", "&amp{}")]
    edges = [0, 0x20, 0xD800, 0xDFFF, 0xE000, 0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFF, 0x10FFFD, 0x10FFFF, 0x110000]
    numbers = [*range(0x300), *(edge + by for edge in edges for by in (-1, 0, 1) if edge + by >= 0)]
    forms = ("&#{0};", "&#{0}", "&#x{0:x};", "&#X{0:X}", "&#00{0};", "&#{0}x")
    texts = [*names, *(form.format(number) for number in numbers for form in forms)]
    assert [] == [text for text in texts if html.unescape(text) != unescaped(text)]


def test_table_of_names_is_the_standard_librarys() -> None:
    """The module in the repository is what the tool makes of Python's list."""
    assert named_characters_py() == TARGET.read_text("ascii")


def test_white_space_and_case_are_no_matter_of_the_python_release() -> None:
    """No-break and ideographic spaces separate words; only ASCII's letters begin a tag."""
    assert "a b c d" == html_text("a\u00a0b\u3000\u2003c\x85d")
    assert "x" == html_text("<SCRIPT>y</SCRIPT>x")
    assert "<\u017fcript>yx" == html_text("<\u017fcript>y</\u017fcript>x")


MARKUP = [
    "<",
    "</",
    "<!--",
    "-->",
    "<p>",
    "<script>",
    "</script>",
    "<title",
    ">",
    "'",
    '"',
    "&",
    "&#",
    "&amp;",
    ";",
    "9",
    " x",
    "\n",
]


@given(st.lists(st.sampled_from(MARKUP), max_size=40).map("".join))
def test_any_markup_is_read(page: str) -> None:
    """Whatever the markup, there is a text, of trimmed lines that are not empty."""
    text = html_text(page)
    assert all(line and line == line.strip() for line in text.split("\n")) or text == ""
