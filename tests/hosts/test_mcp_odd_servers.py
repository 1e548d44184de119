"""Servers that list and answer what the protocol has otherwise: what is wrong costs one tool, or one block."""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.mcp import McpServer, McpServers
from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.keeper import MOST_LEVELS, LevelledJson
from purestep_hosts.tools.toolbox import Toolbox

RAW = str(Path(__file__).with_name("mcp_raw_server.py"))
OBJECT: dict[str, Any] = {"type": "object"}
GO: dict[str, Any] = {"name": "go", "inputSchema": OBJECT}


def raw(name: str = "s", **sent: Any) -> McpServer:
    """The server that lists and answers as it is told."""
    return McpServer(name=name, command=(sys.executable, RAW, json.dumps(sent)))


def listed(*tools: Any) -> tuple[list[str], list[str]]:
    """The names and warnings of a server that lists these tools and `go` after them."""
    with McpServers(raw(tools=[*tools, GO])) as servers:
        return [tool.name for tool in servers.tools], list(servers.warnings)


def came_of(result: Any, **tool: Any) -> dict[str, Any]:
    """The result of a call that the server answers so."""
    with McpServers(raw(tools=[{**GO, **tool}], result=result)) as servers:
        box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
        for each in servers.tools:
            box.register(each)
        return box.run("s__go", {}, "key")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ({"name": "bad", "inputSchema": None}, "the tool 'bad' of the MCP server s is left out: it has no inputSchema"),
        ({"name": "bad"}, "the tool 'bad' of the MCP server s is left out: it has no inputSchema"),
        ({"name": "bad", "inputSchema": [1]}, "'bad' of the MCP server s is left out: its inputSchema is no object"),
        ({"name": "bad", "inputSchema": {"type": "array"}}, "'bad' of the MCP server s is left out: "),
        ({"name": "bad", "inputSchema": {**OBJECT, "properties": 5}}, "'bad' of the MCP server s is left out: "),
        ({"name": "bad", "inputSchema": {**OBJECT, "required": "a"}}, "'bad' of the MCP server s is left out: "),
        ({"name": "bad", "inputSchema": {**OBJECT, "$ref": "#/$defs/none"}}, "'bad' of the MCP server s is left out: "),
        ({"inputSchema": OBJECT}, "the tool number 1 of the MCP server s is left out: it has no name"),
        ({"name": None, "inputSchema": OBJECT}, "the tool number 1 of the MCP server s is left out: it has no name"),
        ({"name": 7, "inputSchema": OBJECT}, "the tool number 1 of the MCP server s is left out: it has no name"),
        ({"name": "", "inputSchema": OBJECT}, "the tool number 1 of the MCP server s is left out: it has no name"),
        ("bad", "the tool number 1 of the MCP server s is left out: it is no object"),
        (None, "the tool number 1 of the MCP server s is left out: it is no object"),
        ([GO], "the tool number 1 of the MCP server s is left out: it is no object"),
    ],
)
def test_bad_tool_costs_itself_alone(bad: Any, said: str) -> None:
    """The others are there, and a warning names the one and says why."""
    names, warnings = listed(bad)
    assert (["s__go"], 1, True) == (names, len(warnings), said in warnings[0]), warnings


@pytest.mark.parametrize(
    "odd",
    [
        {"description": None, "title": None, "annotations": None, "outputSchema": None, "icons": None, "_meta": None},
        {"description": ["a"], "title": 4, "annotations": "none", "execution": 3, "_meta": "x"},
        {"annotations": {"readOnlyHint": None, "destructiveHint": "yes", "title": 5}},
        {"inputSchema": {**OBJECT, "properties": None, "required": None, "$defs": None, "description": None}},
        {"inputSchema": {**OBJECT, "properties": {"a": {"type": "string", "minLength": None, "default": None}}}},
        {"inputSchema": {}},
        {"inputSchema": {"properties": {"a": True}}},
    ],
)
def test_odd_members_cost_no_tool(odd: dict[str, Any]) -> None:
    """Null counts as absent, and a member of an odd type that is not needed says nothing."""
    assert (["s__odd", "s__go"], []) == listed({"name": "odd", "inputSchema": OBJECT, **odd})


def test_hint_that_is_no_boolean_lets_nothing_run_unasked() -> None:
    """Only `true` says that a tool reads."""
    tools = [
        {**GO, "name": str(at), "annotations": {"readOnlyHint": hint}} for at, hint in enumerate(["true", 1, True])
    ]
    with McpServers(raw(tools=tools)) as servers:
        assert ["ask", "ask", "auto"] == [tool.approval for tool in servers.tools]


