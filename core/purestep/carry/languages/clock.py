"""What a language's file says of dates, times of day and lengths of time."""

from msgspec import Struct


class Clock(Struct, frozen=True, kw_only=True):
    """The words of one language for when and how long; all in lower case.

    months: each name with its number. ordinals: endings of a day's number ("18th"). of: words between day and month.
    minutes: words before an hour, with what they add to it in minutes ("half past"). early, late: words after an hour
    that tell which half of the day it is in. hours: words after an hour of 24. seconds: units of time with their
    length. parts: phrases for a length, in seconds ("half an hour"). halves: phrases after a number's unit that add a
    half of it ("and a half"). one: words before a unit that count one ("an hour").
    """

    months: dict[str, int]
    ordinals: tuple[str, ...]
    of: frozenset[str]
    minutes: dict[str, int]
    early: tuple[str, ...]
    late: tuple[str, ...]
    hours: frozenset[str]
    seconds: dict[str, int]
    parts: dict[str, int]
    halves: tuple[str, ...]
    one: frozenset[str]
