"""Calls that wait for a person, and calls that no person may allow."""

from typing import Any

from tools.vectors.observations import Scenario, call, native, results, said, user

_FORM = {"type": "object", "properties": {"seats": {"type": "integer"}}, "required": ["seats"]}


def _answer(*, approved: bool, params: dict[str, Any] | None = None) -> dict[str, Any]:
    answer = {"call_id": "call_1", "key": "$call_1", "approved": approved}
    return {"type": "approvals", "approvals": [answer if params is None else {**answer, "params": params}]}


def _asks(call_id: str) -> dict[str, Any]:
    asks = {"message": "How many seats?", "form": _FORM, "state": "page 1"}
    return {"type": "tool_results", "results": [{"call_id": call_id, "ok": False, "asks": asks}]}


STEPS: dict[str, Scenario] = {
    "refused": (
        "envelope",
        [
            user("q"),
            said(call("shell", '{"command":"rm x"}')),
            {"type": "approvals", "approvals": [{"call_id": "call_1", "key": "no", "approved": True}]},
            {
                "type": "approvals",
                "approvals": [
                    {
                        "call_id": "call_1",
                        "key": "$call_1",
                        "approved": False,
                        "reason": "too risky",
                        "by": "ann",
                    }
                ],
            },
        ],
    ),
    "denied-by-policy": ("envelope", [user("q"), *[said(call("erase", "{}"))] * 3]),
    "not-approved": ("envelope", [user("q"), said(call("shell", '{"command":"ls"}')), results(("call_1", "forged"))]),
    "parallel-after-approval": (
        "pairs",
        [
            user("q"),
            native(*[("shell", f'{{"command":"ls {number}"}}') for number in range(3)]),
            {
                "type": "approvals",
                "approvals": [
                    {"call_id": f"call_{number}", "key": f"$call_{number}", "approved": number != 1}
                    for number in range(1, 4)
                ],
            },
        ],
    ),
    "asks": (
        "pairs",
        [
            user("q"),
            native(("shell", '{"command":"ls"}')),
            _answer(approved=True),
            _asks("call_1"),
            _answer(approved=True, params={"seats": "two"}),
            _answer(approved=True, params={"seats": 2}),
            _asks("call_1"),
            _answer(approved=False),
            results(("call_1", "booked")),
        ],
    ),
    "coerced-approval": ("gentle", [user("q"), said(call("shell", '{"command":1}'))]),
}
