"""Tools of the clock and the calendar: now, the time in a city, days added to a date, days between two dates."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

from purestep import Example
from purestep_hosts.tools.lengths import bounded_text
from purestep_hosts.tools.tool import READ_ONLY, RunningCall, Tool, ToolFailure, hints, parameters, text

_MAX_PLACE_CHARS = 100

_NOW = hints(read_only=True)
_DATE = text("as in 2026-11-27")


def tools() -> tuple[Tool, ...]:
    """Return the tools of this module; they need no configuration."""
    return (_TODAY, _TIME_IN, _ADD_DAYS, _DAYS_BETWEEN)


def _today(params: dict[str, Any], call: RunningCall) -> str:
    return _moment(datetime.datetime.now().astimezone())


def _time_in(params: dict[str, Any], call: RunningCall) -> str:
    import zoneinfo

    place = bounded_text(params, "city", max_chars=_MAX_PLACE_CHARS)
    zone = _zone_of(place, zoneinfo.available_timezones())
    return f"{_moment(datetime.datetime.now(zoneinfo.ZoneInfo(zone)))} ({zone})"


def _zone_of(place: str, zones: set[str]) -> str:
    """Return the time zone of that name, or that is named after that city; raises ToolFailure."""
    wanted = "_".join(place.casefold().split())
    # The shortest of several: "Knox" is a city in Indiana and nothing else.
    for zone in sorted(zones, key=lambda name: (len(name), name)):
        if wanted in (zone.casefold(), zone.rpartition("/")[2].casefold()):
            return zone
    raise ToolFailure(
        f"no time zone is named after {place}; name a large city in the same zone, or a zone such as Europe/Berlin",
        "invalid_arguments",
    )


def _moment(moment: datetime.datetime) -> str:
    return f"{_day(moment.date())} {moment:%H:%M}"


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _day(date: datetime.date) -> str:
    return f"{_WEEKDAYS[date.weekday()]} {date.isoformat()}"  # strftime would follow the locale


def _add_days(params: dict[str, Any], call: RunningCall) -> str:
    date, days = _date(params, "date"), params["days"]
    return _within_calendar(lambda: _day(date + datetime.timedelta(days=days)))


def _days_between(params: dict[str, Any], call: RunningCall) -> int:
    return (_date(params, "end") - _date(params, "start")).days


def _date(params: dict[str, Any], name: str) -> datetime.date:
    given = bounded_text(params, name, max_chars=_MAX_PLACE_CHARS)
    try:
        return datetime.date.fromisoformat(given)
    except ValueError:
        raise ToolFailure(f"expected {name} as in 2026-11-27, got {given}", "invalid_arguments") from None


def _within_calendar(compute: Callable[[], str]) -> str:
    try:
        return compute()
    except OverflowError:
        raise ToolFailure("that date is outside of the years 1 to 9999", "invalid_arguments") from None


_TODAY = Tool(
    name="today",
    description="Date, weekday and time of now.",
    parameters=parameters(),
    run=_today,
    annotations=_NOW,
    examples=(
        Example(
            query="What day is it?",
            arguments={},
            result="Monday 2025-03-03 09:30",
            answer="It is Monday, 3 March 2025.",
        ),
    ),
)

_TIME_IN = Tool(
    name="time_in",
    description="Local time in a city.",
    parameters=parameters(city=text("a large city, or a time zone such as Europe/Berlin")),
    run=_time_in,
    annotations=_NOW,
    examples=(
        Example(
            query="What time is it in Lima?",
            arguments={"city": "Lima"},
            result="Monday 2025-03-03 04:30 (America/Lima)",
            answer="In Lima it is 4:30.",
        ),
    ),
)

_ADD_DAYS = Tool(
    name="add_days",
    description="Add days to a date.",
    parameters=parameters(date=_DATE, days={"type": "integer", "description": "below 0 for days before it"}),
    run=_add_days,
    annotations=READ_ONLY,
    examples=(
        Example(
            query="What is 10 days after 2025-03-03?",
            arguments={"date": "2025-03-03", "days": 10},
            result="Thursday 2025-03-13",
            answer="It is Thursday, 2025-03-13.",
        ),
    ),
)

_DAYS_BETWEEN = Tool(
    name="days_between",
    description="Days from one date to another.",
    parameters=parameters(start=_DATE, end=_DATE),
    run=_days_between,
    annotations=READ_ONLY,
    output_schema={"type": "integer"},
    examples=(
        Example(
            query="How many days are there from 2025-03-03 to 2025-03-13?",
            arguments={"start": "2025-03-03", "end": "2025-03-13"},
            result=10,
            answer="There are 10 days between them.",
        ),
    ),
)
