"""Faults in steering: messages in the middle of a run that are lost, come early, or change what is waited for."""

from typing import Final

from .mutant import Mutant

_STEERING: Final = "steps/steering.py"
_TRANSITIONS: Final = "steps/transitions.py"

STEERING: Final = (
    Mutant("queued-is-never-said", "steered", _STEERING, "    else:\n        draft.say_apart(queued.shown)\n", ""),
    Mutant(
        "queued-is-said-alone-only",
        "steered-in-text",
        _STEERING,
        "content=joined_content((last.content, _added(queued.shown)))",
        "content=last.content",
    ),
    Mutant(
        "queued-is-said-twice",
        "steered",
        _STEERING,
        "draft.run = replace(draft.run, queued=())",
        "draft.run = replace(draft.run, queued=queued)",
    ),
    Mutant(
        "answer-leaves-messages",
        "steered",
        _TRANSITIONS,
        'if draft.state.run.queued and draft.state.phase == "done":',
        'if draft.state.run.queued and draft.state.phase == "failed":',
    ),
    Mutant(
        "failure-forgets-messages",
        "steered",
        "steps/ending.py",
        "        leave_queued(draft)\n",
        "        draft.run = replace(draft.run, queued=())\n",
    ),
    Mutant(
        "message-before-results",
        "steered",
        "steps/batch.py",
        '    approved = phase == "tools" and draft.state.phase == "approval"\n',
        '    approved = phase == "tools" and draft.state.phase == "approval"\n'
        "    for each in draft.run.queued:\n"
        '        draft.say("user", each.content)\n',
    ),
    Mutant(
        "steering-is-nobodys",
        "steered-flows",
        _STEERING,
        "    note_message(draft, queued.content, queued.data)\n    last",
        "    last",
    ),
    Mutant(
        "steering-is-not-logged",
        "steered",
        _STEERING,
        "    draft.fact(message_event(observation))\n",
        "",
    ),
)
