"""Gemma's keys with blanks or slashes in them, which stand without quotes."""

import re
from typing import Final

from ..bounds import MAX_ATTRIBUTE_CHARS
from ..names import KEY

_QUOTE: Final = '<|"|>'
_KEY_OF_WORDS: Final = re.compile(
    rf"([{{,][ \t\r\n]*)({KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}(?:[ /]{KEY}{{1,{MAX_ATTRIBUTE_CHARS}}}){{1,8}})[ ]*:",
    re.ASCII,
)


def with_quoted_keys(body: str) -> str:
    """Return arguments with the keys quoted that have blanks or slashes in them; strings stay as they are."""
    parts = body.split(_QUOTE)
    if not any(quote in part for part in parts[::2] for quote in "\"'"):
        parts[::2] = [_KEY_OF_WORDS.sub(r'\1"\2":', part) for part in parts[::2]]
    return _QUOTE.join(parts)
