"""The words of all languages together: what each verb orders or says was done.

Built on first use: a definition without effects needs none of it.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from ..carry import LANGUAGES
from .languages import CLAIM_LANGUAGES, ClaimWords

Meaning = tuple[str, ClaimWords]
"""A kind of act, and the language whose word tells it."""

SURE_KINDS: Final = frozenset({
    "delete", "pay", "refund", "deploy", "restart", "rollback", "lock", "unlock", "approve", "reject", "buy",
    "install", "merge", "send", "publish", "move",
})  # fmt: skip
"""Kinds whose verbs seldom mean a text: "delete" does something, "write" and "make" often give an answer."""


@cache
def ordering() -> dict[str, tuple[Meaning, ...]]:
    """Give what each verb orders."""
    return _by_word(
        (word, kind, each) for each in CLAIM_LANGUAGES for kind in each.acts for word in each.acts[kind].orders
    )


@cache
def unaccented() -> dict[str, str]:
    """Give the verbs that order with accents by how names of tools write them, "ö" as "oe" too."""
    found: dict[str, str] = {}
    for word in ordering():
        if not word.isascii():
            found[word.translate(_PLAIN)] = word
            found[word.translate(_UMLAUTS).translate(_PLAIN)] = word
    return found


def plain(text: str) -> str:
    """Give a folded text without accents."""
    return text.translate(_PLAIN)


_PLAIN: Final = str.maketrans(
    "\u00e0\u00e1\u00e2\u00e4\u00e7\u00e8\u00e9\u00ea\u00eb\u00ed\u00ee\u00ef\u00f1\u00f3\u00f4\u00f6\u00fa\u00fb\u00fc",
    "aaaaceeeeiiinooouuu",
)
_UMLAUTS: Final = {0xE4: "ae", 0xF6: "oe", 0xFC: "ue", 0xDF: "ss"}


@cache
def doing() -> dict[str, tuple[Meaning, ...]]:
    """Give what each form says was done."""
    return _by_word(
        (word, kind, each) for each in CLAIM_LANGUAGES for kind in each.acts for word in each.acts[kind].done
    )


def _by_word(entries: Iterable[tuple[str, str, ClaimWords]]) -> dict[str, tuple[Meaning, ...]]:
    found: dict[str, dict[tuple[str, str], Meaning]] = {}
    for word, kind, language in entries:
        found.setdefault(word, {})[kind, language.name] = (kind, language)
    return {word: tuple([each[key] for key in sorted(each)]) for word, each in found.items()}


@cache
def denying_forms(kind: str) -> frozenset[str]:
    """Give the forms of a kind of act that would deny another one: "rejected", "locked"."""
    return frozenset([word for word in all_words("denials") if any(kind == each for each, _ in doing().get(word, ()))])


@cache
def all_words(member: str) -> frozenset[str]:
    """Give the words of one member in all languages."""
    return frozenset[str]().union(*(getattr(language, member) for language in CLAIM_LANGUAGES))


@cache
def stop_words() -> frozenset[str]:
    """Give the common words of all languages, which name nothing."""
    return frozenset[str]().union(*(language.stop_words for language in LANGUAGES))


@cache
def numbers() -> dict[str, int]:
    """Give the numbers that words from two on say."""
    return {word: at for language in CLAIM_LANGUAGES for at, word in enumerate(language.numbers, 2)}


@cache
def things() -> dict[str, frozenset[str]]:
    """Give the English nouns of each noun."""
    found: dict[str, frozenset[str]] = {}
    for language in CLAIM_LANGUAGES:
        for word, nouns in language.things.items():
            found[word] = found.get(word, frozenset()).union(nouns)
    return found
