"""The characters of names, for regular expressions: by range, since tables of Unicode differ between hosts."""

from typing import Final

LETTER: Final = r"A-Za-z_\xc0-\u1fff\u2c00-\u2fff\u3040-\ufeff\U00010000-\U0010ffff"
"""What a name may begin with, inside of brackets: beyond ASCII all but punctuation, symbols and full-width marks."""
