"""Faults in plans: one acts, ends the run, or is asked for in every prompt."""

from typing import Final

from .mutant import Mutant

_PLANS: Final = "draft/plans.py"
_OUTPUT: Final = "steps/plan_output.py"

PLANS: Final = (
    Mutant(
        "step-answer-ends-the-run",
        "plans",
        _PLANS,
        "plan.at + 1 < len(plan.steps) and not",
        "plan.at + 2 < len(plan.steps) and not",
    ),
    Mutant("step-is-asked-again", "plans", _OUTPUT, "plan=replace(plan, at=plan.at + 1)", "plan=plan"),
    Mutant(
        "plan-request-stays",
        "plans",
        _PLANS,
        "past = state.run.plan_requests[: -1 if is_planning(state.exchange) else None]",
        "past = ()",
    ),
    Mutant(
        "call-is-a-plan",
        "plans",
        "steps/output.py",
        "    elif exchange.plan is not None:\n",
        "    elif reading.calls:\n",
    ),
    Mutant(
        "words-go-with-the-plan-request",
        "plans",
        "steps/limits.py",
        "    if is_turn:\n        _put_what_came",
        "    if True:\n        _put_what_came",
    ),
    Mutant(
        "earlier-plan-requests-come-back",
        "plans",
        _PLANS,
        "plan_requests=(*draft.run.plan_requests, plan.asked)",
        "plan_requests=(plan.asked,)",
    ),
    Mutant(
        "plan-is-made-again",
        "plans",
        _PLANS,
        "exchange.plan is None and not exchange.final and",
        "not exchange.final and",
    ),
)
