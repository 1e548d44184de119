"""Faults in late results: those that are lost, read twice, taken of another run's call, or told as another outcome."""

from typing import Final

from .mutant import Mutant

_LATE: Final = "steps/late_results.py"
_READING: Final = "steps/late_reading.py"
_RESULTS: Final = "steps/results.py"

LATE: Final = (
    Mutant("late-is-read-twice", "elsewhere", _READING, "    draft.run = replace(draft.run, late=open_ones)\n", ""),
    Mutant("late-is-no-act", "elsewhere", _READING, "    note_acts(draft, came)\n", ""),
    Mutant(
        "late-effects-are-forgotten",
        "elsewhere",
        _READING,
        "effects = effects_after(draft.agent, draft.state, came)",
        "effects = draft.exchange.effects",
    ),
    Mutant(
        "late-act-stands-twice",
        "elsewhere",
        "draft/acts.py",
        "next((at for at, act in enumerate(acts) if act.call_id == call.call_id), len(acts))",
        "len(acts)",
    ),
    Mutant(
        "late-begins-nothing", "elsewhere", _LATE, "    if draft.has_more or not any(", "    if draft.run or not any("
    ),
    Mutant(
        "late-lines-are-alike", "elsewhere-steered", _LATE, "(result is not last or draft.has_more)", "draft.has_more"
    ),
    Mutant("late-of-another-run", "elsewhere", _RESULTS, "result.key != call.key:", "not result.key:"),
    Mutant(
        "late-is-known-before-it-is-read",
        "elsewhere",
        _RESULTS,
        "if result.ok and draft.state.run.unsettled and not _is_late(draft, call):",
        "if result.ok and draft.state.run.unsettled:",
    ),
)
