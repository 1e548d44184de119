"""Constraints against the parsers that read them: what a family writes is taken, what is damaged is not."""

from typing import Any

import pytest

import purestep
from purestep.dialects import Sample
from purestep.values.reading import ReadCall
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.grammars.grammars import gbnf, grammar_of_form, lark, structural_tag
from tests.formats.grammars.conftest import LLGuidance, XGrammar
from tests.formats.grammars.tool_sets import ODD, TOOL_SETS, ToolSet

FAMILIES = {dialect.name: dialect for dialect in FAMILY_DIALECTS}
JSON_FORMS = [name for name, dialect in FAMILIES.items() if dialect.form and dialect.form.arguments == "json"]


def agent_of(dialect: str, *tools: dict[str, Any]) -> purestep.Agent:
    """An agent whose models are held to a dialect."""
    return purestep.Agent.load({"dialect": dialect, "tools": list(tools)})


def written(agent: purestep.Agent, *calls: tuple[str, dict[str, Any]]) -> str:
    """An output with these calls, as the dialect shows it to the model."""
    return agent.dialect.write(Sample(calls=tuple(ReadCall(tool=tool, params=params) for tool, params in calls)))


def fitting(agent: purestep.Agent, case: ToolSet) -> list[str]:
    """Outputs that must be taken: each call alone, and all of them in one output."""
    calls = [(case.tool["name"], params) for params in case.good]
    return [*(written(agent, call) for call in calls), written(agent, *calls, *calls)]


def damaged(agent: purestep.Agent, case: ToolSet) -> list[str]:
    """Outputs that must not be taken: wrong arguments, a tool that is not there, a call that was cut."""
    name, good = case.tool["name"], case.good[0]
    return [
        *(written(agent, (name, params)) for params in case.bad),
        written(agent, ("nobody", good)),
        written(agent, (name, good))[:-1],
    ]


def check(agent: purestep.Agent, language: str, oracles: tuple[LLGuidance, XGrammar], texts: list[str]) -> list[bool]:
    """Which texts the agent's grammar takes, in one of the two languages."""
    assert agent.dialect.form is not None
    grammar = grammar_of_form(agent.dialect.form, agent.specs())
    llguidance, xgrammar = oracles
    return llguidance.lark(lark(grammar), texts) if language == "lark" else xgrammar.taken(texts, ebnf=gbnf(grammar))


@pytest.fixture(scope="session")
def oracles(llguidance: LLGuidance, xgrammar: XGrammar) -> tuple[LLGuidance, XGrammar]:
    """Both parsers."""
    return llguidance, xgrammar


@pytest.mark.parametrize("case", TOOL_SETS.values(), ids=TOOL_SETS)
@pytest.mark.parametrize("dialect", FAMILIES)
def test_calls_are_taken_and_damaged_ones_are_not(
    oracles: tuple[LLGuidance, XGrammar], dialect: str, case: ToolSet
) -> None:
    """The grammar of every family takes each call as the family writes it, and nothing with a fault."""
    agent = agent_of(dialect, case.tool)
    good, bad = fitting(agent, case), damaged(agent, case)
    expected = [True] * len(good) + [False] * len(bad)
    for language in ("lark", "ebnf"):
        taken = check(agent, language, oracles, [*good, *bad])
        assert expected == taken, (
            language,
            [text for text, want, got in zip([*good, *bad], expected, taken, strict=True) if want != got],
        )


@pytest.mark.parametrize("language", ["lark", "ebnf"])
@pytest.mark.parametrize("dialect", FAMILIES)
def test_values_of_any_kind_are_taken(oracles: tuple[LLGuidance, XGrammar], dialect: str, language: str) -> None:
    """Where a schema leaves the kind open, each kind is taken as the family writes it; so is an answer."""
    agent = agent_of(dialect, *(tool for tool, _ in ODD.values()))
    texts = [written(agent, (tool["name"], params)) for tool, good in ODD.values() for params in good]
    assert [True] * (len(texts) + 1) == check(agent, language, oracles, [*texts, "It is\n42 <b>."])


@pytest.mark.parametrize("case", TOOL_SETS.values(), ids=TOOL_SETS)
@pytest.mark.parametrize("dialect", JSON_FORMS)
def test_structural_tags_hold_each_call(xgrammar: XGrammar, dialect: str, case: ToolSet) -> None:
    """Text is free until a call begins, which then has to be one that fits, whatever its number."""
    agent = agent_of(dialect, case.tool)
    assert agent.dialect.form is not None
    name = case.tool["name"]
    good = [f"So: {text}" for text in fitting(agent, case)]
    bad = [f"So: {written(agent, (name, params))}" for params in case.bad]
    tag = structural_tag(agent.dialect.form, agent.specs())
    several = "".join(good)
    taken = xgrammar.taken(["Only text.", several, *good, *bad, good[0][:-1]], structural_tag=tag)
    assert [True, True, *[True] * len(good), *[False] * len(bad), False] == taken


@pytest.mark.parametrize("case", TOOL_SETS.values(), ids=TOOL_SETS)
def test_envelope_schema_takes_calls_and_no_damaged_ones(llguidance: LLGuidance, case: ToolSet) -> None:
    """The envelope's JSON Schema takes each call and the answer, and nothing with a fault."""
    agent = agent_of("envelope", case.tool)
    schema = agent.dialect.constrain(agent.specs(), None)
    good = [written(agent, (case.tool["name"], params)) for params in case.good]
    bad = damaged(agent, case)
    taken = llguidance.json_schema(schema, [agent.dialect.write(Sample(answer="It is 42.")), *good, *bad])
    assert [True, *[True] * len(good), *[False] * len(bad)] == taken
