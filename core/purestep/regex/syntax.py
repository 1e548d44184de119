"""The parser for `pattern`: the subset of ECMA-262's regular expressions that can be matched in linear time.

Groups do not capture, and lazy quantifiers equal greedy ones, since only whether there is a match counts.
Backreferences, lookbehind, inline flags and Unicode properties are refused: the first two have no linear form here,
the others would tie a verdict to a version of Unicode.
"""

import re
from typing import Final, NoReturn

import msgspec

from ..bounds import MAX_PATTERN_CHARS, MAX_PATTERN_GROUPS, MAX_REPETITION_DIGITS
from ..lazy import lazy_pattern

Ranges = tuple[tuple[int, int], ...]
"""Code points, as inclusive (low, high) pairs."""

LAST_CODE_POINT: Final = 0x10FFFF
_HIGH_SURROGATES: Final = (0xD800, 0xDBFF)

AT_START: Final = 1
AT_END: Final = 2
AT_WORD_EDGE: Final = 4
"""Flags of a position in the text; lookaheads add flags from 8 on."""


class CharacterSet(msgspec.Struct, frozen=True):
    """One character out of sorted, disjoint, inclusive code point ranges."""

    ranges: Ranges


class Sequence(msgspec.Struct, frozen=True):
    """The parts one after another; without parts it matches the empty text."""

    parts: tuple["Node", ...]


class Choice(msgspec.Struct, frozen=True):
    """Any one of the branches."""

    branches: tuple["Node", ...]


class Repeat(msgspec.Struct, frozen=True):
    """The body from `low` to `high` times; None is without an upper bound."""

    body: "Node"
    low: int
    high: int | None


class Assertion(msgspec.Struct, frozen=True):
    """A test of a position: `flag` is AT_START, AT_END or AT_WORD_EDGE, and `wanted` whether it must be set."""

    flag: int
    wanted: bool


class Lookahead(msgspec.Struct, frozen=True):
    """The body must match from here on, or must not, as `wanted` says; no character is consumed."""

    body: "Node"
    wanted: bool


Node = CharacterSet | Sequence | Choice | Repeat | Assertion | Lookahead


def normalized(ranges: list[tuple[int, int]]) -> Ranges:
    """Return the ranges sorted, with those that touch or overlap joined."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return tuple(joined)


def inverted(ranges: Ranges) -> Ranges:
    """Return every code point that is not in the ranges."""
    edges = [-1, *[edge for low, high in ranges for edge in (low, high)], LAST_CODE_POINT + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple((before + 1, after - 1) for before, after in gaps if before + 1 < after)


_LINE_ENDS: Final = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_DIGITS: Final = ((0x30, 0x39),)
_WORD: Final = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
# WhiteSpace and LineTerminator of ECMA-262, written out so that no version of Unicode decides.
_SPACES: Final = (
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
)
_CLASSES: Final[dict[str, Ranges]] = {
    "d": _DIGITS,
    "D": inverted(_DIGITS),
    "w": _WORD,
    "W": inverted(_WORD),
    "s": _SPACES,
    "S": inverted(_SPACES),
}
_ANY: Final = CharacterSet(inverted(_LINE_ENDS))
_CONTROLS: Final = {"t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ")
_ANCHORS: Final = {"^": Assertion(AT_START, True), "$": Assertion(AT_END, True)}
_EDGES: Final = {"b": Assertion(AT_WORD_EDGE, True), "B": Assertion(AT_WORD_EDGE, False)}
_QUANTIFIERS: Final[dict[str, tuple[int, int | None]]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}

_LETTER: Final = lazy_pattern(r"[A-Za-z]")
_COUNT: Final = rf"[0-9]{{1,{MAX_REPETITION_DIGITS}}}"
_BRACES: Final = lazy_pattern(rf"\{{({_COUNT})(,({_COUNT})?)?\}}", re.ASCII)
_GROUP_OPENING: Final = lazy_pattern(r"\((?:\?(?::|=|!|<[A-Za-z_$][A-Za-z0-9_$]*>))?(?!\?)")
_HEX_ESCAPE: Final = lazy_pattern(r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}")
_LOW_SURROGATE: Final = lazy_pattern(r"\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})")


class PatternError(Exception):
    """A pattern that cannot be compiled: `code` is `unsupported_pattern` or `schema_too_large`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def parse(source: str) -> Node:
    """Return the syntax tree of a pattern; raises PatternError."""
    if len(source) > MAX_PATTERN_CHARS:
        message = f"expected a pattern of at most {MAX_PATTERN_CHARS} characters, got {len(source)}"
        raise PatternError("schema_too_large", message)
    parser = _PatternParser(source)
    tree = parser.choice()
    if parser.at < len(source):
        parser.refuse("a ) without its (")
    return tree


