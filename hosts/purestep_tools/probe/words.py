"""Texts compared without their case, white space and ends; case is ASCII's, so that no Unicode table decides."""

import re
from string import ascii_lowercase, ascii_uppercase
from typing import Final

_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)
_SPACE: Final = re.compile(r"[ \t\r\n]+")
_ENDS: Final = " .,;:!?\"'“”"


def lowered(text: str) -> str:
    """Return the text with ASCII's capital letters as small ones."""
    return text.translate(_LOWER)


def plain(text: str) -> str:
    """Return a text as it is compared."""
    return lowered(_SPACE.sub(" ", text)).strip(_ENDS)
