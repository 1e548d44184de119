"""Words of a text, folded alike on every host.

No Unicode table decides anything here: which characters are letters, and how capitals are folded, is said by ranges
that do not differ between Python versions.
"""

import re
from typing import Final

from ..lazy import lazy_pattern
from ..names import APART

LETTERS: Final = "0-9A-Za-z\u00c0-\u0dff\u0f00-\u0fff\u10a0-\u177f\u1800-\u1fff\u2c00-\u2dff\ua000-\uabff\uf900-\ufdff"
"""Letters and digits, as ranges inside of a class."""

WORD: Final = lazy_pattern(rf"[{APART}]|[{LETTERS}]+(?:(?<=[0-9])\.(?=[0-9])[{LETTERS}]+)*", re.ASCII)
"""Matches a word of a folded text; a number with a point is one."""

_TIMES_SIGN: Final = 0xD7

_CAPITALS: Final = {
    **{
        code: code + 0x20
        for code in (*range(0x41, 0x5B), *range(0xC0, 0xDF), *range(0x391, 0x3AA))
        if code != _TIMES_SIGN
    },
    **{code: code + 0x20 for code in range(0x410, 0x430)},
    **{code: code + 0x50 for code in range(0x400, 0x410)},
    **{code: code + 1 for code in (*range(0x100, 0x130, 2), *range(0x14A, 0x178, 2))},
    **{code: code + 1 for code in (*range(0x139, 0x149, 2), *range(0x179, 0x17F, 2))},
}
"""Capitals of Latin, Greek and Cyrillic to their small letters."""


def fold(text: str) -> str:
    """Return the text in small letters; as long as it was."""
    return text.lower() if text.isascii() else text.translate(_CAPITALS)  # ascii: just asked


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters, in their order."""
    return WORD.findall(fold(text))
