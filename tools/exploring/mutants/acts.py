"""Faults in what stands beside an ending: acts that are left out, told twice, or told to have ended in another way."""

from typing import Final

from .mutant import Mutant

_ACTS: Final = "draft/acts.py"

ACTS: Final = (
    Mutant(
        "acts-of-before",
        "effects",
        "steps/begin.py",
        "tool_choice=tool_choice, effects=effects",
        "tool_choice=tool_choice, acts=draft.exchange.acts",
    ),
    Mutant("acts-are-not-kept", "effects", "steps/batch.py", "    note_acts(draft, calls)\n", ""),
    Mutant(
        "acts-of-the-last-turn-are-not-kept",
        "asks",
        "steps/ending.py",
        "        note_acts(draft, calls, may_have_begun)\n",
        "",
    ),
    Mutant(
        "acts-under-way-changed-nothing",
        "asks",
        "steps/ending.py",
        "        note_acts(draft, calls, may_have_begun)\n",
        "        note_acts(draft, calls)\n",
    ),
    Mutant("reading-is-an-act", "parallel", _ACTS, "tool is None or tool.may_act)", "True)"),
    Mutant("refused-acts-failed", "asks", _ACTS, 'else "refused"', 'else "failed"'),
    Mutant("failed-acts-succeeded", "effects", _ACTS, 'else "failed"', 'else "succeeded"'),
    Mutant("rejected-acts-failed", "conditions", _ACTS, "if call.ok or call.fault:", "if call.ok:"),
    Mutant("stopped-acts-failed", "effects", _ACTS, '"unknown" if call.in_doubt else "failed"', '"failed"'),
    Mutant(
        "second-runs-settle-the-first",
        "effects",
        "steps/results.py",
        "in_doubt=call.lost > 0",
        "in_doubt=False",
    ),
    Mutant(
        "acts-stay-out-of-the-log",
        "effects",
        "steps/ending.py",
        "            acts=acts,\n            acts_left_out=left_out,\n",
        "",
    ),
    Mutant(
        "acts-of-failures-stay-out-of-the-log", "asks", "steps/ending.py", "detail=detail, acts=acts", "detail=detail"
    ),
)
