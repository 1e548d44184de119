"""Whether a value stands in a text whole: as a word, a name, an address or a path of its own, never as a part of one.

Which characters belong together is said by ranges that do not differ between Python versions. Both texts are in small
letters already (`fold`).
"""

import re
from functools import cache
from typing import Final

from purestep.names import APART

from .bounds import MAX_STANDING_SCANS

_BREAKS: Final = (
    "\x00-/:-@\\[-^`{-\u00bf\u00d7\u00f7\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
    "\uff5b-\uff65"
)
"""Blanks and punctuation, as ranges inside of a class; every other character belongs to a word."""

_BEFORE: Final = "/\\~.-"
"""What a value never follows: it would be the end of a path or of an option."""

_JOINED_BEFORE: Final = "@#%&+?"
"""What joins a value to a letter before it, as in anna@example.com."""

_JOINED_AFTER: Final = "/\\~.@-:?#%&+"
"""What joins a value to a letter or sign after it, as in notes.txt.bak."""

_DIGITS: Final = "0123456789"


@cache
def _letter() -> "re.Pattern[str]":
    """Return the pattern of what makes a longer word of the one that it stands beside."""
    return re.compile(f"[^{_BREAKS}{APART}]", re.ASCII)


@cache
def _word() -> "re.Pattern[str]":
    return re.compile(f"[^{_BREAKS}]", re.ASCII)


def stands_in(value: str, text: str) -> bool:
    """Whether a value stands in a text whole; one without any letter or digit stands nowhere.

    Each place costs as many characters as the value has. A value that stands too often inside of itself, as 2,000
    letters a do in 4,000 of them, counts as one that stands nowhere, so that it is asked about.
    """
    if not value or len(value) > len(text) or _word().search(value) is None:
        return False
    places = MAX_STANDING_SCANS * len(text) // len(value)
    at = text.find(value)
    while at >= 0 and places > 0:
        if _begins(text, at) and _ends(text, at + len(value)):
            return True
        at = text.find(value, at + 1)
        places -= 1
    return False


def _begins(text: str, at: int) -> bool:
    if at == 0:
        return True
    before = text[at - 1]
    if before in _BEFORE or _letter().match(before):
        return False
    if at == 1:
        return True
    beyond = text[at - 2]
    if before == ",":
        return not (beyond in _DIGITS and text[at] in _DIGITS)
    return not (before in _JOINED_BEFORE and _letter().match(beyond))


def _ends(text: str, end: int) -> bool:
    if end == len(text):
        return True
    after = text[end]
    if _letter().match(after):
        return False
    if end + 1 == len(text):
        return True
    beyond = text[end + 1]
    if after == ",":
        return not (beyond in _DIGITS and text[end - 1] in _DIGITS)
    return not (after in _JOINED_AFTER and (beyond in "/\\~*@" or _letter().match(beyond)))
