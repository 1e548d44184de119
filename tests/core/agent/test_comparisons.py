"""Postconditions that compare values, refuse metadata, or combine others."""

from typing import Any

import pytest

from tests.core.agents import call, said, tool
from tests.core.driver import Driver


def judged(check: dict[str, Any], output: Any, **arguments: Any) -> Driver:
    """Return a run in which a tool with one postcondition has given an output."""
    driver = Driver(
        {"tools": [tool("look", {name: {} for name in arguments}, postconditions=[check])], "guardrails": []}
    )
    driver.send(said(call("look", **arguments)))
    driver.give_all(output)
    return driver


def reason(check: dict[str, Any], output: Any, **arguments: Any) -> str:
    """Return why an output was rejected; "" where it was not."""
    (verdict,) = judged(check, output, **arguments).events("verdict")
    return str(verdict.get("reason", ""))


def compared(left: Any, relation: str, right: Any) -> bool:
    """Whether an output's member relates to an argument."""
    check = {"compare": {"left": "/output/a", "is": relation, "right": "/arguments/b"}}
    return reason(check, {"a": left}, b=right) == ""


@pytest.mark.parametrize(
    ("left", "right", "relations"),
    [
        (1, 2, "not_equal less at_most"),
        (2, 2, "equal at_most at_least"),
        (3, 2, "not_equal more at_least"),
        (1.5, 1, "not_equal more at_least"),
        (-1, 1e-300, "not_equal less at_most"),
        (10**23, 1e23, "equal at_most at_least"),
        (2**53 + 1, 2**53, "not_equal more at_least"),
        (10**600, 10**600 + 1, "not_equal less at_most"),
        (10**600, 1e300, "not_equal more at_least"),
        (0.1, 0.1, "equal at_most at_least"),
        ("a", "b", "not_equal less at_most"),
        ("10", "9", "not_equal less at_most"),
        ("é", "é", "equal at_most at_least"),
        (1, "1", "not_equal"),
        (True, 1, "not_equal"),
        (None, None, "equal"),
        ([1, {"x": 2.5}], [1, {"x": 2.5}], "equal"),
        ([1, {"x": True}], [1, {"x": 1}], "not_equal"),
        ([1], [1, 2], "not_equal"),
        ({"x": 1, "y": 2}, {"y": 2, "x": 1}, "equal"),
    ],
)
def test_values_relate_exactly(left: Any, right: Any, relations: str) -> None:
    """Numbers of any size and kind are compared without rounding, texts as texts, other values only as equal or not."""
    known = ("equal", "not_equal", "less", "at_most", "more", "at_least")
    assert relations.split() == [relation for relation in known if compared(left, relation, right)]


def test_comparison_with_a_constant() -> None:
    """A value of the definition is given as such, so that a text is never mistaken for a pointer."""
    check = {"compare": {"left": "/output/rows/1/n", "is": "at_most", "right": {"value": 5}}}
    assert "" == reason(check, {"rows": [{"n": 9}, {"n": 5}]})
    assert "/output/rows/1/n (6) is not at most 5" == reason(check, {"rows": [{"n": 9}, {"n": 6}]})
    assert "" == reason({"compare": {"left": "/output", "is": "equal", "right": {"value": "/output/x"}}}, "/output/x")


@pytest.mark.parametrize("output", [{}, {"rows": []}, {"rows": [1]}, {"rows": {"01": {"n": 1}}}, "text", None])
def test_pointer_to_nothing_fails_in_words(output: Any) -> None:
    """What is not there is no value, so the check fails and says so."""
    check = {"compare": {"left": "/output/rows/0/n", "is": "not_equal", "right": {"value": 5}}}
    assert "/output/rows/0/n names nothing that is there" == reason(check, output)


def test_values_without_an_order_are_named() -> None:
    """Only two numbers or two texts are less or more."""
    check = {"compare": {"left": "/output", "is": "less", "right": "/arguments/most"}}
    said_so = '/output ("7") is not less than /arguments/most (9): only two numbers or two texts have an order'
    assert said_so == reason(check, "7", most=9)


def test_names_in_pointers_are_unescaped() -> None:
    """RFC 6901: ~1 is a slash and ~0 a tilde."""
    check = {"compare": {"left": "/output/a~1b/~0", "is": "equal", "right": {"value": 1}}}
    assert "" == reason(check, {"a/b": {"~": 1}})


def test_verdict_names_the_comparison() -> None:
    """The verdict names the member that failed."""
    driver = judged({"compare": {"left": "/output", "is": "equal", "right": {"value": 1}}}, 2)
    assert "postcondition:compare" == driver.events("verdict")[0]["check"]


def test_head_of_a_listing_is_only_metadata() -> None:
    """The check of the guardrail not_metadata, for tools of which nothing else rejects it."""
    assert "only a total line" in reason({"not_metadata": True}, "total 7079928\n")
    assert "" == reason({"not_metadata": True}, "total 4\na.txt")
    assert "" == reason({"not_metadata": False}, "total 7079928")


