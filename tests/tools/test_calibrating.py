"""The curve of a threshold, from records of decisions."""

from tools.calibrating.curve import THRESHOLDS, Record, curve, table


def record(sure: float, *, right: bool = True, does: str = "call") -> Record:
    """Return a record."""
    return Record(sure=sure, does=does, is_right=right, has_arguments=right)


RECORDS = (
    record(-0.01),
    record(-0.04, right=False),
    record(-0.25),
    record(-0.4, right=False),
    record(-5, right=False),
    record(-5, does="ask"),
)


def test_a_threshold_asks_below_it_and_passes_at_it() -> None:
    """Questions and answers are no calls, and are not asked about."""
    found = {point.below: point for point in curve(RECORDS)}
    shown = [
        (found[at].asked, found[at].asked_right, found[at].unasked, found[at].unasked_wrong) for at in (-0.3, -2.0)
    ]
    assert [(2, 0, 3, 1), (1, 0, 4, 2)] == shown


def test_the_curve_is_a_table() -> None:
    """With a row for each threshold, and shares in percent."""
    lines = table(curve(RECORDS)).splitlines()
    assert len(THRESHOLDS) + 2 == len(lines)
    assert "| -0.3 | 2 of 5 (40.0 %) | 0 of 2 (0.0 %) | 1 of 3 (33.3 %) |" in lines
    assert "| none | 0 of 5 (0.0 %) | 0 of 2 (0.0 %) | 3 of 5 (60.0 %) |" == lines[-1]


def test_no_calls_have_no_shares() -> None:
    """Nothing is divided by nothing."""
    assert table(curve([])).splitlines()[-1] == "| none | - | - | - |"
