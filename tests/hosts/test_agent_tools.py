"""What a function is as a tool: its schema, its arguments as their types, and the functions that are refused."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, TypedDict

import msgspec
import pydantic
import pytest

import purestep
from purestep_hosts import Agent, FunctionTool, Invocation, ScriptedModel, calls, says, tool
from tests.hosts.validated import Even


class Color(Enum):
    """Of a car."""

    RED = "red"
    BLUE = "blue"


class Point(msgspec.Struct):
    """A struct."""

    x: int
    y: float = 0.0


@dataclass
class Car:
    """A dataclass."""

    color: Color
    doors: list[int] = field(default_factory=list)


class Trip(TypedDict):
    """A dictionary."""

    by: Car
    on: date


class Person(pydantic.BaseModel):
    """A model of pydantic."""

    age: Annotated[int, pydantic.Field(ge=18)]
    parent: Person | None = None


class Other:
    """Has another type of the same name."""

    class Person(msgspec.Struct):
        """A struct that holds itself."""

        name: str
        friends: list[Other.Person] = []


def schema_of(function: Any) -> dict[str, Any]:
    """Return the properties of a function's schema."""
    properties: dict[str, Any] = tool(function).spec()["parameters"]["properties"]
    return properties


def ran(function: Any, **arguments: Any) -> list[dict[str, Any]]:
    """Run an agent that calls the function once; gives the results that are logged."""
    made = function if isinstance(function, FunctionTool) else tool(function)
    model = ScriptedModel([calls(made.name, **arguments), says("It could not be told.")])
    lines = Agent(model, tools=[made]).run_sync("Go").log.splitlines()
    events = [json.loads(line) for line in lines]
    return [event for event in events if event["kind"] == "tool_result"]


def given(function: Any, **arguments: Any) -> Any:
    """Run an agent that calls the function once; gives what the function got."""
    seen: list[Any] = []

    @functools.wraps(function)
    def keeping(*args: Any, **kwargs: Any) -> str:
        seen.append([*args, *kwargs.values()])
        return "kept"

    ran(keeping, **arguments)
    return seen[0]


def test_schema_is_made_of_types_and_docstring() -> None:
    """Types, Annotated texts, the docstring's words and defaults stand in the schema; the rest is forbidden."""

    @tool(read_only=True, approval="ask")
    def book(
        number: Annotated[int, "the order's number"], kind: Literal["a", "b"] = "a", note: str | None = None
    ) -> dict[str, int]:
        """Book an order.

        Args:
            kind: of the booking
            note: for the customer

        Examples:
            >>> book(7, kind="b")  # Book order 7 as b
            {'seats': 2}
        """
        return {"seats": 2}

    assert {
        "name": "book",
        "description": "Book an order.",
        "parameters": {
            "type": "object",
            "properties": {
                "number": {"type": "integer", "description": "the order's number"},
                "kind": {"enum": ["a", "b"], "description": "of the booking", "default": "a"},
                "note": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "description": "for the customer",
                    "default": None,
                },
            },
            "required": ["number"],
            "additionalProperties": False,
        },
        "annotations": {"readOnlyHint": True},
        "approval": "ask",
        "output_schema": {"type": "object", "additionalProperties": {"type": "integer"}},
        "examples": [{"query": "Book order 7 as b", "arguments": {"number": 7, "kind": "b"}, "result": {"seats": 2}}],
    } == book.spec()
    assert {"seats": 2} == book(1)


NUMPY = """Look.

Parameters
----------
place : str
    where to look
"""
SPHINX = """Look.

:param place: where to look
:returns: what is there
"""
GOOGLE = """Look.

Args:
    place (str): where to look

Returns:
    what is there
"""


@pytest.mark.parametrize("docstring", [NUMPY, SPHINX, GOOGLE], ids=["numpy", "sphinx", "google"])
def test_docstrings_of_three_styles_are_read(docstring: str) -> None:
    """The description is the prose, and a parameter's words stand at the parameter."""

    def look(place: str) -> str:
        return place

    look.__doc__ = docstring
    spec = tool(look).spec()
    assert ("Look.", "where to look") == (spec["description"], spec["parameters"]["properties"]["place"]["description"])


def test_doctest_lines_that_are_no_plain_call_are_no_examples() -> None:
    """Variables, other functions and words around a call are left out; a call without a comment gets a query."""

    def look(place: str) -> str:
        """Look somewhere.

        >>> where = "here"
        >>> look(where)
        'x'
        >>> print(look("b"))
        b
        >>> look("a # b")
        'a # b'
        """
        return place

    (example,) = tool(look).examples
    expected = purestep.Example(query="Look somewhere: place a # b", arguments={"place": "a # b"}, result="a # b")
    assert expected == example


