"""Hides texts that must stand in no state and no log: a digest takes the place of each.

Theory of operation. What comes from outside is looked through before a step sees it, so that nothing made of it has
the text: not the log, the state, a message to a model, nor a decision. `[hidden email 1f0c2d9a83b7e645]` stands there
instead: the kind, and the beginning of hex(sha256(salt + NUL + text)). The same text has the same digest in a run, so
a model can still tell whether two values are the same, and who has the salt and the text can show that it stood there.
A short text can be guessed from its digest by who has the salt; a host that keeps a random one to itself prevents that.

Looking through again changes nothing (a recorded run is replayed through here), also where the end of a hidden text
was what kept its neighbour from being found: a text is looked through until nothing more is found.

What is hidden may be given to the tools that the definition names, by a host that has kept it (`Hidden`). A model that
was told by a page to send a secret elsewhere has only the digest, and other tools are given that.

Source: tokenization in payment systems (PCI DSS), where a token stands for the number outside of a vault.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Any, Final

from ..bounds import (
    HIDDEN_DIGITS,
    MAX_REDACTION_PASSES,
    MAX_REDACTION_STEPS,
    MIN_HIDDEN_CHARS,
)
from ..json_text import decode_json, encode_sorted, without_terminal_codes
from ..lazy import lazy_pattern
from ..regex import Budget, OverBudgetError, Pattern
from ..schema import array_index, pointer_tokens
from ..values import RedactionSpec
from .known_secrets import secret_spans

_NAMES: Final = {"secrets": "secret", "emails": "email", "card_numbers": "card_number", "ibans": "iban"}
_GROUPED: Final = ("card_number", "iban")
_PLACEHOLDER: Final = lazy_pattern(rf"\[hidden [a-z_]{{1,16}} [0-9a-f]{{{HIDDEN_DIGITS}}}\]", re.ASCII)

Spans = Iterable[tuple[int, int]]


class Redaction:
    """The compiled rules of a definition."""

    __slots__ = ("_finders", "_outputs", "reveal")

    def __init__(self, spec: RedactionSpec, patterns: Iterable[Pattern]) -> None:
        kinds = [(_NAMES[kind], partial(secret_spans, kind)) for kind in spec.kinds]
        own = [("pattern", partial(_line_spans, pattern)) for pattern in patterns]
        self._finders: tuple[tuple[str, Callable[[str], Spans]], ...] = (*kinds, *own)
        self._outputs = {
            tool: [pointer_tokens(pointer) for pointer in pointers] for tool, pointers in spec.outputs.items()
        }
        self.reveal = frozenset(spec.reveal)

    def find(self, text: str) -> Iterable[tuple[str, Spans]]:
        """Return where a text has something to hide, by the name of its kind."""
        return ((name, finder(text)) for name, finder in self._finders)

    def places(self, tool: str) -> list[list[str]]:
        """Return the places in a tool's output that are hidden, each as the tokens of its pointer."""
        return self._outputs.get(tool, [])


def _line_spans(pattern: Pattern, text: str) -> Spans:
    """Return the matches of a pattern in each line; a line that takes too much work is one match."""
    begin = 0
    for line in text.split("\n"):
        try:
            spans = pattern.spans(line, Budget(MAX_REDACTION_STEPS))
        except OverBudgetError:
            spans = [(0, len(line))]
        yield from ((begin + start, begin + end) for start, end in spans)
        begin += len(line) + 1


