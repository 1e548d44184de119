"""What an answer names compared with what the calls of its exchange had: items, names, counts, values and outcomes."""

from collections.abc import Collection, Sequence
from typing import Final

from ..carry import fold
from ..values import Claims, OrderedAct
from .answers import Answer
from .done import DoneActs, FalseClaim
from .effects import Effects, nouns_of
from .items import Item, ItemsByPart, digit_runs, is_tag, is_telling, items_of
from .known import Known
from .lexicon import all_words, numbers
from .texts import SentencePart

_DIGITS: Final = frozenset("0123456789")
Spans = Collection[tuple[int, int]]
"""Parts of an answer, by where they stand."""


def missing(order: OrderedAct, claims: Claims) -> str:
    """Give the first item of a series that no call had, where a call had another one of it."""
    known = Known((*claims.items, *claims.seen))
    items = [item for text in order.series for item in items_of(text)]
    held = [known.holds(item) for item in items]
    return next((item.text for item, holds in zip(items, held, strict=True) if not holds), "") if any(held) else ""


def repeats(answer: Answer, parts: Sequence[SentencePart], claims: Claims) -> bool:
    """Tell whether parts of an answer repeat several words or items of the user."""
    said = {word for part in parts for word in part.words}
    items = {item.text for part in parts for item in answer.items.of(part.start, part.end)}
    if any(_is_compound(word, claims.words) for word in said):
        return True
    return len((said | items).intersection(claims.words)) >= _REPEATED_WORDS


_REPEATED_WORDS: Final = 2


def _is_compound(word: str, words: Collection[str]) -> bool:
    """Tell whether a word joins two others: "flurlicht" of "das licht im flur"."""
    if len(word) < _COMPOUND_LETTERS:
        return False
    begins = [each for each in words if word.startswith(each) and word != each]
    return any(word[len(each) :].removeprefix("s") in words for each in begins)


_COMPOUND_LETTERS: Final = 7


def repeats_item(answer: Answer, claims: Claims) -> bool:
    """Tell whether an answer tells an item of the user as a fact."""
    return any(item.text in claims.words for part in answer.told for item in answer.items.of(part.start, part.end))


def other_item(answer: Answer, claims: Claims, done: DoneActs, about: Spans) -> FalseClaim | None:
    """Judge the items that an answer says an act was done to: calls or results of the exchange have to have them.

    about: the parts that claim an act of a tool that acted.
    """
    if claims.cut or not done.acted or done.is_shell:
        return None
    known = Known((*claims.items, *claims.seen))
    placed = [(part, _strange(part, answer.items, known, len(claims.items))) for part in answer.told]
    strange = [(part, others) for part, others in placed if others]
    found = _told_of_others(strange, answer, claims, done, known, about) if strange else None
    return found or _other_count(answer, claims, known, done)


def _strange(part: SentencePart, items: ItemsByPart, known: Known, calls: int) -> list[Item]:
    """Give the items of a part that are not known, and count no things of which calls had as many."""
    said = items.of(part.start, part.end)
    return [
        item for item in said
        if not (is_count(item, items.text[part.start : part.end], calls) or known.holds(item))
    ]  # fmt: skip


def _told_of_others(
    strange: Sequence[tuple[SentencePart, list[Item]]],
    answer: Answer,
    claims: Claims,
    done: DoneActs,
    known: Known,
    about: Spans,
) -> FalseClaim | None:
    """Judge items that no call or result has; strange: the parts with such, and these."""
    asked = Known([item for order in claims.ordered if done.met(order, claims) for item in order.items])
    named = Known(claims.words)
    explains: bool | None = None
    presenting = {(part.start, part.end) for part in answer.presenting}
    for part, others in strange:
        said, place = answer.items.text[part.start : part.end], (part.start, part.end)
        repeating = place in presenting or repeats(answer, (part,), claims)
        for item in others:
            is_asked = asked.holds(item) or (repeating and named.holds(item))
            if is_asked and item.kind == "number":
                explains = _explains(answer, claims, named) if explains is None else explains
                is_asked = not explains
            if _is_span(item, part, answer.items, known, is_asked=is_asked):
                continue
            if is_tag(item) and not (claims.strange or known.has_tags(item.text[0])):
                continue
            is_told = is_asked or (place in about and not _may_follow(item, answer, claims, known))
            can_be_said = item.kind != "number" or known.numbers
            if (is_told and can_be_said) or (_is_invented(item, known) and not named.holds(item)):
                return FalseClaim(tuple(sorted(done.acted)), said[item.start : item.end], ordered=is_asked)
    return None


def _may_follow(item: Item, answer: Answer, claims: Claims, known: Known) -> bool:
    """Tell whether a day or a time may follow from others: not where it stands in place of the one that calls have."""
    if item.kind not in ("date", "time"):
        return False
    asked = [each for word in claims.words for each in _moments(word) if each.kind == item.kind and known.holds(each)]
    told = [each for part in answer.told for each in answer.items.of(part.start, part.end)]
    pieces = {piece.lstrip("0") for each in asked for piece in digit_runs(each.text)}
    return not asked or any(
        (each.kind == item.kind and known.holds(each)) or (each.kind == "number" and each.text in pieces)
        for each in told  # the 4 of "from 4 to 7 January"
    )


def _moments(word: str) -> tuple[Item, ...]:
    """Give the day or the time that a user's word is; days with the name of a month are kept as "--05-31"."""
    return (Item("date", word, 0, len(word)),) if word.startswith("--") else items_of(word)