def test_arguments_come_as_their_declared_types() -> None:
    """Structs, dataclasses, TypedDicts, enums, dates and decimals are made of JSON, by whichever library has them."""

    def take(
        point: Point, trip: Trip, price: Decimal, color: Color, pair: tuple[int, str], person: Person, more: set[int]
    ) -> str: ...

    trip = {"by": {"color": "red", "doors": [1]}, "on": "2026-11-23"}
    got = given(
        take, point={"x": 2}, trip=trip, price="9.50", color="blue", pair=[1, "a"], person={"age": 20}, more=[1, 2]
    )
    expected = {"by": Car(Color.RED, [1]), "on": date(2026, 11, 23)}
    assert [Point(2), expected, Decimal("9.50"), Color.BLUE, (1, "a"), Person(age=20), {1, 2}] == got


def test_whole_floats_are_integers_as_json_schema_says() -> None:
    """2.0 fits the schema of an integer, and so the function gets 2."""

    def take(count: int, point: Point) -> str: ...

    got = given(take, count=2.0, point={"x": 3.0, "y": 1})
    assert [2, Point(3, 1.0)] == got
    assert [int, int] == [type(got[0]), type(got[1].x)]


def test_a_model_that_holds_itself_stays_a_reference() -> None:
    """What is used once stands in its place; what refers to itself is a definition."""

    def take(point: Point, person: Person) -> str: ...

    parameters = tool(take).spec()["parameters"]
    assert {"x": {"type": "integer"}, "y": {"type": "number", "default": 0.0}} == parameters["properties"]["point"][
        "properties"
    ]
    assert {"$ref": "#/$defs/Person"} == parameters["properties"]["person"]
    assert ["Person"] == list(parameters["$defs"])


def test_two_types_of_one_name_are_kept_apart() -> None:
    """The second gets a name of its own, so neither parameter has the other's schema."""

    def take(person: Person, pair: Other.Person) -> str: ...

    parameters = tool(take).spec()["parameters"]
    friends = {"type": "array", "items": {"$ref": "#/$defs/pair.Person"}, "default": []}
    assert {"Person", "pair.Person"} == set(parameters["$defs"])
    assert friends == parameters["$defs"]["pair.Person"]["properties"]["friends"]
    assert {"$ref": "#/$defs/pair.Person"} == parameters["properties"]["pair"]
    got = given(take, person={"age": 18}, pair={"name": "a", "friends": [{"name": "b"}]})
    assert [Person(age=18), Other.Person("a", [Other.Person("b")])] == got


def test_a_constraint_that_the_schema_has_corrects_the_model() -> None:
    """The core refuses what pydantic's Field forbids, before the function is called."""

    def take(age: Annotated[int, pydantic.Field(ge=18)]) -> str: ...

    assert {"minimum": 18, "type": "integer"} == schema_of(take)["age"]
    assert [] == ran(take, age=3)


@pytest.mark.parametrize("default", [pydantic.Field(5, ge=1), msgspec.field(default=5), msgspec.Meta(ge=1)])
def test_a_description_in_place_of_a_default_is_refused(default: Any) -> None:
    """The function would get the description as its value: the error says where it belongs."""

    def take(number: int = default) -> str: ...

    with pytest.raises(TypeError, match=r"the parameter number of take has a \w+ of \w+ as its default; write its"):
        tool(take)


def test_a_validator_that_no_schema_has_is_an_error_result() -> None:
    """What fits the schema and not the type is told to the model by name and place, as invalid arguments (R9)."""

    @tool
    def take(value: Even) -> str: ...

    (result,) = ran(take, value={"number": 3})
    assert ("value: Value error, it is odd - at `number`", "invalid_arguments") == (
        result["error"],
        result["error_kind"],
    )


def test_a_mutable_default_is_not_shared_by_calls() -> None:
    """What one call puts into a default is not there in the next."""

    @tool
    def collect(names: list[str] = []) -> list[str]:  # noqa: B006 (what the test is about)
        """Collect names."""
        names.append("x")
        return names

    assert [["x"], ["x"]] == [ran(collect)[0]["output"], ran(collect)[0]["output"]]


def test_methods_partials_and_callable_objects_are_tools() -> None:
    """What is bound is not the model's; a method is the tool of its instance."""

    class Shop:
        def __init__(self, name: str) -> None:
            self.name = name

        @tool
        def look(self, item: str) -> str:
            """Look for an item."""
            return f"{item} at {self.name}"

        def plain(self, item: str) -> str:
            """Look plainly."""
            return f"{item} plainly at {self.name}"

        def __call__(self, item: str) -> str:
            """Look by calling."""
            return f"{item} called at {self.name}"

    def three(a: int, b: str, c: bool = False) -> str:
        """Take three."""
        return f"{a} {b} {c}"

    shop = Shop("Ann's")
    assert "pen at Ann's" == ran(shop.look, item="pen")[0]["output"] == shop.look("pen")
    assert "pen plainly at Ann's" == ran(shop.plain, item="pen")[0]["output"]
    assert "pen called at Ann's" == ran(tool(name="call")(shop), item="pen")[0]["output"]
    bound = tool(functools.partial(three, 1, c=True))
    assert ("three", ["b"]) == (bound.name, list(bound.spec()["parameters"]["properties"]))
    assert "1 x True" == ran(bound, b="x")[0]["output"]
    with pytest.raises(TypeError, match="look is a method; give the one of an instance"):
        Agent(ScriptedModel([]), tools=[Shop.look])


