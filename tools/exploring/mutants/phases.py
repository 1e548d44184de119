"""Faults in phases, choices and reading: what is taken too early or too late, and what outputs are taken for."""

from typing import Final

from .mutant import Mutant

_TRANSITIONS: Final = "steps/transitions.py"
_CHOOSING: Final = "draft/tool_choice.py"

PHASES: Final = (
    Mutant(
        "done-takes-cancel",
        "asks",
        _TRANSITIONS,
        '"done": {UserMessage: _USER_MESSAGE,',
        '"done": {UserMessage: _USER_MESSAGE, Cancel: _CANCEL,',
    ),
    Mutant(
        "failed-takes-outputs",
        "asks",
        _TRANSITIONS,
        '"failed": {UserMessage: _USER_MESSAGE,',
        '"failed": {UserMessage: _USER_MESSAGE, ModelOutput: Transition(consume_output, ("done",)),',
    ),
    Mutant(
        "results-before-approvals",
        "asks",
        _TRANSITIONS,
        '    "approval": {\n',
        '    "approval": {\n        ToolResults: Transition(consume_results, ("tools",)),\n',
    ),
    Mutant(
        "messages-amid-tools",
        "steered",
        _TRANSITIONS,
        'UserMessage: Transition(queue_message, ("tools",))',
        "UserMessage: _USER_MESSAGE",
    ),
    Mutant(
        "outputs-amid-approvals",
        "asks",
        _TRANSITIONS,
        '    "approval": {\n',
        '    "approval": {\n        ModelOutput: Transition(consume_output, ("tools",)),\n',
    ),
    Mutant(
        "failed-is-the-end",
        "turns",
        _TRANSITIONS,
        '"failed": {UserMessage: _USER_MESSAGE,',
        '"failed": {',
    ),
    Mutant(
        "accepted-says-less",
        "asks",
        _TRANSITIONS,
        "for kind in accepted]",
        "for kind in accepted if kind is not Resumed]",
    ),
    Mutant(
        "cancel-waits-for-tools",
        "asks",
        "steps/ending.py",
        '    why = f": {corrections',
        '    if draft.state.phase == "tools":\n        return\n    why = f": {corrections',
    ),
    Mutant(
        "cancel-fails-as-another",
        "asks",
        "steps/ending.py",
        'fail(draft, "cancelled",',
        'fail(draft, "stopped",',
    ),
    Mutant(
        "steps-change-what-they-are-given",
        "turns",
        "api/typed.py",
        "    agent, state = _restored(state)\n    return _own(",
        "    failure = state.exchange.failure\n"
        "    if failure is not None and failure.detail:\n        failure.detail.clear()\n"
        "    agent, state = _restored(state)\n    return _own(",
    ),
    Mutant(
        "decision-from-another-turn",
        "turns",
        "steps/transitions.py",
        "decision=own_decision(agent, after)",
        "decision=own_decision(agent, draft.state)",
    ),
    Mutant(
        "required-is-not", "required", _CHOOSING, 'if choice == "required" else None', 'if choice == "needed" else None'
    ),
    Mutant(
        "required-once",
        "required",
        _CHOOSING,
        "    if state.exchange.succeeded:\n",
        "    if state.exchange.succeeded or state.exchange.corrections:\n",
    ),
    Mutant("none-is-auto", "required", _CHOOSING, '    if choice == "none":\n', '    if choice == "no":\n'),
    Mutant(
        "named-for-the-first-call-only",
        "chosen",
        _CHOOSING,
        "for call in calls if call.tool",
        "for call in calls[:1] if call.tool",
    ),
    Mutant(
        "choice-of-the-message-is-lost",
        "chosen",
        "steps/begin.py",
        "tool_choice=tool_choice, effects",
        "tool_choice=None, effects",
    ),
    Mutant(
        "silence-is-an-answer",
        "turns",
        "steps/answers.py",
        "if answer is None or not answer.strip(WHITE_SPACE) or is_placeholder(answer):",
        "if answer is None:",
    ),
    Mutant(
        "damage-is-an-answer",
        "tags",
        "steps/output.py",
        "problem = fatal_problem(reading) if reading.problems else None",
        "problem = None",
    ),
    Mutant(
        "strange-tools-run", "reads", "steps/calls.py", "if tool is None and agent.is_open:\n", "if tool is None:\n"
    ),
    Mutant(
        "unfit-arguments-run",
        "reads",
        "steps/calls.py",
        "    if issues:\n        return RejectedTurn",
        "    if issues and not params:\n        return RejectedTurn",
    ),
)
