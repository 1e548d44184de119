"""Values of an answer that nothing has said: neither the user nor a call, and that follow from nothing said either.

An answer may compute: a sum, a difference, a ratio, a share, another unit. So one number that stands nowhere shows
little; two that no such computation gives, or one long number, were made up.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Final

from ..bounds import MAX_COMPUTED_NUMBERS
from ..values import Claims
from .answers import Answer
from .done import FalseClaim
from .items import Item, digits_of, is_digits, is_telling, items_of
from .known import Known, amounts_in

_LONG_DIGITS: Final = 8
"""Digits of a number that nobody computes: that of a parcel, of an account."""
_MANY: Final = 2
_TOLERANCE: Final = 0.001
_EXACT_DIGITS: Final = 1000
_EXACT: Final = 1e-9
"""What a computation in binary fractions may differ by."""
_WHOLE: Final = 100.0
"""Per cent."""
_YEARS: Final = range(1800, 2200)
_UNITS: Final = (1.609344, 0.45359237, 0.3048, 2.54, 3.785412, 28.349523, 1.852, 3.6)
"""A mile, a pound, a foot, an inch, a gallon, an ounce, a sea mile, and an hour of a watt, each in metric units."""
_FACTORS: Final = (*_UNITS, 60.0, 3600.0, 24.0, 7.0, 30.0, 365.0, 12.0, 100.0, 1000.0, 1024.0, 1e6)
"""What a number is multiplied with or divided by to give it in another unit."""


def made_up(answer: Answer, claims: Claims, shown: Callable[[], Iterable[str]]) -> FalseClaim | None:
    """Judge the values of an answer after calls that only looked.

    shown: gives the other texts that the model was shown; asked only where a value stands nowhere else.
    """
    if claims.cut or claims.is_text or claims.results != "some":
        return None
    said = (*claims.words, *claims.seen, *(text for each in claims.readings for text in (*each.about, *each.values)))
    items = [item for text in said for item in items_of(text)]
    known = Known([*said, *(item.text for item in items)])
    timed = any(item.kind in ("time", "date") for item in items)
    told = [item for part in answer.told for item in answer.items.of(part.start, part.end)]
    exact = {item.text: item for item in told if _is_exact(item, timed=timed)}  # a value said twice is one
    strange = [item for item in exact.values() if not known.holds(item)]
    if strange:
        also = Known([item.text for text in shown() for item in items_of(text)])
        strange = [item for item in strange if not also.holds(item)]
    numbers = {number for item in items if item.kind == "number" for number, _ in _numbers(item.text)}
    absent = _not_following(strange, numbers)
    long = any(item.kind == "number" and len(digits_of(item.text)) >= _LONG_DIGITS for item in absent)
    return FalseClaim((), absent[0].text, is_absent=True) if long or len(absent) >= _MANY else None


def _is_exact(item: Item, *, timed: bool) -> bool:
    """Tell whether an item is no count, unit, ordinal or year; a time follows from others where there are some."""
    if item.kind == "time":
        return not timed
    is_year = is_digits(item.text) and int(item.text[:_LONG_DIGITS]) in _YEARS
    return item.kind in ("number", "code") and not is_year and is_telling(item)


def _not_following(items: Sequence[Item], known: set[float]) -> list[Item]:
    """Give the items that follow from no known numbers; what follows is known to those after it."""
    absent = [item for item in items if item.kind != "number"]
    for item in [item for item in items if item.kind == "number"]:
        numbers = _numbers(item.text)
        if len(known) <= MAX_COMPUTED_NUMBERS and not any(
            _is_computed(each, unit, sorted(known)) for each, unit in numbers
        ):
            absent.append(item)
            if len(absent) == _MANY:
                break
        else:
            known = known.union([number for number, _ in numbers])
    return absent


def _is_computed(number: float, unit: float, known: Sequence[float]) -> bool:
    """Tell whether a number is, rounded, what one step of a computation makes of known ones.

    unit: that of its last digit which is not zero.
    """
    is_exact = abs(number) >= _EXACT_DIGITS * unit  # with four digits nobody rounds to fewer
    near = (unit if is_exact else max(unit / 2, abs(number) * _TOLERANCE)) + abs(number) * _EXACT
    return any(abs(number - other) <= near for other in _computed(known))


def _computed(known: Sequence[float]) -> Iterator[float]:
    """Yield what one step makes of known numbers."""
    yield sum(known)
    yield sum(known) / max(1, len(known))
    for one in known:
        yield one * 1.8 + 32
        yield (one - 32) / 1.8
        for factor in _FACTORS:
            yield one * factor
            yield one / factor
    for one, other in product((*known, _WHOLE), repeat=2):
        yield one + other
        yield one - other
        yield one * other
        yield one * other / _WHOLE
        yield one * (_WHOLE - other) / _WHOLE
        yield one * (_WHOLE + other) / _WHOLE
        if other:
            yield one / other
            yield _WHOLE * one / other
            yield _WHOLE * (one - other) / other


def _numbers(text: str) -> list[tuple[float, float]]:
    """Give the numbers that an item's text may mean, each with the unit of its last digit that is not zero."""
    amounts = sorted(amounts_in(text))
    return [
        (float(f"{'-' if negative else ''}{digits or 0}e{power}"), float(f"1e{power}"))
        for negative, digits, power in amounts
    ]