@pytest.mark.parametrize("opened", [{"capabilities": {"tools": None}}, {"instructions": None, "_meta": None}])
def test_null_members_at_the_start_count_as_absent(opened: dict[str, Any]) -> None:
    """The server is used."""
    with McpServers(raw(opened=opened, tools=[GO])) as servers:
        assert ["s__go"] == [tool.name for tool in servers.tools]


def test_list_with_null_members_ends() -> None:
    """A next page that is null is none, and no tools are no fault."""
    with McpServers(raw(list={"tools": [GO], "nextCursor": None}), raw("t", list={"tools": None})) as servers:
        assert (["s__go"], ()) == ([tool.name for tool in servers.tools], servers.warnings)


def test_one_bad_tool_costs_no_other_server() -> None:
    """Each server of a block has its tools."""
    with McpServers(raw("a", tools=[{"name": 1}, GO]), raw("b", tools=[GO])) as servers:
        assert ["a__go", "b__go"] == [tool.name for tool in servers.tools]


def test_chosen_tool_that_is_bad_is_a_warning() -> None:
    """It was listed, so the choice names no tool that is not there."""
    server = raw(tools=[{"name": "bad"}, {"name": "other"}, GO])
    chosen = McpServer(name="s", command=server.command, tools=("bad", "go"))
    with McpServers(chosen) as servers:
        said = ("the tool 'bad' of the MCP server s is left out: it has no inputSchema",)
        assert (["s__go"], said) == ([tool.name for tool in servers.tools], servers.warnings)


@pytest.mark.parametrize(
    ("schema", "structured"),
    [
        ({"type": "array", "items": {"type": "integer"}}, [1, 2]),
        ({"type": "string"}, "a"),
        ({"type": ["integer", "null"]}, 3),
        ({"anyOf": [{"type": "array"}, {"type": "object"}]}, []),
        ({"$ref": "#/$defs/rows", "$defs": {"rows": {"type": "array"}}}, [[]]),
        (True, 5),
    ],
)
def test_structured_content_of_any_root_is_data(schema: Any, structured: Any) -> None:
    """Arrays and other values are the output, as the newer protocol has it, under any version of it."""
    result = {"content": [{"type": "text", "text": json.dumps(structured)}], "structuredContent": structured}
    assert {"ok": True, "output": structured} == came_of(result, outputSchema=schema)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"content": [], "structuredContent": ["a"]}, "/0: expected an integer"),
        ({"content": [], "structuredContent": {"a": 1}}, "expected an array"),
        ({"content": [], "structuredContent": None}, "has no structuredContent"),
        ({"content": [{"type": "text", "text": "1"}]}, "has no structuredContent"),
    ],
)
def test_structured_content_that_breaks_its_schema_may_have_run(result: dict[str, Any], said: str) -> None:
    """The server breaks its own word: the result says nothing that counts."""
    came = came_of(result, outputSchema={"type": "array", "items": {"type": "integer"}})
    assert (False, "interrupted", True) == (came["ok"], came["error_kind"], said in came["error"]), came


@pytest.mark.parametrize(
    "schema", [{"type": "strnig"}, {"type": "object", "properties": 4}, [1], {"$ref": "http://a/b"}]
)
def test_output_schema_that_cannot_be_read_is_not_checked(schema: Any) -> None:
    """The tool is there, a warning says so, and its results are read."""
    names, warnings = listed({"name": "odd", "inputSchema": OBJECT, "outputSchema": schema})
    assert (["s__odd", "s__go"], 1, True) == (names, len(warnings), "not checked" in warnings[0])
    result = {"content": [], "structuredContent": {"n": 1}}
    assert {"ok": True, "output": {"n": 1}} == came_of(result, outputSchema=schema)


PATTERNS = (r"^\p{L}+$", r"^\p{Lu}\P{Lu}*$", r"^\p{Script=Greek}$", r"[\p{Emoji}\d]", r"(?<=a)b", r"(a)\1", r"(?i)a")


@pytest.mark.parametrize("pattern", PATTERNS)
def test_pattern_that_is_not_judged_is_left_to_the_server(pattern: str) -> None:
    """The tool is there; the model reads the pattern, and a warning says that the server alone judges it."""
    tag = {"type": "string", "pattern": pattern}
    with McpServers(raw(tools=[{"name": "tag", "inputSchema": {**OBJECT, "properties": {"t": tag}}}])) as servers:
        (tool,) = servers.tools
        warnings = servers.warnings
    assert (f"the tool 's__tag': the server alone judges the pattern {pattern}",) == warnings
    assert {"type": "string", "description": f"Must match {pattern}"} == tool.parameters["properties"]["t"]


