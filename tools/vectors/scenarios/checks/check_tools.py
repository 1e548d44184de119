"""The scenarios of check tools, and of answers held to two sections, as data."""

from typing import Any

from tools.vectors.observations import Scenario, call, failure, final, native, results, said, user

_BANK: dict[str, Any] = {
    "name": "bank_has",
    "annotations": {"readOnlyHint": True},
    "parameters": {"type": "object", "properties": {"paid": {"type": "number"}, "to": {}}, "required": ["paid"]},
}
_BUILD: dict[str, Any] = {"name": "build", "annotations": {"readOnlyHint": True}}
_PAY: dict[str, Any] = {
    "name": "pay",
    "annotations": {"destructiveHint": True},
    "approval": "auto",
    "parameters": {"type": "object", "properties": {"to": {"type": "string"}}},
    "checks": [
        {"not": {"pattern": "lost"}},
        {"tool": "bank_has", "params": {"paid": "/output/paid", "to": "/arguments/to"}},
        {"tool": "build", "params": {"note": "\u00fc \U0001f600"}, "message": "the build is red"},
    ],
}
_ANSWERED: dict[str, Any] = {"tool": "build", "params": {"answer": "/output"}}

AGENTS: dict[str, dict[str, Any] | None] = {
    "executed": {"tools": [_PAY, _BANK, _BUILD]},
    "executed-native": {
        "dialect": "native",
        "tools": [_PAY, _BANK, _BUILD],
        "limits": {"max_parallel": 3},
    },
    "citing": {"tools": [{"name": "find"}], "checks": ["citations"]},
    "citing-native": {"dialect": "native", "tools": [{"name": "find"}], "checks": ["citations"]},
    "observed": {
        "tools": [{"name": "look", "examples": [{"query": "Look", "arguments": {}, "result": 5, "answer": "Five."}]}],
        "checks": ["observations"],
    },
    "executed-answer": {
        "tools": [_BUILD],
        "checks": [_ANSWERED],
        "limits": {"max_tool_calls": 3},
    },
}

_YES, _NO = {"accept": True}, {"accept": False, "reason": "no money came"}
_PAY_ANN = said(call("pay", '{"to":"Ann"}'))

STEPS: dict[str, Scenario] = {
    "check-accepts": (
        "executed",
        [
            user("Pay Ann 5"),
            _PAY_ANN,
            results(("call_1", {"paid": 5, "at": [1.5]})),
            results(("call_3", _YES)),
            {"type": "resumed"},
            results(("call_2", {"accept": True, "reason": None})),
            said(final('"Paid."')),
        ],
    ),
    "check-rejects": (
        "executed",
        [
            user("Pay Ann 5"),
            _PAY_ANN,
            results(("call_1", {"paid": 5})),
            results(("call_2", _NO), ("call_3", _YES)),
            _PAY_ANN,
            {"type": "approvals", "approvals": [{"call_id": "call_4", "key": "$call_4", "approved": True}]},
            results(("call_4", {"paid": "5"})),
        ],
    ),
    "check-fails": (
        "executed",
        [
            user("Pay Bob 5"),
            said(call("bank_has", '{"paid":5}')),
            said(call("pay", '{"to":"Bob"}')),
            results(("call_2", {"paid": 5})),
            results(("call_3", "yes")),
            failure("call_4", "no such build", "io"),
            said(call("pay", '{"to":"Eve"}')),
            results(("call_5", {"paid": 6})),
            results(("call_6", _YES)),
            results(("call_7", {"accept": False})),
        ],
    ),
    "check-parallel": (
        "executed-native",
        [
            user("Pay both"),
            native(("pay", '{"to":"Ann"}'), ("pay", '{"to":"Bob"}')),
            results(("call_2", {"paid": 2})),
            results(("call_1", {"paid": 1}), ("call_3", _NO)),
            results(("call_4", _YES), ("call_5", _YES), ("call_6", _YES)),
            said("Paid, but for Bob."),
        ],
    ),
    "check-cancelled": (
        "executed-native",
        [
            user("Pay both"),
            native(("pay", '{"to":"Ann"}'), ("pay", '{"to":"Bob"}')),
            results(("call_2", {"paid": 2})),
            {"type": "cancel"},
        ],
    ),
    "check-answer": (
        "executed-answer",
        [
            user("Does it build?"),
            said(final('"It does."')),
            results(("call_1", {"accept": False, "reason": "it does not"})),
            said(final('"It does not."')),
            results(("call_2", _YES)),
            user("And now?"),
            said(final('"Yes."')),
            {"type": "cancel"},
        ],
    ),
    "citations": (
        "citing",
        [
            user("Wer ist Ann \u00dc? I have 12 \u20ac."),
            said(call("find", '{"who":"Ann"}')),
            results(
                (
                    "call_1",
                    {"name": "Ann \u00dcber", "owes": 1500.5, "since": "2024-05-01", "at": "https://a.example/\u00fc"},
                )
            ),
            said(final('"Sie schuldet 1500."')),
            said(final('"\U0001f600 Sie schuldet 1.500,50 \u20ac seit 2024-05-01. [1] Du hast 12 [1, 1]."')),
            user("And Bob?"),
            said(call("find", '{"who":"Bob"}')),
            failure("call_2", "nobody", "execution"),
            said(final('"Nobody [1]."')),
            said(final('"Nobody [2]."')),
        ],
    ),
    "citations-native": (
        "citing-native",
        [
            user("Who?"),
            native(("find", '{"who":"Ann"}'), ("find", '{"who":"Bob"}')),
            results(("call_2", "Bob, 51"), ("call_1", "\u201eAnn\u201c, 34")),
            said("Ann is 51 [1]. Bob is 51 [2]."),
            said("\u201eAnn\u201c is 34 [1]; Bob is 51 [2]\u3002[2]"),
        ],
    ),
    "observations": (
        "observed",
        [
            user("How many?"),
            said(call("look", "{}")),
            results(("call_1", 7)),
            said(final('"Seven."')),
            said(final('"**Observations:** 7\\nFINAL ANSWER\\nSeven \u00fc."')),
            user("Thanks"),
            said(final('"You are welcome."')),
        ],
    ),
    "check-answer-fails": (
        "executed-answer",
        [
            user("Does it build?"),
            said(final('"It does."')),
            results(("call_1", {"accept": "true"})),
            said(final('"Really."')),
            results(("call_2", [])),
        ],
    ),
}
"""For each name: the definition and its observations."""

EXPLAINED = tuple(STEPS)
