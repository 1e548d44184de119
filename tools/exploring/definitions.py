"""The definitions that are explored, each with its alphabet: small, so that their runs can be followed far.

The limits are low and the tools take one of two values, "a" and "b", so that repeats, refusals and ends are near.
"""

from typing import Any, Final

from purestep import ModelError

from .alphabet import BAD_ANSWER, Alphabet, Message
from .case import ADD, BUSY, LOOK, SEND, VALUE, Case, tool
from .tree_definitions import TREES

_LONG: Final = {**VALUE, "properties": {"to": {"type": "string", "minLength": 1}}}
"""With a keyword that not every server takes."""

_REFUSED: Final = ModelError(code="refused")
_NOT_TAKEN: Final = tuple(
    ModelError(code="refused", refused=member) for member in ("tools", "tool_schemas", "temperature", "system_role")
)
_OVERFLOW: Final = ModelError(code="overflow")


_PLAIN: Final = tool("plain")
_WIPE: Final = tool("wipe", {"destructiveHint": True}, approval="auto")
_DELETE: Final = tool("delete", {"destructiveHint": True}, approval="auto")
_POST: Final = tool("post", {"readOnlyHint": False})
_SET: Final = tool("set", {"destructiveHint": True, "idempotentHint": True}, approval="auto")


_AUDITED: Final = [{"tool": "audit", "params": {"to": "/arguments/to"}}]
_FETCH: Final = tool("fetch", {"readOnlyHint": True, "openWorldHint": True})

