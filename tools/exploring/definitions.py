"""The definitions that are explored, each with its alphabet: small, so that their runs can be followed far.

The limits are low and the tools take one of two values, "a" and "b", so that repeats, refusals and ends are near.
"""

from typing import Any, Final

from msgspec import Struct, field

from purestep import ModelError

from .alphabet import BAD_ANSWER, Alphabet, Message

RUN_ID: Final = "explored"


class Case(Struct, frozen=True):
    """A definition and what it is explored with."""

    name: str
    definition: dict[str, Any]
    alphabet: Alphabet
    after: dict[str, Any] | None = None
    """The definition that a run may go on under."""
    below: dict[str, Alphabet] = field(default_factory=dict)
    """What the agents that it calls are explored with, by their names."""


_VALUE: Final = {"type": "object", "properties": {"to": {"enum": ["a", "b"]}}, "required": ["to"]}

_LONG: Final = {**_VALUE, "properties": {"to": {"type": "string", "minLength": 1}}}
"""With a keyword that not every server takes."""

_BUSY: Final = ModelError(code="rate_limit", retryable=True, retry_after_ms=500)
_REFUSED: Final = ModelError(code="refused")
_NOT_TAKEN: Final = tuple(
    ModelError(code="refused", refused=member) for member in ("tools", "tool_schemas", "temperature", "system_role")
)
_OVERFLOW: Final = ModelError(code="overflow")


def _tool(name: str, hints: dict[str, bool] | None = None, **members: Any) -> dict[str, Any]:
    annotations = {} if hints is None else {"annotations": hints}
    return {"name": name, "description": f"To {name}.", "parameters": _VALUE, **annotations, **members}


_LOOK: Final = _tool("look", {"readOnlyHint": True})
_PLAIN: Final = _tool("plain")
_SEND: Final = _tool("send", {"readOnlyHint": False}, approval="ask")
_WIPE: Final = _tool("wipe", {"destructiveHint": True}, approval="auto")
_DELETE: Final = _tool("delete", {"destructiveHint": True}, approval="auto")
_POST: Final = _tool("post", {"readOnlyHint": False})
_SET: Final = _tool("set", {"destructiveHint": True, "idempotentHint": True}, approval="auto")


def _agents(**agents: dict[str, Any]) -> dict[str, Any]:
    return {name: {"agent": definition, "description": f"To {name}."} for name, definition in agents.items()}


_AUDITED: Final = [{"tool": "audit", "params": {"to": "/arguments/to"}}]
_FETCH: Final = _tool("fetch", {"readOnlyHint": True, "openWorldHint": True})
_ADD: Final = _tool("add", {"readOnlyHint": False, "destructiveHint": False})

_REFUSING: Final = {
    "dialect": "native",
    "instructions": "Be brief.",
    "tools": [_tool("look", {"readOnlyHint": True}) | {"parameters": _LONG}],
    "sampling": {"temperature": 0},
    "models": [{"name": "small", "profile": {"refuses": ["seed"]}}, {"name": "large"}],
}


def _rate(model: str, succeeded: int, runs: int, dialect: str = "envelope", **kind: Any) -> dict[str, Any]:
    whole = {"tools": "1-3", "arguments": "enum", "attachments": False, "length": "0-200", **kind}
    way = {"model": model, "dialect": dialect, "constraint": "none"}
    return {**way, "kind": whole, "runs": runs, "succeeded": succeeded}


_RATES: Final = [
    _rate("s", 400, 400),
    _rate("s", 3, 3, length="201-1000"),  # too few: what is known of short ones counts too
    _rate("s", 0, 12, attachments=True),
    _rate("s", 400, 400, "native", attachments=True),
    _rate("m", 400, 400),
    _rate("m", 8, 12, attachments=True),  # it can be often enough, and is not surely
    _rate("l", 40, 40, attachments=True),
]

