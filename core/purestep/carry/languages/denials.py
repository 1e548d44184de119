"""What a language's file says of orders to leave something undone ("do not delete it")."""

from msgspec import Struct


class Denials(Struct, frozen=True, kw_only=True):
    """The words by which one language says that something be left undone, as `words_of` folds them.

    openings: polite words and the like before them. begins: phrases at the beginning of what is to be left undone.
    first: words there that deny only with one of `second` soon after ("ne ... pas"). second: those, and in languages
    whose verbs tell an order from a report, the forms of verbs that order. within: phrases that deny in any place.
    verbs: forms of verbs that order; with one of them at the beginning or at the end, a word of `anywhere` denies.
    anywhere: words that deny so. undone: words that make an order of a denial ("do not forget to").
    """

    openings: tuple[str, ...] = ()
    begins: tuple[str, ...] = ()
    first: frozenset[str] = frozenset()
    second: frozenset[str] = frozenset()
    within: tuple[str, ...] = ()
    verbs: frozenset[str] = frozenset()
    anywhere: frozenset[str] = frozenset()
    undone: frozenset[str] = frozenset()


__all__ = ["Denials"]
