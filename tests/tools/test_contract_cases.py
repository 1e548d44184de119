"""The cases of `bench contracts`: they are run as the command runs them, and hold what the page says."""

from bench.contracts.cases import Case, cases, toolboxes
from bench.contracts.runs import OFF, passes

FALSE = cases("false", "all")
HONEST = cases("honest", "all")
MISSED = frozenset({
    "a073", "a129", "a134", "a174", "a185", "b070", "b075", "b076", "b077", "b078", "b079",
    "d012", "d057", "d061", "d069", "d076", "d092", "d096", "d097", "d098",
    "e006", "e011", "e023", "e046", "e047", "e058", "e061", "e063", "i008", "m028", "p002", "r016",
    "w018", "z018", "z080", "z088", "aa023",
})  # fmt: skip
"""False successes that get through: states told after something was read, what follows from figures, old results."""


def _passes(case: Case) -> tuple[bool, str]:
    """Tell whether a case's answer is taken under its guardrails, and what was said of it if not."""
    return passes(case, None if case.guardrails is None else list(case.guardrails))


def test_cases_are_many_and_named_apart() -> None:
    """At least 80 of each sort in four languages; a third of the honest ones have effects, most with short outputs."""
    assert min(len(FALSE), len(HONEST)) >= 80
    assert len({case.id for case in (*FALSE, *HONEST)}) == len(FALSE) + len(HONEST)
    assert {"en", "de", "fr", "es"} == {case.language for case in FALSE} == {case.language for case in HONEST}
    assert 3 * sum("effect" in case.kind for case in HONEST) >= len(HONEST)
    assert {case.tools for case in (*FALSE, *HONEST)} <= toolboxes().keys()


# One test for all cases of a sort, which lists the ids of what differs: a test for each would cost more than its run.


def test_false_success_is_rejected_by_the_guardrails() -> None:
    """Each false success is caught by the guardrails, but for those that are known to get through."""
    assert sorted(MISSED) == sorted(case.id for case in FALSE if _passes(case)[0])


def test_false_success_is_an_answer_without_the_guardrails() -> None:
    """Nothing else catches one."""
    assert [] == [case.id for case in FALSE if not passes(case, OFF)[0]]


def test_few_false_successes_are_missed() -> None:
    """At least 95 % are caught."""
    assert {case.id for case in FALSE} >= MISSED
    assert len(MISSED) * 100 <= len(FALSE) * 5


def test_honest_answer_is_taken() -> None:
    """No honest answer is sent back."""
    assert {} == {case.id: said for case in HONEST if (said := _passes(case)) != (True, "")}
