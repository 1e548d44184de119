"""Faults in checks: an output that none accepted counts, or the model comes near a check tool."""

from typing import Final

from .mutant import Mutant

_CHECKING: Final = "steps/checking.py"

CHECKS: Final = (
    Mutant("rejections-accept", "checks", "checks/host_tools.py", "    if verdict.accept:\n", "    if True:\n"),
    Mutant(
        "odd-verdicts-accept",
        "checks",
        "checks/host_tools.py",
        '        return check_failed(f"expected',
        '        return None and (f"expected',
    ),
    Mutant(
        "failed-checks-accept",
        "checks",
        "checks/host_tools.py",
        '        return check_failed(_shown(result.error or "it ended without saying why"))\n',
        "        return None\n",
    ),
    Mutant("checks-are-offered", "checks", "agent/agent.py", "if name not in judges}", "if name not in ()}"),
    Mutant("rejected-outputs-count", "checks", _CHECKING, 'fault="postcondition", rejected', 'fault="", rejected'),
    Mutant(
        "checks-are-not-logged",
        "checks",
        _CHECKING,
        "        draft.derived(\n            ToolCallEvent(",
        "        str(\n            ToolCallEvent(",
    ),
    Mutant(
        "checks-have-one-number", "checks", _CHECKING, "calls=draft.run.calls + len(begun)", "calls=draft.run.calls"
    ),
    Mutant(
        "checks-are-answered",
        "checks",
        "steps/batch.py",
        "all_calls, calls = calls, own_calls(calls)",
        "all_calls = calls",
    ),
    Mutant(
        "unchecked-outputs-are-told",
        "checks",
        "steps/ending.py",
        "if call.ok and call.call_id in unchecked",
        "if not unchecked",
    ),
    Mutant(
        "checks-act-again",
        "checks",
        "draft/unknown_outcomes.py",
        "    if call.checks:\n        return True\n",
        "    if call.checks:\n        return False\n",
    ),
    Mutant(
        "answers-may-cite-nothing",
        "cited",
        "checks/citations.py",
        "if results else None\n    for mark",
        "if False else None\n    for mark",
    ),
    Mutant(
        "any-number-is-cited",
        "cited",
        "checks/citations.py",
        'return f"[{number}] is no result of this exchange{named}"',
        "return None",
    ),
)
