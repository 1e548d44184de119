"""The characters that no terminal, page or report shows as they are: one table, for native hosts and the page.

Control characters and escape sequences move a cursor, change a title or hide a command; marks of direction make one
call look like another; invisible characters make two different names look the same. `sanitize` shows all of them as
escapes. web/src/generated/hidden_characters.ts is made from here by tools/types/tool_data.py.
"""

from __future__ import annotations

from typing import Final

HIDDEN: Final = (
    (0x00, 0x08),
    (0x0B, 0x1F),
    (0x7F, 0x9F),
    # Soft hyphen, combining grapheme joiner, Arabic letter mark.
    (0xAD, 0xAD),
    (0x34F, 0x34F),
    (0x61C, 0x61C),
    # Fillers of Hangul, Khmer and Khitan, which are as wide as nothing or as a blank.
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x3164, 0x3164),
    (0xFFA0, 0xFFA0),
    (0x16FE4, 0x16FE4),
    # Mongolian vowel separator, zero-width space, marks of direction, line and paragraph separators.
    (0x180E, 0x180E),
    (0x200B, 0x200B),
    (0x200E, 0x200F),
    (0x2028, 0x202E),
    # Word joiner, invisible operators, isolates and deprecated formats.
    (0x2060, 0x206F),
    # Lone surrogates, the byte order mark, what Unicode keeps for characters that are not shown, annotations.
    (0xD800, 0xDFFF),
    (0xFEFF, 0xFEFF),
    (0xFFF0, 0xFFFB),
    # Formats of hieroglyphs, of shorthand and of music, with its notehead that is not drawn.
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D159, 0x1D159),
    (0x1D173, 0x1D17A),
    # The variation selectors of other characters than symbols, and tags, which carry any hidden text.
    (0xFE00, 0xFE0D),
    (0xE0000, 0xE0FFF),
)
"""Ranges, first and last code point, that are always shown as escapes. Tab and newline are shown as themselves."""

STYLES: Final = ((0xFE0E, 0xFE0F),)
"""Whether a symbol is drawn as an emoji or as text; shown as escapes elsewhere."""

KEYCAPS: Final = ((0x20E3, 0x20E3),)
"""Makes an emoji of a digit and a style: the one character that a style may stand before."""

BELONGING: Final = (
    # Joiners, after characters of scripts and emoji that need them.
    (
        ((0x200C, 0x200D),),
        (
            # Arabic to Myanmar, Khmer and Mongolian, Tai Tham to Batak.
            (0x600, 0x109F),
            (0x1780, 0x18AF),
            (0x1A20, 0x1BFF),
            # Arrows, symbols and dingbats, some of them emoji; a style after one of them.
            (0x2190, 0x2BFF),
            (0xA800, 0xABFF),
            (0xFB50, 0xFDFF),
            (0xFE0F, 0xFE0F),
            (0xFE70, 0xFEFE),
            (0x10A00, 0x11FFF),
            (0x1E900, 0x1E95F),
            (0x1F000, 0x1FAFF),
        ),
    ),
    # Styles, after symbols that have two.
    (
        STYLES,
        (
            (0xA9, 0xA9),
            (0xAE, 0xAE),
            (0x203C, 0x203C),
            (0x2049, 0x2049),
            (0x2122, 0x2122),
            (0x2139, 0x2139),
            (0x2190, 0x2BFF),
            (0x3030, 0x303D),
            (0x3297, 0x3299),
            (0x1F000, 0x1FAFF),
        ),
    ),
    # The selectors of forms of Mongolian letters.
    (((0x180B, 0x180D), (0x180F, 0x180F)), ((0x1820, 0x18AA),)),
    # The blank of Braille, after its letters.
    (((0x2800, 0x2800),), ((0x2801, 0x28FF),)),
)
"""Characters that are shown as escapes except directly after one of others, which they change: each with those."""
