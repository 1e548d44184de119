"""Faults in approvals: calls run unasked, denied or refused ones run, an answer counts for another call."""

from typing import Final

from .mutant import Mutant

_CALLS: Final = "steps/calls.py"
_APPROVALS: Final = "steps/approvals.py"
_RULES: Final = "agent/approval_rules.py"

APPROVALS: Final = (
    Mutant("asking-tool-runs", "asks", _CALLS, '(tool is not None and tool.approval == "ask")', "False"),
    Mutant("policy-denial-overlooked", "denies", _CALLS, 'tool.approval == "deny":', 'tool.spec.approval == "deny":'),
    Mutant("denied-only-asks", "denies", _CALLS, 'tool.approval == "deny":', 'tool.approval == "deny" and call.again:'),
    Mutant(
        "tool-before-policy",
        "asks-by-policy",
        _RULES,
        "policy.tools.get(name) or (spec and spec.approval) or",
        "(spec and spec.approval) or policy.tools.get(name) or",
    ),
    Mutant("hint-does-not-ask", "asks-by-hint", _RULES, " or hinted or ", " or "),
    Mutant("default-overlooked", "asks-by-policy", _RULES, "hinted or policy.default", "hinted"),
    Mutant(
        "default-before-hint",
        "asks-by-hint",
        _RULES,
        "hinted or policy.default",
        "policy.default or hinted",
    ),
    Mutant("no-runs", "asks", _APPROVALS, "    if not approval.approved:\n", "    if approval.reason:\n"),
    Mutant(
        "no-is-forgotten",
        "asks",
        _APPROVALS,
        "        remember_refusal(draft, call)\n",
        "",
    ),
    Mutant(
        "only-the-last-no-counts",
        "asks",
        "draft/repeats.py",
        "(*draft.state.exchange.refused, short)[-MAX_REFUSED:]",
        "(short,)",
    ),
    Mutant(
        "no-ends-with-the-turn",
        "asks",
        "steps/batch.py",
        "            withheld=withheld,\n",
        "            withheld=withheld,\n            refused=(),\n",
    ),
    Mutant("any-key-approves", "asks", _APPROVALS, "approval.key != call.key:", "len(approval.key) != len(call.key):"),
    Mutant("part-of-a-key-approves", "asks", _APPROVALS, "approval.key != call.key:", "approval.key not in call.key:"),
    Mutant("answered-twice", "asks", _APPROVALS, "        seen.add(call.call_id)\n", "        seen.add(path)\n"),
    Mutant("edit-is-not-checked", "asks", _APPROVALS, "        if issues:\n", "        if issues and not params:\n"),
    Mutant(
        "edit-keeps-the-key",
        "asks",
        _APPROVALS,
        "call_signature(call.tool, params))",
        "call_signature(call.tool, call.params))",
    ),
    Mutant("edit-is-not-told", "asks", _APPROVALS, "edited=edited,", "edited=False,"),
    Mutant("edit-is-forgotten", "asks", _APPROVALS, "call.edited or key != call.key", "key != call.key"),
    Mutant("edit-is-dropped", "asks", _APPROVALS, 'status="run", params=params,', 'status="run", params=call.params,'),
    Mutant(
        "yes-is-not-kept", "asks", _APPROVALS, "problems=problems, approved=True, origins", "problems=problems, origins"
    ),
    Mutant(
        "one-yes-for-all",
        "parallel-asks",
        _APPROVALS,
        "    advance_calls(draft, tuple(calls.values()))\n",
        "    yes = observation.approvals[-1].approved\n"
        "    advance_calls(draft, tuple(\n"
        '        replace(each, status="run", approved=True) if yes and each.status == "approval" else each\n'
        "        for each in calls.values()\n"
        "    ))\n",
    ),
    Mutant(
        "runs-before-all-are-answered",
        "parallel-asks",
        "steps/batch.py",
        '    if "approval" in statuses:\n        return "approval"\n'
        '    if "run" in statuses:\n        return "tools"\n',
        '    if "run" in statuses:\n        return "tools"\n'
        '    if "approval" in statuses:\n        return "approval"\n',
    ),
    Mutant(
        "resumed-runs-unasked",
        "asks",
        "steps/resuming.py",
        'replace(call, status="approval", unknown=True, approved=False, origins=origins)',
        "replace(call, unknown=True)",
    ),
    Mutant(
        "tools-without-hints-are-harmless",
        "parallel",
        "draft/unknown_outcomes.py",
        "hints is not None and bool(hints.idempotentHint or hints.readOnlyHint)",
        "hints is None or bool(hints.idempotentHint or hints.readOnlyHint)",
    ),
    Mutant(
        "adding-twice-is-harmless",
        "effects",
        "draft/unknown_outcomes.py",
        "bool(hints.idempotentHint or hints.readOnlyHint)",
        "bool(hints.idempotentHint or not hints.destructiveHint)",
    ),
    Mutant(
        "only-the-first-is-unknown",
        "parallel",
        "draft/unknown_outcomes.py",
        "for call in _with_host(agent, state) if not (call.handle",
        "for call in _with_host(agent, state)[:1] if not (call.handle",
    ),
    Mutant("unknown-never-fails", "outcome-fails", "steps/resuming.py", '== "fail")', '== "never")'),
    Mutant(
        "unknown-fails-for-all",
        "outcome-fails",
        "steps/resuming.py",
        "    if unknown and (judges",
        "    if (judges",
    ),
    Mutant(
        "unknown-is-asked-as-new",
        "asks",
        "steps/decide.py",
        "OUTCOME_UNKNOWN if call.unknown else approval_reason(call)",
        "approval_reason(call)",
    ),
)
