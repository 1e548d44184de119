import re
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from purestep.bounds import MAX_CACHED_MOVES
from purestep.regex import Budget, PatternError, automaton, compile_pattern
from tests.examples import examples

LETTERS = "ab1_ \n-é😀"

atoms = st.sampled_from(
    [
        "a",
        "b",
        "1",
        "_",
        "-",
        "é",
        "😀",
        ".",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        "[ab]",
        "[^a]",
        "[a-b1]",
        r"[\d_-]",
        r"\n",
        r"\x61",
        r"\u0062",
        "^",
        "$",
        r"\b",
        r"\B",
        r"\.",
        r"\-",
        "[.]",
    ]
)


def _extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    quantified = st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{1,2}?"]))
    return st.one_of(
        st.lists(inner, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: "(?:" + "|".join(parts) + ")"),
        inner.map(lambda part: f"({part})"),
        quantified.map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(st.sampled_from(["(?=", "(?!"]), inner).map(lambda pair: f"{pair[0]}{pair[1]})"),
    )


sources = st.recursive(atoms, _extend, max_leaves=8)


def in_python(source: str) -> str:
    """The same pattern in Python's dialect, in which `$` is not the very end."""
    return source.replace("$", r"\Z")


@examples(600)
@given(source=sources, text=st.text(LETTERS, max_size=8))
@example(source="(?:(?:a|b)*)*$", text="ab")
@example(source=r"(?:a(?=b)|(?!a)b)+$", text="abb")
@example(source=r"(?=(?!a)\w)b", text="ab")
def test_search_agrees_with_python(source: str, text: str) -> None:
    """On the syntax that both know, a pattern matches the texts that Python's own engine matches."""
    assume(r"\B" not in source or text)  # Python before 3.14 has no \B in the empty text.
    expected = re.search(in_python(source), text, re.ASCII) is not None
    assert expected == compile_pattern(source).search(text, Budget())


@pytest.mark.parametrize("source", ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(?:a*)*b", "^(?=(a+)+$)a*b", "(.*)(.*)(.*)x"])
def test_work_is_linear_in_the_text(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patterns on which backtracking takes exponential time take one bounded move a character."""
    sizes = []
    closure = automaton._Search.closure

    def counting(*arguments: Any) -> set[int]:
        reached = closure(*arguments)
        sizes.append(len(reached))
        return reached

    monkeypatch.setattr(automaton._Search, "closure", counting)
    monkeypatch.setattr(automaton._Search, "move", automaton._Search.compute_move)
    compile_pattern(source).search("a" * 2_000 + "!", Budget())
    passes = 2 if "?=" in source else 1
    assert len(sizes) <= passes * 2_002
    assert max(sizes) <= 40


def test_memory_of_moves_is_bounded() -> None:
    """A pattern with very many state sets forgets moves instead of keeping them all."""
    pattern = compile_pattern("(?:a|b)*a(?:a|b){14}c")
    text = "".join("ab"[bin(number).count("1") % 2] for number in range(20_000))
    assert pattern.search(text, Budget()) is False
    assert len(pattern._main.moves) <= MAX_CACHED_MOVES


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "ada@example.org", True),
        ("^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$", "ada@example", False),
        ("^(?=.*[A-Z])(?=.*\\d).{8,}$", "Passw0rd", True),
        ("^(?=.*[A-Z])(?=.*\\d).{8,}$", "password", False),
        ("^(?!.*\\.\\.)[^/]+$", "a..b", False),
        ("^\\d{4}-\\d{2}-\\d{2}$", "2026-01-31", True),
        ("^\\d{4}$", "١٢٣٤", False),
        ("^\\w+$", "é", False),
        ("^\\s$", "\ufeff", True),
        ("^\\s$", "\x1c", False),
        ("^.$", "\u2028", False),
        ("^.$", "😀", True),
        ("^.$", "\x85", True),
        ("a$", "a\n", False),
        ("^a", "\na", False),
        ("^\\u{1F600}$", "😀", True),
        ("^\\uD83D\\uDE00$", "😀", True),
        ("^[\\uD83D\\uDE00]$", "😀", True),
        ("^\\cJ$", "\n", True),
        ("^[\\b]$", "\b", True),
        ("^\\0$", "\0", True),
        ("^\\/\\-\\_$", "/-_", True),
        ("^[^]$", "\n", True),
        ("[]", "a", False),
        ("^[a-]$", "-", True),
        ("^(?<year>\\d+)$", "2026", True),
        ("^x{,3}$", "x{,3}", True),
        ("^{a}]$", "{a}]", True),
        ("", "", True),
        ("^(|a)$", "", True),
    ],
)
def test_search_follows_ecma_262(source: str, text: str, expected: bool) -> None:
    """Classes, anchors and escapes mean what ECMA-262 says, on code points, with no Unicode table but the spaces."""
    assert expected is compile_pattern(source).search(text, Budget())


@pytest.mark.parametrize(
    "source",
    [
        "(a)\\1",
        "(?<=a)b",
        "(?<!a)b",
        "\\p{L}",
        "\\P{L}",
        "(?i)a",
        "(?i:a)",
        "(?P<n>a)",
        "\\k<n>",
        "\\A",
        "\\Z",
        "\\z",
        "(",
        ")",
        "a)",
        "[a",
        "*a",
        "a**",
        "a|*",
        "^*",
        "(?=a)*",
        "x{2,1}",
        "[b-a]",
        "[\\d-z]",
        "\\",
        "\\x6",
        "\\u12",
        "\\c1",
        "\\01",
        "\\u{110000}",
        "{2}",
        "a{1}{2}",
        "a++",
        "(?>a)",
        "\\e",
    ],
)
def test_unsupported_syntax_is_refused(source: str) -> None:
    """What has no linear form, depends on Unicode tables, or is malformed is refused with its place."""
    with pytest.raises(PatternError) as caught:
        compile_pattern(source)
    assert "unsupported_pattern" == caught.value.code
    assert " at character " in caught.value.message


@pytest.mark.parametrize(
    "source",
    [
        "a" * 3000,
        "(?:a{100}){101}",
        "(?:(?:){9999}){9999}",
        "(" * 33 + ")" * 33,
        "".join(f"(?=a{{{n}}})" for n in range(17)),
    ],
    ids=["length", "states", "empty repetition", "groups", "lookaheads"],
)
def test_excess_is_refused(source: str) -> None:
    """Every bound on patterns has an error of its own, raised before the work is done."""
    with pytest.raises(PatternError) as caught:
        compile_pattern(source)
    assert "schema_too_large" == caught.value.code


@given(source=st.text("ab(|)[]^$*+?{},\\dwsbxu01.-=!:<>", max_size=20), text=st.text("ab0", max_size=5))
def test_any_source_compiles_or_is_refused(source: str, text: str) -> None:
    """No source makes the compiler fail in another way than by its own error."""
    try:
        pattern = compile_pattern(source)
    except PatternError:
        return
    assert pattern.search(text, Budget()) in (True, False)


@given(text=st.text(max_size=30))
def test_any_text_can_be_searched(text: str) -> None:
    """No text, with any code point in it, makes a search fail."""
    assert (text != "") is compile_pattern("[^]").search(text, Budget())
