"""Faults in limits: one more turn, call, correction, repeat or try than allowed, or what no longer counts."""

from typing import Final

from .mutant import Mutant

_LIMITS: Final = "steps/limits.py"
_REPEATS: Final = "draft/repeats.py"

LIMITS: Final = (
    Mutant(
        "one-turn-more",
        "turns",
        _LIMITS,
        "draft.state.exchange.used.turns >= draft.agent",
        "draft.state.exchange.used.turns > draft.agent",
    ),
    Mutant(
        "answers-are-no-turns",
        "turns",
        "steps/output.py",
        "exchange.used.turns + 1)",
        "exchange.used.turns + min(calls, 1))",
    ),
    Mutant("one-call-more", "calls", _LIMITS, "used + number > limit", "used + number > limit + 1"),
    Mutant("calls-of-this-turn-are-free", "calls", _LIMITS, "used + number > limit", "used >= limit"),
    Mutant(
        "a-turn-is-one-call",
        "calls",
        "steps/calls.py",
        "(0 if excess else number)",
        "(0 if excess else 1)",
    ),
    Mutant(
        "asked-calls-are-free",
        "calls",
        "steps/calls.py",
        "excess = before_calls(draft, number + reserved) if due else None",
        'excess = before_calls(draft, sum(each.status == "run" for each in due) + reserved) if due else None',
    ),
    Mutant(
        "one-correction-more",
        "reads",
        _LIMITS,
        "if attempt > draft.agent.max_corrections and change is None:",
        "if attempt > draft.agent.max_corrections + 1 and change is None:",
    ),
    Mutant(
        "corrections-do-not-count",
        "reads",
        _LIMITS,
        "{**draft.state.exchange.corrections, cause: attempt}",
        "{**draft.state.exchange.corrections, cause: 0}",
    ),
    Mutant(
        "calls-clear-all-corrections",
        "reads",
        "steps/output.py",
        'clear(draft, "parse_error", "truncated", "inconclusive", "obligation", "tool_choice")',
        "clear(draft, *draft.exchange.corrections)",
    ),
    Mutant(
        "one-repeat-more",
        "repeats",
        _REPEATS,
        "1 if count > max_repeats else 0",
        "1 if count > max_repeats + 1 else 0",
    ),
    Mutant("repeats-do-not-count", "repeats", _REPEATS, "count = known.count + 1 if", "count = known.count if"),
    Mutant(
        "corrected-call-runs-again",
        "repeats",
        _REPEATS,
        "entry.stage and entry.call == short:",
        "entry.stage > 1 and entry.call == short:",
    ),
    Mutant(
        "no-bars-nothing", "repeats", _REPEATS, "    return short in state.exchange.refused\n", "    return False\n"
    ),
    Mutant(
        "yes-after-the-deadline-runs",
        "budgets",
        "steps/batch.py",
        'approved = phase == "tools" and draft.state.phase == "approval"',
        "approved = False",
    ),
    Mutant(
        "deadline-never-comes", "budgets", _LIMITS, "draft.at - started + wait_ms <= deadline", "wait_ms <= deadline"
    ),
    Mutant(
        "calls-after-the-deadline",
        "budgets",
        _LIMITS,
        "excess = past_deadline(draft) if draft.agent.limits.deadline_ms else None",
        "excess = None",
    ),
    Mutant(
        "asked-after-the-deadline",
        "budgets",
        _LIMITS,
        "    excess = past_deadline(draft, wait_ms)\n",
        "    excess = None\n",
    ),
    Mutant("one-answer-more", "budgets", _LIMITS, "if used >= allowed:", "if used > allowed:"),
    Mutant(
        "tokens-do-not-add-up",
        "budgets",
        "draft/budgets.py",
        "output_tokens=_sum(state.exchange.used.output_tokens, usage.completion_tokens)",
        "output_tokens=usage.completion_tokens or 0",
    ),
    Mutant("all-at-once", "parallel", "draft/unknown_outcomes.py", "if len(due) == max_parallel:", "if not due:"),
    Mutant(
        "one-try-more",
        "turns",
        "steps/model_errors.py",
        "draft.exchange.model_errors <= most_retries(error)",
        "draft.exchange.model_errors <= most_retries(error) + 1",
    ),
    Mutant(
        "tries-do-not-count",
        "turns",
        "steps/model_errors.py",
        "model_errors=draft.exchange.model_errors + 1",
        "model_errors=1",
    ),
    Mutant(
        "waits-are-not-the-server's",
        "turns",
        "values/retries.py",
        "    if retry_after_ms:\n",
        "    if retry_after_ms and attempt > 1:\n",
    ),
    Mutant(
        "moves-are-made-again",
        "negotiation",
        "draft/negotiation.py",
        " or number in kept.moved:\n            continue\n"
        "        change = _change(draft, rule, replace(kept, moved=tuple(sorted((*kept.moved, number)))), named)\n",
        ":\n            continue\n"
        "        change = _change(draft, rule, replace(kept, moved=tuple(sorted({*kept.moved, number}))), named)\n",
    ),
    Mutant(
        "moves-are-not-kept",
        "negotiation",
        "draft/negotiation.py",
        "moved=tuple(sorted((*kept.moved, number)))",
        "moved=kept.moved",
    ),
)
