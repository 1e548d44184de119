"""A text that comes in pieces which may be cut inside a character, as JSON's escapes allow."""

import re
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from ..jsonio import clean_text, decode_foreign, mark_lone_surrogates
from ..places import kept

_MARK: Final = "\ufffe"
"""Stands before the four digits of half a character while a chunk is decoded; no text has it: Unicode says so."""

_HALF: Final = re.compile(_MARK + "([0-9a-fA-F]{4})")
_OPEN_HALF: Final = re.compile("[\ud800-\udbff]$")


class GrowingText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A text so far. half: the four digits of half a character that the next piece may complete."""

    parts: tuple[str, ...] = ()
    half: str = ""


NO_TEXT: Final = GrowingText()


def grown(text: GrowingText, piece: str) -> tuple[GrowingText, str]:
    """Give the text with a piece of `decode_pieces`, and what of it is whole characters now."""
    if not text.half and _MARK not in piece:
        return replace(text, parts=kept(text.parts, piece)), piece
    came = _HALF.sub(lambda half: chr(int(half[1], 16)), (_MARK if text.half else "") + text.half + piece)
    cut = _OPEN_HALF.search(came)
    added = clean_text(came[: cut.start()] if cut else came)
    half = b"%x" % ord(cut[0]) if cut else b""
    return GrowingText(parts=kept(text.parts, added), half=half.decode()), added


def ended(text: GrowingText) -> tuple[GrowingText, str]:
    """Give the text without what never became a character, and the U+FFFD in its place; "" where all is whole."""
    if not text.half:
        return text, ""
    return GrowingText(parts=kept(text.parts, "\ufffd")), "\ufffd"


def whole(text: GrowingText) -> str:
    """Give the text."""
    return "".join(ended(text)[0].parts)


def decode_pieces(data: bytes) -> Any:
    """Decode JSON whose strings may be cut inside a character; `grown` puts the halves together again.

    Error codes: those of `decode_foreign`.
    """
    return decode_foreign(mark_lone_surrogates(data, _MARK))


def plain(piece: str) -> str:
    """Give a string of `decode_pieces` that is no part of a longer text."""
    return whole(grown(NO_TEXT, piece)[0])
