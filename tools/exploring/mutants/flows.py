"""Faults in information flow: labels that are lost, rules that are skipped, trust that is given too widely or not."""

from typing import Final

from .mutant import Mutant

_POLICY: Final = "purestep_policies/flow/policy.py"
_KNOWN: Final = "purestep_policies/flow/known_texts.py"
_TRACING: Final = "purestep_policies/flow/tracing.py"
_RULES: Final = "purestep_policies/flow/rules.py"
_CALLS: Final = "steps/calls.py"
_DRAFT: Final = "draft/draft.py"

FLOWS: Final = (
    Mutant(
        "a-policy-asks-nobody", "flows", _CALLS, 'asked = again or judgement.then == "ask" or (', "asked = again or ("
    ),
    Mutant(
        "open-hint-overlooked",
        "flows",
        "values/toolspec.py",
        "spec.annotations.openWorldHint is True",
        "spec.annotations.openWorldHint is False",
    ),
    Mutant("results-tell-nothing", "flows", "steps/results.py", "    tell_result(draft, settled)\n", ""),
    Mutant(
        "the-model-is-trusted",
        "flows",
        _TRACING,
        "        return ArgumentOrigin(path=path, source=MODEL, labels=known.read)\n",
        "        return ArgumentOrigin(path=path, source=MODEL)\n",
    ),
    Mutant(
        "results-are-trusted",
        "flows",
        _TRACING,
        'path=path, source="result", call_id=holding.call_id, tool=holding.tool, labels=known.read',
        'path=path, source="result", call_id=holding.call_id, tool=holding.tool',
    ),
    Mutant(
        "only-the-latest-result-counts",
        "flows",
        _KNOWN,
        "    read = tuple(sorted({*known.read, *labels}))\n",
        "    read = tuple(sorted({*labels}))\n",
    ),
    Mutant(
        "the-user-is-not-trusted",
        "flows",
        _TRACING,
        "    if _holds(known.said, sought):\n",
        "    if _holds(known.said, path):\n",
    ),
    Mutant("edits-are-the-models", "flows-edited", _POLICY, "if texts else kept", "if not texts else kept"),
    Mutant(
        "files-say-nothing",
        "flows-attached",
        _POLICY,
        "if exchange.data or exchange.attached else kept",
        "if exchange.data else kept",
    ),
    Mutant(
        "what-comes-along-is-trusted",
        "flows-attached",
        _POLICY,
        "if exchange.data or exchange.attached else kept",
        "if exchange.attached else kept",
    ),
    Mutant(
        "what-comes-along-is-the-users",
        "flows-attached",
        _POLICY,
        "kept = with_said(kept, exchange.text)",
        "kept = with_said(kept, exchange.text + data_text(exchange.data))",
    ),
    Mutant(
        "data-has-no-frame",
        "flows-attached",
        "window/data_frame.py",
        "content = with_text(content, framed(data_text((each,))))",
        "content = with_text(content, data_text((each,)))",
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
        "is_framed = is_open(draft, call) and",
        "is_framed = not call and",
    ),
    Mutant("every-result-has-a-frame", "flows", _DRAFT, "is_framed = is_open(draft, call) and", "is_framed ="),
    Mutant("no-word-on-origins", "flows", "steps/decide.py", "origins=call.origins or UNSET", "origins=UNSET"),
    Mutant("another-reason", "flows", _CALLS, "    if call.asked_by:\n        return call.reason\n", ""),
)
