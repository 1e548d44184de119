"""Dates, times of day and lengths of time that are written in words: "March 18, 2026", "7 pm", "an hour and a half".

Only what is said in full is read: a date has its year, and an hour of twelve says which half of the day it is in, since
the core knows no clock that could tell.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Literal

from ..json_text import BLANK
from ..schema import FORMATS
from .languages import Language
from .words import Word

Moment = tuple[Literal["date", "time"], str, int, int]
"""A kind, the value as ISO 8601 writes it, and where it begins and ends."""


Numbers = dict[int, tuple[float, int]]


def moments_in(text: str, words: tuple[Word, ...], language: Language) -> list[Moment]:
    """Give the dates and times of day that stand as words."""
    found: list[Moment] = []
    for index, word in enumerate(words):
        if word.text in language.clock.months:
            date = _date(text, words, index, language)
            found += [date] if date else []
        elif word.text in language.number_words or "0" <= word.text[0] <= "9":
            time = _time(words, index, language)
            found += [time] if time else []
    return found


def _date(text: str, words: tuple[Word, ...], at: int, language: Language) -> Moment | None:
    """Give the date whose month stands at a place: its day before or after it, its year last."""
    clock, before = language.clock, at - 1
    if before > 0 and words[before].text in clock.of:
        before -= 1
    after = [at + 1, at + 2]
    for day_at, year_at, last in ((before, at + 1, at + 1), (after[0], after[1], after[1])):
        if day_at < 0 or max(day_at, year_at) >= len(words):
            continue
        first = min(day_at, at)
        day, year = _day(words[day_at].text, language), words[year_at].text
        if day is None or re.fullmatch(_YEAR, year, re.ASCII) is None or not _touch(text, words[first : last + 1]):
            continue
        date = f"{year}-{clock.months[words[at].text]:02}-{day:02}"
        if FORMATS["date"].holds(date):
            return "date", date, words[first].start, words[last].end
    return None


_YEAR: Final = "[12][0-9]{3}"


def _day(word: str, language: Language) -> int | None:
    digits = next((word.removesuffix(end) for end in language.clock.ordinals if word.endswith(end)), word)
    return int(digits) if re.fullmatch("[0-9]{1,2}", digits, re.ASCII) and int(digits) else None


def _touch(text: str, words: Sequence[Word]) -> bool:
    """Tell whether nothing but blanks, commas and a day's point stand between words."""
    return all(not text[a.end : b.start].strip(f"{BLANK},.") for a, b in pairwise(words))


def _time(words: tuple[Word, ...], at: int, language: Language) -> Moment | None:
    """Give the time of day whose hour stands at a place: "half past ten in the morning", "18 Uhr"."""
    clock, text = language.clock, words[at].text
    digits = re.fullmatch("[0-9]{1,2}", text, re.ASCII) is not None
    hour = int(text) if digits else language.number_words.get(text, -1)
    begin, minutes = at, 0
    before = words[at - 1].text if at else ""
    for phrase, added in clock.minutes.items() if before else ():
        length = phrase.count(" ") + 1
        if phrase.endswith(before) and _said(words, at - length, at) == phrase:
            begin, minutes = at - length, added
    after = at + 1
    while after < len(words) and words[after].text in _OCLOCK:
        after += 1
    follows = words[after].text if after < len(words) and 1 <= hour <= _HALF else ""
    for phrases, added in ((clock.early, 0), (clock.late, _HALF)) if follows else ():
        for phrase in phrases:
            end = after + phrase.count(" ") + 1
            if phrase.startswith(follows) and _said(words, after, end) == phrase:
                return _of_day((hour % _HALF + added) * 60 + minutes, words[begin].start, words[end - 1].end)
    if after < len(words) and words[after].text in clock.hours and 0 <= hour < 2 * _HALF and begin == at:
        minute = words[after + 1].text if after + 1 < len(words) else ""
        is_minute = re.fullmatch("[0-5][0-9]", minute, re.ASCII) is not None
        end = words[after + 1 if is_minute else after].end
        return _of_day(hour * 60 + (int(minute) if is_minute else 0), words[at].start, end)
    return None


_HALF: Final = 12
"""Hours of half a day."""
_OCLOCK: Final = ("o", "clock", "oclock")


def _of_day(minutes: int, begin: int, end: int) -> Moment:
    minutes %= 2 * _HALF * 60
    return "time", f"{minutes // 60:02}:{minutes % 60:02}", begin, end


def _said(words: tuple[Word, ...], begin: int, end: int) -> str:
    return " ".join([word.text for word in words[begin:end]]) if 0 <= begin < end <= len(words) else ""


def time_of_day(raw: str) -> str | None:
    """Give a time as ISO 8601 writes it, from "7 pm" too; None for an hour that there is not."""
    match = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{2}))? ?([ap]m)?", raw.lower(), re.ASCII)  # ascii: a form was matched
    if match is None or int(match[2] or 0) >= 60:  # noqa: PLR2004 (minutes of an hour)
        return None
    hour, half = int(match[1]), match[3]
    if half is None:
        return raw
    if not 1 <= hour <= _HALF:
        return None
    return f"{hour % _HALF + (_HALF if half == 'pm' else 0):02}:{match[2] or '00'}"


def seconds_said(text: str, words: tuple[Word, ...], numbers: Numbers, language: Language) -> list[int]:
    """Give the lengths of time in a text, in seconds, the parts of one added up ("1 hour and 30 minutes").

    numbers: for the place at which a word begins the number right before it, and where that begins.
    """
    found: list[int] = []
    end = -1
    for index, word in enumerate(words):
        length, last = _length(words, index, numbers, language)
        if not length or word.start < end:
            continue
        begin = numbers[word.start][1] if word.start in numbers else word.start
        if found and text[end:begin].strip(f"{BLANK},") in ("", *language.joints):
            found[-1] += length
        else:
            found.append(length)
        end = words[last].end
    return found


def _length(words: tuple[Word, ...], at: int, numbers: Numbers, language: Language) -> tuple[int, int]:
    """Give the length that begins with a word, and its last word; zero for none."""
    clock = language.clock
    for phrase, seconds in clock.parts.items():
        end = at + phrase.count(" ") + 1
        if _said(words, at, end) == phrase:
            return seconds, end - 1
    unit = clock.seconds.get(words[at].text, 0)
    before = words[at - 1].text if at else ""
    number, _ = numbers.get(words[at].start, (1 if before in clock.one else 0, 0))
    for phrase in clock.halves:
        end = at + 1 + phrase.count(" ") + 1
        if unit and number and _said(words, at + 1, end) == phrase:
            return int((number + 0.5) * unit), end - 1
    return int(number * unit), at