LETTERS = r"^\p{L}+$"


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"t": {"not": {"pattern": LETTERS}}}},
        {"properties": {"t": {"oneOf": [{"pattern": LETTERS}, {"type": "string"}]}}},
        {"properties": {"t": {"oneOf": [{"pattern": LETTERS}, {"const": "5"}], "allOf": [{"type": "string"}]}}},
        {"properties": {"t": {"if": {"pattern": LETTERS}, "then": {"const": "a"}, "else": {"const": "5"}}}},
        {"properties": {"t": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"pattern": LETTERS}}},
        {"properties": {"t": {"not": {"$ref": "#/$defs/t"}}}, "$defs": {"t": {"pattern": LETTERS}}},
        {"patternProperties": {LETTERS: {"type": "string"}}, "additionalProperties": False},
        {"patternProperties": {LETTERS: {"type": "string"}}, "unevaluatedProperties": False},
        {"allOf": [{"patternProperties": {LETTERS: True}}], "unevaluatedProperties": False},
        {"propertyNames": {"pattern": LETTERS}},
        {"properties": {"l": {"contains": {"pattern": LETTERS}, "maxContains": 1}}},
        {"properties": {"pattern": {"type": "string", "pattern": LETTERS}}},
        {"properties": {f"p{at}": {"pattern": rf"\p{{L}}{{{at}}}"} for at in range(30)}},
    ],
)
def test_arguments_that_a_server_would_take_are_not_refused(schema: dict[str, Any]) -> None:
    """What stands around a pattern that is left out is loosened too: these arguments fit what the server wrote."""
    with McpServers(raw(tools=[{"name": "go", "inputSchema": {**OBJECT, **schema}}])) as servers:
        box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
        box.register(servers.tools[0])
        for params in ({"t": "5"}, {"l": ["a", "5", "b1"]}, {"pattern": "Ä"}, {"p1": "Ä"}):
            if set(params) & set(schema.get("properties", params)):
                assert {"ok": True, "output": "go"} == box.run("s__go", params, "key"), params


def test_too_many_patterns_leave_the_tool_out() -> None:
    """Each takes another reading of the schema, so their number is bounded."""
    properties = {f"p{at}": {"pattern": rf"\p{{L}}{{{at}}}"} for at in range(70)}
    names, warnings = listed({"name": "bad", "inputSchema": {**OBJECT, "properties": properties}})
    assert (["s__go"], True) == (names, r"unsupported escape \p" in warnings[0])


def test_names_that_become_one_get_a_digest() -> None:
    """A tool whose name needs no change keeps it, in any order, and each is called by its own name."""
    tools = [{**GO, "name": name} for name in ("a.b", "a b", "a_b", "a/b", "ä_b")]
    with McpServers(raw(tools=tools)) as servers:
        names = [tool.name for tool in servers.tools]
        box = Toolbox(ToolConfig(session_dir=Path(os.devnull), names=()))
        for tool in servers.tools:
            box.register(tool)
        called = [box.run(name, {}, "key")["output"] for name in names]
    assert (len(tools), ["a.b", "a b", "a_b", "a/b", "ä_b"], ()) == (len(set(names)), called, servers.warnings)
    assert ("s__a_b_2e7336dc", "s__a_b") == (names[0], names[2])


def test_names_of_two_servers_that_become_one_get_a_digest() -> None:
    """Two servers may make one name together; a name with a digest that another tool has gets a longer one."""
    first = raw("a", tools=[{**GO, "name": "_c"}, {**GO, "name": "x.y"}, {**GO, "name": "x_y"}])
    second = raw("a_", tools=[{**GO, "name": "c"}])
    with McpServers(first, second) as servers:
        names = [tool.name for tool in servers.tools]
    assert (4, "a___c", True) == (len(set(names)), names[0], names[3].startswith("a___c_"))


