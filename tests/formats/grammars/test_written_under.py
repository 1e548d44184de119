"""What a grammar lets a model write is read as it was meant: outputs at random, byte by byte, under the grammar."""

import functools
import random

import pytest
from llguidance import LLMatcher

import purestep
from purestep.dialects import Form, read_output
from purestep_formats.families.families import FAMILY_DIALECTS
from purestep_formats.grammars.expressions import Seq
from purestep_formats.grammars.grammars import Grammar, grammar_of_form, lark
from tests.formats.grammars.conftest import LLGuidance
from tests.formats.grammars.tool_sets import ODD, TOOL_SETS

LETTERS = b"ab 1"
FREE = 64
"""Bytes allowed at once, past which the grammar asks for text rather than for markup."""


def one_call(form: Form, agent: purestep.Agent) -> str:
    """The grammar of a form without its other choices: an answer, or more calls after the first."""
    grammar = grammar_of_form(form, agent.specs())
    calls, _answer = grammar.root.parts  # type: ignore[union-attr]
    first, _more, closing = calls.parts
    return LLMatcher.grammar_from_lark(lark(Grammar(root=Seq((first, closing)), rules=grammar.rules)))


@functools.cache
def bytes_of(bitmask: bytes) -> tuple[int, ...]:
    """The bytes of a mask; most masks come again and again."""
    mask = int.from_bytes(bitmask, "little")
    return tuple(byte for byte in range(256) if mask >> byte & 1)


def wander(matcher: LLMatcher, form: Form, chance: random.Random) -> str:
    """A whole output: any allowed byte of markup, and of texts a few letters and then their end."""
    closers = [mark.encode() for mark in (form.tag[1], form.quote, '"') if mark]
    data = b""
    while not matcher.is_stopped() and len(data) < 2000:
        allowed = bytes_of(matcher.compute_bitmask())
        if not allowed or (matcher.is_accepting() and chance.random() < 0.5):
            break
        piece = bytes([chance.choice(allowed)])
        if len(allowed) > FREE:
            ends = [mark for mark in closers if matcher.validate_tokens(list(mark)) == len(mark)]
            piece = chance.choice(ends) if ends and chance.random() < 0.4 else bytes([chance.choice(LETTERS)])
        assert matcher.consume_tokens(list(piece)), matcher.get_error()
        data += piece
    return data.decode()


@pytest.mark.parametrize("dialect", FAMILY_DIALECTS, ids=lambda dialect: dialect.name)
def test_any_call_under_the_grammar_is_read_without_a_problem(
    llguidance: LLGuidance, dialect: purestep.Dialect
) -> None:
    """Whatever call a grammar allows, it is read as a call of the tool whose arguments fit, with nothing mended."""
    assert dialect.form is not None
    chance = random.Random(1)
    tools = [*(case.tool for case in TOOL_SETS.values()), *(tool for tool, _ in ODD.values())]
    for tool in tools:
        agent = purestep.Agent.load({"dialect": dialect.name, "tools": [tool]})
        begun = llguidance.begin(one_call(dialect.form, agent))
        for _ in range(4):
            text = wander(begun.deep_copy(), dialect.form, chance)
            reading = read_output(dialect, text, agent.specs())
            if any("a name is given twice" in problem.message for problem in reading.problems):
                continue  # no grammar of JSON keeps a free object from that
            assert ((), [tool["name"]]) == (reading.problems, [call.tool for call in reading.calls]), text
            issues = agent.tools[tool["name"]].parameters.check(reading.calls[0].params)
            assert () == issues, (text, reading.calls[0].params)
