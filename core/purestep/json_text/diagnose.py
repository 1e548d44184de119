"""Where and why a text is not JSON (RFC 8259), for a model or a person to correct it.

The fast decoder says only that a text is damaged, in words that change between its releases. When it has
refused a text, this parser reads it again: strictly, in linear time and without recursion. It builds no values.
"""

from collections.abc import Callable
from typing import Final, NamedTuple

from ..bounds import MAX_DIAGNOSIS_CHARS, MAX_INTEGER_DIGITS, MAX_TEXT_DEPTH
from ..lazy import lazy_pattern
from .excerpt import excerpt_of


def diagnose(text: str) -> str | None:
    """Return in one sentence where a text stops being one JSON value, what was expected, and what came; else None."""
    scan = _Diagnosis(text)
    fault = scan.value_fault() or scan.rest_fault()
    if fault is None:
        return None
    at, expected, is_cut = fault
    place = f"line {text.count(_LINE_END, 0, at) + 1}, column {at - text.rfind(_LINE_END, 0, at)}"
    if expected == _CLOSING_QUOTE:
        return f"{place}: this string has no closing quote before the text ends"
    if is_cut:
        return f"{place}: expected {expected}, but the text ends here"
    return f"{place}: expected {expected}, got {excerpt_of(text[at:], MAX_DIAGNOSIS_CHARS)}"


class _Fault(NamedTuple):
    """The place of the first damage, what was expected there, and whether nothing is wrong but that the text stops."""

    at: int
    expected: str
    is_cut: bool = False


_LINE_END: Final = "\n"
_CLOSING_QUOTE: Final = "a closing quote"
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

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
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
            return _Fault(self.at, "nothing more after the value")
        return fault

    def blank_fault(self) -> _Fault | None:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        if self.text.startswith(("//", "/*", "#"), self.at):
            return _Fault(self.at, "JSON without comments")
        return None

    def wrong(self, expected: str) -> _Fault:
        """Return the fault for something else than expected here, or for the end of the text."""
        return _Fault(self.at, expected, is_cut=self.at >= len(self.text))

    def value_read(self) -> None:
        self.step = self.comma_or_close if self.closers else None

    # Steps: each reads one token and sets the next step.

    def value(self) -> _Fault | None:
        char = self.text[self.at : self.at + 1]
        if char in ("{", "["):
            return self.open(char)
        if char == "'":
            return _Fault(self.at, "double quotes")
        self.value_read()
        if char == '"':
            return self.string_fault()
        if char == "-" or "0" <= char <= "9":
            return self.number_fault()
        return self.constant_fault()

    def open(self, bracket: str) -> _Fault | None:
        if len(self.closers) >= MAX_TEXT_DEPTH:
            return _Fault(self.at, f"at most {MAX_TEXT_DEPTH} levels of nesting")
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
            return _Fault(self.at, "double quotes")
        if not self.text.startswith('"', self.at):
            return self.wrong("a name in double quotes")
        self.step = self.colon
        return self.string_fault()

    def colon(self) -> _Fault | None:
        if not self.text.startswith(":", self.at):
            return self.wrong("a colon")
        self.at += 1
        self.step = self.value
        return None

    def comma_or_close(self) -> _Fault | None:
        closer = self.closers[-1]
        if self.closed():
            return None
        if not self.text.startswith(",", self.at):
            return self.wrong(f"a comma or {closer}")
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
        return _Fault(start, _CLOSING_QUOTE)

    def special_fault(self, start: int) -> _Fault | None:
        """Read the escape that is next in the string; any other special character is a fault."""
        if not self.text.startswith("\\", self.at):
            if self.text[self.at] < " ":
                return _Fault(self.at, "an escape such as \\n for a control character")
            return _Fault(self.at, "a complete character")
        escape = _ESCAPE.match(self.text, self.at)
        if escape is None:
            if _CUT_ESCAPE.fullmatch(self.text, self.at):
                return _Fault(start, _CLOSING_QUOTE)
            return _Fault(self.at, 'one of the escapes \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX')
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
                return _Fault(start, _CLOSING_QUOTE)
        return _Fault(escape, "both halves of a surrogate pair")

    def number_fault(self) -> _Fault | None:
        run = _NUMBER_LIKE.match(self.text, self.at)
        token = run[0] if run else ""
        start, self.at = self.at, self.at + len(token)
        number = _NUMBER.fullmatch(token)
        if number is None:
            return self.damaged_number(token, start)
        whole = number[2] is None and number[3] is None
        if whole and len(number[1]) > MAX_INTEGER_DIGITS:
            return _Fault(start, f"at most {MAX_INTEGER_DIGITS} digits")
        if not whole and float(token) in (_INFINITE, -_INFINITE):
            return _Fault(start, "a number in the range of a double")
        return None

    def damaged_number(self, token: str, start: int) -> _Fault:
        if self.at == len(self.text) and _CUT_NUMBER.fullmatch(token):
            return _Fault(self.at, "the rest of a number", is_cut=True)
        if token[0] == "-" and _WORD.fullmatch(token, 1):
            return _Fault(start, "true, false, null or a number")
        return _Fault(start, "a number such as 0, -1.5 or 2e10")

    def constant_fault(self) -> _Fault | None:
        word = _WORD.match(self.text, self.at)
        if word is None:
            return self.wrong("a value")
        if word[0] in _CONSTANTS:
            self.at = word.end()
            return None
        if word.end() == len(self.text) and any(constant.startswith(word[0]) for constant in _CONSTANTS):
            return _Fault(word.end(), "the rest of true, false or null", is_cut=True)
        return _Fault(self.at, "true, false, null or a string in double quotes")


_INFINITE: Final = float("inf")
