"""Phrases in texts that are taken apart into words: found by their first word, the longest first."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from .languages import CLAIM_LANGUAGES


class PhraseIndex:
    """Phrases by their first word; a text of words is looked through once, however many there are."""

    __slots__ = ("_by_first",)

    def __init__(self, phrases: Iterable[str]) -> None:
        by_first: dict[str, set[tuple[str, ...]]] = {}
        for phrase in phrases:
            said = tuple(phrase.split(" "))  # ascii: one blank parts them
            by_first.setdefault(said[0], set()).add(said)
        self._by_first: Final = {
            word: tuple(sorted(each, key=lambda said: (-len(said), said))) for word, each in by_first.items()
        }

    def words_at(self, words: Sequence[str], at: int) -> int:
        """Give how many words the longest phrase has that begins at a word; 0 where none does."""
        for said in self._by_first.get(words[at], ()) if at < len(words) else ():
            if tuple(words[at : at + len(said)]) == said:
                return len(said)
        return 0

    def words_from(self, words: Sequence[str]) -> int:
        """Give how many words at the beginning belong to phrases, one after the other."""
        end = 0
        while more := self.words_at(words, end):
            end += more
        return end

    def find(self, words: Sequence[str]) -> tuple[str, ...]:
        """Give the first phrase that stands among words; none where no phrase does."""
        if self._by_first.keys().isdisjoint(words):
            return ()
        for at in range(len(words)):
            if length := self.words_at(words, at):
                return tuple(words[at : at + length])
        return ()

    def without(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Give words with an empty one in place of each phrase, so that what stood beside it does not meet."""
        if not self.find(words):
            return words
        kept, at = list[str](), 0
        while at < len(words):
            length = self.words_at(words, at)
            kept.append("" if length else words[at])
            at += length or 1
        return tuple(kept)


@cache
def phrases(member: str) -> PhraseIndex:
    """Give the phrases of one member in all languages."""
    return PhraseIndex([phrase for language in CLAIM_LANGUAGES for phrase in getattr(language, member)])
