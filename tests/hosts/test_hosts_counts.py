"""What an exchange has spent, counted from its log, also where the user says something in the middle of it."""

import purestep
from purestep_hosts.show.counts import ExchangeCounts
from tests.formats.projections.logs import LOGS


def counted(name: str) -> ExchangeCounts:
    """Count the lines of a run of the vectors."""
    counts = ExchangeCounts()
    for _, event in purestep.read_events(LOGS[name]):
        counts.add(event)
    return counts


def test_a_message_in_the_middle_of_an_exchange_begins_no_other() -> None:
    """Both outputs and both results are of the one exchange."""
    now = counted("steered").now
    assert (2, 2) == (now.turns, now.calls.total())


def test_a_message_that_came_before_the_answer_begins_the_next_one() -> None:
    """Only the output after it is of that one."""
    now = counted("steered-answer").now
    assert (1, 0) == (now.turns, now.calls.total())


def test_a_message_after_the_end_begins_an_exchange() -> None:
    """As ever."""
    assert 0 == counted("steered-failure").now.turns
