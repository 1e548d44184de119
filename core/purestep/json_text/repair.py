"""Repair: text that is nearly JSON, as models write it, read in one bounded pass that says what it changed.

Two kinds of changes are told apart. Cosmetic ones leave no doubt about the value: other quotes, names without quotes,
comments, commas too many or missing, `=` for `:`, the words of Python and JavaScript, numbers in another notation,
raw line breaks, pairs of quotes around words inside of a string, closing brackets missing after a complete value;
these are `notes`. Structural ones could be otherwise: a string that is not closed, a name given twice, members that
may belong to another object; these are `guesses`, and a value with one must never be acted on.

Only called for text that is not JSON; never evaluates anything.
"""

import re
from typing import Final

from ..bounds import MAX_REPAIRED_CHARS, MAX_UNESCAPED_ROUNDS
from ..lazy import lazy_pattern
from .extract import BLANK, UNREADABLE, read_json
from .loose_parser import EARLY, LooseParser, RepairedJson
from .loose_text import LooseText, Shape, Unfit


def repair_json(
    text: str, at: int = 0, *, bare: bool = False, shape: Shape | None = None, closed: bool = False, within: str = ""
) -> RepairedJson | None:
    """Return the value that begins at an offset of the text; None when there is none.

    at: in characters. bare: whether words without quotes are strings. shape: what the value is expected to be. closed:
    whether the text is known to be whole, so that what is missing at its end is closing brackets only. within: the
    brackets that are open before the value.
    """
    if len(text) - at > MAX_REPAIRED_CHARS:
        return None
    plain = _unescaped(text, at)
    if plain is not None:
        return _repaired_plain(plain, len(text), bare, shape, closed)
    parser = LooseParser(LooseText(text, at, within), shape, bare, closed)
    try:
        return parser.read(shape)
    except Unfit:
        return None


# --- texts that are escaped as a whole --------------------------------------------------------------------

_ESCAPED: Final = lazy_pattern(r'[{\[][ \t\r\n\[{]{0,16}(?:\\[nrt][ \t]{0,16}){0,16}\\+"')
_ENTITIES: Final = lazy_pattern(r"&(?:quot|#34|#x22);")
_CHARACTERS: Final = {
    "&quot;": '"', "&#34;": '"', "&#x22;": '"', "&apos;": "'", "&#39;": "'", "&#x27;": "'", "&lt;": "<", "&gt;": ">",
    "&amp;": "&",
}  # fmt: skip
_ENTITY: Final = lazy_pattern("|".join(_CHARACTERS), re.ASCII)
_RAW_BREAKS: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_WHOLE_ESCAPED: Final = "the quotes were escaped"


def _unescaped(text: str, at: int) -> str | None:
    """Return a text whose quotes are all escaped, as in a string or in HTML, without that; None for others."""
    if text[at : at + 1] in ("{", "[") and text.find('"', at) < 0 and _ENTITIES.search(text, at):
        return _ENTITY.sub(lambda found: _CHARACTERS[found[0]], text[at:])
    if not _ESCAPED.match(text, at):
        return None
    plain = text[at:].rstrip(BLANK)
    for _ in range(MAX_UNESCAPED_ROUNDS):
        value = read_json('"' + re.sub(r"[\n\r\t]", lambda found: _RAW_BREAKS[found[0]], plain) + '"')
        if not isinstance(value, str):
            return None
        plain = value
        if not _ESCAPED.match(plain):
            return plain
    return None


def _repaired_plain(text: str, end: int, bare: bool, shape: Shape | None, closed: bool) -> RepairedJson | None:
    value = read_json(text)
    if value is not UNREADABLE:
        return RepairedJson(value=value, end=end, notes=(_WHOLE_ESCAPED,))
    try:
        made = LooseParser(LooseText(text, 0, ""), shape, bare, closed).read(shape)
    except Unfit:
        return None
    rest = text[made.end :].strip(BLANK)
    guesses = (*made.guesses, EARLY) if rest else made.guesses
    return RepairedJson(value=made.value, end=end, notes=(_WHOLE_ESCAPED, *made.notes), guesses=guesses, cut=made.cut)