_REFUSING: Final = {
    "dialect": "native",
    "instructions": "Be brief.",
    "tools": [tool("look", {"readOnlyHint": True}) | {"parameters": _LONG}],
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
        {"dialect": "native", "tools": [SEND]},
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
                tool("look", {"readOnlyHint": True}, approval="auto"),
                tool("plain", approval="auto"),
                tool("drop", {"destructiveHint": True}),
                tool("other"),
            ],
            "approval": {"default": "ask", "tools": {"plain": "ask"}},
        },
        Alphabet(calls=("plain a", "drop a", "other a", "look a"), outcomes=("fine", "failed")),
    ),
    Case(
        "asks-by-hint",
        {
            "tools": [tool("drop", {"destructiveHint": True}), ADD, _PLAIN],
            "approval": {"default": "auto"},
        },
        Alphabet(calls=("drop a", "add a", "drop a, plain a"), outcomes=("fine",), cancels=True),
    ),
    Case(
        "steered",
        {"dialect": "native", "tools": [LOOK, SEND], "limits": {"max_turns": 4}},
        Alphabet(
            plain=True,
            calls=("look a", "look a, send b"),
            outcomes=("fine", "failed"),
            errors=(BUSY,),
            steers=(Message("Now take b."),),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "steered-in-text",
        {"tools": [LOOK], "skills": ["extract"]},
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
        {"tools": [LOOK], "limits": {"max_repeats": 2}},
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
        {"dialect": "tool_tags", "tools": [LOOK, SEND]},
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
            "tools": [tool("erase", approval="auto"), LOOK, tool("burn", approval="deny")],
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
        {"tools": [_WIPE, _SET, ADD, _POST], "limits": {"max_repeats": 9}},
        Alphabet(
            calls=("wipe a", "wipe a, wipe a", "set a", "add a", "post a"),
            outcomes=("fine", "interrupted", "failed"),
            resumes=True,
        ),
    ),
    Case(
        "elsewhere",
        {"tools": [_WIPE, LOOK, SEND], "limits": {"max_repeats": 9}},
        Alphabet(
            calls=("wipe a", "look a", "wipe a, look b", "send a"),
            outcomes=("fine", "failed"),
            elsewhere=True,
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "elsewhere-steered",
        {"dialect": "native", "tools": [_WIPE, LOOK]},
        Alphabet(
            plain=True,
            calls=("wipe a", "wipe a, look b", "look a"),
            outcomes=("fine",),
            errors=(BUSY,),
            steers=(Message("Now take b."),),
            elsewhere=True,
        ),
    ),
    Case(
        "doubts",
        {"tools": [_WIPE, ADD], "limits": {"max_repeats": 9}},
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
            errors=(BUSY, _REFUSED),
        ),
    ),
    Case(
        "calls",
        {"tools": [LOOK, SEND], "limits": {"max_tool_calls": 2, "max_repeats": 5}},
        Alphabet(
            calls=("look a", "look a, look b", "send a, look b", "look a, look b, look a"), outcomes=("fine", "failed")
        ),
    ),
    Case(
        "parallel",
        {"tools": [LOOK, _PLAIN, _SET], "limits": {"max_parallel": 2}},
        Alphabet(
            calls=("look a, plain a, set a", "plain a, plain b, look b"),
            outcomes=("fine", "failed"),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "parallel-asks",
        {"dialect": "native", "tools": [LOOK, SEND, _WIPE], "limits": {"max_parallel": 2}},
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
        {"tools": [LOOK, SEND], "tool_choice": "required", "limits": {"max_corrections": 2}},
        Alphabet(
            calls=("look a", "send a"),
            texts=("",),
            outcomes=("fine", "failed"),
            messages=(Message("Go on with it."), Message("Say hello.", "none")),
        ),
    ),
    Case(
        "chosen",
        {"tools": [LOOK, _PLAIN]},
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
                tool("look", {"readOnlyHint": True}, checks=[{"not": {"pattern": "bad"}}]),
                tool("wipe", {"destructiveHint": True}, approval="auto", checks=[{"not": {"pattern": "bad"}}]),
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
                tool("look", {"readOnlyHint": True}, checks=_AUDITED),
                tool("wipe", {"destructiveHint": True}, approval="auto", checks=_AUDITED),
                _PLAIN,
                tool("audit", {"readOnlyHint": True}),
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
        {"tools": [LOOK, _POST], "checks": ["citations"]},
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
                LOOK,
                _SET,
                tool("put", {"destructiveHint": True, "idempotentHint": True}, approval="auto"),
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
            "tools": [SEND, LOOK, _PLAIN],
            "approval": {"unknown_outcome": "fail"},
            "limits": {"max_parallel": 1},
        },
        Alphabet(
            calls=("send a", "look a", "look a, plain a"), outcomes=("fine", "interrupted"), resumes=True, cancels=True
        ),
    ),
    Case(
        "negotiation",
        {"tools": [LOOK, _WIPE], "policies": [{"use": "negotiation"}], "models": [{"name": "s"}, {"name": "l"}]},
        Alphabet(calls=("look a", "wipe a", "look 7"), texts=("",), outcomes=("fine", "failed"), errors=(_OVERFLOW,)),
    ),
    Case(
        "plans",
        {
            "tools": [LOOK, _WIPE],
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
            errors=(BUSY, _REFUSED),
            steers=(Message("Now take b."),),
            cancels=True,
        ),
    ),
    Case(
        "rates",
        {
            "tools": [LOOK],
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
            errors=(BUSY,),
            tokens=10,
        ),
    ),
    Case(
        "last-answer",
        {
            "tools": [LOOK, SEND],
            "limits": {"max_turns": 4, "max_tool_calls": 2, "final_answer": True},
        },
        Alphabet(calls=("look a", "send a", "look a, look b"), outcomes=("fine",), texts=("",)),
    ),
    Case(
        "skills",
        {
            "dialect": "native",
            "skills": ["extract"],
            "tools": [LOOK, SEND],
            "limits": {"max_turns": 4, "max_tool_calls": 6},
        },
        Alphabet(
            plain=True,
            calls=("extract Tom", "extract phone", "extract Tom, look a, extract phone", "send a, extract Tom"),
            outcomes=("fine", "failed"),
            errors=(BUSY, _REFUSED),
            resumes=True,
            cancels=True,
        ),
    ),
    Case(
        "searches",
        {
            "dialect": "native",
            "tools_offered": 2,
            "tools": [tool("look", {"readOnlyHint": True}, always=True), ADD, _WIPE, _PLAIN, _POST],
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
            "tools": [LOOK, SEND],
            "limits": {"max_output_tokens": 20, "deadline_ms": 100},
        },
        Alphabet(calls=("look a", "send a"), outcomes=("fine", "failed"), errors=(BUSY,), late=150, tokens=10),
    ),
    Case(
        "history",
        {
            "dialect": "native",
            "tools": [LOOK],
            "policies": [{"use": "history", "keep_exchanges": 1, "slack": 0, "pin": "first"}],
            "limits": {"max_turns": 3},
        },
        Alphabet(plain=True, calls=("look a",), errors=(_REFUSED,), cancels=True),
    ),
    Case(
        "changed",
        {"dialect": "native", "tools": [LOOK, SEND, _PLAIN], "instructions": "Be first."},
        Alphabet(
            plain=True,
            calls=("look a, send b, plain a", "plain a"),
            texts=("",),
            outcomes=("fine", "failed"),
            errors=(BUSY,),
            resumes=True,
            cancels=True,
        ),
        {
            "dialect": "native",
            "tools": [LOOK, tool("plain", approval="ask"), ADD],
            "instructions": "Be second.",
        },
    ),
    *TREES,
)
"""All definitions that are explored."""
