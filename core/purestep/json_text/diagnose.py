"""Where and why a text is not JSON (RFC 8259), for a model or a person to correct it.

The fast decoder says only that a text is damaged, in words that change between its releases. When it has
refused a text, this parser reads it again: strictly, in linear time, without recursion, and with a stable
code for each kind of damage. It builds no values.
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

import msgspec

from ..bounds import MAX_DIAGNOSIS_CHARS, MAX_INTEGER_DIGITS, MAX_TEXT_DEPTH
from ..lazy import lazy_pattern
from .excerpt import excerpt_of

SYNTAX_CODES: Final = MappingProxyType(
    {
        "unexpected_end": "the text ends before the value does",
        "unterminated_string": "the text ends inside of a string",
        "expected_value": "something else stands where a value must",
        "expected_key": "something else stands where a name in double quotes must",
        "expected_colon": "something else stands where the colon after a name must",
        "expected_comma_or_close": "something else stands where a comma or the closing bracket must",
        "bad_escape": "a backslash in a string begins no known escape",
        "lone_surrogate": "half of a surrogate pair stands alone",
        "control_character": "a control character in a string is not escaped",
        "bad_number": "a number is malformed, or too large for a double",
        "number_too_long": "an integer has more digits than the bound",
        "bad_constant": "a word is not true, false or null",
        "single_quotes": "a string stands in single quotes",
        "comment": "JSON has no comments",
        "too_deep": "arrays and objects are nested beyond the bound",
        "trailing_text": "something follows the value",
    }
)
"""The closed set of syntax problems with their meanings."""


class SyntaxProblem(msgspec.Struct, frozen=True, kw_only=True):
    """The first damage in a text.

    `code` is a key of `SYNTAX_CODES`. `offset` counts characters from 0, `line` and `column` from 1.
    `expected` says what was expected there. `truncated` is true when nothing is wrong but that
    the text stops.
    """

    code: str
    offset: int
    line: int
    column: int
    expected: str
    truncated: bool


def diagnose(text: str, start: int = 0) -> SyntaxProblem | None:
    """Return the first problem of a text that should be one JSON value from `start` to its end; None when it is one.

    start: an offset in characters.
    """
    scan = _Diagnosis(text, start)
    fault = scan.value_fault() or scan.rest_fault()
    if fault is None:
        return None
    code, offset, expected = fault
    line_start = text.rfind("\n", 0, offset) + 1
    return SyntaxProblem(
        code=code,
        offset=offset,
        line=text.count("\n", 0, offset) + 1,
        column=offset - line_start + 1,
        expected=expected,
        truncated=code in ("unexpected_end", "unterminated_string"),
    )


def end_of_value(text: str, start: int) -> int | None:
    """Return the offset after the JSON value that begins at `start` or after whitespace there.

    start: an offset in characters. Gives None when the value is damaged or cut. Text after the value is not read.
    """
    scan = _Diagnosis(text, start)
    return scan.at if scan.value_fault() is None else None


def describe(problem: SyntaxProblem, text: str) -> str:
    """Say in one sentence where in `text` the problem is, what was expected, and what came."""
    place = f"line {problem.line}, column {problem.column}"
    if problem.code == "unterminated_string":
        return f"{place}: this string has no closing quote before the text ends"
    if problem.code == "unexpected_end":
        return f"{place}: expected {problem.expected}, but the text ends here"
    return f"{place}: expected {problem.expected}, got {excerpt_of(text[problem.offset :], MAX_DIAGNOSIS_CHARS)}"


_Fault = tuple[str, int, str]
"""Code, offset and what was expected."""

_SPACE: Final = lazy_pattern(r"[ \t\n\r]*")
_PLAIN: Final = lazy_pattern(r'[^"\\\x00-\x1f\ud800-\udfff]*')
_ESCAPE: Final = lazy_pattern(r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})')
_CUT_ESCAPE: Final = lazy_pattern(r"\\(?:u[0-9A-Fa-f]{0,3})?")
_HIGH_SURROGATE: Final = lazy_pattern(r"\\u[Dd][89ABab]")
_LOW_SURROGATE: Final = lazy_pattern(r"\\u[Dd][C-Fc-f]")
_ANY_SURROGATE: Final = lazy_pattern(r"\\u[Dd][89A-Fa-f]")
_WORD: Final = lazy_pattern(r"[A-Za-z_$][A-Za-z0-9_$]*")
_NUMBER_LIKE: Final = lazy_pattern(r"[-+.0-9A-Za-z_]+")
_NUMBER: Final = lazy_pattern(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_CUT_NUMBER: Final = lazy_pattern(r"-|-?(?:0|[1-9][0-9]*)(?:\.|(?:\.[0-9]+)?[eE][-+]?)")
_CONSTANTS: Final = ("true", "false", "null")


class _Diagnosis:
    """The parser: `at` is its offset, `closers` the closing brackets still to come, `step` reads the next token."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.at = start
        self.closers: list[str] = []
        self.step: Callable[[], _Fault | None] | None = self.value

    def value_fault(self) -> _Fault | None:
        """Read to the end of the value; give what is wrong with it."""
        while self.step is not None:
            if (fault := self.blank_fault() or self.step()) is not None:
                return fault
        return None

    def rest_fault(self) -> _Fault | None:
        """Read the text after the value; give what is wrong with it."""
        fault = self.blank_fault()
        if fault is None and self.at < len(self.text):
            return "trailing_text", self.at, "nothing more after the value"
        return fault

    def blank_fault(self) -> _Fault | None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        if self.text.startswith(("//", "/*", "#"), self.at):
            return "comment", self.at, "JSON without comments"
        return None

    def wrong(self, code: str, expected: str) -> _Fault:
        """Return the fault for something else than expected here, or for the end of the text."""
        return ("unexpected_end" if self.at >= len(self.text) else code), self.at, expected

    def value_read(self) -> None:
        self.step = self.comma_or_close if self.closers else None

    # Steps: each reads one token and sets the next step.

    def value(self) -> _Fault | None:
        char = self.text[self.at : self.at + 1]
        if char in ("{", "["):
            return self.open(char)
        if char == "'":
            return "single_quotes", self.at, "double quotes"
        self.value_read()
        if char == '"':
            return self.string_fault()
        if char == "-" or "0" <= char <= "9":
            return self.number_fault()
        return self.constant_fault()

    def open(self, bracket: str) -> _Fault | None:
        if len(self.closers) >= MAX_TEXT_DEPTH:
            return "too_deep", self.at, f"at most {MAX_TEXT_DEPTH} levels of nesting"
        self.at += 1
        self.closers.append("}" if bracket == "{" else "]")
        self.step = self.first_key if bracket == "{" else self.first_item
        return None

    def first_item(self) -> _Fault | None:
        return None if self.closed() else self.value()

    def first_key(self) -> _Fault | None:
        return None if self.closed() else self.key()

    def closed(self) -> bool:
        """Read the closing bracket of the innermost array or object, if it is next; tell whether it was."""
        if not self.text.startswith(self.closers[-1], self.at):
            return False
        self.at += 1
        self.closers.pop()
        self.value_read()
        return True

    def key(self) -> _Fault | None:
        if self.text.startswith("'", self.at):
            return "single_quotes", self.at, "double quotes"
        if not self.text.startswith('"', self.at):
            return self.wrong("expected_key", "a name in double quotes")
        self.step = self.colon
        return self.string_fault()

    def colon(self) -> _Fault | None:
        if not self.text.startswith(":", self.at):
            return self.wrong("expected_colon", "a colon")
        self.at += 1
        self.step = self.value
        return None

    def comma_or_close(self) -> _Fault | None:
        closer = self.closers[-1]
        if self.closed():
            return None
        if not self.text.startswith(",", self.at):
            return self.wrong("expected_comma_or_close", f"a comma or {closer}")
        self.at += 1
        self.step = self.key if closer == "}" else self.value
        return None

    # Tokens: each moves past what it reads.

    def string_fault(self) -> _Fault | None:
        start = self.at
        self.at += 1
        while self.at < len(self.text):
            plain = _PLAIN.match(self.text, self.at)
            self.at = plain.end() if plain else self.at
            if self.text.startswith('"', self.at):
                self.at += 1
                return None
            if self.at < len(self.text) and (fault := self.special_fault(start)) is not None:
                return fault
        return "unterminated_string", start, "a closing quote"

    def special_fault(self, start: int) -> _Fault | None:
        """Read the escape that is next in the string; any other special character is a fault."""
        if not self.text.startswith("\\", self.at):
            if self.text[self.at] < " ":
                return "control_character", self.at, "an escape such as \\n for a control character"
            return "lone_surrogate", self.at, "a complete character"
        escape = _ESCAPE.match(self.text, self.at)
        if escape is None:
            if _CUT_ESCAPE.fullmatch(self.text, self.at):
                return "unterminated_string", start, "a closing quote"
            return "bad_escape", self.at, 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX'
        self.at = escape.end()
        return self.surrogate_fault(escape.start(), start)

    def surrogate_fault(self, escape: int, start: int) -> _Fault | None:
        """Read the second half of the pair that the escape just read may begin."""
        if not _ANY_SURROGATE.match(self.text, escape):
            return None
        low = _LOW_SURROGATE.match(self.text, self.at)
        second = _ESCAPE.match(self.text, self.at)
        if _HIGH_SURROGATE.match(self.text, escape):
            if low and second:
                self.at = second.end()
                return None
            if self.at == len(self.text) or _CUT_ESCAPE.fullmatch(self.text, self.at):
                return "unterminated_string", start, "a closing quote"
        return "lone_surrogate", escape, "both halves of a surrogate pair"

    def number_fault(self) -> _Fault | None:
        run = _NUMBER_LIKE.match(self.text, self.at)
        token = run[0] if run else ""
        start, self.at = self.at, self.at + len(token)
        number = _NUMBER.fullmatch(token)
        if number is None:
            return self.damaged_number(token, start)
        whole = number[2] is None and number[3] is None
        if whole and len(number[1]) > MAX_INTEGER_DIGITS:
            return "number_too_long", start, f"at most {MAX_INTEGER_DIGITS} digits"
        if not whole and float(token) in (_INFINITE, -_INFINITE):
            return "bad_number", start, "a number in the range of a double"
        return None

    def damaged_number(self, token: str, start: int) -> _Fault:
        if self.at == len(self.text) and _CUT_NUMBER.fullmatch(token):
            return "unexpected_end", self.at, "the rest of a number"
        if token[0] == "-" and _WORD.fullmatch(token, 1):
            return "bad_constant", start, "true, false, null or a number"
        return "bad_number", start, "a number such as 0, -1.5 or 2e10"

    def constant_fault(self) -> _Fault | None:
        word = _WORD.match(self.text, self.at)
        if word is None:
            return self.wrong("expected_value", "a value")
        if word[0] in _CONSTANTS:
            self.at = word.end()
            return None
        if word.end() == len(self.text) and any(constant.startswith(word[0]) for constant in _CONSTANTS):
            return "unexpected_end", word.end(), "the rest of true, false or null"
        return "bad_constant", self.at, "true, false, null or a string in double quotes"


_INFINITE: Final = float("inf")
