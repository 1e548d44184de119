"""Names: what a user's words name without digits, and whether calls had these or others in their place.

"Kim Park" is not "kim.lee", and a call for MUG-BLUE did nothing to MUG-RED. A name that no call has may still be
meant by it (a nickname, a role), so one is missed only where a call named something else that nobody had named.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

from ..bounds import MAX_CLAIM_ITEM_CHARS, MAX_CLAIM_ITEMS, MAX_TOLD_CHARS
from ..carry import Word, fold, name_words, word_texts, words_of
from .lexicon import all_words, ordering, plain, stop_words, things

_GAP_CHARS: Final = 2
_ENDS: Final = frozenset(".!?:\n")
_NAMED_WORDS: Final = 3
"""Words of an argument that names something; longer ones are texts, which may be worded freely."""
_TEXTS: Final = frozenset({
    "text", "body", "content", "message", "comment", "description", "summary", "title", "subject", "reason",
    "note", "notes", "query", "sql", "statement", "command", "code", "texto", "nachricht", "inhalt", "betreff",
    "grund", "texte", "motif", "motivo", "asunto", "titel", "titre", "titulo", "format", "type", "method",
    "mode", "service", "unit", "currency", "priority", "language", "field", "column", "property", "key",
    "operation", "action", "timezone", "role", "label",
})  # fmt: skip
"""Names of parameters that hold free texts, or what a model chooses by itself."""
_MIN_CHARS: Final = 3


def names_of(message: str, words: Iterable[Word], content: Collection[str]) -> tuple[str, ...]:
    """Give the words of a message that name something: with a capital, or right after "in", "to" and the like.

    words: those of the message. content: those that an answer may repeat.
    """
    found: list[str] = []
    before, places, days, titles = "", all_words("places"), all_words("days"), all_words("titles")
    for place, word in enumerate(words):
        named = message[word.start] != word.text[0] or before in places
        named = named and not _is_described(before, place)
        # A call has the day or the person, however they are called.
        named = named and word.text not in days and word.text not in titles
        if named and word.text in content and len(word.text) >= _MIN_CHARS:
            begins = not before or not _ENDS.isdisjoint(message[max(0, word.start - _GAP_CHARS) : word.start])
            if not (begins and _is_common_word(word.text)):
                found.append(word.text)
        before = word.text
    kept = [word for word in dict.fromkeys(found) if _is_spelled(word) and len(word) <= MAX_CLAIM_ITEM_CHARS]
    return tuple(kept[:MAX_CLAIM_ITEMS])


def _is_described(before: str, place: int) -> bool:
    """Tell whether a word after another is no name for its capital: German nouns have one after attributes.

    place: of the word. The first word of a message may be a verb ("give Tara ..."), where it is no article.
    """
    known = (ordering(), all_words("polite"), all_words("places"))
    ends_so = before.endswith(("e", "en", "er", "es", "em")) and not any(before in each for each in known)
    return ends_so and (place > 1 or before in all_words("attributes"))


def _is_common_word(word: str) -> bool:
    """Tell whether a word with a capital is no name where a sentence begins."""
    if word in ordering() or word in things() or word in all_words("attributes"):
        return True
    return any(word in all_words(member) for member in ("showing", "subjects", "polite", "months"))


def series_of(message: str, words: Iterable[Word], names: Collection[str]) -> tuple[str, ...]:
    """Give the names of a message that stand in a row, each whole: "Luis Mora and Ines Gil"."""
    groups = list[tuple[int, int]]()
    for word in words if names else ():
        if word.text not in names or message[word.start] == word.text[0]:
            continue
        if groups and message[groups[-1][1] : word.start].strip(" -") == "":
            groups[-1] = (groups[-1][0], word.end)
        else:
            groups.append((word.start, word.end))
    found: list[str] = []
    for one, other in pairwise(groups):
        between = fold(message[one[1] : other[0]])
        joined = between.strip(" ") in {",", "&"} or not all_words("ands").isdisjoint(between.split(" "))
        if joined and len(between) <= _MAX_BETWEEN and "." not in between:
            found += [fold(message[start:end]) for start, end in (one, other)]
    kept = [name for name in dict.fromkeys(found) if len(name) <= MAX_CLAIM_ITEM_CHARS]
    return tuple(kept[:MAX_CLAIM_ITEMS])


_MAX_BETWEEN: Final = 20


def things_of(message: str, content: Collection[str]) -> tuple[str, ...]:
    """Give the words of a message that stand in a row in small letters, an "and" at its end: "milk, eggs and flour"."""
    if not content or all_words("ands").isdisjoint(message.split(" ")):  # ascii: as in most messages
        return ()
    said = [word for word in words_of(message) if _may_name_thing(word, content)]
    found: dict[str, None] = {}
    row: list[str] = []
    for one, other in pairwise(said):
        between = fold(message[one.end : other.start])
        words = between.split(" ")  # ascii: one blank parts them
        ends = not all_words("ands").isdisjoint(words)
        is_row = (ends or between == ", ") and len(between) <= _MAX_BETWEEN and _ENDS.isdisjoint(between)
        is_small = message[one.start] == one.text[0] and message[other.start] == other.text[0]
        if not (is_row and is_small and ordering().keys().isdisjoint(words)):  # "mark it absent and tell his parents"
            row = []
            continue
        row = [*(row or [one.text]), other.text]
        if ends:
            found |= dict.fromkeys(row)
    return tuple(found)[:MAX_CLAIM_ITEMS] if len(found) > 1 else ()


def _may_name_thing(word: Word, content: Collection[str]) -> bool:
    text = word.text
    is_short = _MIN_CHARS <= len(text) <= MAX_CLAIM_ITEM_CHARS
    return is_short and text in content and text not in ordering() and _is_spelled(text)


def names_said(names: Collection[str], texts: Iterable[str]) -> list[str]:
    """Give the names that stand in what a JSON value says, perhaps as a part of a word or without accents."""
    words = frozenset(word_texts(plain(" ".join([fold(text[:MAX_TOLD_CHARS]) for text in texts]))))
    return [name for name in names if _stands(plain(name), words) or name.removesuffix("s") in words]


def _stands(name: str, words: Collection[str]) -> bool:
    """Tell whether a name is one of some words, or the beginning of one or of it where it is long enough."""
    if name in words:
        return True
    stem = name[:-1] if len(name) > _STEM_CHARS else name
    return len(name) > _MIN_CHARS and any(
        word.startswith(stem) or (len(word) > _STEM_CHARS and name.startswith(word)) for word in words
    )


_STEM_CHARS: Final = 4


def names_others(params: dict[str, Any], content: Collection[str]) -> bool:
    """Tell whether an argument that names something has a word that is none of the user's."""
    said = frozenset([plain(word) for word in content])
    return any(not _stands(plain(word), said) for word in _naming_words(params))


def _naming_words(params: dict[str, Any]) -> Iterator[str]:
    for name, value in params.items():
        if not _TEXTS.isdisjoint(name_words(name)) or not isinstance(value, str):
            continue
        words = [word.text for word in words_of(value[:MAX_TOLD_CHARS])]
        if len(words) <= _NAMED_WORDS and "@" not in value and "/" not in value:
            yield from [
                word for word in words if _is_spelled(word) and len(word) >= _MIN_CHARS and not _is_common(word)
            ]


def _is_common(word: str) -> bool:
    return word in stop_words()


def _is_spelled(word: str) -> bool:
    return _DIGITS.isdisjoint(word)


_DIGITS: Final = frozenset("0123456789")
