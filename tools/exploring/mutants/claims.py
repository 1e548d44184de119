"""Faults in the judgement of answers that claim an effect: what was never done, failed, or was done by another tool."""

from typing import Final

from .mutant import Mutant

_JUDGE: Final = "claims/judge.py"
_REPORT: Final = "claims/plain_report.py"

CLAIMS: Final = (
    Mutant(
        "claims-are-not-judged",
        "claimed",
        "steps/answers.py",
        "text = claimed_without_call(draft, said, remind)",
        "text = None",
    ),
    Mutant(
        "any-act-backs-any-claim",
        "claimed",
        _JUDGE,
        "    if not done.acted.isdisjoint(tools) or done.is_open:\n        return None\n    if claim.by",
        "    if done.acted or done.is_open:\n        return None\n    if claim.by",
    ),
    Mutant(
        "every-report-is-plain",
        "claimed",
        _REPORT,
        "    if not (done.is_open or all(",
        "    if False and not (done.is_open or all(",
    ),
    Mutant(
        "a-report-of-any-act-is-plain",
        "claimed",
        _REPORT,
        "if not effects.of_kind(kind).isdisjoint(acted)}",
        "if acted}",
    ),
    Mutant(
        "failures-back-claims",
        "claimed",
        "steps/claimed.py",
        "effects, claims, state.succeeded, _shown(draft)",
        "effects, claims, tuple(effects.tools), _shown(draft)",
    ),
)
