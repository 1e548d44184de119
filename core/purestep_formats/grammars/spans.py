"""Copied text: a grammar rule for any run of whole words of a conversation, so that names and codes come out exact.

The rule is right-linear: each word leads to the word after it, or ends the run. A word is a run of letters and digits;
every other sign stands alone, and so does a letter of scripts that are written without spaces.

An answer is free text but for its figures, such as 42, 1,250.50, 13:53 or 2026-11-30: each is one of the conversation,
whole, since a small model that writes digits by itself makes them up.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from purestep.json_text import BLANK, encode

from ..bounds import MAX_SPAN_TEXT_CHARS, MAX_SPAN_TEXT_WORDS, MAX_TOLD_FIGURES
from .expressions import Alt, CharacterClass, Expression, Literal, Many, Ref, Seq
from .grammars import printed_rules
from .styles import COPIED, SPACED, TOLD

_BLANK: Final = "\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_SIGNS: Final = (
    "!-/:-@\\[-^`{-~\xa1-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf"
    "\u2010-\u2027\u2030-\u205e\u3001-\u303f\uff01-\uff0f\uff1a-\uff20"
)
_UNSPACED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Blocks of Thai, Lao, Burmese, Khmer, kana and Chinese characters."""


@cache
def _words() -> "re.Pattern[str]":
    """Return the pattern of a word and the white space after it, compiled on first use: most programs copy none."""
    # Character classes of our own: `\w` follows tables of Unicode, which differ between hosts.
    return re.compile(f"([^{_BLANK}{_SIGNS}{_UNSPACED}\x00-\x1f]+|[^{_BLANK}])([{_BLANK}]*)", re.ASCII)


def span_texts(text: str) -> tuple[str, ...]:
    """Return the parts of a text that arguments are copied from: all of it, or the words at either end."""
    if len(text) <= MAX_SPAN_TEXT_CHARS and len(runs := _runs(text)) <= MAX_SPAN_TEXT_WORDS:
        return (text,) if runs else ()
    half = MAX_SPAN_TEXT_CHARS // 2
    first = _runs(text[:half])[: MAX_SPAN_TEXT_WORDS // 2]
    last = _runs(text[-half:])[-(MAX_SPAN_TEXT_WORDS // 2) :]
    # A word that the cut may have gone through is none.
    return tuple(part for part in ("".join(first[:-1]).rstrip(BLANK), "".join(last[1:])) if part)


def _runs(text: str) -> list[str]:
    return [found[0] for found in _words().finditer(text)]


_OPEN: Final = '{} ::= ""\n'
"""A rule as a grammar has it that was made without a conversation; no literal holds a line of its own."""


def with_copied(grammar: str, texts: Sequence[str], told: str = "") -> str:
    """Return a GBNF grammar with the rules of copied text and figures made of these texts.

    Without a word any text is allowed. told: what else an answer may take figures from.
    """
    copied, figures = _OPEN.format(COPIED), _OPEN.format(TOLD)
    if copied in grammar:
        grammar = grammar.replace(copied, printed_rules(copied_rules(texts)))
    return grammar.replace(figures, printed_rules(told_rules([told, *texts]))) if figures in grammar else grammar


_DIGITS: Final = frozenset("0123456789")
_ESCAPE: Final = Seq((Literal("\\"), CharacterClass('"\\\\/bfnrt')))
_PLAIN: Final = Alt((CharacterClass('^"\\\\0-9\\x00-\\x1f'), _ESCAPE))
"""A character of an answer that is no digit."""
_BREAK: Final = Alt((CharacterClass('^"\\\\A-Za-z0-9.,:/\\-\\x00-\\x1f'), _ESCAPE))
"""One that may follow a figure, perhaps after a full stop or comma: none that would make it a longer one."""


@cache
def _figures() -> "re.Pattern[str]":
    """Return the pattern of letters and digits with single signs between them: a figure, if it has a digit."""
    return re.compile(r"[A-Za-z0-9]+(?:[.,:/-][A-Za-z0-9]+)*", re.ASCII)


def told_rules(texts: Sequence[str]) -> dict[str, Expression]:
    """Return the rule of a string whose figures are those of the texts, each whole."""
    runs = dict.fromkeys(found[0] for text in texts for found in _figures().finditer(text))
    figures = [run for run in runs if not _DIGITS.isdisjoint(run)][-MAX_TOLD_FIGURES:]
    parts: tuple[Expression, ...] = (Many(_PLAIN),)
    if figures:
        figure = Alt(tuple(map(Literal, figures))) if len(figures) > 1 else Literal(figures[0])
        stop = Many(CharacterClass(".,"), most=1)
        after = Seq((stop, _BREAK, Many(_PLAIN)))
        parts = (*parts, Many(Seq((figure, Many(Seq((after, figure))), Alt((after, stop)))), most=1))
    return {TOLD: Seq((Literal('"'), *parts, Literal('"')))}


def copied_rules(texts: Sequence[str]) -> dict[str, Expression]:
    """Return the rules of a string that is a run of whole words of one of the texts, as JSON writes it."""
    rules: dict[str, Expression] = {}
    starts: dict[str, Expression] = {}
    for number, text in enumerate(dict.fromkeys(texts)):
        words = [(_escaped(found[1]), _escaped(found[2])) for found in _words().finditer(text)]
        for at, (word, blank) in enumerate(words):
            name = f"w{number}x{at}"
            after = Seq((Literal(blank), Ref(f"w{number}x{at + 1}"))) if blank else Ref(f"w{number}x{at + 1}")
            rules[name] = Seq((Literal(word), Many(after, most=1))) if at + 1 < len(words) else Literal(word)
            starts[name] = Ref(name)
    if not starts:
        return {COPIED: SPACED.rules["spstring"]}
    run = Alt(tuple(starts.values())) if len(starts) > 1 else next(iter(starts.values()))
    return {COPIED: Seq((Literal('"'), run, Literal('"'))), **rules}


def _escaped(text: str) -> str:
    return encode(text).decode()[1:-1]
