"""The parsers of others that grammars are held to: llguidance for Lark and JSON Schema, XGrammar for EBNF and tags."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

from tests.locked_packages import packages_of


class LLGuidance:
    """Follows texts byte by byte."""

    def __init__(self) -> None:
        self.tokenizer = LLTokenizer("byte")

    def begin(self, grammar: str) -> LLMatcher:
        """A matcher at the beginning of a grammar; a grammar that it does not take fails the test."""
        matcher = LLMatcher(self.tokenizer, grammar, log_level=0)
        assert not matcher.is_error(), matcher.get_error()
        return matcher

    def taken(self, grammar: str, texts: list[str]) -> list[bool]:
        """Whether each text is a whole output under the grammar."""
        begun = self.begin(grammar)
        return [_takes(begun.deep_copy(), text.encode()) for text in texts]

    def lark(self, grammar: str, texts: list[str]) -> list[bool]:
        """Whether each text is a whole output under a Lark grammar."""
        return self.taken(LLMatcher.grammar_from_lark(grammar), texts)

    def json_schema(self, schema: Any, texts: list[str]) -> list[bool]:
        """Whether each text is JSON that fits the schema."""
        return self.taken(LLMatcher.grammar_from_json_schema(schema), texts)


def _takes(matcher: LLMatcher, data: bytes) -> bool:
    return matcher.try_consume_tokens(list(data)) == len(data) and matcher.is_accepting()


class XGrammar:
    """Asks the program beside this file."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def taken(self, texts: list[str], **constraint: Any) -> list[bool]:
        """Whether each text is a whole output under the constraint; one that it does not take fails the test."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({**constraint, "texts": texts}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline() or '{"error": "XGrammar has stopped"}')
        assert "error" not in answer, answer["error"]
        taken: list[bool] = answer["taken"]
        return taken


@pytest.fixture(scope="session")
def llguidance() -> LLGuidance:
    """llguidance, one byte a token."""
    return LLGuidance()


@pytest.fixture(scope="session")
def xgrammar() -> Iterator[XGrammar]:
    """XGrammar in a process of its own."""
    command = [sys.executable, str(Path(__file__).with_name("xgrammar_alone.py")), str(packages_of("xgrammar"))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield XGrammar(process)
        process.terminate()
