"""The characters of names and words, as classes for regular expressions, and names of bounded length.

Beyond ASCII any character may be in a name: tables of Unicode differ between hosts, and a class of large ranges takes
milliseconds to compile. So each class says which ASCII characters are not in it.
"""

from typing import Final

LETTER: Final = r"[^\x00-@\[-^`{-\x7f]"
"""The first character of a name: a letter or `_`."""

KEY: Final = r"[^\x00-,./:-@\[-^`{-\x7f]"
"""A later character of a parameter's name: also a digit or `-`."""

DOTTED: Final = r"[^\x00-,/:-@\[-^`{-\x7f]"
"""A later character of a tool's name: also `.`."""

NAME: Final = r"[^\x00-,/;-@\[-^`{-\x7f]"
"""The same and `:`, after which some families write a call's number."""

WORD: Final = r"[^\x00-#%-@\[-^`{-\x7f]"
"""The first character of a member's name without quotes: also `$`."""

WORD_REST: Final = r"[^\x00-#%-,/:-@\[-^`{-\x7f]"
"""A later character of a member's name without quotes."""

APART: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
"""Scripts without blanks between words, as ranges inside of a class: each character counts as a word, and what stands
beside it may be another one."""


def name_up_to(chars: int, rest: str) -> str:
    """Return the expression for a name of at most that many characters.

    rest: the class of all characters but the first, such as `DOTTED`. A quantifier's mark may follow: `+` makes the
    name possessive.
    """
    return f"{LETTER}{rest}{{0,{chars - 1}}}"
