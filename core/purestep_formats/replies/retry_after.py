"""How long a server asks clients to wait before a retry. Source: RFC 9110 section 10.2.3; OpenAI's `retry-after-ms`."""

from typing import Final

from purestep.bounds import MAX_SAFE_INTEGER

from .fault_table import compiled

_NUMBER: Final = r"([0-9]{1,12})(?:\.([0-9]{1,9}))?"
_DATE: Final = r"[a-z]{3}, ([0-9]{2}) ([a-z]{3}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def asked_wait(headers: dict[str, str]) -> int | None:
    """Return the milliseconds that the headers ask for; None where they ask for nothing that can be read.

    A date is read against the reply's own `date`: no clock is needed, and none that is wrong misleads.
    """
    exact = _milliseconds(headers.get("retry-after-ms", ""), 1)
    if exact is not None:
        return exact
    after = headers.get("retry-after", "")
    given = _milliseconds(after, 1000)
    if given is not None:
        return given
    until, now = _date(after), _date(headers.get("date", ""))
    return None if until is None or now is None or until < now else (until - now) * 1000


def _milliseconds(text: str, factor: int) -> int | None:
    number = compiled(_NUMBER).fullmatch(text.strip(" \t"))
    if number is None:
        return None
    digits = (number[2] or "").ljust(9, "0")
    return min((int(number[1]) * 10**9 + int(digits)) * factor // 10**9, MAX_SAFE_INTEGER)


def _date(text: str) -> int | None:
    """Return a date in the form that RFC 9110 prefers as seconds, from a day of its own."""
    found = compiled(_DATE).fullmatch(text.strip(" \t"))
    if found is None or found[2] not in _MONTHS:
        return None
    day, year, hour, minute, second = (int(found[number]) for number in (1, 3, 4, 5, 6))
    month = _MONTHS.index(found[2])
    # March is the first month, so that a leap day is the last day of its year (Fliegel and Van Flandern's way).
    years = year if month > 1 else year - 1
    days = 365 * years + years // 4 - years // 100 + years // 400 + (153 * ((month - 2) % 12) + 2) // 5 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + second
