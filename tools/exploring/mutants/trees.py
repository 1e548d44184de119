"""Faults in trees: whom an observation reaches, what comes up from below, and what ends with what."""

from typing import Final

from .mutant import Mutant

_ASK: Final = "trees-that-ask"
_BESIDE: Final = "trees-side-by-side"
_DEEP: Final = "trees-two-deep"
_LIMITS: Final = "trees-with-limits"
_CHILDREN: Final = "steps/children.py"

_HANDED: Final = "trees-that-hand-over"
_HAND_OFFS: Final = "steps/hand_offs.py"

TREES: Final = (
    Mutant("handed-over-beside-calls", _HANDED, _HAND_OFFS, "len(state.pending) > 1", "len(state.pending) > 9"),
    Mutant(
        "handed-over-unasked",
        _HANDED,
        _HAND_OFFS,
        "    if not call.ok or call.tool not in before.hand_offs:\n        return\n",
        "    call = replace(call, tool=sorted(before.hand_offs)[0])\n",
    ),
    Mutant("budget-raised-by-a-hand-off", _HANDED, "agent/sub_agents.py", "    if lower:\n", "    if not lower:\n"),
    Mutant("answers-lost-below", _ASK, _CHILDREN, "below.get(approval.key, OWN)", "OWN"),
    Mutant(
        "answers-of-other-runs-dropped",
        _BESIDE,
        _CHILDREN,
        "(OWN, *[call.call_id for call in state.pending])",
        "[call.call_id for call in state.pending][:1]",
    ),
    Mutant(
        "one-id-for-all-runs",
        _BESIDE,
        _CHILDREN,
        "new_state(agent.digest, call.key)",
        "new_state(agent.digest, call.call_id)",
    ),
    Mutant("acts-without-a-path", _ASK, _CHILDREN, "path=(call.tool, *act.path)", "path=act.path"),
    Mutant(
        "acts-lost-below",
        _DEEP,
        _CHILDREN,
        "for act in child.exchange.acts or ()]\n    room",
        "for act in ()]\n    room",
    ),
    Mutant("use-below-uncounted", _LIMITS, _CHILDREN, "    count_above(below)\n", ""),
    Mutant(
        "agents-unbounded",
        _BESIDE,
        _CHILDREN,
        "draft.state.pending, draft.agent.max_parallel",
        "draft.state.pending, 99",
    ),
    Mutant(
        "failed-agent-goes-on",
        _LIMITS,
        _CHILDREN,
        "        if child.phase not in _ENDED:\n",
        '        if child.phase != "done":\n',
    ),
    Mutant(
        "loss-not-passed-down", _DEEP, _CHILDREN, "        yield state.run_id\n        return\n", "        return\n"
    ),
    Mutant(
        "told-to-the-caller",
        _BESIDE,
        _CHILDREN,
        "draft.children[child.run_id] = ",
        "draft.children[draft.state.run_id] = ",
    ),
    Mutant(
        "agents-outlive-their-caller",
        _DEEP,
        _CHILDREN,
        'their calls have that as their result."""\n        for call in draft.state.pending:\n',
        'their calls have that as their result."""\n        for call in ():\n',
    ),
)
