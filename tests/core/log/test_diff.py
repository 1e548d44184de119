"""Two logs compared up to where their runs part (purestep.log.diff)."""

import pytest

import purestep
from purestep import PurestepError, diff, redrive
from tests.core.agents import ADD, answer, approvals, call, final, ok, said
from tests.core.driver import Driver
from tests.core.tree import REFUND, TreeDriver, team


def run(b: int) -> str:
    """Return the log of a sum whose second number is this one."""
    driver = Driver({"tools": [ADD]}, "Add")
    driver.send(said(call("add_numbers", a=1, b=b)))
    driver.send(ok("call_1", 3))
    driver.send(said(final("That is it.")))
    return driver.log


def test_another_id_of_the_run_is_no_difference() -> None:
    """Its keys and hashes differ, and the course is the same."""
    one, other = run(2), redrive(run(2), run_id="another").log
    assert one != other
    assert (True, 8, (None, None)) == (diff(one, other).same, diff(one, other).events, diff(one, other).lines)


def test_first_line_that_differs_is_named_in_each_log() -> None:
    """Blank lines are counted where they stand; up to three events of each run follow."""
    found = diff(run(2), "\n" + run(3))
    assert (False, 2, (3, 4)) == (found.same, found.events, found.lines)
    kinds = ["model_response", "tool_call", "tool_result"]
    assert [kinds, kinds] == [[event["kind"] for event in side] for side in (found.one, found.other)]


def test_a_log_that_ends_first_parts_there() -> None:
    """Its side has no line and no event."""
    whole = run(2)
    found = diff("".join(whole.splitlines(keepends=True)[:4]), whole)
    assert (False, 4, (None, 5), ()) == (found.same, found.events, found.lines, found.one)
    assert "tool_result" == found.other[0]["kind"]


def test_an_unread_line_is_named() -> None:
    """A file that is no log is an error, and no difference."""
    with pytest.raises(PurestepError, match="line 2"):
        diff(run(2), run(2).splitlines()[0] + "\nnothing\n")
    assert '{"error"' == purestep.diff_logs("", "nothing\n")[:8]


def tree(amount: int) -> str:
    """Return the log of a run whose agent refunds this amount."""
    driver = TreeDriver(team(desk={"instructions": "You refund.", "tools": [REFUND]}))
    driver.send(said(call("desk", question="Refund")))
    driver.say(("desk",), call("refund", amount=amount))
    (entry,) = driver.at("desk")["calls"]
    driver.send(approvals(answer(entry, False)))
    driver.say(("desk",), final("No."))
    return driver.log


def test_keys_and_hashes_of_agents_runs_are_no_difference() -> None:
    """What stands in a line of an agent's run is held to the same; what differs in it is found."""
    one, other = tree(5), redrive(tree(5), run_id="another").log
    assert one != other
    assert diff(one, other).same
    found = diff(one, tree(6))
    assert (False, "model_response") == (found.same, found.one[0]["line"]["kind"])
