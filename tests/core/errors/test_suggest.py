import pytest
from hypothesis import given
from hypothesis import strategies as st

from purestep.errors import closest


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("citty", ["country", "city"], "city"),
        ("ctiy", ["city"], "city"),
        ("get-weather", ["get_weather"], "get_weather"),
        ("GetWeather", ["get_weather"], "get_weather"),
        ("Get Weather", ["get_weather"], "get_weather"),
        ("weather", ["get_weather", "get_time"], "get_weather"),
        ("search_web_pages", ["search_web", "read"], "search_web"),
        ("get", ["get_weather", "get_time"], None),
        ("a", ["b"], None),
        ("ab", ["cd"], None),
        ("id", ["user_id"], None),
        ("colour", ["color", "colors"], "color"),
        ("bat", ["cat", "hat"], "cat"),
        ("É", ["é"], None),
        ("x", [], None),
        ("", ["a"], None),
        ("same", ["other", "same"], "same"),
        ("a" * 70 + "b", ["a" * 70 + "c"], "a" * 70 + "c"),
    ],
)
def test_nearest_name_is_suggested(name: str, candidates: list[str], expected: str | None) -> None:
    """A name within a third of its length in edits, or the only one that shares a whole end, is suggested."""
    assert expected == closest(name, candidates)


@given(name=st.text(max_size=80), candidates=st.lists(st.text(max_size=80), max_size=10))
def test_suggestion_is_a_candidate(name: str, candidates: list[str]) -> None:
    """Whatever is suggested is one of the candidates, and the name itself when it is among them."""
    found = closest(name, candidates)
    assert found is None or found in candidates
    if name in candidates and len(name) <= 64:
        assert closest(name, [name]) == name


def test_candidates_are_bounded() -> None:
    """Only the first 256 candidates are compared."""
    assert None is closest("city", ["other_name"] * 256 + ["city"])
