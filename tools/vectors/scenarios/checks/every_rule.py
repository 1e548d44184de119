"""Each rule on an output by itself: a tool that has only this rule, an output that keeps it and one that breaks it.

The other scenarios have rules in use together. `tests/vectors` fails where a rule that the core knows has no vector.
"""

from typing import Any

from tools.vectors.observations import Scenario, call, final, results, said, user

_LIMIT = {"type": "object", "properties": {"limit": {}}}


def _held(**members: Any) -> dict[str, Any]:
    return {"checks": [members]}


_RULES: dict[str, tuple[dict[str, Any], Any, Any]] = {
    "not_empty": ({"checks": ["not_empty"]}, "a", "  "),
    "not_metadata": ({"checks": ["not_metadata"]}, "total 8\na.txt", "total 7079928"),
    "has_substance": ({"checks": ["has_substance"]}, "abc", "--"),
    "plausibility": (_held(use="plausibility", message="it says nothing"), {"n": 1}, ""),
    "schema": (_held(schema={"type": "object", "required": ["n"]}), {"n": 1}, {"m": 1}),
    "pattern": (_held(pattern="^[A-Z]{2}-[0-9]+$"), "AB-12", "AB-x"),
    "any_of": (_held(any=[{"pattern": "a"}, {"pattern": "b"}]), "b c", "c d"),
    "none_of": (_held(**{"not": {"pattern": "a"}, "message": "it has an a"}), "b c", "a c"),
}
"""By the name of its tool: what the tool declares, and the two outputs."""

AGENTS: dict[str, dict[str, Any] | None] = {
    "every-rule": {
        "tools": [
            {"name": name, "parameters": _LIMIT, "annotations": {"readOnlyHint": True}, **declared}
            for name, (declared, _, _) in _RULES.items()
        ],
        "limits": {"max_parallel": 32},
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
        [user("Who works with Bob?"), said(final('{"people":["Eve"]}')), said(final('{"people":["Mallory","Eve"]}'))],
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
}