def test_tool_that_is_listed_twice_is_used_once() -> None:
    """The first one is, and it is said."""
    with McpServers(raw(tools=[GO, {**GO, "description": "Another."}])) as servers:
        said = ("the MCP server s lists 'go' twice; the first one is used",)
        assert (["s__go"], said) == ([tool.name for tool in servers.tools], servers.warnings)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"content": [{"type": "text", "text": "a", "annotations": None, "_meta": None}], "isError": None}, "a"),
        ({"content": [{"type": "text", "text": "a"}], "structuredContent": None, "_meta": None}, "a"),
        ({"content": [{"type": "text", "text": "a", "annotations": {"priority": 7, "audience": "me"}}]}, "a"),
        ({"content": "plain"}, "plain"),
        ({"content": {"type": "text", "text": "alone"}}, "alone"),
        ({"content": ["one", {"type": "text", "text": "two"}]}, "one\ntwo"),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "video", "data": "x"}]},
            "a\n[left out: a block that cannot be read, of the type video]",
        ),
        (
            {"content": [{"type": "text", "text": 5}, 7, None]},
            "\n".join(
                [
                    "[left out: a block that cannot be read, of the type text]",
                    *["[left out: a block that cannot be read]"] * 2,
                ]
            ),
        ),
        ({"content": None}, ""),
        ({"structuredContent": {"n": 1}}, {"n": 1}),
    ],
)
def test_result_is_read_block_by_block(result: dict[str, Any], expected: Any) -> None:
    """Null counts as absent, and a block that cannot be read costs itself alone."""
    assert {"ok": True, "output": expected} == came_of(result)


def test_error_without_content_is_an_error() -> None:
    """`isError` counts, whatever else the result has."""
    error = "the MCP server s reported an error and did not say which"
    assert {"ok": False, "error": error, "error_kind": "execution"} == came_of({"content": None, "isError": True})


def nested(levels: int, *, keyword: str = "properties") -> Any:
    """Return a schema that stands so often inside of itself."""
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        match keyword:
            case "properties":
                schema = {"type": "object", "properties": {"a": schema}}
            case "anyOf":
                schema = {"anyOf": [schema]}
            case _:
                schema = {keyword: schema}
    return {"type": "object", "properties": {"a": schema}}


@pytest.mark.parametrize("levels", [160, 300, 400])
@pytest.mark.parametrize("keyword", ["properties", "items", "anyOf", "not", "default"])
def test_schema_that_is_nested_too_deep_costs_its_tool_alone(keyword: str, levels: int) -> None:
    """The reader of JSON that the SDK has refuses such a list as a whole."""
    names, warnings = listed({"name": "deep", "inputSchema": nested(levels // 2, keyword=keyword)})
    assert (["s__go"], 1, True) == (names, len(warnings), "'deep' of the MCP server s is left out" in warnings[0])


def test_what_is_nested_too_deep_where_nobody_looks_costs_nothing() -> None:
    """The tool is there."""
    assert (["s__deep", "s__go"], []) == listed({**GO, "name": "deep", "_meta": nested(300)})


@pytest.mark.parametrize("levels", [30, 150])
def test_result_that_is_nested_too_deep_says_so(levels: int) -> None:
    """At once, and nothing of it is passed off as the whole."""
    result = came_of({"content": [], "structuredContent": nested(levels)})
    assert (False, True) == (result["ok"], "nested" in result["error"]), result


def test_pieces_of_json_are_passed_on_with_null_where_they_are_too_deep() -> None:
    """Wherever they are split, and whatever the texts in them hold."""
    chance = random.Random(4)
    for _ in range(200):
        value = _value(chance, chance.choice((3, MOST_LEVELS - 1, MOST_LEVELS, MOST_LEVELS + 1, 300)))
        size = chance.choice((1, 3, 100, 100_000))
        for body, has_lines in ((f"{json.dumps(value)}\n" * 2, True), (json.dumps(value, indent=1), False)):
            levelled, sent = LevelledJson(has_lines=has_lines), body.encode()
            passed = b"".join(levelled.passed(sent[at : at + size]) for at in range(0, len(sent), size))
            found = passed.split(b"\n")[:-1] if has_lines else [passed]
            assert [_shallow(value, 1)] * len(found) == [json.loads(each) for each in found]


def _value(chance: random.Random, levels: int) -> Any:
    if not levels:
        return chance.choice(['x"]}', "\\", '\\"[', 1, None, "\u00e9{", "\U0001f600]"])
    inner = _value(chance, levels - 1)
    return (
        [inner, chance.choice([[], {}, "]"])] if chance.random() < 0.5 else {chance.choice(['a"', "b\\", "{"]): inner}
    )


def _shallow(value: Any, level: int) -> Any:
    if not isinstance(value, dict | list):
        return value
    if level > MOST_LEVELS:
        return None
    if isinstance(value, dict):
        return {name: _shallow(each, level + 1) for name, each in value.items()}
    return [_shallow(each, level + 1) for each in value]