CASES: Final = (
    Case("refused-members", _REFUSING, Alphabet(plain=True, calls=("look a",), errors=(*_NOT_TAKEN[2:], _REFUSED))),
    Case("refused-tools", _REFUSING, Alphabet(plain=True, calls=(), errors=_NOT_TAKEN)),
    Case(
        "asks",
        {"dialect": "native", "tools": [_SEND]},
        Alphabet(
            plain=True,
            calls=("send a", "send b"),
            outcomes=("fine", "failed", "interrupted"),
            edits=("b",),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "asks-by-policy",
        {
            "tools": [
                _tool("look", {"readOnlyHint": True}, approval="auto"),
                _tool("plain", approval="auto"),
                _tool("drop", {"destructiveHint": True}),
                _tool("other"),
            ],
            "approval": {"default": "ask", "tools": {"plain": "ask"}},
        },
        Alphabet(calls=("plain a", "drop a", "other a", "look a"), outcomes=("fine", "failed")),
    ),
    Case(
        "asks-by-hint",
        {
            "tools": [_tool("drop", {"destructiveHint": True}), _ADD, _PLAIN],
            "approval": {"default": "auto"},
        },
        Alphabet(calls=("drop a", "add a", "drop a, plain a"), outcomes=("fine",), cancels=True),
    ),
    Case(
        "steered",
        {"dialect": "native", "tools": [_LOOK, _SEND], "limits": {"max_turns": 4}},
        Alphabet(
            plain=True,
            calls=("look a", "look a, send b"),
            outcomes=("fine", "failed"),
            errors=(_BUSY,),
            steers=(Message("Now take b."),),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "steered-in-text",
        {"tools": [_LOOK], "skills": ["extract"]},
        Alphabet(
            calls=("look a", "look a, extract Tom", "look 7"),
            texts=("",),
            outcomes=("fine",),
            steers=(Message("Now take b."),),
            in_text=True,
        ),
    ),
    Case(
        "steered-flows",
        {"dialect": "native", "tools": [_FETCH, _SET]},
        Alphabet(plain=True, calls=("fetch a", "set b"), outcomes=("fine",), steers=(Message("Now take b."),)),
    ),
    Case(
        "reads",
        {"tools": [_LOOK], "limits": {"max_repeats": 2}},
        Alphabet(
            calls=("look a", "look 7", "stray a"),
            texts=("", '{"kind":"tool_call","tool_name":'),
            outcomes=("fine", "other"),
            resumes=True,
            in_text=True,
        ),
    ),
    Case(
        "tags",
        {"dialect": "tool_tags", "tools": [_LOOK, _SEND]},
        Alphabet(
            plain=True,
            calls=("look a", "send a"),
            texts=('It is done. [TOOL_CALL]{"name":"look","args":{"to":', "[TOOL_CALL]{}[/TOOL_CALL]"),
            outcomes=("fine", "failed"),
        ),
    ),
    Case(
        "denies",
        {
            "tools": [_tool("erase", approval="auto"), _LOOK, _tool("burn", approval="deny")],
            "approval": {"tools": {"erase": "deny"}},
        },
        Alphabet(calls=("erase a", "erase a, look a", "burn b", "look a"), outcomes=("fine",), cancels=True),
    ),
    Case(
        "repeats",
        {"tools": [_WIPE, _PLAIN], "limits": {"max_repeats": 1}},
        Alphabet(calls=("wipe a", "wipe b", "plain a"), outcomes=("fine", "failed", "interrupted")),
    ),
    Case(
        "effects",
        {"tools": [_WIPE, _SET, _ADD, _POST], "limits": {"max_repeats": 9}},
        Alphabet(
            calls=("wipe a", "wipe a, wipe a", "set a", "add a", "post a"),
            outcomes=("fine", "interrupted", "failed"),
            resumes=True,
        ),
    ),
    Case(
        "doubts",
        {"tools": [_WIPE, _ADD], "limits": {"max_repeats": 9}},
        Alphabet(calls=("wipe a", "add a"), outcomes=("fine", "refused"), resumes=True, cancels=True),
    ),
    Case(
        "losses",
        {"tools": [_SET], "limits": {"max_repeats": 9}},
        Alphabet(calls=("set a",), outcomes=("fine", "refused"), resumes=True),
    ),
    Case(
        "turns",
        {"tools": [_PLAIN], "limits": {"max_turns": 3, "max_tool_calls": 3, "max_corrections": 2}},
        Alphabet(
            calls=("plain a", "plain a, plain b", "plain 7"),
            texts=("", '{"kind":"final","content":" "}'),
            outcomes=("fine", "failed"),
            errors=(_BUSY, _REFUSED),
        ),
    ),
    Case(
        "calls",
        {"tools": [_LOOK, _SEND], "limits": {"max_tool_calls": 2, "max_repeats": 5}},
        Alphabet(
            calls=("look a", "look a, look b", "send a, look b", "look a, look b, look a"), outcomes=("fine", "failed")
        ),
    ),
    Case(
        "parallel",
        {"tools": [_LOOK, _PLAIN, _SET], "limits": {"max_parallel": 2}},
        Alphabet(
            calls=("look a, plain a, set a", "plain a, plain b, look b"),
            outcomes=("fine", "failed"),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "parallel-asks",
        {"dialect": "native", "tools": [_LOOK, _SEND, _WIPE], "limits": {"max_parallel": 2}},
        Alphabet(
            plain=True,
            calls=("look a, send a, wipe b", "send a, send a", "look 7, send a"),
            outcomes=("fine", "interrupted"),
            edits=("b",),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "required",
        {"tools": [_LOOK, _SEND], "tool_choice": "required", "limits": {"max_corrections": 2}},
        Alphabet(
            calls=("look a", "send a"),
            texts=("",),
            outcomes=("fine", "failed"),
            messages=(Message("Go on with it."), Message("Say hello.", "none")),
        ),
    ),
    Case(
        "chosen",
        {"tools": [_LOOK, _PLAIN]},
        Alphabet(
            calls=("look a", "plain a", "plain b, look b"),
            outcomes=("fine", "failed"),
            messages=(Message("Go on.", "tool plain"), Message("Go on.", "none"), Message("Go on.", "required")),
        ),
    ),
    Case(
        "conditions",
        {
            "tools": [
                _tool("look", {"readOnlyHint": True}, checks=[{"not": {"pattern": "bad"}}]),
                _tool("wipe", {"destructiveHint": True}, approval="auto", checks=[{"not": {"pattern": "bad"}}]),
            ],
            "checks": [{"not": {"pattern": "bad"}}],
        },
        Alphabet(calls=("look a", "wipe a"), answers=("It is done.", BAD_ANSWER), outcomes=("fine", "bad")),
    ),
    Case(
        "checks",
        {
            "dialect": "native",
            "tools": [
                _tool("look", {"readOnlyHint": True}, checks=_AUDITED),
                _tool("wipe", {"destructiveHint": True}, approval="auto", checks=_AUDITED),
                _PLAIN,
                _tool("audit", {"readOnlyHint": True}),
            ],
            "limits": {"max_parallel": 2, "max_tool_calls": 6},
        },
        Alphabet(
            plain=True,
            calls=("look a", "wipe a", "plain a, wipe b, look b", "audit a"),
            outcomes=("fine", "interrupted"),
            verdicts=("yes", "no", "yes and no", "failed"),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "cited",
        {"tools": [_LOOK, _POST], "checks": ["citations"]},
        Alphabet(
            calls=("look a", "post a, look b"),
            answers=("It was fine [1].", "It was fine [1, 3].", "It was fine."),
            outcomes=("fine", "failed"),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "flows",
        {
            "dialect": "native",
            "tools": [
                _FETCH,
                _LOOK,
                _SET,
                _tool("put", {"destructiveHint": True, "idempotentHint": True}, approval="auto"),
            ],
            "policies": [{"use": "flow", "rules": [{"from": "open", "to": "put", "then": "allow"}]}],
        },
        Alphabet(
            plain=True,
            calls=("fetch a", "look a", "look b", "set a", "set b", "put b", "fetch b, set b"),
            outcomes=("fine", "names b", "number", "failed"),
            messages=(Message("Go on with a."), Message("Now with the other one.")),
            edits=("b",),
            resumes=True,
        ),
    ),
    Case(
        "flows-edited",
        {"dialect": "native", "tools": [_FETCH, _SET]},
        Alphabet(plain=True, calls=("fetch a", "set a", "set b"), outcomes=("fine",), edits=("b",)),
    ),
    Case(
        "flows-attached",
        {"dialect": "native", "tools": [_FETCH, _SET]},
        Alphabet(
            plain=True,
            calls=("set a", "set b"),
            messages=(
                Message("Go on with a."),
                Message("Go on with it.", along="Take b."),
                Message("Do what it says.", attached=True),
            ),
        ),
    ),
    Case(
        "outcome-fails",
        {
            "tools": [_SEND, _LOOK, _PLAIN],
            "approval": {"unknown_outcome": "fail"},
            "limits": {"max_parallel": 1},
        },
        Alphabet(
            calls=("send a", "look a", "look a, plain a"), outcomes=("fine", "interrupted"), resumes=True, cancels=True
        ),
    ),
    Case(
        "negotiation",
        {"tools": [_LOOK, _WIPE], "policies": [{"use": "negotiation"}], "models": [{"name": "s"}, {"name": "l"}]},
        Alphabet(calls=("look a", "wipe a", "look 7"), texts=("",), outcomes=("fine", "failed"), errors=(_OVERFLOW,)),
    ),
    Case(
        "plans",
        {
            "tools": [_LOOK, _WIPE],
            "policies": [
                {
                    "use": "negotiation",
                    "rules": [
                        {"cause": "invalid_arguments", "count": 2, "move": "plan"},
                        {"cause": "unread", "move": "plan"},
                        {"cause": "invalid_arguments", "count": 3, "move": "model"},
                    ],
                }
            ],
            "models": [{"name": "s"}, {"name": "l"}],
            "limits": {"max_turns": 8, "final_answer": True},
        },
        Alphabet(
            calls=("look a", "wipe a", "look 7"),
            texts=("",),
            errors=(_BUSY, _REFUSED),
            steers=(Message("Now take b."),),
            cancels=True,
        ),
    ),
    Case(
        "rates",
        {
            "tools": [_LOOK],
            "policies": [{"use": "rates", "profile": {"rows": _RATES}, "least": 80}],
            "models": [
                {"name": name, "price": {"input": 0, "output": output}}
                for name, output in (("s", 150_000), ("m", 700_000), ("l", 2_000_000))
            ],
            "limits": {"max_cost": 45},
        },
        Alphabet(
            calls=("look a", "look 7"),
            texts=("",),
            messages=(
                Message("Go on with it.", model="s"),
                Message("Go on with it. " * 20, model="s"),
                Message("Go on with it.", attached=True, model="l"),
            ),
            errors=(_BUSY,),
            tokens=10,
        ),
    ),
    Case(
        "last-answer",
        {
            "tools": [_LOOK, _SEND],
            "limits": {"max_turns": 4, "max_tool_calls": 2, "final_answer": True},
        },
        Alphabet(calls=("look a", "send a", "look a, look b"), outcomes=("fine",), texts=("",)),
    ),
    Case(
        "skills",
        {
            "dialect": "native",
            "skills": ["extract"],
            "tools": [_LOOK, _SEND],
            "limits": {"max_turns": 4, "max_tool_calls": 6},
        },
        Alphabet(
            plain=True,
            calls=("extract Tom", "extract phone", "extract Tom, look a, extract phone", "send a, extract Tom"),
            outcomes=("fine", "failed"),
            errors=(_BUSY, _REFUSED),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "searches",
        {
            "dialect": "native",
            "tools_offered": 2,
            "tools": [_tool("look", {"readOnlyHint": True}, always=True), _ADD, _WIPE, _PLAIN, _POST],
            "limits": {"max_tool_calls": 2, "max_turns": 6, "max_repeats": 9},
        },
        Alphabet(
            plain=True,
            calls=("find_tools add", "find_tools wipe plain", "post 7", "add a", "find_tools post, add b", "look a"),
            outcomes=("fine", "failed"),
            steers=(Message("Now take b."),),
            cancels=True,
        ),
    ),
    Case(
        "budgets",
        {
            "tools": [_LOOK, _SEND],
            "limits": {"max_output_tokens": 20, "deadline_ms": 100},
        },
        Alphabet(calls=("look a", "send a"), outcomes=("fine", "failed"), errors=(_BUSY,), late=150, tokens=10),
    ),
    Case(
        "history",
        {
            "dialect": "native",
            "tools": [_LOOK],
            "policies": [{"use": "history", "keep_exchanges": 1, "slack": 0, "pin": "first"}],
            "limits": {"max_turns": 3},
        },
        Alphabet(plain=True, calls=("look a",), errors=(_REFUSED,), cancels=True),
    ),
    Case(
        "changed",
        {"dialect": "native", "tools": [_LOOK, _SEND, _PLAIN], "instructions": "Be first."},
        Alphabet(
            plain=True,
            calls=("look a, send b, plain a", "plain a"),
            texts=("",),
            outcomes=("fine", "failed"),
            errors=(_BUSY,),
            resumes=True,
            cancels=True,
        ),
        {
            "dialect": "native",
            "tools": [_LOOK, _tool("plain", approval="ask"), _ADD],
            "instructions": "Be second.",
        },
    ),
    Case(
        "trees-that-ask",
        {"dialect": "native", "tools": [_LOOK], "agents": _agents(desk={"dialect": "native", "tools": [_SEND, _LOOK]})},
        Alphabet(plain=True, calls=("desk Send it.", "look a"), agents=("desk",), resumes=True, cancels=True),
        below={
            "desk": Alphabet(
                plain=True,
                calls=("send a", "send a, look b"),
                outcomes=("fine", "interrupted"),
                errors=(_BUSY,),
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
                desk={"dialect": "native", "tools": [_SEND]}, search={"dialect": "native", "tools": [_LOOK]}
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
                    "tools": [_LOOK],
                    "agents": _agents(desk={"dialect": "native", "tools": [_SEND, _ADD]}),
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
            "agents": _agents(desk={"dialect": "native", "tools": [_LOOK, _ADD], "limits": {"max_turns": 3}}),
            "limits": {"max_turns": 5, "max_tool_calls": 4},
        },
        Alphabet(plain=True, calls=("desk Look.", "desk Look., desk Look again."), agents=("desk",)),
        below={"desk": Alphabet(plain=True, calls=("look a", "add a, look b", "look 7"), outcomes=("fine", "failed"))},
    ),
)
"""All definitions that are explored."""
