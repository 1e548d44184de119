"""Faults in effects and keys: an effect is had twice unasked, calls share keys or change them."""

from typing import Final

from .mutant import Mutant

_EFFECTS: Final = "draft/effects.py"
_KEYS: Final = "json_text/canonical.py"

EFFECTS: Final = (
    Mutant("twice-in-a-turn", "effects", _EFFECTS, "effect in before or ", ""),
    Mutant("twice-in-an-exchange", "effects", _EFFECTS, "effect[:SIGNATURE_CHARS] in effects or ", ""),
    Mutant(
        "interrupted-did-nothing",
        "effects",
        "steps/results.py",
        "        note_unsettled(draft, draft.agent, (call,))\n",
        "",
    ),
    Mutant(
        "failed-did-nothing",
        "effects",
        "steps/results.py",
        "unknown = call.unknown or failed_midway",
        "unknown = call.unknown",
    ),
    Mutant(
        "doubt-ends-with-the-exchange",
        "effects",
        "steps/begin.py",
        "        draft.state,\n",
        "        draft.state,\n        run=replace(draft.run, unsettled=()),\n",
    ),
    Mutant("doubt-is-not-asked-about", "effects", "steps/calls.py", " or is_unsettled(draft.state, tool, effect)", ""),
    Mutant(
        "doubt-is-never-settled",
        "doubts",
        "steps/results.py",
        "        settle(draft, call)\n",
        "        pass\n",
    ),
    Mutant(
        "stopped-run-leaves-no-doubt",
        "doubts",
        "steps/ending.py",
        "    if unsettled:\n        note_unsettled(draft, draft.agent, unsettled)\n",
        "",
    ),
    Mutant(
        "a-call-loses-hosts-without-end",
        "losses",
        "draft/unknown_outcomes.py",
        "    if call.lost >= MAX_LOST_HOSTS:\n        return False\n",
        "",
    ),
    Mutant("lost-hosts-are-not-counted", "losses", "steps/resuming.py", "    _count_lost(draft)\n", ""),
    Mutant(
        "rejected-did-nothing",
        "conditions",
        _EFFECTS,
        ' or call.fault in ("guardrail", "postcondition")',
        "",
    ),
    Mutant("stopped-did-nothing", "effects", _EFFECTS, "call.ok or call.unknown or", "call.ok or"),
    Mutant("success-did-nothing", "effects", _EFFECTS, "return call.ok or call.unknown", "return call.unknown"),
    Mutant(
        "effects-of-a-turn-only",
        "effects",
        _EFFECTS,
        "    effects = state.exchange.effects\n    for",
        "    effects = ()\n    for",
    ),
    Mutant("one-effect-remembered", "repeats", _EFFECTS, "len(effects) < MAX_EFFECTS:", "not effects:"),
    Mutant(
        "effects-forgotten-with-a-correction",
        "repeats",
        "steps/limits.py",
        "wait_ms=wait_ms, problems=problems)",
        "wait_ms=wait_ms, problems=problems, effects=() if cause else draft.exchange.effects)",
    ),
    Mutant(
        "acting-is-not-destructive",
        "effects",
        "agent/tools.py",
        "hints is not None and hints.destructiveHint is not False",
        "hints is not None and hints.destructiveHint is True",
    ),
    Mutant("repeat-is-asked-as-new", "effects", "steps/calls.py", "        again=again,\n", ""),
    Mutant(
        "effect-by-tool-and-number",
        "repeats",
        _EFFECTS,
        "return call_signature(tool.spec.name, said)",
        "return call_signature(tool.spec.name, {})",
    ),
    Mutant("key-without-number", "asks", _KEYS, "{run_id}\\n{ordinal}\\n{signature}", "{run_id}\\n{signature}"),
    Mutant("key-without-run", "asks", _KEYS, "{run_id}\\n{ordinal}\\n{signature}", "{ordinal}\\n{signature}"),
    Mutant("key-without-call", "asks", _KEYS, "{run_id}\\n{ordinal}\\n{signature}", "{run_id}\\n{ordinal}"),
    Mutant("key-without-values", "asks", _KEYS, "encode_sorted((tool, params))", "encode_sorted((tool, [*params]))"),
    Mutant("key-without-tool", "calls", _KEYS, "encode_sorted((tool, params))", "encode_sorted(params)"),
    Mutant(
        "numbers-begin-anew",
        "asks",
        "steps/begin.py",
        "        draft.state,\n",
        "        draft.state,\n        run=replace(draft.run, calls=0),\n",
    ),
    Mutant(
        "wrong-turns-are-not-numbered",
        "parallel-asks",
        "steps/calls.py",
        "            correct(draft, checked.cause, text, spoken=spoken, named=checked.named)\n",
        "            draft.state = replace(draft.state, calls=draft.run.calls - len(calls))\n"
        "            correct(draft, checked.cause, text, spoken=spoken, named=checked.named)\n",
    ),
    Mutant(
        "one-number-for-a-turn",
        "parallel",
        "steps/calls.py",
        "        ordinal += 1\n",
        "        ordinal = ordinal or 1\n",
    ),
)
