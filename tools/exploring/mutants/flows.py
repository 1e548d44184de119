"""Faults in information flow: labels that are lost, rules that are skipped, trust that is given too widely or not."""

from typing import Final

from .mutant import Mutant

_FLOWS: Final = "steps/flows.py"
_TRACING: Final = "flow/tracing.py"
_RULES: Final = "flow/rules.py"
_CALLS: Final = "steps/calls.py"
_DRAFT: Final = "steps/draft.py"
_OUTSIDE: Final = "steps/outside.py"

FLOWS: Final = (
    Mutant("flow-asks-nobody", "flows", _CALLS, 'or flow.then == "ask" or (', "or ("),
    Mutant(
        "labels-are-not-carried-on",
        "flows",
        _FLOWS,
        "labels = {*of_tool, *call.labels}",
        "labels = {*of_tool}",
    ),
    Mutant(
        "open-hint-overlooked",
        "flows",
        "agent/flow_tools.py",
        "spec.annotations.openWorldHint is True",
        "spec.annotations.openWorldHint is False",
    ),
    Mutant(
        "failures-tell-nothing",
        "flows",
        "steps/results.py",
        "    if labels or (call.ok and not held):\n",
        "    if call.ok and not held:\n",
    ),
    Mutant(
        "the-model-is-trusted",
        "flows",
        _TRACING,
        "    return ArgumentOrigin(path=path, source=MODEL, labels=any_label)\n",
        "    return ArgumentOrigin(path=path, source=MODEL)\n",
    ),
    Mutant(
        "all-results-are-trusted",
        "flows",
        _TRACING,
        "trusted = [result for result in holding if not result.labels]",
        "trusted = holding",
    ),
    Mutant(
        "a-message-makes-a-clean-run",
        "flows",
        _FLOWS,
        "        before = draft.state.flow or FlowState()\n",
        "        before = FlowState()\n",
    ),
    Mutant(
        "only-the-latest-result-counts",
        "flows",
        _FLOWS,
        "    read = {*flow.read, *(labels if",
        "    read = {*(labels if",
    ),
    Mutant(
        "numbers-tell-what-to-do", "flows", _FLOWS, "labels if has_words(text) or not known.call_id else ()", "labels"
    ),
    Mutant(
        "trusted-results-are-not-kept",
        "flows",
        "steps/results.py",
        "    if labels or (call.ok and not held):\n",
        "    if labels:\n",
    ),
    Mutant(
        "the-user-is-not-trusted",
        "flows",
        _TRACING,
        "    if _holds(flow.said, sought):\n",
        "    if _holds(flow.said, path):\n",
    ),
    Mutant("edits-are-the-models", "flows-edited", _FLOWS, "    if texts:\n", "    if not texts:\n"),
    Mutant(
        "files-say-nothing",
        "flows-attached",
        _FLOWS,
        "    if parts_of(content):\n        draft.state",
        "    if not content:\n        draft.state",
    ),
    Mutant(
        "a-file-loses-nothing",
        "flows-attached",
        _FLOWS,
        "return replace(flow, read=tuple(sorted({*flow.read, OPEN})), lost=tuple(sorted({*flow.lost, OPEN})))",
        "return flow",
    ),
    Mutant(
        "what-comes-along-is-trusted",
        "flows-attached",
        _OUTSIDE,
        "fold(text[:MAX_FLOW_RESULT_CHARS]), (OPEN,))",
        "fold(text[:MAX_FLOW_RESULT_CHARS]), ())",
    ),
    Mutant(
        "what-comes-along-is-the-users",
        "flows-attached",
        _OUTSIDE,
        "note_words(draft, without_terminal_codes(text_of(content)), with_data",
        "note_words(draft, without_terminal_codes(text_of(content)) + data_text(data), with_data",
    ),
    Mutant(
        "data-has-no-frame",
        "flows-attached",
        "flow/frame.py",
        "content = with_text(content, framed(data_text((each,))))",
        "content = with_text(content, data_text((each,)))",
    ),
    Mutant(
        "repeatable-tools-destroy-nothing",
        "flows",
        "agent/flow_tools.py",
        "destroys=tool.destroys,",
        "destroys=tool.is_destructive,",
    ),
    Mutant(
        "a-rule-for-one-tool-holds-for-all",
        "flows",
        _RULES,
        "target.tool in (None, tool) and fits_argument",
        "fits_argument",
    ),
    Mutant(
        "rules-that-allow-ask", "flows", _RULES, "                return rule.then\n", '                return "ask"\n'
    ),
    Mutant(
        "open-text-has-no-frame",
        "flows",
        _DRAFT,
        "text = _framed(call) if is_open(agent, call) and",
        "text = _framed(call) if not call and",
    ),
    Mutant(
        "every-result-has-a-frame", "flows", _DRAFT, "if is_open(agent, call) and not call.fault", "if not call.fault"
    ),
    Mutant("no-word-on-origins", "flows", "steps/decide.py", "origins=call.origins or UNSET", "origins=UNSET"),
    Mutant("another-reason", "flows", _CALLS, "    if call.flows:\n        return flow_reason(call)\n", ""),
)
