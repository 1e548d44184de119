"""Faults in the log: facts that are missing or wrong, a chain that binds nothing, a replay that looks away."""

from typing import Final

from .mutant import Mutant

_DRAFT: Final = "draft/draft.py"
_REPLAYER: Final = "log/replayer.py"
_REPLAY: Final = "log/replay.py"

LOGS: Final = (
    Mutant(
        "derived-lines-name-no-head",
        "asks",
        _DRAFT,
        'self._log(head, encode(event), b\',"prev":"%b"}\' % head)',
        'self._log(head, encode(event), b"}")',
    ),
    Mutant("chain-forgets", "asks", _DRAFT, "sha256(head + line).hexdigest()", "sha256(line).hexdigest()"),
    Mutant(
        "numbers-of-lines-begin-anew",
        "asks",
        _DRAFT,
        "seq, at = self.state.run.seq + len(self.lines), self.at",
        "seq, at = len(self.lines), self.at",
    ),
    Mutant(
        "times-are-lost",
        "budgets",
        _DRAFT,
        "seq, at = self.state.run.seq + len(self.lines), self.at",
        "seq, at = self.state.run.seq + len(self.lines), None",
    ),
    Mutant(
        "state-keeps-an-old-head",
        "asks",
        _DRAFT,
        "            head=self.head,\n",
        "",
    ),
    Mutant(
        "every-answer-is-logged-as-yes",
        "asks",
        "steps/approvals.py",
        "            approved=approval.approved,\n",
        "            approved=True,\n",
    ),
    Mutant("edits-are-not-logged", "asks", "steps/approvals.py", "            params=approval.params,\n", ""),
    Mutant(
        "outputs-are-not-logged",
        "reads",
        "steps/results.py",
        "output=result.output if result.ok and result.reference is None else UNSET",
        "output=UNSET",
    ),
    Mutant(
        "asked-calls-are-not-logged",
        "asks",
        "steps/calls.py",
        '        if call.status != "skill":\n            _log_call',
        '        if call.status == "run":\n            _log_call',
    ),
    Mutant(
        "questions-are-not-logged",
        "asks",
        "steps/calls.py",
        '    if call.status == "approval":\n        draft.derived',
        '    if call.status == "done":\n        draft.derived',
    ),
    Mutant(
        "second-questions-are-not-logged",
        "asks",
        "steps/resuming.py",
        "        draft.derived(\n            ApprovalRequestEvent(",
        "        (\n            ApprovalRequestEvent(",
    ),
    Mutant(
        "rejections-are-logged-as-accepted",
        "conditions",
        "steps/results.py",
        'verdict="reject"',
        'verdict="accept"',
    ),
    Mutant(
        "answers-are-not-logged",
        "turns",
        "steps/ending.py",
        "    draft.derived(\n        FinalAnswer(",
        "    str(\n        FinalAnswer(",
    ),
    Mutant(
        "failures-are-not-logged",
        "turns",
        "steps/ending.py",
        "    draft.derived(RunFailed(code=code, message=message, detail=detail, acts=acts, acts_left_out=left_out))\n",
        "",
    ),
    Mutant(
        "cancels-are-not-logged",
        "asks",
        "steps/ending.py",
        "    draft.fact(cancelled_of(observation))\n",
        "",
    ),
    Mutant(
        "replay-compares-lengths",
        "asks",
        _REPLAYER,
        "            if line != expected:\n",
        "            if len(line) != len(expected):\n",
    ),
    Mutant(
        "replay-compares-nothing", "asks", _REPLAYER, "            if line != expected:\n", "            if not line:\n"
    ),
    Mutant("replay-says-yes", "asks", _REPLAYER, "(**_said(event)),)", '(**_said(event) | {"approved": True}),)'),
    Mutant("replay-forgets-edits", "asks", _REPLAYER, "(**_said(event)),)", '(**_said(event) | {"params": None}),)'),
    Mutant("replay-cancels", "asks", _REPLAYER, "return Resumed(at=at)", "return Cancel(at=at)"),
    Mutant(
        "replay-has-no-clock", "budgets", _REPLAYER, "return None if event.at is UNSET else event.at", "return None"
    ),
    Mutant(
        "replay-takes-failures-for-results",
        "turns",
        _REPLAYER,
        "ok=event.ok is not UNSET and event.ok,",
        "ok=event.ok is not UNSET,",
    ),
    Mutant("head-is-not-compared", "asks", _REPLAY, "    if head != replayer.head:\n", "    if len(head) != 64:\n"),
    Mutant("half-a-step-verifies", "asks", _REPLAY, "    if replayer.due:\n", "    if replayer.agent is None:\n"),
)