def _explains(answer: Answer, claims: Claims, named: Known) -> bool:
    """Tell whether an amount of a call stands beside the user's: "I sent Tom 32, half of the 64"."""
    had = Known(claims.items)
    told = [item for part in answer.told for item in answer.items.of(part.start, part.end) if item.kind == "number"]
    return any(had.holds(item) and not named.holds(item) for item in told)


def _is_invented(item: Item, known: Known) -> bool:
    """Tell whether an item that is not known can only come from a call or a result."""
    if item.kind == "number" and not item.text.startswith("#"):
        return not known.numbers and is_telling(item)
    return item.kind in ("email", "code", "number") and is_telling(item)


def _other_count(answer: Answer, claims: Claims, known: Known, done: DoneActs) -> FalseClaim | None:
    """Judge how many an answer says in words, where the user has said so and a call has another number."""
    parts = [part for part in answer.told if not numbers().keys().isdisjoint(part.words)]
    if not (parts and known.numbers):
        return None
    for part in parts:
        for word, after in zip(part.words, (*part.words[1:], ""), strict=True):
            is_measure = after in all_words("units") or after in all_words("degrees")  # "two degrees warmer"
            number = 0 if is_measure else numbers().get(word, 0)
            number = number if word in claims.words or str(number) in claims.words else 0
            if number > len(claims.items) and not known.holds(Item("number", str(number), 0, 0)):
                return FalseClaim(tuple(sorted(done.acted)), word, ordered=True)
    return None


def value_nowhere(answer: Answer, claims: Claims) -> FalseClaim | None:
    """Judge the values of an answer after calls that gave none: only the user's can be known."""
    if claims.results != "empty" or answer.excuses:
        return None
    known = Known(claims.words)
    for part in answer.told:
        said = answer.items.text[part.start : part.end]
        for item in answer.items.of(part.start, part.end):
            is_value = (
                item.kind in ("number", "time", "code", "email") and sum(each in _DIGITS for each in item.text) > 1
            )
            if is_value and not known.holds(item):
                return FalseClaim((), said[item.start : item.end])
    return None


def too_soon(answer: Answer, claims: Claims, done: DoneActs) -> FalseClaim | None:
    """Judge how an act is said to have ended that has only begun."""
    if claims.pending and any(_tells_end(part) for part in answer.told):
        return FalseClaim(tuple(sorted(done.acted)))
    return None


def _tells_end(part: SentencePart) -> bool:
    """Tell whether a part says how something ended, and not how it will."""
    at = next((at for at, word in enumerate(part.words) if word in all_words("outcomes")), 0)
    return part.words[at] in all_words("outcomes") and all_words("modals").isdisjoint(part.words[:at])


def is_count(item: Item, text: str, most: int) -> bool:
    """Tell whether a number of a text may count things of which there are so many at most: no days or minutes."""
    is_few = _DIGITS.issuperset(item.text) and int(item.text[:_MAX_COUNT_DIGITS]) <= most
    return is_few and not _has_unit(item, text)


_MAX_COUNT_DIGITS: Final = 9


def _has_unit(item: Item, text: str) -> bool:
    """Tell whether a unit of time follows an item of a text."""
    return fold(text[item.end :].strip("\u00a0 ").partition(" ")[0].strip(".,!")) in all_words("units")


def _is_span(item: Item, part: SentencePart, items: ItemsByPart, known: Known, *, is_asked: bool) -> bool:
    """Tell whether a number is a span of time.

    is_asked: the user named it; a call then has it too, perhaps in another unit.
    """
    if not (_DIGITS.issuperset(item.text) and _has_unit(item, items.text[part.start : part.end])):
        return False
    spans = [int(item.text[:_MAX_COUNT_DIGITS]) * factor for factor in _FACTORS]
    return not is_asked or any(known.holds(Item("number", str(span), 0, 0)) for span in spans)


_FACTORS: Final = (1, 7, 12, 24, 30, 60, 100, 365, 1000, 3600, 60_000, 86_400)
"""Of one unit within another: minutes of an hour, days of a week, per cent."""


def other_name(answer: Answer, claims: Claims, done: DoneActs) -> FalseClaim | None:
    """Judge the names of the user that an answer repeats: calls or results have to have them, not others."""
    if done.is_shell:
        return None
    missing = [name for name in claims.series if not _is_held(name, claims)]
    if len(missing) < len(claims.series):
        joined = "\0".join([" ".join(part.words) for part in answer.told])
        found = next((name for name in missing if name in joined), "")
        if found:
            return FalseClaim(tuple(sorted(done.acted)), found, ordered=True)
    if not claims.strange:
        return None
    missing = [name for name in claims.names if name not in claims.held]
    for part in answer.told:
        found = next((name for name in missing if name in part.words), "")
        if found:
            return FalseClaim(tuple(sorted(done.acted)), found, ordered=True)
    return None


def other_thing(answer: Answer, claims: Claims, done: DoneActs, effects: Effects) -> FalseClaim | None:
    """Judge things in a row, of which calls have some: "milk, eggs and flour", where no call named another thing.

    What a tool that acted is known by, its calls need not name: the lights and the heating.
    """
    if not claims.things or claims.strange or done.is_open or answer.excuses:
        return None
    known = frozenset[str]().union(*(effects.tools[name].nouns for name in done.acted))
    missing = [each for each in claims.things if each not in claims.held and known.isdisjoint(nouns_of((each,)))]
    if not missing or len(missing) == len(claims.things):
        return None
    said = {word for part in answer.told for word in part.words}
    found = next((thing for thing in missing if thing in said), "")
    return FalseClaim(tuple(sorted(done.acted)), found, ordered=True) if found else None


def _is_held(name: str, claims: Claims) -> bool:
    return any(word in claims.held for word in name.split(" "))  # ascii: a series' names have one blank
