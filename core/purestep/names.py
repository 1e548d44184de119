"""The characters of names, as classes for regular expressions, and names of bounded length.

Beyond ASCII any character may be in a name: tables of Unicode differ between hosts, and a class of large ranges takes
milliseconds to compile. So each class says which ASCII characters are not in it.
"""

from typing import Final

LETTER: Final = r"[^\x00-@\[-^`{-\x7f]"
"""What a name may begin with: letters and `_`."""

KEY: Final = r"[^\x00-,./:-@\[-^`{-\x7f]"
"""What a parameter's name may go on with: digits and `-` too."""

DOTTED: Final = r"[^\x00-,/:-@\[-^`{-\x7f]"
"""What a tool's name may go on with: `.` too."""

NAME: Final = r"[^\x00-,/;-@\[-^`{-\x7f]"
"""The same with `:`, after which some families write a call's number."""

WORD: Final = r"[^\x00-#%-@\[-^`{-\x7f]"
"""What a member's name without quotes may begin with: `$` too."""

WORD_REST: Final = r"[^\x00-#%-,/:-@\[-^`{-\x7f]"
"""What it may go on with."""


def name_up_to(chars: int, rest: str) -> str:
    """Give the expression for a name of at most that many characters.

    rest: the class of all characters but the first, such as `DOTTED`. A quantifier's mark may follow: `+` makes the
    name possessive.
    """
    return f"{LETTER}{rest}{{0,{chars - 1}}}"