class Hidden:
    """Hides texts by a redaction, and keeps which text each digest stands for."""

    __slots__ = ("_known", "_redaction", "_salt", "texts")

    def __init__(self, redaction: Redaction, salt: str, texts: Mapping[str, str] | None = None) -> None:
        """Begin with what was hidden before, by what stands for it; salt: of the digests, any text."""
        self._redaction, self._salt = redaction, salt
        self.texts = dict(texts or {})
        self._known = {text: stand_in for stand_in, text in self.texts.items()}

    def text(self, text: str) -> str:
        """Return a text with nothing to hide left in it.

        What codes for a terminal part is one text to whoever reads it, so a text where they do loses them. A code may
        hold something to hide itself, such as the address of a link, so the text is looked through with them first.
        """
        whole = self._text(text)
        plain = without_terminal_codes(whole)
        if plain == whole:
            return whole
        hidden = self._text(plain)
        return whole if hidden == plain else hidden

    def _text(self, text: str) -> str:
        for _ in range(MAX_REDACTION_PASSES):
            after = self._passed(text)
            if after == text:
                return text
            text = after
        return self._stand_in("text", text)

    def value(self, value: Any) -> Any:
        """Return a JSON value whose texts and names have nothing to hide left in them; a number counts as text."""
        match value:
            case str():
                return self.text(value)
            case bool():
                return value
            case int():
                text = str(value)
                after = self.text(text)
                return value if after == text else after
            case dict():
                return {self.text(name): self.value(item) for name, item in value.items()}
            case list() | tuple():
                return [self.value(item) for item in value]
            case _:
                return value

    def output(self, tool: str, output: Any) -> Any:
        """Return a tool's output with nothing to hide left in it; a text that is JSON has the places of that."""
        places = self._redaction.places(tool)
        if places:
            output = self._without_places(output, places)
        return self.value(output)

    def _without_places(self, output: Any, places: list[list[str]]) -> Any:
        if not isinstance(output, str):
            for tokens in places:
                output = self._without(output, tokens)
            return output
        try:
            value = decode_json(output.encode())
        except Exception:  # no JSON: it has no places
            return output
        if not isinstance(value, dict | list):
            return output
        after = self._without_places(value, places)
        return output if after == value else encode_sorted(after).decode()

    def _without(self, value: Any, tokens: list[str]) -> Any:
        """Return a value with what stands at a place hidden; unchanged where nothing does."""
        if not tokens:
            return self._hidden_value(value)
        first, rest = tokens[0], tokens[1:]
        if isinstance(value, dict):
            names = value if first == "*" else [first]
            return {name: self._without(item, rest) if name in names else item for name, item in value.items()}
        if isinstance(value, list):
            at = array_index(first)
            return [
                self._without(item, rest) if first == "*" or index == at else item for index, item in enumerate(value)
            ]
        return value

    def _hidden_value(self, value: Any) -> Any:
        if value is None:
            return None
        text = value if isinstance(value, str) else encode_sorted(value).decode()
        return text if not text or _PLACEHOLDER.fullmatch(text) else self._stand_in("output", text)

    def _passed(self, text: str) -> str:
        """Return a text after one look at it; what stands for a hidden text is left alone."""
        parts, begin = [], 0
        for found in _PLACEHOLDER.finditer(text):
            parts += [self._plain(text[begin : found.start()]), found[0]]
            begin = found.end()
        return "".join([*parts, self._plain(text[begin:])])

    def _plain(self, text: str) -> str:
        """Return a text without anything hidden, with all that is found in it hidden."""
        found = sorted(self._found(text)) if text else []
        parts, done = [], 0
        for begin, end, name in _joined(found):
            parts += [text[done:begin], self._stand_in(name, text[begin:end])]
            done = end
        return "".join([*parts, text[done:]])

    def _found(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Return what the redaction finds in a text, and what was hidden before."""
        for name, spans in self._redaction.find(text):
            yield from ((begin, end, name) for begin, end in spans)
        for hidden, stand_in in self._known.items():
            begin = text.find(hidden) if len(hidden) >= MIN_HIDDEN_CHARS else -1
            while begin >= 0:
                yield begin, begin + len(hidden), _kind_of(stand_in)
                begin = text.find(hidden, begin + len(hidden))

    def _stand_in(self, name: str, text: str) -> str:
        known = self._known.get(text)
        if known is not None:
            return known
        # A number is the same one in groups of digits and without them.
        said = text.replace(" ", "").replace("-", "") if name in _GROUPED else text
        digest = sha256(f"{self._salt}\0{said}".encode()).hexdigest()[:HIDDEN_DIGITS]
        stand_in = self._known[text] = f"[hidden {name} {digest}]"
        self.texts[stand_in] = text
        return stand_in


def _joined(found: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return the matches without overlaps: those that overlap are one, of the first one's kind."""
    joined: list[tuple[int, int, str]] = []
    for begin, end, name in found:
        if joined and begin < joined[-1][1]:
            first, last, kind = joined[-1]
            joined[-1] = (first, max(end, last), kind)
        elif end > begin:
            joined.append((begin, end, name))
    return joined


def _kind_of(stand_in: str) -> str:
    return stand_in.removeprefix("[hidden ").partition(" ")[0]


def revealed(value: Any, texts: Mapping[str, str]) -> tuple[Any, tuple[str, ...]]:
    """Return a JSON value with the hidden texts in their places, and what stands for one that is not known."""
    unknown: list[str] = []

    def shown(found: "re.Match[str]") -> str:
        text = texts.get(found[0])
        if text is None:
            unknown.append(found[0])
            return found[0]
        return text

    def walked(value: Any) -> Any:
        match value:
            case str():
                return _PLACEHOLDER.sub(shown, value)
            case dict():
                return {name: walked(item) for name, item in value.items()}
            case list() | tuple():
                return [walked(item) for item in value]
            case _:
                return value

    return walked(value), tuple(dict.fromkeys(unknown))
