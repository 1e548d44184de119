"""The cases of `bench contracts`: they are run as the command runs them, and hold what the page says."""

import pytest
from bench.contracts.cases import Case, cases, toolboxes
from bench.contracts.runs import OFF, passes

FALSE = cases("false", "all")
HONEST = cases("honest", "all")


def _named(given: list[Case]) -> list[str]:
    return [case.id for case in given]


def test_cases_are_many_and_named_apart() -> None:
    """At least 80 of each sort in four languages; a third of the honest ones have effects with short outputs."""
    assert min(len(FALSE), len(HONEST)) >= 80
    assert len({case.id for case in (*FALSE, *HONEST)}) == len(FALSE) + len(HONEST)
    assert {"en", "de", "fr", "es"} == {case.language for case in FALSE} == {case.language for case in HONEST}
    assert 3 * sum(case.kind == "short_effect" for case in HONEST) >= len(HONEST)
    assert {case.tools for case in (*FALSE, *HONEST)} <= toolboxes().keys()


@pytest.mark.parametrize("case", FALSE, ids=_named(FALSE))
def test_false_success_is_rejected_and_not_without_the_guardrails(case: Case) -> None:
    """Each false success is caught by the guardrails, and would be an answer without them."""
    guardrails = None if case.guardrails is None else list(case.guardrails)
    assert (False, True) == (passes(case, guardrails)[0], passes(case, OFF)[0])


@pytest.mark.parametrize("case", HONEST, ids=_named(HONEST))
def test_honest_answer_is_taken(case: Case) -> None:
    """No honest answer is sent back."""
    assert (True, "") == passes(case, None if case.guardrails is None else list(case.guardrails))
