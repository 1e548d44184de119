"""What a language's file says of orders that hold only under a condition, later, or not at all."""

from msgspec import Struct


class Reservations(Struct, frozen=True, kw_only=True):
    """The words by which one language takes something from an order, as `words_of` folds them.

    conditions: words and phrases that tie an order to something ("if", "as soon as"). delays: those that put it off
    ("tomorrow"). told: phrases for whom the order is given to, which count in a dictated text as well ("ask me first").
    vague: phrases right before a number that is not meant exactly ("about"). plain: phrases that hold such a word and
    take nothing from an order ("good morning").
    """

    conditions: tuple[str, ...]
    delays: tuple[str, ...]
    told: tuple[str, ...]
    vague: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()


__all__ = ["Reservations"]
