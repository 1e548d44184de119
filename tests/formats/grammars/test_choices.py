"""What each dialect and each form of a constraint holds an output to under a tool choice (11.tool_choice)."""

from typing import Any

import pytest

import purestep
from purestep.dialects import Sample, dialect_named
from purestep.values import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from tests.core.agents import ADD, tool
from tests.core.driver import stepped
from tests.formats.grammars.conftest import LLGuidance, XGrammar

LOOK = tool("look_up", {"word": {"type": "string"}})
CALLS = {
    "add_numbers": ReadCall(tool="add_numbers", params={"a": 1, "b": 2}),
    "look_up": ReadCall(tool="look_up", params={"word": "ox"}),
}
ALLOWED = {"required": [True, True, False], "none": [False, False, True], "look_up": [False, True, False]}
"""Whether a call of each tool and an answer are whole outputs, for each choice."""

FAMILIES = [dialect.name for dialect in FAMILY_DIALECTS]
JSON_FAMILIES = [each.name for each in FAMILY_DIALECTS if each.form is not None and each.form.arguments == "json"]


def asked(dialect: str, supports: list[str], choice: str) -> dict[str, Any]:
    """Return the first decision of a run whose user message makes the choice."""
    agent = {"dialect": dialect, "tools": [ADD, LOOK], "models": [{"name": "m", "supports": supports}]}
    chosen = {"tool": choice} if choice in CALLS else choice
    observation = {"type": "user_message", "content": "Hello", "tool_choice": chosen}
    decision: dict[str, Any] = stepped(agent=agent, observation=observation)["decision"]
    return decision


def outputs(dialect: str) -> list[str]:
    """Return a call of each tool and an answer as the dialect writes them."""
    known = dialect_named(dialect)
    calls = [known.write(Sample(calls=(call,))) for call in CALLS.values()]
    return [*calls, known.write(Sample(answer="An animal."))]


@pytest.mark.parametrize("choice", ALLOWED)
@pytest.mark.parametrize("dialect", ["envelope", "auto", *FAMILIES])
def test_a_grammar_allows_what_the_choice_does(llguidance: LLGuidance, dialect: str, choice: str) -> None:
    """As Lark, which is printed from the same rules as GBNF and EBNF."""
    grammar = asked(dialect, ["lark"], choice)["grammar"]
    assert ALLOWED[choice] == llguidance.lark(grammar, outputs(dialect))
    for language in ("grammar", "ebnf"):
        made = asked(dialect, [language], choice)
        text = made["grammar"] if language == "grammar" else made["response_format"]["grammar"]
        assert ALLOWED[choice][:2] == [name in text for name in CALLS]


@pytest.mark.parametrize("choice", ALLOWED)
@pytest.mark.parametrize("dialect", ["envelope", "auto"])
def test_a_schema_allows_what_the_choice_does(llguidance: LLGuidance, dialect: str, choice: str) -> None:
    """The branches of calls and answers that are not allowed are gone."""
    schema = asked(dialect, ["json_schema"], choice)["response_format"]["json_schema"]["schema"]
    assert ALLOWED[choice] == llguidance.json_schema(schema, outputs(dialect))


@pytest.mark.parametrize("choice", ["required", "look_up"])
@pytest.mark.parametrize("dialect", JSON_FAMILIES)
def test_structural_tags_leave_no_text_where_a_call_is_required(xgrammar: XGrammar, dialect: str, choice: str) -> None:
    """A server that takes no grammar is held to calls by tags without text around."""
    tags = asked(dialect, ["structural_tag"], choice)["response_format"]
    assert ALLOWED[choice] == xgrammar.taken(outputs(dialect), structural_tag=tags)


@pytest.mark.parametrize("dialect", ["bare", "tool_tags"])
@pytest.mark.parametrize("choice", ALLOWED)
def test_a_dialect_without_a_constraint_is_held_by_corrections(dialect: str, choice: str) -> None:
    """Nothing can be offered there; what does not keep to the choice is sent back."""
    agent = {"dialect": dialect, "tools": [ADD, LOOK]}
    chosen = {"tool": choice} if choice in CALLS else choice
    first = {"type": "user_message", "content": "Hello", "tool_choice": chosen}
    state = stepped(agent=agent, observation=first)["state"]
    said = [{"type": "model_output", "content": text} for text in outputs(dialect)]
    after = [stepped(agent=agent, state=state, observation=each)["decision"]["type"] for each in said]
    assert ALLOWED[choice] == [each != "call_model" for each in after]


@pytest.mark.parametrize("choice", ALLOWED)
@pytest.mark.parametrize("dialect", ["native", "envelope", "auto", *FAMILIES])
def test_every_dialect_corrects_what_the_choice_does_not_allow(dialect: str, choice: str) -> None:
    """Whatever the constraint was, an output that does not keep to the choice is never run and is no answer."""
    agent = {"dialect": dialect, "tools": [ADD, LOOK]}
    chosen = {"tool": choice} if choice in CALLS else choice
    first = {"type": "user_message", "content": "Hello", "tool_choice": chosen}
    state = stepped(agent=agent, observation=first)["state"]
    entries = [
        {"function": {"name": call.tool, "arguments": dict(call.params)}, "type": "function"} for call in CALLS.values()
    ]
    said = [{"type": "model_output", "content": text} for text in outputs(dialect)]
    if dialect == "native":
        said = [*({"type": "model_output", "tool_calls": [entry]} for entry in entries), said[-1]]
    after = [stepped(agent=agent, state=state, observation=each)["decision"] for each in said]
    assert ALLOWED[choice] == [each["type"] != "call_model" for each in after], after
    assert {"tool_choice", "obligation"} >= {each["cause"] for each in after if each["type"] == "call_model"}


def test_the_agent_keeps_one_offer_for_each_choice() -> None:
    """A choice costs its building once."""
    agent = purestep.Agent.load({"tools": [ADD, LOOK]})
    assert agent.offer(0, (), "none") is agent.offer(0, (), "none")
    assert agent.offer(0, (), "none") is not agent.offer(0, ())
