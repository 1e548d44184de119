"""The tools of the clock and the calendar, and the one that calculates with two numbers."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest

from purestep_hosts.tools.config import ToolConfig
from purestep_hosts.tools.toolbox import Toolbox


@pytest.fixture
def box(tmp_path: Path) -> Toolbox:
    """All built-in tools over one folder."""
    return Toolbox(ToolConfig(session_dir=tmp_path, root=tmp_path))


def output(box: Toolbox, tool: str, **params: Any) -> Any:
    """Run a tool that has to succeed."""
    result = box.run(tool, params, "k")
    assert result["ok"], result
    return result["output"]


def error(box: Toolbox, tool: str, **params: Any) -> tuple[str, str]:
    """Run a tool that has to fail."""
    result = box.run(tool, params, "k")
    assert not result["ok"], result
    return result["error_kind"], result["error"]


@pytest.mark.parametrize(
    ("a", "operation", "b", "expected"),
    [
        (17, "plus", 25, 42),
        (12, "minus", 30, -18),
        (3, "times", -4, -12),
        (100, "divided by", 8, 12.5),
        (15, "percent of", 200, 30),
        (0.1, "plus", 0.2, 0.3),
        (1e-7, "times", 1e7, 1),
    ],
)
def test_two_numbers_are_calculated(box: Toolbox, a: float, operation: str, b: float, expected: float) -> None:
    """Whole where exact, to 15 digits where not, as the calculator does."""
    assert expected == output(box, "calculate", a=a, b=b, operation=operation)


def test_a_division_by_zero_is_said(box: Toolbox) -> None:
    """The model learns why there is no result."""
    assert "invalid_arguments" == error(box, "calculate", a=1, b=0, operation="divided by")[0]


def test_today_is_the_day_of_this_machine(box: Toolbox) -> None:
    """Weekday, date and time in English, whatever the locale is."""
    before = datetime.date.today()
    found = output(box, "today")
    assert re.fullmatch(r"(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d{4}-\d\d-\d\d \d\d:\d\d", found)
    assert before <= datetime.date.fromisoformat(found.split()[1]) <= datetime.date.today()


@pytest.mark.parametrize(
    ("city", "zone"),
    [("Tokyo", "Asia/Tokyo"), ("new york", "America/New_York"), ("Europe/Berlin", "Europe/Berlin"), ("UTC", "UTC")],
)
def test_time_in_a_city_is_told_with_its_zone(box: Toolbox, city: str, zone: str) -> None:
    """A city after which a zone is named, or a zone, in any case."""
    assert output(box, "time_in", city=city).endswith(f"({zone})")


def test_a_place_without_a_zone_says_what_to_name(box: Toolbox) -> None:
    """No place is guessed."""
    assert (
        "invalid_arguments",
        "no time zone is named after Atlantis; name a large city in the same zone, or a zone such as Europe/Berlin",
    ) == error(box, "time_in", city="Atlantis")


@pytest.mark.parametrize(
    ("date", "days", "expected"),
    [
        ("2026-11-27", 3, "Monday 2026-11-30"),
        ("2024-02-28", 1, "Thursday 2024-02-29"),
        ("2026-01-01", -1, "Wednesday 2025-12-31"),
    ],
)
def test_days_are_added_to_a_date(box: Toolbox, date: str, days: int, expected: str) -> None:
    """Over months and years, and back."""
    assert expected == output(box, "add_days", date=date, days=days)


def test_days_between_two_dates_are_counted(box: Toolbox) -> None:
    """Below 0 where the end is before the start."""
    assert 27 == output(box, "days_between", start="2026-11-28", end="2026-12-25")
    assert -1 == output(box, "days_between", start="2026-11-28", end="2026-11-27")


@pytest.mark.parametrize(
    ("tool", "params", "said"),
    [
        ("add_days", {"date": "sunday", "days": 1}, "expected date as in 2026-11-27, got sunday"),
        ("add_days", {"date": "2026-11-27", "days": 10**12}, "that date is outside of the years 1 to 9999"),
        ("days_between", {"start": "2026-11-27", "end": "2026-02-30"}, "expected end as in 2026-11-27, got 2026-02-30"),
    ],
)
def test_what_is_no_date_is_said(box: Toolbox, tool: str, params: dict[str, Any], said: str) -> None:
    """The message shows the form and what came."""
    assert ("invalid_arguments", said) == error(box, tool, **params)
