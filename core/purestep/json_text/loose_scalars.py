"""Numbers and words as models write them, and text without quotes where text is expected."""

import re
from collections.abc import Mapping
from typing import Any, Final

from ..lazy import lazy_pattern
from .extract import UNREADABLE, read_json
from .loose_text import QUOTES, LooseText, Unfit

UNSURE_NUMBER: Final = "a number with zeros before it may be text"

_WORDS: Final[dict[str, Any]] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None, "nil": None,
}  # fmt: skip
_JSON_WORDS: Final = ("true", "false", "null")
_TOKEN: Final = lazy_pattern(rf"[^ \t\r\n,\[\]{{}}(){QUOTES}<>]++", re.ASCII)
_BARE: Final = lazy_pattern(r"[^,\]\[{}()\n<>\"']+", re.ASCII)
_NUMBER: Final = lazy_pattern(
    r"(?P<sign>[+-]?)(?:0[xX](?P<hex>[0-9a-fA-F]{1,16})|"
    r"(?P<whole>[0-9][0-9_]*|(?=\.[0-9]))(?:\.(?P<part>[0-9]*))?(?P<power>[eE][+-]?[0-9]+)?)",
    re.ASCII,
)
_ENDS: Final = ",]})\n<"
_APOSTROPHE: Final = lazy_pattern(r"(?<=[A-Za-z])'(?=[A-Za-z])", re.ASCII)


def read_scalar(source: LooseText, types: Mapping[str, None], *, bare: bool, is_item: bool) -> Any:
    """Read a number, a word or text without quotes; gives the value, and the place after it is in the source.

    types: those expected, none where nothing is known. bare: whether words without quotes are strings in any place.
    is_item: in a list, where a value and more words may be two items.
    """
    token = _TOKEN.match(source.text, source.at)
    if token is None:
        raise Unfit
    is_text = "string" in types
    only_text = is_text and not {"number", "integer"} & types.keys()
    run = _run_of(source) if (is_text or bare) else None
    known = _known(source, token[0], types, only_text=only_text)
    if run is not None and run != token[0]:
        if is_item and known is not _NOTHING:
            raise Unfit
        return _text(source, run)
    if known is not _NOTHING:
        source.at = token.end()
        return known
    if run is None:
        raise Unfit
    return _text(source, run)


class _Nothing:
    """Marks a word that is neither a number nor a constant."""


_NOTHING: Final = _Nothing()


def _run_of(source: LooseText) -> str | None:
    """Return the words up to a comma, a bracket or the line's end, if nothing else ends them."""
    found = _BARE.match(source.text, source.at)
    if found is None:
        return None
    end = found.end()
    while _APOSTROPHE.match(source.text, end):
        more = _BARE.match(source.text, end + 1)
        end = more.end() if more else end + 1
    after = source.text[end : end + 1]
    if after and after not in _ENDS:
        return None
    return source.text[source.at : end].rstrip(" \t\r")


def _text(source: LooseText, run: str) -> str:
    """Take words without quotes as text."""
    if "\\" in run or "..." in run or "…" in run:
        raise Unfit
    source.at += len(run)
    source.note("a string stood without quotes")
    return run


def _known(source: LooseText, token: str, types: Mapping[str, None], *, only_text: bool) -> Any:
    if token in _JSON_WORDS:
        return _WORDS[token]
    word = token.lower() if token.isascii() else token  # ascii: no other letters come here
    if word in _WORDS:
        source.note("words of another language stood for JSON's")
        return _WORDS[word]
    number = _NUMBER.fullmatch(token)
    if number is None or only_text:
        return _number_as_text(source, token, number is not None and only_text)
    return _number(source, token, number, types)


def _number_as_text(source: LooseText, token: str, is_number: bool) -> Any:
    """Return a number where text is expected as the text that it is, unless JSON has it; nothing for all else."""
    if not is_number:
        return _NOTHING
    value = read_json(token)
    if value is not UNREADABLE:
        return value
    source.note("a string stood without quotes")
    return token


def _number(source: LooseText, token: str, found: re.Match[str], types: Mapping[str, None]) -> Any:
    value = read_json(token)
    if value is not UNREADABLE:
        return value
    sign = "-" if found["sign"] == "-" else ""
    if found["hex"]:
        plain = sign + str(int(found["hex"], 16))
    else:
        whole, part = found["whole"].replace("_", ""), found["part"] or ""
        plain = sign + (whole.lstrip("0") or "0") + (f".{part}" if part else "") + (found["power"] or "")
        if (not types or "string" in types) and not source.is_python and len(whole) > 1 and whole[0] == "0":
            source.guess(UNSURE_NUMBER)
    value = read_json(plain)
    if value is UNREADABLE:
        raise Unfit
    source.note("a number was not written as JSON has it")
    return value
