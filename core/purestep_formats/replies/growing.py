"""A text received in pieces, which may be split inside a surrogate pair, as JSON's escapes allow."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from purestep.json_text import clean_text
from purestep.scanner import kept

Half = Annotated[str, Meta(pattern="^(d[89ab][0-9a-f]{2})?$")]
"""The digits of the first half of a character beyond the first 65,536, as UTF-16 has it; "" for none."""


class GrowingText(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A text so far. half: the four digits of half a character that the next piece may complete."""

    parts: tuple[str, ...] = ()
    half: Half = ""


NO_TEXT: Final = GrowingText()


def grown(text: GrowingText, piece: str) -> tuple[GrowingText, str]:
    """Return the text with a piece more, and what of it is whole characters now."""
    if not text.half and piece.isascii():
        return GrowingText(parts=kept(text.parts, piece)), piece
    came = chr(int(text.half, 16)) + piece if text.half else piece
    is_cut = "\ud800" <= came[-1:] <= "\udbff"
    added = clean_text(came[:-1] if is_cut else came)
    return GrowingText(parts=kept(text.parts, added), half=f"{ord(came[-1]):x}" if is_cut else ""), added


def ended(text: GrowingText) -> tuple[GrowingText, str]:
    """Return the text without what never became a character, and the U+FFFD in its place; "" where all is whole."""
    if not text.half:
        return text, ""
    return GrowingText(parts=kept(text.parts, "\ufffd")), "\ufffd"


def whole(text: GrowingText) -> str:
    """Return the text."""
    return "".join(ended(text)[0].parts)