class _PatternParser:
    def __init__(self, source: str) -> None:
        self.source = source
        self.at = 0
        self.groups = 0

    def refuse(self, what: str) -> NoReturn:
        message = f"the pattern has {what} at character {self.at + 1}"
        raise PatternError("unsupported_pattern", message)

    def peek(self) -> str:
        return self.source[self.at : self.at + 1]

    def take(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def choice(self) -> Node:
        branches = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.quantified(self.atom()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def quantified(self, atom: Node) -> Node:
        start = self.at
        bounds = self.quantifier()
        if bounds is None:
            return atom
        if isinstance(atom, Assertion | Lookahead):
            self.at = start
            self.refuse("a quantifier with nothing to repeat")
        if self.peek() == "?":
            self.at += 1
        low, high = bounds
        if high is not None and high < low:
            self.at = start
            self.refuse("a repetition whose bounds are in the wrong order")
        return Repeat(atom, low, high)

    def quantifier(self) -> tuple[int, int | None] | None:
        if (simple := _QUANTIFIERS.get(self.peek())) is not None:
            self.at += 1
            return simple
        braces = _BRACES.match(self.source, self.at)
        if braces is None:
            return None
        self.at = braces.end()
        low, comma, high = braces.groups()
        return (int(low), int(high)) if high else (int(low), None if comma else int(low))

    def atom(self) -> Node:
        char = self.peek()
        if char == "(":
            return self.group()
        if char in "*+?" or _BRACES.match(self.source, self.at):
            self.refuse("a quantifier with nothing to repeat")
        self.at += 1
        if char == "[":
            return self.char_class()
        if char == "\\":
            return self.escape()
        if char == ".":
            return _ANY
        return _ANCHORS.get(char) or _literal(ord(char))

    def group(self) -> Node:
        opening = _GROUP_OPENING.match(self.source, self.at)
        if opening is None:
            self.refuse("an unsupported kind of group (lookbehind, flags or another extension)")
        start, self.at = self.at, opening.end()
        self.groups += 1
        if self.groups > MAX_PATTERN_GROUPS:
            message = f"expected at most {MAX_PATTERN_GROUPS} groups inside one another in a pattern"
            raise PatternError("schema_too_large", message)
        body = self.choice()
        if self.peek() != ")":
            self.at = start
            self.refuse("a ( without its )")
        self.at += 1
        self.groups -= 1
        mark = opening.group()[2:]
        if mark in ("=", "!"):
            return Lookahead(body, mark == "=")
        # A group may be repeated where the assertion inside it may not.
        return Sequence((body,)) if isinstance(body, Assertion | Lookahead) else body

    def escape(self) -> Node:
        if (edge := _EDGES.get(self.peek())) is not None:
            self.at += 1
            return edge
        return CharacterSet(self.escaped())

    def escaped(self) -> Ranges:
        """Read an escape, inside a class or outside; give the characters it stands for."""
        if not self.peek():
            self.refuse("a \\ with nothing after it")
        if (code_point := self.hex_escape()) is not None:
            return ((code_point, code_point),)
        char = self.take()
        if char in _CLASSES:
            return _CLASSES[char]
        if char in _CONTROLS:
            return _literal(_CONTROLS[char]).ranges
        if char in _PUNCTUATION:
            return _literal(ord(char)).ranges
        if char == "0" and not ("0" <= self.peek() <= "9"):
            return _literal(0).ranges
        if char == "c" and _LETTER.match(self.source, self.at):
            return _literal(ord(self.take()) % 32).ranges
        self.at -= 1
        self.refuse(f"the unsupported escape \\{char}")

    def hex_escape(self) -> int | None:
        found = _HEX_ESCAPE.match(self.source, self.at)
        if found is None:
            return None
        code_point = int(found[1] or found[2] or found[3], 16)
        if code_point > LAST_CODE_POINT:
            self.refuse("an escape beyond the last code point")
        self.at = found.end()
        low = _LOW_SURROGATE.match(self.source, self.at) if found[2] else None
        if low is None or not _HIGH_SURROGATES[0] <= code_point <= _HIGH_SURROGATES[1]:
            return code_point
        self.at = low.end()
        return 0x10000 + ((code_point - 0xD800) << 10) + (int(low[1], 16) - 0xDC00)

    def char_class(self) -> CharacterSet:
        start = self.at - 1
        negated = self.peek() == "^"
        self.at += negated
        ranges: list[tuple[int, int]] = []
        while self.peek() != "]":
            if not self.peek():
                self.at = start
                self.refuse("a [ without its ]")
            ranges += self.class_range()
        self.at += 1
        found = normalized(ranges)
        return CharacterSet(inverted(found) if negated else found)

    def class_range(self) -> Ranges:
        start = self.at
        first = self.class_member()
        if self.peek() != "-" or self.source[self.at + 1 : self.at + 2] in ("", "]"):
            return first
        self.at += 1
        last = self.class_member()
        low, high = first[0][0], last[-1][1]
        if not (_is_single(first) and _is_single(last)) or high < low:
            self.at = start
            self.refuse("a range whose ends are not two characters in order")
        return ((low, high),)

    def class_member(self) -> Ranges:
        char = self.take()
        if char != "\\":
            return _literal(ord(char)).ranges
        if self.peek() == "b":
            self.at += 1
            return _literal(8).ranges
        return self.escaped()


def _literal(code_point: int) -> CharacterSet:
    return CharacterSet(((code_point, code_point),))


def _is_single(ranges: Ranges) -> bool:
    return len(ranges) == 1 and ranges[0][0] == ranges[0][1]
