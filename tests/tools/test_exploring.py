"""The exploration of the core's states: a few of each definition with every log replayed, and some of its mutants."""

import pytest

from tools.exploring.book import canonical, key_of
from tools.exploring.case import RUN_ID, Case
from tools.exploring.definitions import CASES
from tools.exploring.exploration import EVERY, Exploration, Node, Sampling, Violation, identity_of
from tools.exploring.explore import explore
from tools.exploring.mutant_runs import run_mutant, unfit
from tools.exploring.mutants import MUTANTS, Mutant

SEEDED = MUTANTS[::17]
"""The mutants that are seeded here; `./build.sh explore mutants` seeds all."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_promise_holds_in_the_first_states(case: Case) -> None:
    """No sequence of observations breaks a rule; every log is replayed, and some runs end with an answer."""
    explored = explore(case, 120, Sampling(replays=1, merges=4, misfits=1))
    assert explored.states >= 120
    assert explored.states == explored.replayed
    assert explored.depth >= 2
    assert explored.done > 0


def test_merging_loses_no_state() -> None:
    """All sequences of three observations, made one by one without merging, reach the same states."""
    case = CASES[0]
    merging, plain = Exploration(case, EVERY), Exploration(case, Sampling())
    level: list[Node | None] = [None]
    reached = set()
    for _ in range(3):
        level = [plain.made(node, move) for node in level for move in plain.moves_from(node)]
        reached |= {identity_of(node) for node in level if node is not None}
    merging.run(5 * len(reached))
    assert merging.counts.depth >= 3
    assert reached == {key for key, node in merging.known.items() if node.depth <= 3}


def test_names_are_unique() -> None:
    """No two definitions, and no two mutants, have one name; each mutant names a definition."""
    cases, mutants = [case.name for case in CASES], [mutant.name for mutant in MUTANTS]
    assert len(set(cases)) == len(cases)
    assert len(set(mutants)) == len(mutants)
    assert {mutant.case for mutant in MUTANTS} <= set(cases)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutants_fit_the_source(mutant: Mutant) -> None:
    """The text that a mutant changes stands in its module once."""
    assert unfit(mutant) == ""


@pytest.mark.parametrize("mutant", SEEDED, ids=lambda mutant: mutant.name)
def test_seeded_faults_are_found(mutant: Mutant) -> None:
    """The exploration names a rule that the fault breaks."""
    finding = run_mutant(mutant)
    assert finding.error == ""
    assert finding.rule


def test_a_mutant_that_does_not_fit_is_an_error() -> None:
    """A text that the source no longer has is named, and nothing counts as found."""
    finding = run_mutant(Mutant("gone", "asks", "steps/calls.py", "no such text", ""))
    assert finding.rule == ""
    assert "has the text to change 0 times" in finding.error


def test_a_change_that_breaks_nothing_is_not_found() -> None:
    """A mutant that changes no behaviour is reported as not found."""
    harmless = Mutant("harmless", "asks", "steps/calls.py", "    notes = state.exchange.problems\n", "    notes = ()\n")
    assert run_mutant(harmless, states=40).error == "not found in 40 states of asks"


def test_a_core_that_does_not_start_is_an_error() -> None:
    """A mutant whose core cannot be imported counts as an error, not as found."""
    broken = Mutant("broken", "asks", "steps/calls.py", "    notes = state.exchange.problems\n", "    notes = (\n")
    assert run_mutant(broken, states=40).error.startswith("the exploration did not run: ")


def test_a_violation_says_how_it_was_reached() -> None:
    """What breaks a rule is named with the observations that lead there."""
    message = str(Violation("asks first", "send runs", ["user", "send a"]))
    assert message == "asks first: send runs; after user / send a"


def test_keys_are_made_as_documented() -> None:
    """The onlooker's key is that of the core for the same call."""
    from purestep.json_text import call_key, call_signature

    params = {"to": "\u00e4", "n": [1, None, True]}
    assert key_of(3, "send", canonical(params)) == call_key(RUN_ID, 3, call_signature("send", params))
