"""The fast path: an output that is one call exactly as a family's template writes it, read without a scan.

Most outputs are canonical: perhaps reasoning, perhaps text without a marker, and the text of one form up to the end.
All other text goes to the scanner. A text is accepted only if the scanner gives the same reading; tests compare
both for recorded, drifted and generated outputs.
"""

import re
from functools import cache
from typing import Final

from purestep.bounds import MAX_BLOCKS
from purestep.dialects import Form
from purestep.json_text import BLANK
from purestep.lazy import lazy_pattern
from purestep.names import LETTER, NAME
from purestep.scanner import REASONING, WRAPPERS, Table, is_words, reasoning_text
from purestep.values import Reading, Tools

from .canonical_forms import Calls, CanonicalReader, canonical_reader, is_bare
from .family_forms import FAMILIES
from .unmarked_calls import TAILS


def canonical_reading(table: Table, text: str, tools: Tools | None) -> Reading | None:
    """Return the reading of an output that is canonical, or None; table: the markers of all families."""
    body, reasoning = text.strip(BLANK), None
    if calls := _calls(body, tools):
        return Reading(calls=calls)
    if body.startswith(_REASONING_TAGS):
        tag = next(tag for tag in _REASONING_TAGS if body.startswith(tag))
        inner, closer, rest = body[len(tag) :].partition(_REASONING_ENDS[tag])
        body, reasoning = rest.lstrip(BLANK) if closer else "", reasoning_text(tag, inner).strip(BLANK)
        if body.startswith(_WRAPPERS):
            return None
        if calls := _calls(body, tools):
            return Reading(reasoning=reasoning, calls=calls)
    return _after_text(table, body, tools, reasoning, text[len(text.rstrip(BLANK)) :])


_REASONING_ENDS: Final = {tag: end for tag, end in REASONING if not is_words(tag)}
_REASONING_TAGS: Final = tuple(_REASONING_ENDS)
_WRAPPERS: Final = tuple(WRAPPERS)
_WORDS: Final = tuple(tag for tag, _ in REASONING if is_words(tag))


def _after_text(table: Table, body: str, tools: Tools | None, reasoning: str | None, after: str) -> Reading | None:
    """Read text without a marker, and perhaps a call in markers after it; quotes could make the call an example.

    after: the blanks after the body, in which a marker may end.
    """
    if not body or _NAME_FIRST.match(body) or body.startswith(_WORDS):
        return None
    found = table.patterns.starts.search(body + after)
    if found is None:
        return Reading(content=body, reasoning=reasoning)
    lead = body[: found.start()]
    if not lead or any(mark in lead for mark in _COULD_QUOTE) or lead[-1] == "'":
        return None
    calls = _calls(body[len(lead) :], tools, with_bare=False)
    return Reading(content=lead.strip(BLANK), reasoning=reasoning, calls=calls) if calls else None


_COULD_QUOTE: Final = ('"', "`", ">", "{")
"""In a text before a call they may say that it is only quoted, which the reading by markers finds out."""

_NAME_FIRST: Final = lazy_pattern(rf"{LETTER}{NAME}*+[ \t\r\n]*+(?:{'|'.join(map(re.escape, TAILS))})", re.ASCII)
"""Matches a text that may start with a tool's name."""


def _calls(body: str, tools: Tools | None, *, with_bare: bool = True) -> Calls | None:
    """Return the calls of a body that is of one form; with_bare: also of forms without markers of their own."""
    marked, bare = _readers()
    readers = marked.get(body[:_BEGINNING]) or marked.get(body[:1], ())
    for read in (*readers, *bare.get(body[:1], ())) if with_bare else readers:
        calls = read(body, tools)
        if calls is not None:
            return calls if len(calls) <= MAX_BLOCKS else None
    return None


_BEGINNING: Final = 8
"""Characters by which most families' markers differ."""

Readers = dict[str, tuple[CanonicalReader, ...]]


@cache
def _readers() -> tuple[Readers, Readers]:
    """Return the readers of forms with markers and of those without, by what their texts begin with."""
    marked: Readers = {}
    bare: Readers = {}
    for form in FAMILIES:
        found = bare if is_bare(form) else marked
        beginning = _beginning(form)
        found[beginning] = (*found.get(beginning, ()), canonical_reader(form))
    return marked, bare


def _beginning(form: Form) -> str:
    """Return what all texts of a form begin with: one character where a name or a bracket may come soon after it."""
    literal = (form.open + form.begin).partition("{name}")[0]
    is_short = is_bare(form) or literal[0] in "{[" or len(literal) < _BEGINNING
    return literal[: 1 if is_short else _BEGINNING]