@pytest.mark.parametrize(
    ("check", "path"),
    [
        ({"left": "output/a", "is": "equal", "right": {"value": 1}}, "left"),
        ({"left": "/question", "is": "equal", "right": {"value": 1}}, "left"),
        ({"left": "/outputs", "is": "equal", "right": {"value": 1}}, "left"),
        ({"left": "/output/~2", "is": "equal", "right": {"value": 1}}, "left"),
        ({"left": "/output", "is": "equal", "right": "/arguments/other"}, "right"),
        ({"left": "/output", "is": "equal", "right": "five"}, "right"),
        ({"left": "/output", "is": "equal", "right": {}}, "right"),
        ({"left": "/output", "is": "about", "right": {"value": 1}}, "is"),
        ({"left": "/output", "is": "equal"}, ""),
    ],
)
def test_comparison_that_cannot_be_made_is_refused_with_its_path(check: dict[str, Any], path: str) -> None:
    """A definition error names the path, what was expected and what came."""
    spec = tool("look", {"city": {}}, postconditions=[{"compare": check}])
    error = Driver({"tools": [spec]}).send({"type": "user_message", "content": "x"})
    assert "invalid_agent" == error["code"]
    assert error["path"].startswith(f"/tools/0/postconditions/0/compare/{path}".rstrip("/"))


def test_values_too_large_to_be_compared_are_rejected() -> None:
    """A comparison takes its share of the steps and no more."""
    check = {"compare": {"left": "/output/a", "is": "equal", "right": "/output/b"}}
    large = [1] * 200_000
    assert "/output/a is too large to be compared" == reason(check, {"a": large, "b": large})


HOLDS: dict[str, Any] = {"contains": "a"}
FAILS: dict[str, Any] = {"contains": "z"}
COSTLY: dict[str, Any] = {"pattern": "(?:a?){1500}b"}


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ({"all": [HOLDS, HOLDS]}, True),
        ({"all": [HOLDS, FAILS]}, False),
        ({"all": []}, True),
        ({"any": [FAILS, HOLDS]}, True),
        ({"any": [FAILS, FAILS]}, False),
        ({"not": FAILS}, True),
        ({"not": HOLDS}, False),
        ({"not": {"not": HOLDS}}, True),
        ({"not": {"all": [HOLDS, FAILS]}}, True),
        ({"not": {"any": [HOLDS, FAILS]}}, False),
        ({"any": [{"all": [HOLDS, {"not": FAILS}]}]}, True),
        ({"contains": "a", "any": [FAILS]}, False),
        ({"contains": "z", "any": [HOLDS]}, False),
    ],
)
def test_postconditions_are_combined(check: dict[str, Any], holds: bool) -> None:
    """All of them, one of them, or not this one; beside other members, which must hold too."""
    assert holds == (reason(check, "abc") == "")


def test_reason_says_what_would_have_held() -> None:
    """The model reads what was wanted, in the definition's words where it has some."""
    either = {"any": [{"contains": "x"}, {"contains": "y", "message": "no y"}]}
    said_so = 'one of these had to hold, and none does: the output does not hold "x"; no y'
    assert said_so == reason(either, "abc")
    assert "the output is what it must not be (contains)" == reason({"not": {"contains": "a"}}, "abc")
    assert ["postcondition:any"] == [event["check"] for event in judged(either, "abc").events("verdict")]


@pytest.mark.parametrize("check", [COSTLY, {"not": COSTLY}, {"any": [FAILS, COSTLY]}, {"all": [COSTLY]}])
def test_check_that_costs_too_much_rejects_also_when_it_must_not_hold(check: dict[str, Any]) -> None:
    """What could not be decided within the steps never passes."""
    assert "too long to be searched" in reason(check, "a" * 100_000)


def test_postconditions_inside_one_another_are_bounded() -> None:
    """Four levels, and 64 in one list."""
    deep: dict[str, Any] = HOLDS
    for _ in range(3):
        deep = {"all": [deep]}
    assert "" == reason(deep, "abc")
    for check, path in (({"not": deep}, "/tools/0/postconditions/0/not/all/0/all/0/all/0"), (wide(), "")):
        error = Driver({"tools": [tool("look", postconditions=[check])]}).send({"type": "user_message", "content": "x"})
        assert ("invalid_agent", path or "/tools/0/postconditions") == (error["code"], error["path"])


def wide() -> dict[str, Any]:
    """Return a postcondition that holds 65 with itself."""
    return {"all": [{"any": [HOLDS] * 31}, {"all": [HOLDS] * 31}]}


@pytest.mark.parametrize(
    "check", [{"any": []}, {"all": {}}, {"not": []}, {"not": {"has": 1}}, {"any": [{"lines": {}}]}]
)
def test_wrong_combination_is_refused_with_its_path(check: dict[str, Any]) -> None:
    """Also what stands inside is read strictly."""
    error = Driver({"tools": [tool("look", postconditions=[check])]}).send({"type": "user_message", "content": "x"})
    assert "invalid_agent" == error["code"]
    assert error["path"].startswith("/tools/0/postconditions/0/")
