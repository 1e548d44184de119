"""The parser of text that is nearly JSON: arrays and objects, and what stands between their values."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from ..bounds import MAX_VALUE_DEPTH
from ..lazy import lazy_pattern
from .loose_scalars import read_scalar
from .loose_strings import UNCLOSED, read_special, read_string
from .loose_text import CLOSERS, KEY_WORD, QUOTES, SPECIAL, LooseText, Shape, Unfit
from .open_containers import Containers

LEFT_OUT: Final = "a value is missing"
TWICE: Final = "a name is given twice"
COMMAS: Final = "a comma in a list has no value before it"
GROUP: Final = "brackets around one value may make a list or not"
CLOSERS_MISSING: Final = "closing brackets were missing"
CUT: Final = "the text ends inside of a value"
INSIDE: Final = "a comma may stand in a string instead of after it"
COLON_INSIDE: Final = "a colon may stand in a string instead of before it"
EARLY: Final = "members stand after the closing bracket of their object"

CUT_GUESSES: Final = (CUT, UNCLOSED)
"""What a text leaves open that ends too early."""


class RepairedJson(Struct, frozen=True, kw_only=True):
    """A value that was read from text that is nearly JSON.

    Attributes: `value`; `end` (offset after it, in characters); `notes` (sentences, one for each kind of cosmetic
    repair); `guesses` (the same for what could be otherwise: with any, the value must not be acted on); `cut` (the text
    ended before the value did, which may be all that is wrong).
    """

    value: Any
    end: int
    notes: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    cut: bool = False


_SET: Final = lazy_pattern(r"""\{[ \t\r\n]*(["'])[^"'\\]*\1[ \t\r\n]*[,}]""")
_CLOSING: Final = lazy_pattern(r"[ \t\r\n]*[}\])]")


class _Cut:
    """Marks a value that the end of the text cut off."""


_CUT: Final = _Cut()


class LooseParser:
    """The parser of one value; `is_cut` is set once the text has ended."""

    __slots__ = ("bare", "closed", "containers", "is_cut", "source", "was_bare")

    def __init__(self, source: LooseText, shape: Shape | None, bare: bool, closed: bool) -> None:
        self.source, self.bare, self.closed = source, bare, closed
        self.containers = Containers()
        self.is_cut = self.was_bare = False

    def read(self, shape: Shape | None) -> RepairedJson:
        """Read the value, and the brackets after it that close nothing."""
        source = self.source
        value = self.value(shape, "alone" if source.open else "whole")
        if value is _CUT:
            value = None
        if not source.open and isinstance(value, (dict, list)) and not self.is_cut:
            self.closers_after()
        if guess := self.containers.guess():
            source.guess(guess)
        if self.is_cut and self.closed and not source.guesses:
            self.is_cut = False
        return RepairedJson(
            value=value, end=source.at, notes=tuple(source.notes), guesses=tuple(source.guesses), cut=self.is_cut
        )

    def closers_after(self) -> None:
        """Read closing brackets that close nothing; members after them belonged inside."""
        source = self.source
        while found := _CLOSING.match(source.text, source.at):
            source.at = found.end()
            source.note("there were closing brackets too many")
            self.containers.has_extra = True
        following = source.after_blanks(source.at)
        if source.text.startswith(",", following):
            following = source.after_blanks(following + 1)
            if source.text[following : following + 1] not in ("", "{", "`"):
                source.guess(EARLY)
        elif source.is_key_at(following) and (
            self.containers.has_extra or source.text[following : following + 1] in tuple(QUOTES)
        ):
            source.guess(EARLY)

    def value(self, shape: Shape | None, place: str) -> Any:
        """Read a value; place: `member`, `item`, `whole`, or `alone` inside of brackets that are not read."""
        source = self.source
        first = source.skip()
        if first in ("{", "[", "("):
            if len(source.open) >= MAX_VALUE_DEPTH:
                raise Unfit
            is_object = first == "{" and not _SET.match(source.text, source.at)
            return self.object(shape) if is_object else self.array(first, shape)
        for quote in SPECIAL:
            if source.text.startswith(quote, source.at):
                text = read_special(source, quote)
                self.is_cut = text is None
                return _CUT if text is None else text
        if first and first in QUOTES:
            return self.string(place)
        return self.scalar(shape, place)

    def string(self, place: str) -> Any:
        """Read a string, and those joined to it with `+`."""
        source = self.source
        text, is_closed = read_string(source, place)
        while is_closed and source.text[(plus := source.after_blanks(source.at)) : plus + 1] == "+":
            source.at = source.after_blanks(plus + 1)
            if source.text[source.at : source.at + 1] not in ('"', "'"):
                raise Unfit
            more, is_closed = read_string(source, place)
            text += more
            source.note("strings were joined with `+`")
        self.is_cut = self.is_cut or not is_closed
        return text

    def scalar(self, shape: Shape | None, place: str) -> Any:
        """Read a value without quotes or brackets."""
        source = self.source
        if not source.text[source.at : source.at + 1]:
            return self.ended(lost=True)
        types: Mapping[str, None] = shape.types() if shape is not None else {}
        value = read_scalar(source, types, bare=self.bare, is_item=place == "item")
        is_word = value is None or isinstance(value, bool)
        self.was_bare = isinstance(value, str) and not self.bare
        # A number or a text without quotes at the very end may go on.
        if source.at >= len(source.text) and source.open and not (is_word and self.closed):
            return self.ended(lost=True)
        return value

    def ended(self, *, lost: bool) -> Any:
        """Record that the text ended before the value did; lost: inside of something that cannot be kept."""
        self.is_cut = True
        if lost:
            self.source.guess(CUT)
        else:
            self.source.note(CLOSERS_MISSING)
            self.containers.missing()
        return _CUT

    # --- objects ------------------------------------------------------------------------------------------

    def object(self, shape: Shape | None) -> Any:
        """Read an object from its bracket on."""
        source = self.source
        source.at += 1
        source.open.append("{")
        made: dict[str, Any] = {}
        self.containers.enter(shape, is_object=True)
        while not self.is_cut and not self.closes("}"):
            self.member(shape, made)
        source.open.pop()
        self.containers.leave()
        return made

    def closes(self, closer: str) -> bool:
        """Read the closing bracket of the innermost value, if it is next, missing or cut off; tell whether it was."""
        source = self.source
        following = source.skip()
        if following == closer:
            source.at += 1
            return True
        if not following:
            self.ended(lost=False)
            return True
        if following in ("}", "]", ")"):
            if not any(CLOSERS[opener] == following for opener in source.open[:-1]):
                raise Unfit
            source.note("a closing bracket was missing")
            self.containers.missing()
            return True
        return False

    def member(self, shape: Shape | None, made: dict[str, Any]) -> None:
        """Read a member and what separates it from the next."""
        source = self.source
        key, is_word = self.key()
        if key is None:
            self.ended(lost=True)
            return
        if is_word and self.was_bare and not (shape is not None and shape.has(key)):
            # The comma before it may be part of the text without quotes.
            source.guess("a text without quotes may go on after its comma")
        self.colon(is_word=is_word)
        if self.is_cut:
            return
        self.was_bare = False
        if source.skip() in (",", "}"):
            source.guess(LEFT_OUT)
        else:
            self.containers.member(key, made)
            value = self.value(shape.member(key, made) if shape is not None else None, "member")
            if key in made and value != made[key]:
                source.guess(TWICE)
            elif key in made:
                source.note("a name was given twice, with one value")
            if value is not _CUT:
                made[key] = value
            self.containers.after(value)
        if not self.is_cut:
            self.comma("}")

    def colon(self, *, is_word: bool) -> None:
        """Read what stands between a name and its value."""
        source = self.source
        following = source.skip()
        if not following:
            self.ended(lost=True)
        elif following == ":":
            source.at += 1
            if source.text.startswith("=", source.at):
                raise Unfit
        elif following == "=":
            source.at += 1 + source.text.startswith(">", source.at + 1)
            source.note("`=` stood for a colon")
        elif is_word:
            raise Unfit
        elif following in QUOTES or following in "{[-" or "0" <= following <= "9" or following in "tfn":
            if following in QUOTES and source.text.startswith(":", source.at + 1):
                source.guess(COLON_INSIDE)
            source.note("a colon was missing")
        else:
            raise Unfit

    def key(self) -> tuple[str | None, bool]:
        """Read a member's name; gives it, None when the text ends first, and whether it had no quotes."""
        source = self.source
        first = source.text[source.at]
        for quote in SPECIAL:
            if source.text.startswith(quote, source.at):
                return read_special(source, quote), False
        if first in QUOTES:
            text, is_closed = read_string(source, "key")
            return (text if is_closed else None), False
        word = KEY_WORD.match(source.text, source.at)
        if word is None:
            raise Unfit
        source.at = word.end()
        source.note("a name stood without quotes")
        return word[0], True

    def comma(self, closer: str) -> None:
        """Read what separates a value from the next."""
        source = self.source
        before = source.text[source.at - 1]
        began = source.at
        following = source.skip()
        if following == ",":
            source.at += 1
            following = source.skip()
            if following == ",":
                if closer != "}":
                    source.guess(COMMAS)
                source.note("commas too many were left out")
                while source.skip() == ",":
                    source.at += 1
            elif not following:
                self.ended(lost=True)
            elif following in ("}", "]", ")"):
                source.note("a trailing comma was left out")
        elif following and following not in "}])":
            self.missing_comma(closer, following, before, is_apart=source.at > began)

    def missing_comma(self, closer: str, following: str, before: str, *, is_apart: bool) -> None:
        """Take what follows for the next member or item where nothing else can be meant."""
        source = self.source
        is_begun = source.is_key_at(source.at) if closer == "}" else following not in ":=;"
        is_key_special = any(source.text.startswith(quote, source.at) for quote in SPECIAL)
        if not is_begun and not is_key_special:
            raise Unfit
        if not is_apart and before not in QUOTES and before not in "}])>":
            raise Unfit
        if before in QUOTES and source.text.startswith(",", source.text.rfind(before, 0, source.at) - 1):
            source.guess(INSIDE)
        source.note("a comma was missing")
        self.containers.stack[-1].lacks_comma = True

    # --- arrays -------------------------------------------------------------------------------------------

    def array(self, opener: str, shape: Shape | None) -> Any:
        """Read an array, or a tuple or set of Python, from its bracket on."""
        source = self.source
        source.at += 1
        source.open.append(opener)
        closer = CLOSERS[opener]
        if opener != "[":
            source.note("a list stood in other brackets")
        made: list[Any] = []
        item = shape.item() if shape is not None else None
        self.containers.enter(shape, is_object=False)
        while not self.is_cut and not self.closes(closer):
            if source.text[source.at] == ",":
                source.guess(COMMAS)
                source.at += 1
                continue
            self.containers.item(item, made)
            value = self.value(item, "item")
            if value is not _CUT:
                made.append(value)
            self.containers.after(value)
            if not self.is_cut:
                self.comma(closer)
        if opener == "(" and len(made) == 1:
            source.guess(GROUP)
        source.open.pop()
        self.containers.leave()
        return made
