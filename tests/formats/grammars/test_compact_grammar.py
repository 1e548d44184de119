"""The grammar of the compact dialect, held to the parsers of others: its spaces, its values, and copied text."""

import json
import re
from typing import Any

import pytest

import purestep
from purestep.dialects import in_taught_order
from purestep_formats.bounds import MAX_TOLD_FIGURES
from purestep_formats.grammars import span_texts, with_copied
from purestep_formats.grammars.compact_grammar import grammar_of_decisions
from purestep_formats.grammars.grammars import gbnf, lark
from tests.formats.grammars.conftest import LLGuidance, XGrammar
from tests.formats.grammars.tool_sets import TOOL_SETS, ToolSet

SEND: dict[str, Any] = {
    "name": "send",
    "parameters": {
        "type": "object",
        "properties": {
            "body": {"type": "string", "x-purestep": {"compose": True}},
            "to": {"type": "string"},
            "urgency": {"enum": ["low", "high"]},
        },
        "required": ["to"],
    },
}


def agent_of(*tools: dict[str, Any]) -> purestep.Agent:
    """An agent with these tools."""
    return purestep.Agent.load({"dialect": "compact", "tools": list(tools)})


def arranged(schema: Any, value: Any) -> Any:
    """A value with the members of its objects in the order in which the model was taught them."""
    if isinstance(value, list):
        return [arranged(schema.get("items", {}), item) for item in value]
    if not isinstance(value, dict):
        return value
    known = in_taught_order(schema)
    return {name: arranged(known.get(name, {}), value[name]) for name in sorted(value, key=[*known, *value].index)}


def calling(tool: str, arguments: Any) -> str:
    """An output that calls a tool, as the model was taught to write it."""
    return json.dumps({"tool": tool, "args": arguments}, ensure_ascii=False)


@pytest.mark.parametrize("case", TOOL_SETS.values(), ids=TOOL_SETS)
def test_calls_are_held_to_their_tools(case: ToolSet, llguidance: LLGuidance, xgrammar: XGrammar) -> None:
    """Fitting arguments are taken in their order, with one space after each comma and colon; others are not."""
    agent, name = agent_of(case.tool), case.tool["name"]
    grammar = grammar_of_decisions(agent.specs(), None)
    schema = agent.tools[name].spec.parameters
    good, bad = ([calling(name, arranged(schema, params)) for params in given] for given in (case.good, case.bad))
    bad += [calling("nobody", case.good[0]), good[0][:-1], good[0].replace('"args": ', '"args":'), "Paris."]
    texts, expected = good + bad, [True] * len(good) + [False] * len(bad)
    assert expected == llguidance.lark(lark(grammar), texts)
    assert expected == xgrammar.taken(texts, ebnf=gbnf(grammar))


