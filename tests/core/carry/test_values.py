"""Values of every source, from every place of a request."""

from typing import Any

import pytest

from purestep.carry import Router, Words, clause_of
from purestep.carry.spans import number_value
from purestep.values import ToolSpec

TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def found(request: str, properties: dict[str, Any], required: tuple[str, ...], *results: str) -> dict[str, Any]:
    """Give the candidates of a tool named `dial` that a request asks for, by argument."""
    spec = ToolSpec(
        name="dial",
        description="Dial it",
        parameters={"type": "object", "properties": properties, "required": list(required)},
    )
    clause = clause_of(request)
    routes = Router({"dial": spec}).routes(Words(clause, clause, results))
    return dict(routes[0].grounded.values) if routes else {}


CASES: dict[str, tuple[dict[str, Any], tuple[str, ...], dict[str, Any]]] = {
    "dial anything": ({"what": {"type": "object"}}, ("what",), {"what": None}),
    "dial all of it": ({"what": {"type": "array", "items": {"type": "object"}}}, ("what",), {"what": None}),
    "dial for 3 guests and 30 days": (
        {"days": WHOLE, "guests": WHOLE},
        ("days", "guests"),
        {"days": (30,), "guests": (3,)},
    ),
    "dial to new/b.txt from old/a.txt": (
        {"source_path": TEXT, "destination_path": TEXT},
        ("source_path", "destination_path"),
        {"source_path": ("old/a.txt",), "destination_path": ("new/b.txt",)},
    ),
    "dial back at noon into the file door.txt": (
        {"text": TEXT, "path": TEXT},
        ("text", "path"),
        {"text": ("back at noon",), "path": ("door.txt",)},
    ),
    "dial Ann with limit 5": ({"name": TEXT, "limit": WHOLE}, ("name",), {"limit": (5,)}),
    "dial Ann via ann@example.org on 2026-01-02": (
        {"name": TEXT, "email": TEXT, "date": TEXT, "flag": {"type": "boolean"}},
        ("name",),
        {"email": ("ann@example.org",), "date": ("2026-01-02",)},
    ),
    "dial the message saying words hello there": ({"message": TEXT}, ("message",), {"message": ("hello there",)}),
    "dial it again": ({"what": TEXT}, ("what",), {"what": ("the last result",)}),
    "dial apples, pears and plums": (
        {"what": {"type": "array", "items": TEXT}},
        ("what",),
        {"what": (["apples", "pears", "plums"],)},
    ),
    "dial https://a.example/ https://b.example/": (
        {"urls": {"type": "array", "items": {"type": "string", "format": "uri"}}},
        ("urls",),
        {"urls": (["https://a.example/", "https://b.example/"],)},
    ),
    "dial high or low": ({"level": {"enum": ["low", "high", 3]}}, ("level",), {"level": ("high", "low")}),
    "dial with no level": ({"level": {"enum": ["low", "high"], "default": "low"}}, ("level",), {"level": ("low",)}),
    "dial the photos folder": ({"folder": TEXT}, ("folder",), {"folder": ("photos",)}),
    "dial 0 and 100": ({"share": {"type": "number", "minimum": 1}}, ("share",), {"share": (100,)}),
    "dial 2.0 times": ({"times": WHOLE}, ("times",), {"times": (2,)}),
    "dial C-12 or #9f": ({"code": TEXT}, ("code",), {"code": ("C-12", "9f")}),
    "dial 12345678901234567890": ({"number": WHOLE}, ("number",), {}),
    "dial Ann's number": ({"name": TEXT}, ("name",), {"name": ("Ann",)}),
    "dial some kind": ({"what": {"anyOf": [TEXT, WHOLE]}}, ("what",), {"what": None}),
    "dial true kind": ({"what": {"anyOf": [True]}}, ("what",), {"what": None}),
}


@pytest.mark.parametrize("request_", CASES, ids=list(CASES))
def test_the_candidates_are_these(request_: str) -> None:
    """Each argument has the values that the words hold for it, and an optional one only what they name."""
    properties, required, expected = CASES[request_]
    given = found(request_, properties, required, "the last result")
    assert expected == {name: values for name, values in given.items() if name in expected}
    assert set(given) <= {*required, *expected}


def test_two_arguments_never_share_one_value_of_a_kind() -> None:
    """One number is not two."""
    assert found("dial 3", {"a": WHOLE, "b": WHOLE}, ("a", "b")) == {}


@pytest.mark.parametrize(("text", "value"), [("1,500", 1500), ("-2.5", -2.5), ("x", None), ("1" * 16, None)])
def test_numbers_are_what_their_digits_say(text: str, value: object) -> None:
    """Separators are left out, and what no double holds exactly is no number."""
    assert number_value(text) == value
