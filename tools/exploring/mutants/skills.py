"""Faults in skills within a run: who executes them, in what order, how often, and what is logged of them."""

from typing import Final

from .mutant import Mutant

_CALLS: Final = "steps/skill_calls.py"
_OUTPUT: Final = "steps/skill_output.py"

SKILLS: Final = (
    Mutant(
        "skills-handed-out",
        "skills",
        "steps/calls.py",
        'status="skill" if executed else',
        'status="run" if executed else',
    ),
    Mutant(
        "skills-before-tools",
        "skills",
        "steps/batch.py",
        '    if "run" in statuses:\n',
        '    if "skill" in statuses:\n        return "model"\n    if "run" in statuses:\n',
    ),
    Mutant(
        "skill-outputs-count-no-turn",
        "skills",
        _OUTPUT,
        "turns=draft.exchange.used.turns + 1",
        "turns=draft.exchange.used.turns",
    ),
    Mutant(
        "skill-limits-ignored",
        "skills",
        _CALLS,
        "    if excess is not None:\n        fail(",
        "    if excess is None and draft is None:\n        fail(",
    ),
    Mutant(
        "skill-end-unlogged",
        "skills",
        _CALLS,
        "        draft.derived(SkillEnded(call_id=call.call_id, skill=call.tool, ok=True, output=data))\n",
        "",
    ),
    Mutant(
        "skill-results-of-hosts",
        "skills",
        "steps/results.py",
        'call.status in ("done", "skill", ',
        'call.status in ("done", ',
    ),
    Mutant(
        "skill-stays-after-end",
        "skills",
        "steps/ending.py",
        "ExchangeState(used=exchange.used, ",
        "ExchangeState(used=exchange.used, skill=exchange.skill, ",
    ),
    Mutant(
        "skill-cause-forgotten",
        "skills",
        _CALLS,
        "        fault=state.fault,\n        refused",
        "        fault=None,\n        refused",
    ),
    Mutant(
        "second-skill-forgotten",
        "skills",
        _CALLS,
        "        calls = _with(calls, ended)\n",
        "        return _with(calls, ended)\n",
    ),
)