def test_question_and_answer_are_free_text(xgrammar: XGrammar) -> None:
    """What is said to the user is any text, and with a schema of the answer any JSON that fits it."""
    texts = ['{"ask": "Which \\"one\\"?"}', '{"answer": "\u00fc \\n"}', '{"answer": {"sum": 3}}', '{"answer": 3}']
    grammar = gbnf(grammar_of_decisions({}, None))
    assert [True, True, False, False] == xgrammar.taken(texts, ebnf=grammar)
    schema = {"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]}
    assert [True, False, True, False] == xgrammar.taken(texts, ebnf=gbnf(grammar_of_decisions({}, schema)))


RESULT = 'README.md {"lines": 125, "words": 1257}, at 13:53 on 2026-11-30: 1,250.50 for A-1042'
TOLD = [
    "", "125 lines, 1257 words.", "It was 13:53 on 2026-11-30.", "A-1042 is 1,250.50!", "No figure at all \u00fc",
    "-125", "(125), then 13:53.", "125% \\ 13:53",
]  # fmt: skip
INVENTED = [
    "1255555", "12", "1257125", "It was 13:54.", "2026-11-31", "1250.50", "1 of them", "125 lines, 1258 words",
    "A-10", "13:53:00", "13:53:13:53", "125words",
]  # fmt: skip


def test_figures_of_an_answer_are_those_of_the_conversation(xgrammar: XGrammar) -> None:
    """Words are the model's own; a figure stands whole in a result, in the user's words or in the instructions."""
    grammar = gbnf(grammar_of_decisions(agent_of(SEND).specs(), None, copies=True))
    texts = [json.dumps({"answer": answer}, ensure_ascii=False) for answer in (*TOLD, *INVENTED)]
    expected = [True] * len(TOLD) + [False] * len(INVENTED)
    assert expected == xgrammar.taken(texts, ebnf=with_copied(grammar, [RESULT]))
    hours = json.dumps({"answer": "We open at 9:30."})
    taken = [xgrammar.taken([hours], ebnf=with_copied(grammar, [RESULT], told)) for told in ("", "Open: 9:30.")]
    assert [[False], [True]] == taken


def test_figures_are_bounded() -> None:
    """Of very many those stay that came last, so that the grammar of a long text stays small."""
    numbers = [str(number) for number in range(1000, 1000 + 2 * MAX_TOLD_FIGURES)]
    grammar = gbnf(grammar_of_decisions(agent_of(SEND).specs(), None, copies=True))
    found = re.findall('"([0-9]+)"', with_copied(grammar, [], " ".join(numbers)))
    assert numbers[MAX_TOLD_FIGURES:] == list(dict.fromkeys(found))


def copying(*texts: str) -> str:
    """The grammar of a call of `send` whose arguments are copied from these texts."""
    grammar = gbnf(grammar_of_decisions(agent_of(SEND).specs(), None, copies=True))
    return with_copied(grammar, [part for text in texts for part in span_texts(text)])


TEXT = 'Write to "Zwzweem  Li" \\ at ada@example.com: \u05e9\u05dc\u05d5\u05dd \U0001f600 ok, \u660e\u5929\u89c1'


@pytest.mark.parametrize(
    ("value", "is_taken"),
    [
        ("Zwzweem  Li", True),
        ("ada@example.com", True),
        ('"Zwzweem  Li" \\', True),
        ("\u05e9\u05dc\u05d5\u05dd \U0001f600", True),
        ("\u660e\u5929", True),
        (TEXT, True),
        ("Zwzwee", False),
        ("Zwzweem Li", False),
        ("Write Li", False),
        ("Grace", False),
        ("", False),
    ],
)
def test_text_is_copied_in_whole_words(value: str, is_taken: bool, xgrammar: XGrammar) -> None:
    """A run of words is taken as it stands, quotes, blanks and other scripts included; nothing else is."""
    assert [is_taken] == xgrammar.taken([calling("send", {"to": value})], ebnf=copying(TEXT))


NOTED = {
    "hermes_json": '<tool_call>\n{"name": "send", "arguments": {"to": "%s"}}\n</tool_call>',
    "pythonic": '[send(to="%s")]',
}


@pytest.mark.parametrize("dialect", NOTED)
def test_text_is_copied_in_the_form_of_a_family(dialect: str, xgrammar: XGrammar) -> None:
    """Strings that a family's calls write as JSON or as Python does are held to the conversation in the same way."""
    model = {"name": "m", "supports": ["grammar", "structural_tag", "spans"]}
    agent = purestep.Agent.load({"dialect": dialect, "tools": [SEND], "models": [model]})
    asked = purestep.start(agent, purestep.UserMessage(content="Write to Zwzweem Li"), run_id="r").decision
    assert isinstance(asked, purestep.CallModel)
    texts = [NOTED[dialect] % value for value in ("Zwzweem Li", "Li", "Zwzweem Wu", "Write Li")]
    assert [True, True, False, False] == xgrammar.taken(texts, ebnf=str(asked.grammar))


@pytest.mark.parametrize("dialect", ["native", "envelope", "qwen_xml", "gemma4"])
def test_copied_text_is_refused_where_no_grammar_can_hold_it(dialect: str) -> None:
    """Text between tags or marks ends at no sign of its own, and JSON by a schema takes no conversation."""
    model = {"name": "m", "supports": ["grammar", "spans"]}
    with pytest.raises(purestep.PurestepError, match=f"got {dialect}") as caught:
        purestep.Agent.load({"dialect": dialect, "tools": [SEND], "models": [model]})
    assert "/models/0/supports" == caught.value.path


def test_composed_and_chosen_values_are_not_copied(xgrammar: XGrammar) -> None:
    """A parameter that is to be composed takes any text, one with choices its choices."""
    call = {"to": "Li", "body": "Dear Li, see you.", "urgency": "high"}
    texts = [calling("send", call), calling("send", {**call, "urgency": "Li"})]
    assert [True, False] == xgrammar.taken(texts, ebnf=copying(TEXT))


def test_required_arguments_come_first(xgrammar: XGrammar) -> None:
    """Arguments keep the order of the schema's list of required ones, its author's; the others follow sorted."""
    names = ("start", "end", "after", "zone")
    properties = {name: {"type": "integer"} for name in names}
    schema = {"type": "object", "properties": properties, "required": list(names[:2])}
    agent = agent_of({"name": "days", "parameters": schema})
    assert "days(start: integer, end: integer, after?: integer, zone?: integer)" in str(agent.preamble[0].content)
    texts = [calling("days", dict.fromkeys(order, 1)) for order in (names, sorted(names), names[:2])]
    assert [True, False, True] == xgrammar.taken(texts, ebnf=gbnf(grammar_of_decisions(agent.specs(), None)))


def test_no_run_joins_two_texts(xgrammar: XGrammar) -> None:
    """Words of two texts are never copied as one value."""
    texts = [calling("send", {"to": value}) for value in ("Ada", "Li", "Ada Li")]
    assert [True, True, False] == xgrammar.taken(texts, ebnf=copying("to Ada", "Li is in"))


def test_conversation_without_words_leaves_text_free(xgrammar: XGrammar) -> None:
    """Where nothing was said, as with an image alone, any text is taken."""
    assert [True] == xgrammar.taken([calling("send", {"to": "Ada"})], ebnf=copying(" "))


def test_long_text_keeps_whole_words_at_either_end() -> None:
    """No word of a long text is cut where its middle is left out."""
    words = [f"word{number}" for number in range(1000)]
    kept = span_texts(" ".join(words))
    assert (words[0], words[-1]) == (kept[0].split()[0], kept[1].split()[-1])
    assert set(words) >= {word for part in kept for word in part.split()}
    assert all(len(part) <= 300 for part in kept)


def test_grammar_of_a_host_without_gbnf_copies_nothing() -> None:
    """The other languages hold strings to their type, and a host that takes a schema alone gets that."""
    offers = {}
    for language in ("lark", "ebnf", "json_schema", "grammar"):
        model = {"name": "m", "supports": [language, "spans"]}
        agent = purestep.Agent.load({"dialect": "compact", "tools": [SEND], "models": [model]})
        offers[language] = purestep.start(agent, purestep.UserMessage(content="to zwzweem"), run_id="r").decision
    assert ["grammar"] == [name for name, decision in offers.items() if "zwzweem" in str(decision)]
    assert isinstance(offers["json_schema"], purestep.CallModel)
    assert b'"json_schema"' in bytes(offers["json_schema"].response_format or b"")
