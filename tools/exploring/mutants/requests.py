"""Faults in what servers do not take: it is sent again, not told, or asked for without an end."""

from typing import Final

from .mutant import Mutant

_REFUSALS: Final = "draft/refusals.py"
_TAKEN: Final = "values/taken_calls.py"

REQUESTS: Final = (
    Mutant(
        "refusal-is-not-kept", "refused-members", _REFUSALS, "refused_members=(*known, entry)", "refused_members=known"
    ),
    Mutant(
        "refusal-is-not-told",
        "refused-members",
        _TAKEN,
        ", logprobs=logprobs, without=tuple(members))",
        ", logprobs=logprobs)",
    ),
    Mutant(
        "refused-setting-is-sent",
        "refused-members",
        _TAKEN,
        "if (named := names.get(name, name)) not in members",
        "if (named := names.get(name, name))",
    ),
    Mutant(
        "refused-tools-are-sent",
        "refused-tools",
        "agent/ways.py",
        'if "tools" in learnt_members(state) else',
        "if not dialect else",
    ),
    Mutant("refused-role-is-sent", "refused-members", _TAKEN, 'role = "user" if SYSTEM in members else', "role ="),
    Mutant(
        "refused-keywords-are-sent",
        "refused-tools",
        "agent/agent.py",
        "and SCHEMAS in self.left_out(state)",
        "and not self",
    ),
    Mutant(
        "refused-twice-is-asked-again",
        "refused-members",
        _REFUSALS,
        "if member in (*NEEDED, *left_out) or",
        "if member in NEEDED or",
    ),
)
