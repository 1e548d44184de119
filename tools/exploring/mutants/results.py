"""Faults in results: two for a call, none for a call, or one that says what did not happen."""

from typing import Final

from .mutant import Mutant

_RESULTS: Final = "steps/results.py"
_DRAFT: Final = "draft/draft.py"

RESULTS: Final = (
    Mutant("second-result-counts", "parallel", _RESULTS, 'call.status in ("done", ', "call.status in ("),
    Mutant("batches-are-refused", "parallel", _RESULTS, "if call.call_id in seen:", "if seen:"),
    Mutant("twice-in-a-batch-counts", "asks", _RESULTS, "        seen.add(call.call_id)\n", ""),
    Mutant(
        "strange-results-are-read",
        "asks",
        _RESULTS,
        "if call is None or call.status",
        "if call is not None and call.status",
    ),
    Mutant("no-results-are-results", "asks", _RESULTS, "    if not results:\n", "    if results is None:\n"),
    Mutant(
        "done-calls-run-again",
        "parallel",
        "draft/unknown_outcomes.py",
        'call.status == "run"',
        'call.status != "approval"',
    ),
    Mutant(
        "first-result-ends-the-turn",
        "parallel",
        "steps/batch.py",
        "statuses = [*map(_STATUS, calls)]",
        "statuses = [*map(_STATUS, calls[:1])]",
    ),
    Mutant(
        "unasked-calls-are-left",
        "parallel-asks",
        "steps/approvals.py",
        "    advance_calls(draft, tuple(calls.values()))\n",
        '    calls = {name: each for name, each in calls.items() if each.approved or each.status != "run"}\n'
        "    advance_calls(draft, tuple(calls.values()))\n",
    ),
    Mutant(
        "results-in-another-order",
        "parallel-asks",
        _DRAFT,
        '    if dialect.result_role == "tool":\n        for call in calls:\n',
        '    if dialect.result_role == "tool":\n        for call in reversed(calls):\n',
    ),
    Mutant(
        "failed-calls-are-not-answered",
        "parallel-asks",
        _DRAFT,
        '    if dialect.result_role == "tool":\n        for call in calls:\n',
        '    if dialect.result_role == "tool":\n        for call in [each for each in calls if each.ok]:\n',
    ),
    Mutant(
        "wrong-turns-are-answered-in-part",
        "parallel-asks",
        _DRAFT,
        "for index, call_id in enumerate(call_ids):",
        "for index, call_id in enumerate(call_ids[:1]):",
    ),
    Mutant(
        "cancel-leaves-calls-open",
        "parallel-asks",
        "steps/ending.py",
        "    _close_pending(draft, code, message, may_have_begun)\n",
        "    draft.state = replace(draft.state, pending=())\n",
    ),
    Mutant(
        "cancelled-calls-did-not-run",
        "parallel-asks",
        "draft/unknown_outcomes.py",
        '    if state.phase != "tools":\n',
        '    if state.phase == "tools":\n',
    ),
    Mutant(
        "harmless-calls-did-not-run",
        "parallel-asks",
        "steps/resuming.py",
        "    if unknown:\n",
        "    if not calls:\n",
    ),
    Mutant(
        "failure-keeps-its-calls",
        "asks",
        "steps/ending.py",
        "    if draft.state.pending:\n        draft.state = replace(draft.state, pending=())\n",
        "",
    ),
    Mutant(
        "rejection-counts",
        "conditions",
        _RESULTS,
        "ok=False, text=text, fault=rejection.cause",
        "ok=True, text=text",
    ),
    Mutant(
        "nothing-is-judged",
        "conditions",
        _RESULTS,
        "    rejection = _judge(draft, call, result, steps)\n",
        "    rejection = None\n",
    ),
    Mutant(
        "failure-counts",
        "required",
        _RESULTS,
        'ok=False, text=f"{text}{kind}"',
        'ok=True, text=f"{text}{kind}"',
    ),
    Mutant(
        "any-result-satisfies",
        "required",
        "steps/batch.py",
        "call.tool for call in calls if call.ok and call.tool not in before",
        "call.tool for call in calls if call.tool not in before",
    ),
    Mutant(
        "answer-after-a-rejection",
        "conditions",
        "steps/answers.py",
        'for cause in ("guardrail", "postcondition"):',
        'for cause in ("guardrail",):',
    ),
    Mutant(
        "second-wrong-answer-counts",
        "conditions",
        "steps/answers.py",
        "    if rejection is not None:\n",
        "    if rejection is not None and not draft.exchange.corrections:\n",
    ),
)
