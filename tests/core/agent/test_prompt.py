"""The prompt: made in the core, the same bytes for the same registry, constraints that a server can compile."""

import json
from typing import Any

import jsonschema_rs
import pytest

from purestep.dialects import dialect_names
from purestep.schema import FORMATS
from tests.core.agents import ADD, BANNED, SHELL, agent, call, final, said, tool
from tests.core.driver import Driver

READS = {"readOnlyHint": True}
CARRIED = {"models": [{"name": "m", "carry": "ground"}]}

REFERRING: dict[str, Any] = {
    "name": "draw",
    "parameters": {
        "type": "object",
        "properties": {"at": {"$ref": "#/$defs/point"}, "tree": {"$ref": "#/$defs/node"}},
        "required": ["at"],
        "additionalProperties": False,
        "$defs": {
            "point": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
            "node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "additionalProperties": False},
        },
    },
}


def _reordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reordered(value[key]) for key in reversed(value)}
    return [_reordered(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("dialect", ["envelope", "tool_tags", "bare", "native", "auto"])
def test_same_registry_gives_the_same_bytes(dialect: str) -> None:
    """C14: the order of tools and of keys in the definition changes no byte of the prompt and its constraints."""
    given = Driver(agent(dialect=dialect, instructions="Be brief."))
    other = Driver(_reordered({"tools": [SHELL, BANNED, ADD], "dialect": dialect, "instructions": "Be brief."}))
    assert json.dumps(given.messages) == json.dumps(other.messages)
    assert json.dumps(given.decision) == json.dumps(other.decision)


def test_system_prompt_teaches_the_envelope_and_the_tools() -> None:
    """C14: exactly one JSON object, both shapes, tools sorted by name with description and parameters."""
    system = Driver(agent(instructions="You are terse.")).messages[0]
    assert "system" == system["role"]
    text = system["content"]
    assert text.startswith("You are terse.")
    assert "exactly one JSON object" in text
    assert '"kind":"tool_call"' in text
    assert '"kind":"final"' in text
    assert text.index("add_numbers") < text.index("banned") < text.index("shell")
    assert "Add two numbers." in text
    assert '"required":["a","b"]' in text


def test_system_prompt_is_no_event_and_no_step() -> None:
    """C14: the system prompt is a message, no user event and no turn."""
    driver = Driver(agent())
    assert ["run_started", "user_message"] == driver.kinds()
    assert ["Hello"] == [event["content"] for event in driver.events("user_message")]
    assert 0 == driver.state["exchange"]["used"]["turns"]


def test_query_is_the_last_message() -> None:
    """C14: the user's words come last, as they are."""
    driver = Driver(agent(), query="What is 1+2?")
    assert {"role": "user", "content": "What is 1+2?"} == driver.prompt()[-1]


def test_examples_stand_as_turns() -> None:
    """C14: an example of a definition is shown to a carried model as chat turns in the dialect's own form."""
    messages = Driver({"tools": [ADD], **CARRIED}).messages
    expected = [
        ("user", "What is 2 plus 3?"),
        ("assistant", call("add_numbers", a=2, b=3)),
        ("user", "Result of add_numbers: 5"),
        ("assistant", final("5")),
    ]
    assert expected == [(message["role"], message["content"]) for message in messages[1:5]]


@pytest.mark.parametrize("dialect", ["native", *dialect_names()])
@pytest.mark.parametrize("models", [[], [{"name": "m"}], [{"name": "m", "carry": "off"}]])
def test_no_example_is_sent_to_a_model_that_is_not_carried(dialect: str, models: list[Any]) -> None:
    """Nothing stands before the user's first word but the system text."""
    driver = Driver(agent(dialect=dialect, models=models), query="What is 1+2?")
    assert [] == [message["role"] for message in driver.prompt()[:-1] if message["role"] != "system"]


def test_no_example_calls_a_tool_that_may_act() -> None:
    """A model may repeat what it is shown, also where the definition brings the example."""
    example = {"query": "Delete a.txt", "arguments": {"path": "a.txt"}}
    acts = tool("delete_file", {"path": {"type": "string"}}, examples=[example])
    for spec in (acts, {**acts, "annotations": {"readOnlyHint": False}}, {**acts, "annotations": {"title": "Delete"}}):
        messages = Driver({"tools": [spec, ADD], **CARRIED}).messages
        assert "delete_file" not in json.dumps(messages[1:])
        assert "add_numbers" in json.dumps(messages[1:])


def test_examples_go_to_the_carried_model_alone() -> None:
    """A larger one that the run escalates to is sent the system text and the conversation."""
    driver = Driver({"tools": [ADD], "models": [{"name": "s", "carry": "ground"}, {"name": "l"}]}, "Hm")
    assert 8 == len(driver.prompt())
    for _ in range(2):
        driver.send(said("{"))
    assert ("l", "escalate") == (driver.decision["model"], driver.decision["reason"])
    assert ["system", "user"] == [message["role"] for message in driver.prompt()[:2]]
    assert "Hm" == driver.prompt()[1]["content"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "integer", "minimum": 5},
        {"type": "number", "minimum": 0.5, "maximum": 0.9},
        {"type": "integer", "exclusiveMinimum": 10},
        {"type": "integer", "maximum": -1},
        {"enum": ["a", "b"]},
        {"const": 3},
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        {"type": "array", "items": {"type": "string"}, "minItems": 2},
        {"type": "string", "minLength": 30},
        {"type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]},
    ],
)
def test_made_example_fits_its_own_schema(schema: dict[str, Any]) -> None:
    """C14: a tool without examples gets one made from its schema, and what is taught would be accepted."""
    spec = tool("made", {"value": schema}, annotations=READS)
    message = Driver({"tools": [spec], **CARRIED}).messages[2]
    arguments = json.loads(message["content"])["arguments"]
    assert [] == [
        error.message for error in jsonschema_rs.Draft202012Validator(spec["parameters"]).iter_errors(arguments)
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_made_example_has_the_format_asked_for(name: str) -> None:
    """C14: a text with a format is shown as one, so that a definition whose formats judge has an example too."""
    spec = tool("made", {"value": {"type": "string", "format": name}}, annotations=READS)
    messages = Driver({"tools": [spec], "policies": [{"use": "assert_formats"}], **CARRIED}).messages
    value = json.loads(messages[2]["content"])["arguments"]["value"]
    assert jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True).is_valid(value), value


def test_tools_without_parameters_make_an_example_too() -> None:
    """C14: a tool without parameters is shown with empty arguments."""
    clock = tool("now", description="Tell the time. Exact.", annotations=READS)
    messages = Driver({"tools": [clock], **CARRIED}).messages
    assert ("Tell the time", call("now")) == (messages[1]["content"], messages[2]["content"])


def _schema(driver: Driver) -> dict[str, Any]:
    schema: dict[str, Any] = driver.decision["response_format"]["json_schema"]["schema"]
    return schema


def test_constraint_takes_each_tool_and_the_final() -> None:
    """C14: the constraint takes a call of each tool and a final, and nothing else."""
    check = jsonschema_rs.Draft202012Validator(_schema(Driver(agent()))).is_valid
    good = [call("add_numbers", a=1, b=2), call("shell", command="ls"), call("banned"), final("x")]
    bad = [
        call("add_numbers", a="1", b=2),
        call("nothing"),
        final(7),
        '{"kind":"final"}',
        "7",
        call("shell", command=1),
    ]
    assert [True] * 4 + [False] * 6 == [check(json.loads(text)) for text in good + bad]


def test_references_in_parameters_work_inside_the_constraint() -> None:
    """C14: a $ref counts from the tool's own root, wherever the tool's schema is put."""
    schema = _schema(Driver({"tools": [REFERRING, {**REFERRING, "name": "a/b~c"}]}))
    check = jsonschema_rs.Draft202012Validator(schema).is_valid
    for name in ("draw", "a/b~c"):
        assert check(json.loads(call(name, at={"x": 1}, tree={"next": {"next": {}}})))
        assert not check(json.loads(call(name, at={})))
        assert not check(json.loads(call(name, at={"x": 1}, tree={"next": {"nope": 1}})))


def test_references_in_the_answer_schema_work_inside_the_constraint() -> None:
    """C14: the same holds for an answer schema."""
    answer = {
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/n"}},
        "required": ["p"],
        "$defs": {"n": {"type": "integer"}},
    }
    check = jsonschema_rs.Draft202012Validator(_schema(Driver({"answer_schema": answer}))).is_valid
    assert [True, False] == [check(json.loads(final({"p": value}))) for value in (1, "x")]


def test_property_named_like_a_keyword_is_left_alone() -> None:
    """C14: a parameter called $ref is a parameter."""
    spec = tool("link", {"$ref": {"type": "string"}})
    check = jsonschema_rs.Draft202012Validator(_schema(Driver({"tools": [spec]}))).is_valid
    assert [True, False] == [check(json.loads(call("link", **{"$ref": value}))) for value in ("x", 1)]


def test_withheld_tool_is_not_offered() -> None:
    """Repeat guard: a tool that is withheld is not in the constraint of the next call, and is again afterwards."""
    driver = Driver(agent())
    same = call("add_numbers", a=1, b=2)
    for _ in range(2):
        driver.send(said(same))
        driver.give_all("three")
    driver.send(said(same))
    check = jsonschema_rs.Draft202012Validator(_schema(driver)).is_valid
    assert [False, True] == [check(json.loads(text)) for text in (same, call("shell", command="x"))]
    driver.send(said(call("shell", command="x")))
    driver.answer_all(True)
    driver.give_all("listing")
    assert jsonschema_rs.Draft202012Validator(_schema(driver)).is_valid(json.loads(same))


def test_withheld_tool_is_not_offered_natively() -> None:
    """Repeat guard: the same in the list of native tools."""
    driver = Driver(agent(dialect="native"))
    same = said(None, tool_calls=[{"function": {"name": "add_numbers", "arguments": '{"a":1,"b":2}'}}])
    for _ in range(2):
        driver.send(same)
        driver.give_all("three")
    driver.send(same)
    assert ["banned", "shell"] == [entry["function"]["name"] for entry in driver.decision["tools"]]


def test_model_that_takes_no_constraint_gets_none() -> None:
    """Section 4: what a model does not support is not sent to it; without a list everything is."""
    definition = agent(models=[{"name": "m", "supports": []}])
    decision = Driver(definition).decision
    assert ("m", None) == (decision["model"], decision.get("response_format"))
    assert "response_format" in Driver(agent(models=[{"name": "m", "supports": ["json_schema"]}])).decision
    native = agent(dialect="native", models=[{"name": "m", "supports": ["json_schema"]}])
    assert "tools" not in Driver(native).decision


def test_sampling_is_passed_on() -> None:
    """Section 6: sampling settings come with every model call."""
    driver = Driver(agent(sampling={"temperature": 0, "seed": 7}))
    assert {"temperature": 0, "seed": 7} == driver.decision["sampling"]


def test_answer_schema_is_taught_and_constrained() -> None:
    """D28: an answer format is in the system text and in the constraint."""
    driver = Driver({"answer_schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}})
    assert '"required":["n"]' in driver.messages[0]["content"]
    check = jsonschema_rs.Draft202012Validator(_schema(driver)).is_valid
    assert [True, False] == [check(json.loads(text)) for text in (final({"n": 1}), final("text"))]


def test_bare_form_without_definition_sends_nothing_but_the_query() -> None:
    """A6: without a definition there is no system text, no tool, no constraint."""
    driver = Driver()
    assert [{"role": "user", "content": "Hello"}] == driver.messages
    assert {"type", "prompt", "reason"} == set(driver.decision)
