"""The estimate of tokens: on the safe side, the same everywhere, linear."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.window import estimated_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("the file is not here", 6),
        ("1234567890", 10),
        ('{"a": 1}', 8),
        ("你好", 5),
        ("привет", 9),
        ("\N{GRINNING FACE}", 4),
        ("          x", 5),
        ("Versicherung", 7),
    ],
)
def test_scripts_are_counted_apart(text: str, tokens: int) -> None:
    """Common words are one token, others half of their letters; digits and signs one each; the rest by its bytes."""
    assert tokens == estimated_tokens(text)


@given(st.text(st.characters(codec="utf-8")))
def test_estimate_never_passes_the_bytes(text: str) -> None:
    """A token has at least one byte, so more would be wrong for certain."""
    assert 0 <= estimated_tokens(text) <= len(text.encode())
