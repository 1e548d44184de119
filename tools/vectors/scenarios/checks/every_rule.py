"""Each rule on an output by itself: a tool that has only this rule, an output that keeps it and one that breaks it.

The other scenarios have rules in use together. `tests/vectors` fails where a rule that the core knows has no vector.
"""

from typing import Any

from tools.vectors.observations import Scenario, call, final, results, said, user

_LIMIT = {"type": "object", "properties": {"limit": {}}}


def _compared(relation: str) -> dict[str, Any]:
    return {"postconditions": [{"compare": {"left": "/output/n", "is": relation, "right": "/arguments/limit"}}]}


def _held(**members: Any) -> dict[str, Any]:
    return {"postconditions": [members]}


_RULES: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "not_empty": ({"guardrails": ["not_empty"]}, "a", "  "),
    "not_metadata": ({"guardrails": ["not_metadata"]}, "total 8\na.txt", "total 7079928"),
    "has_substance": ({"guardrails": ["has_substance"]}, "abc", "--"),
    "schema": (_held(schema={"type": "object", "required": ["n"]}), {"n": 1}, {"m": 1}),
    "contains": (_held(contains="paid"), "it was paid", "it was Paid"),
    "excludes": (_held(excludes="error"), "fine", "an error"),
    "pattern": (_held(pattern="^[A-Z]{2}-[0-9]+$"), "AB-12", "AB-x"),
    "mentions": (_held(mentions="limit"), "up to 5", "up to 6"),
    "lines": (_held(lines={"min": 2, "max": 3}), "a\n\nb", "a\n\n"),
    "items": (_held(items={"max": 1}), [1], [1, 2]),
    "only_head": (_held(not_metadata=True), "total of it", "total 12K"),
    "equal": (_compared("equal"), {"n": 5.0}, {"n": 5.5}),
    "not_equal": (_compared("not_equal"), {"n": 6}, {"n": 5}),
    "less": (_compared("less"), {"n": 4.999}, {"n": 5}),
    "at_most": (_compared("at_most"), {"n": 5}, {"n": 5.001}),
    "more": (_compared("more"), {"n": 5.001}, {"n": 5}),
    "at_least": (_compared("at_least"), {"n": 5}, {"n": 4.999}),
    "occurs": (
        _held(occurs={"values": "/output/who", "in": ["question", "/arguments/limit"]}),
        {"who": "ann"},
        {"who": "Eve"},
    ),
    "all_of": (_held(all=[{"contains": "a"}, {"contains": "b"}]), "ab", "a c"),
    "any_of": (_held(any=[{"contains": "a"}, {"contains": "b"}]), "b c", "c d"),
    "none_of": (_held(**{"not": {"contains": "a"}, "message": "it has an a"}), "b c", "a c"),
}
"""By the name of its tool: what the tool declares, and the two outputs."""

AGENTS: dict[str, dict[str, Any] | None] = {
    "every-rule": {
        "tools": [
            {"name": name, "parameters": _LIMIT, "annotations": {"readOnlyHint": True}, **declared}
            for name, (declared, _, _) in _RULES.items()
        ],
        "guardrails": [],
        "limits": {"max_parallel": 32},
    },
    "payer": {
        "tools": [
            {"name": "get_invoice", "annotations": {"readOnlyHint": True}},
            {
                "name": "pay",
                "parameters": {"type": "object", "properties": {"amount": {"type": "number"}}},
                "annotations": {"readOnlyHint": False, "destructiveHint": False},
                "postconditions": [
                    {"compare": {"left": "/arguments/amount", "is": "equal", "right": "/results/get_invoice/total"}},
                    {"occurs": {"values": "/output/to", "in": ["/results/get_invoice/from"]}},
                ],
            },
        ],
        "answer_postconditions": [{"occurs": {"values": "/results/pay/receipt", "in": ["output"]}}],
        "guardrails": [],
    },
}


def _turn(which: int, first: int) -> list[dict[str, Any]]:
    calls = [call(name, f'{{"limit":5,"turn":{which}}}') for name in _RULES]
    outputs = [(f"call_{number}", rule[which]) for number, rule in enumerate(_RULES.values(), first)]
    return [said("[" + ",".join(calls) + "]"), results(*outputs)]


STEPS: dict[str, Scenario] = {
    "every-rule": (
        "every-rule",
        [user("What of Ann?"), *_turn(1, 1), *_turn(2, len(_RULES) + 1), said(final('"It is fine."'))],
    ),
    "answer-fails": (
        "cited",
        [user("Who works with Bob?"), said(final('{"people":["Eve"]}')), said(final('{"people":["Mallory"]}'))],
    ),
    "value-twice": (
        "biller-cited",
        [
            user("What does invoice 12 come to?"),
            said(call("get_invoice", '{"number":12}')),
            results(("call_1", {"number": 12, "total": 940.5})),
            said(final('"It comes to 8,000."')),
            said(final('"It comes to 9,000."')),
        ],
    ),
    "earlier-results": (
        "payer",
        [
            user("Pay invoice 12"),
            said(call("pay", '{"amount":940.5}')),
            results(("call_1", {"to": "Ann", "receipt": "R-1"})),
            said(call("get_invoice", "{}")),
            results(("call_2", {"from": ["Ann", "x" * 2000], "total": 940.5})),
            said(call("get_invoice", "{}")),
            results(("call_3", {"from": ["Ann Lee"], "total": 940.50})),
            said(call("pay", '{"amount":940.5}')),
            results(("call_4", {"to": "Ann", "receipt": "R-2"})),
            said(final('"Paid, receipt R-1."')),
            said(final('"Paid, receipt R-2."')),
            user("Pay it again"),
            said(call("pay", '{"amount":940}')),
            results(("call_5", {"to": "Ann", "receipt": "R-3"})),
        ],
    ),
}
