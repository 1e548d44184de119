"""The definitions with agents that are explored, with an alphabet for each of these."""

from typing import Any, Final

from .alphabet import Alphabet, Message
from .case import ADD, BUSY, LOOK, SEND, Case


def _agents(**agents: dict[str, Any]) -> dict[str, Any]:
    return {name: {"agent": definition, "description": f"To {name}."} for name, definition in agents.items()}


_HANDED: Final = {
    **_agents(desk={"dialect": "native", "tools": [SEND], "limits": {"max_turns": 9}}),
    **_agents(search={"dialect": "native", "tools": [LOOK]}),
}
_HANDED["desk"]["hand_off"] = True

TREES: Final = (
    Case(
        "trees-that-hand-over",
        {"dialect": "native", "tools": [LOOK], "agents": _HANDED, "limits": {"max_turns": 4}},
        Alphabet(
            plain=True,
            calls=("desk now", "desk now, look a", "search Look.", "send a"),
            hand_offs=("desk",),
            outcomes=("fine",),
            agents=("search",),
            cancels=True,
            resumes=True,
        ),
        below={"search": Alphabet(plain=True, calls=("look a",), outcomes=("fine",), cancels=True)},
    ),
    Case(
        "trees-that-ask",
        {"dialect": "native", "tools": [LOOK], "agents": _agents(desk={"dialect": "native", "tools": [SEND, LOOK]})},
        Alphabet(plain=True, calls=("desk Send it.", "look a"), agents=("desk",), resumes=True, cancels=True),
        below={
            "desk": Alphabet(
                plain=True,
                calls=("send a", "send a, look b"),
                outcomes=("fine", "interrupted"),
                errors=(BUSY,),
                resumes=True,
                cancels=True,
            )
        },
    ),
    Case(
        "trees-side-by-side",
        {
            "dialect": "native",
            "tools": [],
            "agents": _agents(
                desk={"dialect": "native", "tools": [SEND]}, search={"dialect": "native", "tools": [LOOK]}
            ),
            "limits": {"max_parallel": 2},
        },
        Alphabet(
            plain=True,
            calls=("desk Send it., search Look.", "search Look., search Look again., desk Send it."),
            agents=("desk", "search"),
            cancels=True,
        ),
        below={
            "desk": Alphabet(plain=True, calls=("send a",), outcomes=("fine", "failed"), cancels=True),
            "search": Alphabet(
                plain=True, calls=("look a",), outcomes=("fine",), steers=(Message("Now take b."),), cancels=True
            ),
        },
    ),
    Case(
        "trees-two-deep",
        {
            "dialect": "native",
            "tools": [],
            "agents": _agents(
                lead={
                    "dialect": "native",
                    "tools": [LOOK],
                    "agents": _agents(desk={"dialect": "native", "tools": [SEND, ADD]}),
                }
            ),
        },
        Alphabet(plain=True, calls=("lead Send it.",), agents=("lead",), resumes=True, cancels=True),
        below={
            "lead": Alphabet(plain=True, calls=("desk Send it., look a",), agents=("desk",), cancels=True),
            "desk": Alphabet(
                plain=True, calls=("send a", "add a"), outcomes=("fine", "failed"), resumes=True, cancels=True
            ),
        },
    ),
    Case(
        "trees-with-limits",
        {
            "dialect": "native",
            "tools": [],
            "agents": _agents(desk={"dialect": "native", "tools": [LOOK, ADD], "limits": {"max_turns": 3}}),
            "limits": {"max_turns": 5, "max_tool_calls": 4},
        },
        Alphabet(plain=True, calls=("desk Look.", "desk Look., desk Look again."), agents=("desk",)),
        below={"desk": Alphabet(plain=True, calls=("look a", "add a, look b", "look 7"), outcomes=("fine", "failed"))},
    ),
)
