"""Constraints: which one a model is asked with is decided by the dialect and by what the definition says it takes."""

import json
from typing import Any

import pytest

import purestep
from purestep.dialects import Sample
from purestep.values.reading import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.grammars.grammars import gbnf, grammar_of_form, grammar_of_schema, lark, structural_tag
from tests.core.agents import ADD

RECURSIVE: dict[str, Any] = {
    "name": "tree",
    "parameters": {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/node"}, "kind": {"enum": ["a", "b"]}, "deep": {"type": "boolean"}},
        "required": ["root"],
        "$defs": {"node": {"type": "object", "properties": {"left": {"$ref": "#/$defs/node"}}}},
    },
}


def _asked(dialect: str, supports: list[str] | None, **members: Any) -> dict[str, Any]:
    model = {"name": "m"} | ({} if supports is None else {"supports": supports})
    definition = {"dialect": dialect, "tools": [ADD, RECURSIVE], "models": [model], **members}
    given = {"agent": definition, "observation": {"type": "user_message", "content": "q"}}
    decision: dict[str, Any] = json.loads(purestep.run_agent_step(json.dumps(given)))["decision"]
    return decision


@pytest.mark.parametrize(
    ("dialect", "supports", "expected"),
    [
        ("envelope", None, "json_schema"),
        ("envelope", ["json_schema", "grammar"], "json_schema"),
        ("envelope", ["ebnf"], "grammar"),
        ("envelope", [], None),
        ("hermes_json", None, None),
        ("hermes_json", ["grammar", "structural_tag"], "structural_tag"),
        ("hermes_json", ["json_schema"], None),
        ("qwen_xml", ["structural_tag", "ebnf"], "grammar"),
    ],
)
def test_response_format_is_what_the_host_takes(dialect: str, supports: list[str] | None, expected: str | None) -> None:
    """A JSON dialect goes by schema first, a family's form by structural tags where its arguments are JSON."""
    asked = _asked(dialect, supports).get("response_format")
    assert expected == (asked and asked["type"])


@pytest.mark.parametrize(("supports", "begin"), [(["grammar", "lark"], "root ::= "), (["lark"], "%llguidance {}\n")])
@pytest.mark.parametrize("dialect", ["envelope", *(dialect.name for dialect in FAMILY_DIALECTS)])
def test_grammar_is_in_the_language_of_the_host(dialect: str, supports: list[str], begin: str) -> None:
    """A grammar comes as text, and every rule that it refers to is in it once."""
    grammar = _asked(dialect, supports)["grammar"]
    assert begin == grammar[: len(begin)]
    separator = " ::= " if supports[0] == "grammar" else ": "
    names = [line.split("[suffix", 1)[0].split(separator, 1)[0] for line in grammar.split("\n") if separator in line]
    assert sorted(set(names)) == sorted(names)


def test_grammar_holds_both_forms_of_an_output() -> None:
    """Either a call of a tool that there is, typed, or text that does not begin as a call."""
    agent = purestep.Agent.load({"dialect": "hermes_json", "tools": [ADD]})
    text = gbnf(grammar_of_form(agent.dialect.form, agent.specs()))  # type: ignore[arg-type]
    assert '"<tool_call>\\n{\\"name\\": \\"add_numbers\\", \\"arguments\\": "' in text
    assert "[^<\\x00] [^\\x00]*" in text


def test_lark_begins_at_start_and_gbnf_at_root() -> None:
    """llguidance has a language of its own; XGrammar reads llama.cpp's."""
    grammar = grammar_of_schema({"type": "object", "properties": {"a": {"const": 1}}, "required": ["a"]})
    assert "start: " in lark(grammar)
    assert gbnf(grammar).startswith("root ::= ")


def test_structural_tag_ends_as_the_form_does() -> None:
    """The calls stand in what the form has around all, each a tag: what begins it, its schema, what ends it."""
    agent = purestep.Agent.load({"dialect": "mistral_json", "tools": [ADD]})
    assert agent.dialect.form is not None
    made = structural_tag(agent.dialect.form, agent.specs())["format"]
    [section] = made["tags"]
    [tag] = section["content"]["tags"]
    call = agent.dialect.write(Sample(calls=(ReadCall(tool="add_numbers", params={"a": 1}),)))
    assert call == f'{section["begin"]}{tag["begin"]}{{"a":1}}{tag["end"]}{section["end"]}'
    assert [section["begin"]] == made["triggers"]


def test_structural_tag_leaves_a_call_its_number() -> None:
    """A form that counts its calls has a number where the form has one, and not always the first."""
    agent = purestep.Agent.load({"dialect": "kimi_k2", "tools": [ADD]})
    assert agent.dialect.form is not None
    made = structural_tag(agent.dialect.form, agent.specs())["format"]
    [tag] = made["tags"][0]["content"]["tags"]
    number, tail, arguments = tag["content"]["elements"]
    assert "<|tool_call_begin|>functions.add_numbers:" == tag["begin"]
    assert ("[0-9]{1,3}", "<|tool_call_argument_begin|>") == (number["pattern"], tail["value"])
    assert "json_schema" == arguments["type"]
