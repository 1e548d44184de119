"""Tools of a definition in the shapes that servers and other libraries give them."""

from typing import Any

import pytest

from purestep import Agent, PurestepError

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
OWN = {"name": "weather", "description": "Tell it.", "parameters": SCHEMA, "approval": "ask"}


@pytest.mark.parametrize(
    "entry",
    [
        {
            "type": "function",
            "function": {"name": "weather", "description": "Tell it.", "parameters": SCHEMA, "strict": True},
        },
        {"type": "function", "name": "weather", "description": "Tell it.", "parameters": SCHEMA, "strict": None},
        {
            "name": "weather",
            "description": "Tell it.",
            "inputSchema": SCHEMA,
            "outputSchema": None,
            "_meta": {},
            "icons": [],
            "labels": [],
        },
        {
            "name": "weather",
            "description": "Tell it.",
            "parameters": {key: SCHEMA[key] for key in ("properties", "required")},
        },
    ],
    ids=["function", "flat function", "mcp", "no type"],
)
def test_tool_in_another_shape_is_the_same_tool(entry: dict[str, Any]) -> None:
    """Section 10: tools in OpenAI's and MCP's shape are taken, with our members beside theirs; bare properties too."""
    assert Agent.load({"tools": [OWN]}).digest == Agent.load({"tools": [{**entry, "approval": "ask"}]}).digest


def test_tool_without_any_schema_takes_an_object() -> None:
    """Section 10: servers take a tool whose schema says nothing, and so does a definition."""
    loaded = Agent.load({"tools": [{"name": "t", "inputSchema": {}}]})
    assert {"type": "object"} == loaded.tools["t"].spec.parameters


@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ({"name": "t", "inputSchema": SCHEMA, "parameters": SCHEMA}, "/tools/0/inputSchema"),
        ({"type": "function", "function": {"name": "t", "colour": 1}}, "/tools/0/colour"),
        ({"type": "function", "function": {"name": "t"}, "name": "u"}, "/tools/0/type"),
        ({"type": "web_search"}, "/tools/0"),
        ({"name": "t", "parameters": {"type": "array"}}, "/tools/0/parameters/type"),
        ({"name": "t", "checks": ["planning"]}, "/tools/0/checks/0"),
    ],
)
def test_tool_of_no_shape_is_refused_with_its_path(entry: dict[str, Any], path: str) -> None:
    """Section 4: unknown keys, and two values for one, are refused with their path in our shape."""
    with pytest.raises(PurestepError) as caught:
        Agent.load({"tools": [entry]})
    assert path == caught.value.path


@pytest.mark.parametrize("properties", [5, [], "tool", None])
def test_bare_tool_whose_properties_are_no_object_is_refused(properties: Any) -> None:
    """Section 4: the bare dialect looks for a parameter named "tool" only where there are parameters."""
    with pytest.raises(PurestepError) as caught:
        Agent.load(
            {"dialect": "bare", "tools": [{"name": "t", "parameters": {"type": "object", "properties": properties}}]}
        )
    assert ("invalid_schema", "/tools/0/parameters/properties") == (caught.value.code, caught.value.path)