def test_positional_parameters_and_names_in_other_scripts_work() -> None:
    """A slash in the signature and letters beyond ASCII change nothing for the model."""

    def größe(länge: int, /, *, 幅: int = 2) -> int:  # noqa: N803, PLC2401 (what the test is about)
        """Multiply."""
        return länge * 幅

    assert 6 == ran(größe, länge=3)[0]["output"]


def test_results_are_json_of_their_types() -> None:
    """What a function returns is written as its type is: structs, dates, pydantic's models, sets."""

    def give() -> list[Any]:
        return [Point(1), date(2026, 1, 2), Person(age=19), Color.RED, {3}]

    expected = [{"x": 1, "y": 0.0}, "2026-01-02", {"age": 19, "parent": None}, "red", [3]]
    assert expected == ran(give)[0]["output"]


def test_a_result_that_is_no_json_is_an_error_result() -> None:
    """An object without a form in JSON is told as such, and the run goes on."""

    def give() -> Any:
        return [object()]

    error = "give ran; its result cannot be used: TypeError: a value of the type object is no JSON"
    assert error == ran(give)[0]["error"]


def _variadic(*names: int) -> None: ...
def _keywords(**names: int) -> None: ...
def _untyped(name) -> None: ...  # type: ignore[no-untyped-def]
def _complex_type(name: complex) -> None: ...
def _unknown_type(name: Nowhere) -> None: ...  # type: ignore[name-defined] # noqa: F821
def _complex_result() -> complex: ...  # type: ignore[empty-body]
def _two_invocations(one: Invocation[Any], two: Invocation[Any]) -> None: ...
def _generator() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (_variadic, "_variadic takes *names; name each argument, with its type, for the model to see"),
        (_keywords, "_keywords takes **names; name each argument, with its type, for the model to see"),
        (_untyped, "the parameter name of _untyped has no type; write for instance name: str"),
        (_complex_type, "the parameter name of _complex_type has the type complex, which has no JSON Schema"),
        (_unknown_type, "_unknown_type has a type that cannot be found: name 'Nowhere' is not defined"),
        (_complex_result, "what _complex_result returns has the type complex, which has no JSON Schema"),
        (_two_invocations, "_two_invocations takes two of Invocation, one and two; one is enough"),
        (_generator, "_generator is a generator; a tool returns one result, such as a list"),
        (lambda: 1, "a lambda has no name for the model; give one: tool(name=...)(function)"),
        (Point, "a tool is made of a function, not of the class Point"),
        (5, "a tool is made of a function, not of int"),
    ],
)
def test_what_no_model_can_call_is_refused_where_it_is_decorated(function: Any, said: str) -> None:
    """The error names the function, the parameter, and what to write instead."""
    with pytest.raises(TypeError) as raised:
        tool(function)
    assert str(raised.value).startswith(said)


def test_options_are_checked() -> None:
    """A misspelt option, and an approval that there is not, are refused."""
    with pytest.raises(TypeError, match="tool has no option aproval; write approval"):
        tool(aproval="ask")(_variadic)  # type: ignore[call-overload]
    for limit in (0, -1, None, float("nan"), float("inf"), True):
        with pytest.raises(TypeError, match="expected seconds, more than 0 and at most 86400"):
            tool(time_limit_s=limit)(_variadic)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="approval is 'sometimes'; expected auto, ask or deny"):
        tool(approval="sometimes")(_variadic)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="checks is 'not_empty'; expected several, such as"):
        tool(checks="not_empty")(_variadic)  # type: ignore[call-overload]


def test_results_are_held_to_the_checks_of_their_tool() -> None:
    """A rejected result is no ground for an answer (D21): the model is told why, and a second one ends the run."""

    @tool(checks=({"pattern": "[0-9]"},))
    def price(item: str) -> str:
        return "sold out"

    looks = [calls("price", item="tea"), calls("price", item="green tea"), says("It costs 3.")]
    result = Agent(ScriptedModel(looks), tools=[price]).run_sync("What does tea cost?")
    assert "postcondition" == (result.failure.code if result.failure else result.answer)


def test_two_tools_of_one_name_are_refused() -> None:
    """A duplicate name is an error at registration (R9)."""

    def look(place: str) -> str: ...

    with pytest.raises(ValueError, match=r"two tools are named 'look'; give one another name: tool\(name=...\)"):
        Agent(ScriptedModel([]), tools=[look, tool(name="look")(_variadic_free)])


def _variadic_free() -> str: ...


def test_little_is_imported_before_it_is_needed() -> None:
    """Who uses none of pydantic's types, no session, no server and no docstring of a known style pays for none."""
    heavy = ("pydantic", "httpx2", "xllamacpp", "typer", "rich", "yaml", "doctest", "docstring_parser")
    code = (
        "import sys\nfrom purestep_hosts import Agent, ScriptedModel, says, tool\n"
        "def f(x: int) -> str:\n    return ''\n"
        "print(Agent(ScriptedModel([says('Hi')]), tools=[f]).run_sync('Hello').answer)\n"
        f"print([name for name in {(*heavy, 'purestep_hosts.sessions')!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Hi\n[]\n" == done.stdout, done.stderr
