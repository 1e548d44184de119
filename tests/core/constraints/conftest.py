"""The parsers of others that grammars are held to: llguidance for Lark and JSON Schema, XGrammar for EBNF and tags."""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

ROOT = Path(__file__).resolve().parents[3]
LOCK = ROOT / "requirements" / "xgrammar.txt"


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
        return [self._takes(grammar, text.encode()) for text in texts]

    def lark(self, grammar: str, texts: list[str]) -> list[bool]:
        """Whether each text is a whole output under a Lark grammar."""
        return self.taken(LLMatcher.grammar_from_lark(grammar), texts)

    def json_schema(self, schema: Any, texts: list[str]) -> list[bool]:
        """Whether each text is JSON that fits the schema."""
        return self.taken(LLMatcher.grammar_from_json_schema(schema), texts)

    def _takes(self, grammar: str, data: bytes) -> bool:
        matcher = self.begin(grammar)
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
    program = Path(__file__).with_name("xgrammar_alone.py")
    with subprocess.Popen(
        [sys.executable, str(program), str(_packages())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield XGrammar(process)
        process.terminate()


def _packages() -> Path:
    """The folder of the locked packages, installed by pip when .cache does not hold it yet."""
    of_these = hashlib.sha256(LOCK.read_bytes() + sys.version.encode()).hexdigest()[:16]
    folder = ROOT / ".cache" / "xgrammar" / of_these
    if folder.is_dir():
        return folder
    # Filled and then moved: several processes may install at once, and one may be stopped half way.
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as part:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--require-hashes"]
        command = [*pip, "--only-binary=:all:", f"--target={part}/it", "-r", str(LOCK)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        if done.returncode != 0:
            pytest.fail(f"pip could not install what {LOCK} names, so EBNF cannot be checked:\n{done.stderr[-2000:]}")
        if not folder.is_dir():
            Path(part, "it").rename(folder)
    return folder
